/**
 * Canaries of secrets through everything that answers: every route that reads, as the owner and as programs, every command with a key in it, sockets, the archive of a goal, and what is logged
 * meanwhile. Made from the route table and the catalogues: a new route is in it by being there.
 */
import { applyD1Migrations } from 'cloudflare:test';
import { env as bindings } from 'cloudflare:workers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { commandTypes } from '../domain/commands.ts';
import { scopes } from '../domain/context.ts';
import type { Env } from '../env.ts';
import { workspaceCommandTypes } from '../workspace/core/catalogue.ts';
import { peopleCommandTypes } from '../workspace/people/catalogue.ts';
import type { Route } from './route.ts';
import { routes } from './routes.ts';
import { app, ask, type Browser, freshId, newPerson, newToken, newWorkspace, origin, password, peopleCommand } from './testing/people.ts';

/** It asks more often than anyone may. */
const { LIMIT_CALLERS: _callers, LIMIT_SIGN_IN: _signIn, ...bound } = bindings as unknown as Env & { MIGRATIONS: Parameters<typeof applyD1Migrations>[1] };
const env = { ...bound, LONGHAUL_CALLS_PER_MINUTE: '1000000' } as Env;

type Headers = Record<string, string>;
/** What must be in no answer, by name. */
const canaries: Record<string, string> = {
  'a sealed value': 'kanarienvogel/sealed+value=',
  // Nobody gave it for a secret: it is known by its shape.
  'a key in a text': `sk-kanarienvogel${'0123456789abcdef'.repeat(2)}`,
  'a password': password,
};
const logged: string[] = [];
for (const level of ['log', 'info', 'warn', 'error', 'debug'] as const) vi.spyOn(console, level).mockImplementation((...parts) => void logged.push(parts.map(String).join(' ')));

let ann: Browser;
let workspace: string;
let goal: string;
let digest = '';
let robot: Headers;
let agent: Headers;
const at = () => `/v1/workspaces/${workspace}/goals/${goal}`;
const cookie = (): Headers => ({ cookie: ann.cookie, origin });
const give = <B = { result: Record<string, unknown> }>(path: string, type: string, payload: object, more: object = {}, headers = cookie()) =>
  ask<B>(env, path, { headers, body: { type, commandId: freshId('canary'), payload, ...more } });

/** In the forms in which a text travels. */
function holds(text: string): string[] {
  return Object.entries(canaries).flatMap(([name, value]) => {
    const forms = [value, encodeURIComponent(value), btoa(value).slice(0, -4), JSON.stringify(value).slice(1, -1), Buffer.from(value).toString('hex')];
    return forms.some((form) => text.includes(form)) ? [name] : [];
  });
}

