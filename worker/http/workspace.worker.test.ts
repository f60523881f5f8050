/** The workspace's routes through the Worker and its object as they run. */
import { applyD1Migrations } from 'cloudflare:test';
import { env as bindings } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Scope, scopes } from '../domain/context.ts';
import type { Env } from '../env.ts';
import { problemOf } from './problem.ts';
import type { Call, WorkspaceRoute } from './route.ts';
import { routes } from './routes.ts';
import { checkedApp } from './testing/conformity.ts';

const env = { ...(bindings as unknown as Env & { MIGRATIONS: Parameters<typeof applyD1Migrations>[1] }), LONGHAUL_DEV_WORKSPACES: 'local,other,third' };
beforeAll(() => applyD1Migrations(env.DB, env.MIGRATIONS));
afterEach(() => vi.restoreAllMocks());

const app = checkedApp;
type Json = Record<string, unknown>;
type Answered = { status: number; body: Json & { data: Json[]; code: string; version: number; nextCursor: string | null }; text: string };

async function ask(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answered> {
  const response = await app.fetch(
    new Request(`http://127.0.0.1:8787/v1/workspaces/${path}`, body === undefined ? {} : { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body), headers }),
    env,
  );
  const text = await response.text();
  return { status: response.status, body: JSON.parse(text), text };
}
let count = 0;
const give = (workspace: string, type: string, payload: unknown, more: Json = {}) => ask(`${workspace}/commands`, { type, commandId: `h${++count}`, payload, ...more });

/** The route's own handler, for a member who holds these scopes only. */
async function as(held: readonly Scope[], method: string, path: string, body?: unknown) {
  const route = routes.find((each): each is WorkspaceRoute => each.method === method && each.path === `/v1/workspaces/:workspace${path}`);
  if (!route) throw new Error(path);
  const request = new Request('http://127.0.0.1/', body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) });
  const call: Call = {
    request,
    env,
    requestId: 'r',
    query: new URLSearchParams(),
    params: { workspace: 'local' },
    member: { principal: 'person:b', kind: 'person', scopes: held, role: null, person: null, goals: null, attempt: null, credential: 'development' },
    workspace: 'local',
  };
  const given = await route.handle(call);
  return given instanceof Response
    ? { status: given.status, body: await given.json() }
    : { status: problemOf(given, { requestId: 'r' }).status, body: problemOf(given, { requestId: 'r' }) };
}

