/** What a production build contains, looked for in the bundle that a deployment would upload. Without any network. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** The JavaScript of a bundle. The assets are left out: they are another build. */
function bundle(environment: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'longhaul-bundle-'));
  // The console may not have been built yet, and is not what is looked into here.
  const assets = mkdtempSync(join(tmpdir(), 'longhaul-assets-'));
  folders.push(folder, assets);
  execFileSync(process.execPath, [join(root, 'node_modules/wrangler/bin/wrangler.js'), 'deploy', '--dry-run', '--outdir', folder, '--env', environment, '--assets', assets], {
    cwd: root,
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false', CI: '1' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
}

/** Bytes, compressed. */
const largest = 5_000_000;

const signs = ['longhaul-development-sign-in', 'person:local', '/v1/dev/', 'LONGHAUL_DEV_WORKSPACES', 'LONGHAUL_MODEL_URL', 'OLLAMA_CONTEXT_LENGTH'];

describe('what is for development only', { timeout: 120_000 }, () => {
  it('is in a development bundle, so that looking for it means something', () => {
    const text = bundle('');
    for (const sign of signs) expect(text.includes(sign), sign).toBe(true);
  });

  it('is not in a production bundle', () => {
    const text = bundle('production');
    expect(text.includes('/healthz')).toBe(true);
    for (const sign of signs) expect(text.includes(sign), sign).toBe(false);
    // Cloudflare takes 10 MB compressed on the paid plan (3 MB on the free one, which lacks other things too: docs/deploy.md). Half of that leaves room; who needs more thinks about it first.
    const size = gzipSync(text).byteLength;
    console.log(`production bundle: ${(size / 1e6).toFixed(2)} MB compressed; the free plan takes 3 MB, the paid one 10 MB`);
    expect(size).toBeLessThan(largest);
  });
});
