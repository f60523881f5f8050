/** Files from addresses that know nobody: what a link opens, for how long, and that no credential matters there. */
import { applyD1Migrations } from 'cloudflare:test';
import { env as bindings } from 'cloudflare:workers';
import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Env } from '../env.ts';
import { type FileLink, fileLinkMs, fileLinkPath } from './file-links.ts';
import { app, ask, type Browser, freshId, newPerson, newToken, newWorkspace, origin } from './testing/people.ts';

const env = bindings as unknown as Env & { MIGRATIONS: Parameters<typeof applyD1Migrations>[1] };
let ann: Browser;
let workspace: string;
let goal: string;
const pages: Record<string, string> = {
  'out/page.html': '<script>alert(1)</script>',
  'notes.txt': '<b>notes</b>',
  'data.json': '{}',
  'pic.png': 'no picture',
  "it's (1).svg": '<svg onload="alert(1)"/>',
};
const digestOf = (path: string) =>
  createHash('sha256')
    .update(pages[path] ?? '')
    .digest('hex');
const cookie = () => ({ cookie: ann.cookie, origin });
const contract = { title: 'T', objective: 'O', criteria: [{ id: 'a', text: 'A', verify: 'attest' }] };

beforeAll(async () => {
  await applyD1Migrations(env.DB, env.MIGRATIONS);
  ann = await newPerson(env, 'Ann');
  workspace = await newWorkspace(ann, 'Acme');
  goal = (await ann.ask<{ goal: string }>(`/v1/workspaces/${workspace}/goals`, { body: { type: 'goal.create', commandId: freshId(), payload: { contract } } })).body.goal;
  for (const [path, text] of Object.entries(pages)) {
    const url = `${origin}/v1/workspaces/${workspace}/goals/${goal}/files/${encodeURIComponent(path).replaceAll('%2F', '/')}`;
    const stored = await app.fetch(new Request(url, { method: 'PUT', headers: cookie(), body: text }), env);
    if (stored.status !== 201) throw new Error(await stored.text());
  }
}, 60_000);

const linkOf = async (path: string, as = 'download', headers: Record<string, string> = cookie()) =>
  ask<{ code?: string }>(env, `/v1/workspaces/${workspace}/goals/${goal}/artifacts/${digestOf(path)}/link?as=${as}`, { headers });
async function opened(path: string, headers: Record<string, string> = {}) {
  const response = await app.fetch(new Request(`${origin}${path}`, { headers }), env);
  return { status: response.status, headers: response.headers, text: Buffer.from(await response.arrayBuffer()).toString() };
}
const signed = (more: Partial<FileLink> = {}) =>
  fileLinkPath(env, { workspace, goal, digest: digestOf('notes.txt'), name: 'notes.txt', as: 'download', expiresAt: Date.now() + fileLinkMs, ...more });

describe('a link to a file', () => {
  it('is for who may read the goal, and says nothing of who got it', async () => {
    const answered = await linkOf('notes.txt');
    expect(answered.status).toBe(303);
    const location = answered.headers.get('location') ?? '';
    expect(location).toMatch(/^\/v1\/files\/[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{43}\/notes\.txt$/);
    const said = Buffer.from(location.split('/')[3]?.split('.')[0] ?? '', 'base64url').toString();
    expect(JSON.parse(said)).toEqual([workspace, goal, digestOf('notes.txt'), 'notes.txt', 'download', expect.any(Number)]);
    expect((await linkOf('notes.txt', 'download', {})).status).toBe(401);
    const blind = await newToken(ann, workspace, ['usage:read']);
    expect((await linkOf('notes.txt', 'download', blind.headers)).status).toBe(403);
    expect((await linkOf('not there')).status).toBe(404);
  });

  it('opens with no credential, and with any it is the same', async () => {
    const location = (await linkOf('notes.txt')).headers.get('location') ?? '';
    const plain = await opened(location);
    expect([plain.status, plain.text]).toEqual([200, '<b>notes</b>']);
    for (const headers of [cookie(), { authorization: 'Bearer lht_nothing' }, { cookie: '__Secure-longhaul.session_token=forged' }, { 'sec-fetch-site': 'cross-site' }]) {
      const other = await opened(location, headers as Record<string, string>);
      expect([other.status, other.text, [...other.headers]]).toEqual([plain.status, plain.text, [...plain.headers]]);
    }
    expect([
      plain.headers.get('set-cookie'),
      plain.headers.get('cache-control'),
      plain.headers.get('x-content-type-options'),
      plain.headers.get('cross-origin-resource-policy'),
    ]).toEqual([null, 'private, no-store', 'nosniff', 'same-origin']);
  });

  it.each([
    ['out/page.html', 'view', 'application/octet-stream', /^attachment; filename\*=UTF-8''page\.html$/],
    ["it's (1).svg", 'view', 'application/octet-stream', /^attachment; filename\*=UTF-8''it%27s%20%281%29\.svg$/],
    ['pic.png', 'view', 'image/png', /^inline/],
    ['notes.txt', 'view', 'text/plain; charset=utf-8', /^inline/],
    ['data.json', 'view', 'text/plain; charset=utf-8', /^inline/],
    ['notes.txt', 'download', 'application/octet-stream', /^attachment/],
    ['pic.png', 'download', 'application/octet-stream', /^attachment/],
  ])('gives %s to %s as %s, in a sandbox', async (path, as, type, disposition) => {
    const given = await opened((await linkOf(path, as)).headers.get('location') ?? '');
    expect([given.status, given.headers.get('content-type')]).toEqual([200, type]);
    expect(given.headers.get('content-disposition')).toMatch(disposition);
    expect(given.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(given.headers.get('content-security-policy')).toContain('sandbox');
  });

  it('is nothing when it is altered, too old, of another workspace or goal, under another name, or signed for something else', async () => {
    const good = signed();
    expect((await opened(good)).status).toBe(200);
    const [, , , text = ''] = good.split('/');
    const lie = (more: object) => {
      const values = { workspace, goal, digest: digestOf('notes.txt'), name: 'notes.txt', as: 'download', expiresAt: Date.now() + fileLinkMs, ...more };
      return `/v1/files/${Buffer.from(JSON.stringify(Object.values(values))).toString('base64url')}.${text.split('.')[1]}/notes.txt`;
    };
    const wrong = [
      signed({ expiresAt: Date.now() - 1 }),
      signed({ workspace: 'another' }),
      signed({ digest: '0'.repeat(64) }),
      good.replace('/notes.txt', '/notes.html'),
      `${good}?name=notes.html`,
      `/v1/files/${text.slice(0, -1)}/notes.txt`,
      `/v1/files/${text}A/notes.txt`,
      lie({ expiresAt: Date.now() + 1e9 }),
      lie({ digest: digestOf('data.json') }),
      lie({ as: 'view' }),
      fileLinkPath({ ...env, LONGHAUL_AUTH_SECRET: 'another secret of this installation' } as Env, {
        workspace,
        goal,
        digest: digestOf('notes.txt'),
        name: 'notes.txt',
        as: 'view',
        expiresAt: Date.now() + fileLinkMs,
      }),
    ];
    const bodies = new Set<string>();
    for (const path of wrong) {
      const given = await opened(path, cookie());
      expect(given.status, path).toBe(404);
      bodies.add(given.text.replace(/"requestId":"[^"]*"/, ''));
    }
    expect(bodies.size).toBe(1);
  });
});