describe('settings over HTTP', () => {
  it('are set by commands and read with who set them and when', async () => {
    expect(await give('local', 'provider.put', { name: 'lan', kind: 'openai-compatible', baseUrl: 'http://127.0.0.1:11434/v1' })).toMatchObject({
      status: 200,
      body: { outcome: 'applied', version: 1 },
    });
    await give('local', 'profile.put', { name: 'default', provider: 'lan', model: 'qwen' });
    await give('local', 'outgoing.set', { allow: ['api.example.com'], deny: [] });
    await give('local', 'policy.set', { rules: [{ tool: 'http.request', then: 'ask' }] });
    const read = await ask('local/settings');
    expect(read).toMatchObject({
      status: 200,
      body: {
        version: 4,
        providers: [{ value: { name: 'lan', kind: 'openai-compatible' }, version: 1, by: 'person:local' }],
        profiles: [{ value: { name: 'default', model: 'qwen' }, version: 2 }],
        outgoing: { value: { allow: ['api.example.com'] }, version: 3 },
        policy: { value: { rules: [{ tool: 'http.request', where: [], then: 'ask' }] }, version: 4 },
        budget: { version: 0, by: null },
      },
    });
  });

  it('twice with one command id is once, and another body under it is refused', async () => {
    const body = { type: 'mcp.put', commandId: 'same', payload: { name: 'files', url: 'https://mcp.example.com/mcp', tools: ['list'] } };
    const first = await ask('third/commands', body);
    expect(first.body).toMatchObject({ outcome: 'applied', replayed: false });
    expect((await ask('third/commands', body)).body).toEqual({ ...first.body, replayed: true });
    const { commandId: _, ...without } = body;
    expect((await ask('third/commands', without, { 'idempotency-key': 'same' })).body).toMatchObject({ replayed: true });
    expect(await ask('third/commands', { ...body, payload: { ...body.payload, tools: [] } })).toMatchObject({ status: 409, body: { code: 'command_reused' } });
    const race = await Promise.all(Array.from({ length: 6 }, () => ask('third/commands', { ...body, commandId: 'race' })));
    expect(new Set(race.map((each) => each.body.version)).size).toBe(1);
    expect(race.filter((each) => each.body.replayed === false)).toHaveLength(1);
  });

  it.each([
    ['an unknown field', 'provider.put', { name: 'x', kind: 'openai', colour: 'red' }, '/payload/colour', 'unknown_field', 422],
    ['a wrong type', 'budget.set', { currency: 'USD', parallelRounds: '3' }, '/payload/parallelRounds', 'wrong_type', 422],
    ['an address with a key in it', 'mcp.put', { name: 'x', url: 'https://a.example.com/mcp?api_key=1', tools: [] }, '/payload/url', 'credentials_in_address', 422],
    ['an address with a password in it', 'provider.put', { name: 'x', kind: 'openai', baseUrl: 'https://u:p@a.example.com' }, '/payload/baseUrl', 'credentials_in_address', 422],
    ['a secret that is not there', 'provider.put', { name: 'x', kind: 'openai', secret: 'none' }, '/payload/secret', 'setting_missing', 409],
    ['a provider that is not there', 'profile.put', { name: 'x', provider: 'none', model: 'm' }, '/payload/provider', 'setting_missing', 409],
    [
      'a pattern that is none',
      'policy.set',
      { rules: [{ tool: '*', where: [{ pointer: '', matches: '(' }], then: 'deny' }] },
      '/payload/rules/0/where/0/matches',
      'pattern_invalid',
      422,
    ],
    ['a secret that is no text', 'secret.put', { name: 'x', value: 7 }, '/payload/value', 'wrong_type', 422],
    ['a limit that would fall', 'budget.raise', { parallelRounds: 1 }, '/payload/parallelRounds', 'not_higher', 422],
  ])('refuses %s at its place and changes nothing', async (_what, type, payload, pointer, code, status) => {
    const before = (await ask('other/settings')).text;
    expect(await give('other', type, payload)).toMatchObject({ status, body: { errors: [{ pointer, code }], effect: 'none' } });
    expect((await ask('other/settings')).text).toBe(before);
  });

  it('refuses an unknown command, an unknown parameter, and what was decided on an older version', async () => {
    expect(await give('other', 'secret.read', { name: 'x' })).toMatchObject({ status: 422, body: { errors: [{ pointer: '/type' }] } });
    expect(await ask('other/settings?colour=red')).toMatchObject({ status: 422, body: { errors: [{ pointer: '/query/colour' }] } });
    const put = { name: 'v', url: 'https://mcp.example.com/mcp', tools: [] };
    const made = await give('other', 'mcp.put', put, { expected: { version: 0 } });
    expect(made.status).toBe(200);
    expect(await give('other', 'mcp.put', put, { expected: { version: 0 } })).toMatchObject({
      status: 412,
      body: { code: 'setting_stale', current: { version: made.body.version } },
    });
    expect(await give('other', 'mcp.remove', { name: 'v' }, { expected: { version: made.body.version } })).toMatchObject({ status: 200 });
  });

  it('belong to their workspace', async () => {
    await give('other', 'secret.put', { name: 'only-other', value: 'canary-only-other' });
    await give('other', 'mcp.put', { name: 'only-other', url: 'https://only-other.example.com/mcp', tools: [] });
    for (const path of ['settings', 'secrets', 'audit', 'usage']) {
      expect((await ask(`other/${path}`)).status, path).toBe(200);
      expect((await ask(`local/${path}`)).text, path).not.toContain('only-other');
      expect(await ask(`unlisted/${path}`), path).toMatchObject({ status: 404, body: { code: 'not_found' } });
    }
    expect(await give('unlisted', 'secret.put', { name: 'x', value: 'yyyyyy' })).toMatchObject({ status: 404 });
    // A secret of the other workspace is none here.
    expect(await give('local', 'provider.put', { name: 'thief', kind: 'openai', secret: 'only-other' })).toMatchObject({ status: 409, body: { code: 'setting_missing' } });
  });

  it.each([
    ['provider.put', { name: 'x', kind: 'openai' }, 'admin'],
    ['secret.put', { name: 'x', value: 'canary-scope' }, 'secrets:write'],
    ['budget.raise', { parallelRounds: 900 }, 'admin'],
  ] as const)('%s needs its scope', async (type, payload, scope) => {
    const body = { type, commandId: `scope-${type}`, payload };
    const rest = scopes.filter((each) => each !== scope);
    expect(await as(rest, 'POST', '/commands', body)).toMatchObject({ status: 403, body: { code: 'scope_missing', current: { scope } } });
    expect(await as([scope], 'POST', '/commands', body)).toMatchObject({ status: 200 });
  });

  it('names the scope of each read', () => {
    const may = (path: string) => routes.find((route) => route.path === `/v1/workspaces/:workspace/${path}`)?.may;
    expect(['settings', 'secrets', 'audit', 'usage'].map(may)).toEqual(['goals:read', 'goals:read', 'admin', 'usage:read']);
  });

  it('have an audit of pages', async () => {
    for (const name of ['a1', 'a2', 'a3']) await give('third', 'mcp.put', { name, url: 'https://mcp.example.com/mcp', tools: [] }, { reason: `because of ${name}` });
    const first = await ask('third/audit?limit=2');
    expect(first.body.data).toMatchObject([
      { type: 'mcp.put', by: 'person:local', subject: 'a3', reason: 'because of a3', before: null, after: { name: 'a3' } },
      { subject: 'a2' },
    ]);
    const second = await ask(`third/audit?limit=2&cursor=${first.body.nextCursor}`);
    expect(second.body.data[0]).toMatchObject({ subject: 'a1' });
    const rest = await ask(`third/audit?limit=200`);
    expect(rest.body.nextCursor).toBeNull();
  });
});