beforeAll(async () => {
  await applyD1Migrations(env.DB, (bindings as unknown as { MIGRATIONS: Parameters<typeof applyD1Migrations>[1] }).MIGRATIONS);
  ann = await newPerson(env, 'Ann');
  workspace = await newWorkspace(ann, 'Acme');
  canaries['the signature of a session'] = decodeURIComponent(ann.cookie.split('=')[1] ?? '').split('.')[1] ?? '';
  const settings = `/v1/workspaces/${workspace}/commands`;
  const put = async (type: string, payload: object) => expect((await give(settings, type, payload)).status, type).toBe(200);
  await put('secret.put', { name: 'key', value: canaries['a sealed value'] });
  await put('provider.put', { name: 'p', kind: 'openai-compatible', baseUrl: 'https://models.example/v1', secret: 'key' });
  const token = await newToken(ann, workspace, scopes);
  robot = token.headers;
  canaries['a token'] = token.secret;
  const invited = await peopleCommand(ann, workspace, 'member.invite', { email: 'guest@people.example', role: 'viewer' });
  canaries['an invitation'] = invited.body.link?.split('#')[1] ?? '';

  const key = canaries['a key in a text'];
  const made = await give<{ goal: string }>(`/v1/workspaces/${workspace}/goals`, 'goal.create', { mode: 'graph_only', title: `Use ${key}`, confirmed: true });
  goal = made.body.goal;
  const command = async (type: string, payload: object, more: object = {}, headers = cookie()) => {
    const { status, body } = await give(`${at()}/commands`, type, payload, more, headers);
    expect([status < 300, type], JSON.stringify(body)).toEqual([true, type]);
    return body.result;
  };
  const items = ['a', 'b'].map((name) => ({ key: name, title: `Use ${key}`, objective: `With ${key}`, executor: { kind: 'external', name: 'robot' }, review: [{ by: 'person' }] }));
  const { proposal } = await command('plan.propose', { document: { mode: 'graph_only', items } }, { expected: { planRevision: 0 } });
  await command('plan.adopt', { proposal }, { expected: { planRevision: 0 } });
  await command('message.post', { text: `The key is ${key}` });
  await command('note.append', { topic: 'keys', text: `Ours: ${key}, the token ${token.secret}` }, { reason: key });
  await command('fact.record', { facts: [{ key: 'keys/ours', value: { key }, provenance: { from: 'person', principal: `person:${ann.id}` } }] });
  const { fence } = await command('work.claim', { item: 'a' }, {}, robot);
  const issued = await ask<{ token: string }>(env, `${at()}/items/a/token`, { headers: robot, body: { fence } });
  canaries['the token of an attempt'] = issued.body.token;
  agent = { authorization: `Bearer ${issued.body.token}` };
  const stored = await app.fetch(new Request(`${origin}${at()}/files/a.txt`, { method: 'PUT', headers: cookie(), body: 'bytes' }), env);
  digest = stored.headers.get('location')?.split('/').at(-1) ?? '';
  await command('attempt.start', { item: 'a', fence }, {}, agent);
  await command('submission.submit', { item: 'a', artifacts: [{ path: 'a.txt', digest, size: 5 }], summary: `Made with ${key}` }, {}, agent);
  await command('work.block', { item: 'b', key: 'which', reason: `Is it ${key}?`, form: { type: 'object', properties: { key: { type: 'string', default: key } } } });
}, 120_000);
afterAll(() => vi.restoreAllMocks());

function filled(route: Route): string {
  return route.path
    .replace(':workspace', workspace)
    .replace(':goal', goal)
    .replace(':digest', digest)
    .replace('/facts/:key{.+}', '/facts/keys/ours')
    .replace(/:key|:name(?=\/test)/, 'a')
    .replace(/:path\{[^}]*\}/, 'a.txt')
    .replace(/:[a-z]+(\{[^}]*\})?/g, 'a');
}

async function answered(path: string, init: RequestInit): Promise<{ status: number; text: string }> {
  const response = await app.fetch(new Request(`${origin}${path}`, { redirect: 'manual', ...init }), env);
  return {
    status: response.status,
    text: `${JSON.stringify([...response.headers].filter(([name]) => name !== 'set-cookie'))}${Buffer.from(await response.arrayBuffer()).toString('latin1')}`,
  };
}

