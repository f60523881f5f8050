/**
 * The command with the real wrangler, against a stand-in of Cloudflare's API on this machine: a run that breaks off half way, one that goes on, one that has nothing to do.
 * What Cloudflare itself makes of these calls is not shown here.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { account, CloudflareApi } from '../testing/cloudflare-api/server.ts';
import { inRoot, root } from './repository.ts';

const api = new CloudflareApi();
let url: string;
const folder = mkdtempSync(join(tmpdir(), 'longhaul-deploy-test-'));
const mailKey = 'mail-key-of-the-test-0123456789';
beforeAll(async () => {
  url = await api.start();
});
afterAll(async () => {
  await api.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function deploy(args: string[], more: NodeJS.ProcessEnv = {}): Promise<{ code: number | null; said: string; changes: string[] }> {
  api.calls.length = 0;
  const child = spawn(
    process.execPath,
    [inRoot('scripts/deploy.ts'), '--no-console', '--settings', relative(root, join(folder, 'settings')), '--state', relative(root, join(folder, 'state')), ...args],
    {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        NODE_ENV: '',
        VITEST: '',
        CLOUDFLARE_API_BASE_URL: url,
        CLOUDFLARE_API_TOKEN: 'token-of-the-test',
        CLOUDFLARE_ACCOUNT_ID: account,
        NODE_NO_WARNINGS: '1',
        ...more,
      },
    },
  );
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  expect(api.unknown).toEqual([]);
  const values = [mailKey, 'token-of-the-test', ...[...api.workers.values()].flatMap(({ secrets }) => [...secrets.values()])];
  for (const value of values) expect(said).not.toContain(value);
  return { code, said, changes: api.changes() };
}

const settings = { LONGHAUL_URL: 'https://longhaul.example.com', LONGHAUL_MAIL_URL: 'https://mail.example.com/send', LONGHAUL_MAIL_FROM: 'longhaul@example.com' };

describe('npm run deploy', { timeout: 300_000 }, () => {
  it('does not begin without what the Worker needs, and says what that is', async () => {
    expect(await deploy(['--yes'])).toMatchObject({ code: 2, said: expect.stringContaining('LONGHAUL_URL, LONGHAUL_MAIL_URL, LONGHAUL_MAIL_FROM'), changes: [] });
  });

  it('breaks off half way and leaves what it has made', async () => {
    api.fault = { when: (method, path) => method === 'POST' && path.endsWith('/query'), status: 500 };
    const { code, said, changes } = await deploy(['--yes'], { ...settings, LONGHAUL_MAIL_KEY: mailKey });
    expect(said).toContain('migrate the database');
    expect(said).toContain('goes on from there');
    expect(code).toBe(1);
    // The last is the empty Worker that holds the secrets.
    expect(changes).toEqual([
      'POST /d1/database',
      'POST /queues',
      'POST /queues',
      'POST /r2/buckets',
      'PATCH /workers/scripts/longhaul/secrets-bulk',
      'PUT /workers/scripts/longhaul',
      'PATCH /workers/scripts/longhaul/secrets-bulk',
    ]);
    expect([...(api.workers.get('longhaul')?.secrets.keys() ?? [])].sort()).toEqual(['LONGHAUL_AUTH_SECRET', 'LONGHAUL_MAIL_KEY', 'LONGHAUL_MASTER_KEY_1']);
  });

  it('goes on where it broke off: the migrations, then the code with its objects, crons and consumers', async () => {
    const before = new Map(api.workers.get('longhaul')?.secrets);
    const { code, said, changes } = await deploy(['--yes']);
    expect([code, said]).toEqual([0, expect.stringContaining('exists   database longhaul\n')]);
    expect(changes.filter((call) => /POST \/(d1|queues|r2)\b(?!.*consumers)|secrets/.test(call))).toEqual([]);
    const worker = api.workers.get('longhaul');
    expect(worker?.secrets).toEqual(before);
    expect(worker?.versions.at(-1)).toMatchObject({ tag: 'v3' });
    expect(worker?.crons).toEqual(['* * * * *']);
    expect(api.queues.map(({ name, consumers }) => [name, consumers.map(({ script, dead_letter_queue }) => [script, dead_letter_queue])])).toEqual([
      ['longhaul-work', [['longhaul', 'longhaul-dead']]],
      ['longhaul-dead', [['longhaul', undefined]]],
    ]);
    const [[id, database] = []] = [...api.databases];
    expect(database?.sql.prepare("SELECT count(*) AS n FROM sqlite_master WHERE name = 'goals'").get()).toEqual({ n: 1 });
    expect(JSON.parse(readFileSync(join(folder, 'state/production/wrangler.json'), 'utf8'))).toMatchObject({ d1_databases: [{ database_id: id }] });
    expect(JSON.parse(readFileSync(join(folder, 'settings/production.json'), 'utf8'))).toMatchObject({ vars: settings });
    expect(existsSync(join(folder, 'state/production/unfinished'))).toBe(false);
  });

  it('has nothing to do the second time', async () => {
    const { code, said, changes } = await deploy(['--yes'], { LONGHAUL_MAIL_KEY: 'another' });
    expect([code, changes, said]).toEqual([0, [], expect.stringContaining('Nothing to do.')]);
  });

  it('says what it would do and does none of it', async () => {
    const { code, said, changes } = await deploy(['--dry-run', '--env', 'staging'], { ...settings, LONGHAUL_MAIL_KEY: mailKey });
    expect([code, changes]).toEqual([0, []]);
    expect(said).toContain('create   queue longhaul-staging-dead');
    expect(existsSync(join(folder, 'settings/staging.json'))).toBe(false);
  });
});