describe('a secret over HTTP', () => {
  it('goes in and never comes out: in no answer, no log, no list', async () => {
    const canary = 'canary-b41d-http';
    const lines: string[] = [];
    for (const level of ['log', 'info', 'warn', 'error', 'debug'] as const) vi.spyOn(console, level).mockImplementation((...said) => void lines.push(said.map(String).join(' ')));
    const texts = [
      await give('local', 'secret.put', { name: 'canary', value: canary }),
      await give('local', 'secret.put', { name: 'canary', value: canary, more: 1 }),
      await give('local', 'secret.put', { name: 'Not A Name', value: canary }),
      await give('local', 'secret.put', { name: 'canary', value: `${canary}\u0000` }),
      await give('local', 'secret.put', { name: 'canary', value: canary }, { dryRun: true }),
      await give('local', 'secret.put', { name: 'canary', value: canary }, { expected: { version: 1 } }),
      await ask('local/commands', `{"type":"secret.put","commandId":"cut","payload":{"name":"canary","value":"${canary}"`),
      await ask('local/secrets'),
      await ask('local/settings'),
      await ask('local/audit?limit=200'),
      await ask('local/usage'),
    ];
    expect(texts.map((each) => each.status)).toEqual([200, 422, 422, 422, 200, 412, 422, 200, 200, 200, 200]);
    expect(texts[7]?.body.data).toContainEqual(expect.objectContaining({ name: 'canary', by: 'person:local' }));
    for (const { text } of texts) expect(text).not.toContain(canary);
    expect(lines.join('\n')).not.toContain(canary);
  });

  it('can be opened by no route', () => {
    const paths = routes.map((route) => `${route.method} ${route.path}`);
    expect(paths.filter((path) => path.includes('secret'))).toEqual(['GET /v1/workspaces/:workspace/secrets']);
    expect(paths.filter((path) => /grant|settle|open/i.test(path))).toEqual(['GET /v1/openapi.json', 'POST /v1/workspaces/:workspace/links/open']);
  });
});