describe('no secret is in', () => {
  it('any answer of a route that reads, whoever asks', async () => {
    const kinds = ['goal_version', 'proposal', 'revision', 'item_spec', 'assignment', 'attempt', 'submission', 'blocker', 'fact', 'message', 'note', 'artifact', 'wait'];
    let read = 0;
    const wrong: string[] = [];
    for (const route of routes) {
      // What stays open says what a socket says; the last knocks at servers of this machine.
      if (route.method !== 'GET' || /\/(socket|stream|models\/local)$/.test(route.path)) continue;
      const paths = route.path.endsWith('/record') ? kinds.map((kind) => `${filled(route)}?kind=${kind}`) : [filled(route)];
      for (const path of paths)
        for (const headers of [cookie(), robot, agent]) {
          const given = await answered(path, { headers });
          if (given.status === 200) read++;
          const found = holds(given.text);
          if (found.length > 0) wrong.push(`${path}: ${found.join(', ')}`);
        }
    }
    expect(wrong).toEqual([]);
    expect(read).toBeGreaterThan(100);
  });

  it('any text of the record, by its digest', async () => {
    const texts = new Set<string>();
    for (const { events } of [(await ask<{ data: object[] }>(env, `${at()}/events?limit=1000`, { headers: cookie() })).body].map(({ data }) => ({ events: data })))
      for (const found of JSON.stringify(events).match(/[0-9a-f]{64}/g) ?? []) texts.add(found);
    expect(texts.size).toBeGreaterThan(5);
    for (const each of texts) expect(holds((await answered(`${at()}/body/${each}`, { headers: cookie() })).text), each).toEqual([]);
  });

  it('what a socket says', async () => {
    const { webSocket: socket } = await app.fetch(new Request(`${origin}${at()}/socket`, { headers: { upgrade: 'websocket', ...cookie() } }), env);
    if (!socket) throw new Error('no socket');
    socket.accept();
    const frames: string[] = [];
    const reads = [
      { what: 'goal' },
      { what: 'graph' },
      { what: 'item', item: 'a' },
      { what: 'item', item: 'b' },
      { what: 'events', after: 0, limit: 1000 },
      { what: 'fact', key: 'keys/ours' },
    ];
    const all = new Promise<void>((resolve) =>
      socket.addEventListener('message', (event) => {
        frames.push(String(event.data));
        if (frames.filter((frame) => frame.includes('"kind":"read"')).length === reads.length) resolve();
      }),
    );
    for (const [n, query] of reads.entries()) socket.send(JSON.stringify({ kind: 'read', id: n + 1, query }));
    await all;
    socket.close();
    expect(frames.length).toBeGreaterThan(reads.length);
    for (const frame of frames) expect(holds(frame)).toEqual([]);
  });

  it('what a refused command answers, with a key wherever somebody could put one', async () => {
    const key = canaries['a key in a text'] ?? '';
    const wrong: string[] = [];
    const paths = [
      ...commandTypes.map((type) => [type, `${at()}/commands`] as const),
      ...workspaceCommandTypes.map((type) => [type, `/v1/workspaces/${workspace}/commands`] as const),
      ...peopleCommandTypes.map((type) => [type, `/v1/workspaces/${workspace}/people/commands`] as const),
    ];
    const bodies = (type: string) => [
      { type, commandId: freshId('wrong'), payload: { [key]: key, item: key, name: key, email: key, value: { key } }, dryRun: true },
      { type, commandId: key, payload: key, dryRun: true },
    ];
    for (const [type, path] of paths)
      for (const body of bodies(type)) {
        const found = holds((await answered(path, { method: 'POST', headers: { ...cookie(), 'content-type': 'application/json' }, body: JSON.stringify(body) })).text);
        if (found.length > 0) wrong.push(`${type} ${JSON.stringify(body).slice(0, 80)}: ${found.join(', ')}`);
      }
    expect(wrong).toEqual([]);
  });

  it('what is answered where a key stands in the address, the query, a header or a form that signs in', async () => {
    const key = canaries['a key in a text'] ?? '';
    const cases: [string, RequestInit][] = [
      [`/v1/${key}`, {}],
      [`/v1/workspaces/${workspace}/goals?cursor=${key}`, { headers: cookie() }],
      [`/v1/workspaces/${workspace}/goals?${key}=1`, { headers: cookie() }],
      [`${at()}/items/${key}`, { headers: cookie() }],
      [`${at()}/facts/${key}`, { headers: cookie() }],
      [`/v1/files/${key}/a.txt`, {}],
      ['/v1/me', { headers: { authorization: `Bearer ${key}` } }],
      [at(), { headers: { ...cookie(), 'if-match': key, 'idempotency-key': key } }],
      ['/auth/sign-in/email', { method: 'POST', headers: { origin, 'content-type': 'application/json' }, body: JSON.stringify({ email: 'ann@people.example', password: key }) }],
      ['/auth/sign-in/social', { method: 'POST', headers: { origin, 'content-type': 'application/json' }, body: JSON.stringify({ provider: key }) }],
      ['/v1/invitations/accept', { method: 'POST', headers: { ...cookie(), 'content-type': 'application/json' }, body: JSON.stringify({ secret: key }) }],
    ];
    for (const [path, init] of cases) expect(holds((await answered(path, init)).text), path).toEqual([]);
  });

  it('any line that was logged meanwhile', () => {
    console.warn('the spy hears');
    expect(logged).toContain('the spy hears');
    expect(logged.filter((line) => holds(line).length > 0)).toEqual([]);
  });
});
