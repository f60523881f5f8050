/**
 * The API as a program meets it: through the Worker, the Goal's object and the book. What each command decides is tested in the domain; here it is what
 * HTTP adds: identity, isolation, idempotency, preconditions, problem+json, files.
 */
import { applyD1Migrations } from 'cloudflare:test';
import { env as bindings, exports } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Env } from '../env.ts';
import { goalStub } from '../goal/goal-stub.ts';
import { routes } from './routes.ts';
import { checkedApp, conforms } from './testing/conformity.ts';

const env = bindings as unknown as Env & { MIGRATIONS: Parameters<typeof applyD1Migrations>[1] };
beforeAll(() => applyD1Migrations(env.DB, env.MIGRATIONS));

const origin = 'http://127.0.0.1:8787';
const worker = (exports as unknown as { default: { fetch(request: Request): Promise<Response> } }).default;
const app = checkedApp;

type Sent = { method?: string; body?: unknown; raw?: BodyInit; headers?: Record<string, string> };
/** The fields that these tests read; each answer has some of them. */
interface Body {
  goal: string;
  seq: number;
  nextCursor: string | null;
  digest: string;
  code: string;
  data: { goal: string; seq: number; type: string; data: { contractBody: string } }[];
  errors: { pointer: string }[];
}
type Answered = { status: number; headers: Headers; body: Body };

async function answered(response: Response): Promise<Answered> {
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: JSON.parse(text.startsWith('{') ? text : '{}') as Body };
}

function request(path: string, { method, body, raw, headers = {} }: Sent = {}): Request {
  const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  return new Request(`${origin}${path}`, { method: method ?? (payload === undefined ? 'GET' : 'POST'), headers, ...(payload === undefined ? {} : { body: payload }) });
}

const ask = async (path: string, sent?: Sent) => {
  const asked = request(path, sent);
  const response = await worker.fetch(asked.clone());
  await conforms(asked, response);
  return answered(response);
};
/** As a member of two workspaces. */
const askAsMemberOfTwo = async (path: string, sent?: Sent) => answered(await app.fetch(request(path, sent), { ...env, LONGHAUL_DEV_WORKSPACES: 'local,other' }));

let count = 0;
const fresh = (name: string) => `${name}-${++count}`;
const goals = '/v1/workspaces/local/goals';
const contract = (title: string) => ({ title, objective: 'Say hello.', criteria: [{ id: 'said', text: 'It was said', verify: 'attest' }] });
const creation = (commandId: string, title = 'Hello') => ({ type: 'goal.create', commandId, payload: { mode: 'bound', contract: contract(title), confirmed: false } });

async function newGoal(): Promise<string> {
  const made = await ask(goals, { body: creation(fresh('create')) });
  expect(made.status).toBe(201);
  return made.body.goal;
}

describe('the door', () => {
  it('answers an unknown route with a problem', async () => {
    const nothing = await ask('/v1/nothing');
    expect(nothing.status).toBe(404);
    expect(nothing.headers.get('content-type')).toBe('application/problem+json');
    expect(nothing.body).toMatchObject({ code: 'not_found', effect: 'none', status: 404 });
    expect((await ask('/v1/nothing', { body: { a: 1 } })).status).toBe(404);
  });

  it('answers 401 to whoever does not come from this machine', async () => {
    for (const each of [
      new Request('http://longhaul.example/v1/workspaces/local/goals'),
      request(goals, { headers: { host: 'evil.example' } }),
      request(goals, { headers: { 'cf-connecting-ip': '10.0.0.9' } }),
    ]) {
      expect(await answered(await app.fetch(each, env))).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
    }
  });

  it.each(routes.filter((route) => route.path.startsWith('/v1/workspaces/:workspace/')).map((route) => [route.method, route.path] as const))(
    '%s %s is for members of the workspace only',
    async (method, path) => {
      const filled = (workspace: string) =>
        path
          .replace(':workspace', workspace)
          .replace(':goal', `goal_${'3'.repeat(32)}`)
          .replace(/:[a-z]+(\{[^}]*\})?/g, 'x');
      const sent = { method, ...(method === 'GET' ? {} : { raw: '{}' }) };
      const stranger = { ...sent, headers: { 'cf-connecting-ip': '10.0.0.9' } };
      expect(await ask(filled('local'), stranger)).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
      expect(await ask(filled('unlisted'), sent)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    },
  );

  it('refuses a change that another site asks for', async () => {
    const commandId = fresh('foreign');
    const refused = await ask(goals, { body: creation(commandId), headers: { origin: 'https://evil.example' } });
    expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect((await ask(goals, { body: creation(commandId), headers: { origin } })).status).toBe(201);
  });

  it('knows no workspace but those of the caller, and no goal id of another form', async () => {
    expect(await ask('/v1/workspaces/unlisted/goals')).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect((await ask(`${goals}/goal_short`)).status).toBe(404);
    expect((await ask(`${goals}/goal_${'0'.repeat(32)}`)).body.code).toBe('not_found');
  });

  it('keeps workspaces apart', async () => {
    const made = await askAsMemberOfTwo('/v1/workspaces/other/goals', { body: creation(fresh('other')) });
    expect(made.status).toBe(201);
    const goal = made.body.goal;
    expect((await askAsMemberOfTwo(`/v1/workspaces/other/goals/${goal}`)).status).toBe(200);
    for (const path of ['', '/graph', '/events', '/next', '/record?kind=goal_version', '/doctor', '/attempts']) {
      expect(await askAsMemberOfTwo(`${goals}/${goal}${path}`), path).toMatchObject({ status: 404, body: { code: 'not_found' } });
    }
    expect((await askAsMemberOfTwo(`${goals}/${goal}/commands`, { body: { type: 'goal.cancel', commandId: fresh('c') } })).status).toBe(404);
    expect((await ask(`/v1/workspaces/other/goals/${goal}`)).status).toBe(404);
    // Even asked by the wrong name, an object answers for its own workspace only.
    const read = await goalStub(env, 'other', goal).read({ v: 1, workspace: 'local', goal, query: { what: 'goal' } });
    expect(read).toMatchObject({ outcome: 'refused', refusal: { code: 'not_found' } });
    await goalStub(env, 'other', goal).drain({ v: 1, workspace: 'other', goal });
    const listed = await askAsMemberOfTwo(`${goals}?limit=200`);
    expect(JSON.stringify(listed.body)).not.toContain(goal);
    expect(JSON.stringify((await askAsMemberOfTwo('/v1/workspaces/other/goals')).body)).toContain(goal);
  });
});

describe('creating', () => {
  it('twice with one command id is once', async () => {
    const commandId = fresh('twice');
    const first = await ask(goals, { body: creation(commandId) });
    const second = await ask(goals, { body: creation(commandId) });
    expect(first).toMatchObject({ status: 201, body: { outcome: 'applied', replayed: false } });
    expect(second).toMatchObject({ status: 200, body: { outcome: 'applied', replayed: true, goal: first.body.goal, seq: first.body.seq } });
    expect(first.headers.get('location')).toBe(`${goals}/${first.body.goal}`);
    const events = await ask(`${goals}/${first.body.goal}/events`);
    expect(events.body.data.filter((event) => event.type === 'goal.created')).toHaveLength(1);
  });

  it('twice at the same moment is once', async () => {
    const commandId = fresh('race');
    const made = await Promise.all(Array.from({ length: 8 }, () => ask(goals, { body: creation(commandId) })));
    expect(new Set(made.map((each) => each.body.goal)).size).toBe(1);
    expect(made.map((each) => each.status).sort()).toEqual([200, 200, 200, 200, 200, 200, 200, 201]);
  });

  it('refuses another body under the same command id', async () => {
    const commandId = fresh('reused');
    await ask(goals, { body: creation(commandId, 'One') });
    expect(await ask(goals, { body: creation(commandId, 'Two') })).toMatchObject({ status: 409, body: { code: 'command_reused' } });
  });

  it('takes the payload alone under an Idempotency-Key', async () => {
    const key = fresh('key');
    const made = await ask(goals, { body: creation('x').payload, headers: { 'idempotency-key': key } });
    expect(made.status).toBe(201);
    expect((await ask(goals, { body: creation(key) })).body.goal).toBe(made.body.goal);
    expect(await ask(goals, { body: creation('x').payload })).toMatchObject({ status: 422, body: { code: 'schema_invalid', errors: [{ pointer: '/commandId' }] } });
  });

  it('happens in the collection only', async () => {
    const goal = `goal_${'1'.repeat(32)}`;
    expect(await ask(`${goals}/${goal}/commands`, { body: creation(fresh('c')) })).toMatchObject({ status: 409, body: { code: 'invalid_transition' } });
    expect((await ask(`${goals}/${goal}`)).status).toBe(404);
    expect(await ask(goals, { body: { type: 'goal.cancel', commandId: fresh('c') } })).toMatchObject({ status: 422 });
  });

  it('shows at once in the list that asks for it', async () => {
    const made = await ask(goals, { body: creation(fresh('listed')) });
    const listed = await ask(`${goals}?after=${made.body.goal}:${made.body.seq}`);
    const shown = listed.body.data.find((each) => each.goal === made.body.goal);
    expect(shown).toMatchObject({ title: 'Hello', status: 'draft' });
    expect(shown?.seq).toBeGreaterThanOrEqual(made.body.seq);
    expect((await ask(`${goals}?status=completed&after=${made.body.goal}:${made.body.seq}`)).body.data.some((each) => each.goal === made.body.goal)).toBe(false);
  });
});

describe('while the book is behind or away', () => {
  const book = (all: () => Promise<unknown>) => ({ prepare: () => ({ bind: () => ({ all }) }) }) as unknown as D1Database;
  const empty = book(async () => ({ results: [] }));
  const askWith = async (DB: D1Database, path: string) => answered(await app.fetch(request(path), { ...env, DB }));

  it('a list shows what its caller did just now, from the object, and only that', async () => {
    const [goal, other] = [await newGoal(), await newGoal()];
    expect((await askWith(empty, goals)).body.data).toEqual([]);
    const listed = (await askWith(empty, `${goals}?after=${goal}:1`)).body.data;
    expect(listed).toMatchObject([{ goal, title: 'Hello', mode: 'bound', status: 'draft', why: 'draft', goalVersion: 1, needsYou: 1 }]);
    expect((await askWith(empty, `${goals}?after=${goal}:1&after=${other}:1`)).body.data.map((each) => each.goal).sort()).toEqual([goal, other].sort());
    expect((await askWith(empty, `${goals}?status=active&after=${goal}:1`)).body.data).toEqual([]);
    expect((await askWith(empty, `${goals}?after=goal_${'4'.repeat(32)}:1`)).body.data).toEqual([]);
  });

  it('lists say so, and one goal is still read and commanded', async () => {
    const away = book(async () => {
      throw new Error('D1 is away');
    });
    const goal = await newGoal();
    expect(await askWith(away, goals)).toMatchObject({ status: 503, body: { code: 'unavailable', effect: 'none' } });
    expect((await askWith(away, `${goals}/${goal}`)).status).toBe(200);
  });
});

describe('commands', () => {
  it('need the version they were decided on, and are told what is current', async () => {
    const goal = await newGoal();
    const confirm = (more: object, headers = {}) => ask(`${goals}/${goal}/commands`, { body: { type: 'goal.confirm', commandId: fresh('confirm'), ...more }, headers });
    expect(await confirm({})).toMatchObject({ status: 428, body: { code: 'version_required' } });
    const stale = await confirm({ expected: { goalVersion: 7 } });
    expect(stale).toMatchObject({ status: 412, body: { code: 'goal_version_stale', effect: 'none', current: { goalVersion: 1 } } });
    expect((await confirm({}, { 'if-match': '"g7.p0.s1"' })).status).toBe(412);
    const tag = (await ask(`${goals}/${goal}`)).headers.get('etag') ?? '';
    expect(tag).toMatch(/^"g1\.p0\.s\d+"$/);
    expect(await confirm({}, { 'if-match': tag })).toMatchObject({ status: 200, body: { outcome: 'applied', goalVersion: 1 } });
  });

  it('refused leave nothing behind, and their id may be tried again', async () => {
    const goal = await newGoal();
    const before = await ask(`${goals}/${goal}/events`);
    const commandId = fresh('again');
    expect((await ask(`${goals}/${goal}/commands`, { body: { type: 'goal.confirm', commandId, expected: { goalVersion: 9 } } })).status).toBe(412);
    expect((await ask(`${goals}/${goal}/events`)).body.seq).toBe(before.body.seq);
    expect((await ask(`${goals}/${goal}/commands`, { body: { type: 'goal.confirm', commandId, expected: { goalVersion: 1 } } })).status).toBe(200);
  });

  it('have aliases that are the same command', async () => {
    const goal = await newGoal();
    const commandId = fresh('alias');
    const cancelled = await ask(`${goals}/${goal}/cancel`, { body: { commandId, reason: 'not needed' } });
    expect(cancelled).toMatchObject({ status: 200, body: { outcome: 'applied' } });
    expect(await ask(`${goals}/${goal}/commands`, { body: { type: 'goal.cancel', commandId, reason: 'not needed' } })).toMatchObject({
      status: 200,
      body: { replayed: true, seq: cancelled.body.seq },
    });
    expect(await ask(`${goals}/${goal}/pause`, { method: 'POST', headers: { 'idempotency-key': fresh('k') } })).toMatchObject({ status: 409 });
  });

  it('that do not fit the schema name every wrong place', async () => {
    const goal = await newGoal();
    const refused = await ask(`${goals}/${goal}/commands`, { body: { type: 'goal.dance', commandId: fresh('c'), colour: 'red' } });
    expect(refused).toMatchObject({ status: 422, body: { code: 'schema_invalid' } });
    expect(refused.body.errors.map((each) => each.pointer).sort()).toEqual(['/colour', '/type']);
    const payload = await ask(`${goals}/${goal}/commands`, { body: { type: 'message.post', commandId: fresh('c'), payload: { text: 3 } } });
    expect(payload).toMatchObject({ status: 422, body: { code: 'schema_invalid' } });
    expect(payload.body.errors[0]?.pointer).toContain('text');
  });

  it('of the host are refused from outside', async () => {
    const goal = await newGoal();
    expect(await ask(`${goals}/${goal}/commands`, { body: { type: 'clock.tick', commandId: fresh('c') } })).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  });

  it('must be JSON of a bearable size', async () => {
    const goal = await newGoal();
    const path = `${goals}/${goal}/commands`;
    expect(await ask(path, { raw: '{"type":"goal.cancel",' })).toMatchObject({ status: 422, body: { code: 'malformed_data', current: { offset: 22 } } });
    expect(await ask(path, { raw: '[1]' })).toMatchObject({ status: 422, body: { code: 'schema_invalid' } });
    expect(await ask(path, { raw: new Uint8Array([0x7b, 0xff]) })).toMatchObject({ status: 422, body: { code: 'malformed_data', current: { offset: 1 } } });
    expect(await ask(path, { raw: '{"refused":true,"code":"not_found"}' })).toMatchObject({ status: 422, body: { code: 'schema_invalid' } });
    expect(await ask(path, { raw: 'x'.repeat(1_000_001) })).toMatchObject({ status: 422, body: { code: 'limit_exceeded' } });
  });

  it('may not name a file whose bytes are not stored', async () => {
    const goal = await newGoal();
    const payload = { artifact: { path: 'a.txt', digest: 'a'.repeat(64), size: 1 }, role: 'source' };
    expect(await ask(`${goals}/${goal}/commands`, { body: { type: 'artifact.put', commandId: fresh('c'), payload } })).toMatchObject({
      status: 422,
      body: { code: 'evidence_missing', errors: [{ pointer: '/payload/artifact', code: 'not_stored' }] },
    });
  });
});

describe('files', () => {
  const put = (goal: string, path: string, raw: BodyInit, headers = {}) => ask(`${goals}/${goal}/files/${path}`, { method: 'PUT', raw, headers });

  it('are stored under their digest and come back as they were', async () => {
    const goal = await newGoal();
    const stored = await put(goal, 'data/records.csv', '\ufeffid,name\r\n1,"两行\n一格"\r\n');
    expect(stored.status).toBe(201);
    const url = stored.headers.get('location') ?? '';
    const got = await worker.fetch(request(url));
    expect(new Uint8Array(await got.arrayBuffer())).toEqual(new TextEncoder().encode('\ufeffid,name\r\n1,"两行\n一格"\r\n'));
    expect(got.headers.get('x-content-type-options')).toBe('nosniff');
    expect(got.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''records.csv");
    const other = await newGoal();
    expect((await ask(url.replace(goal, other))).status).toBe(404);
  });

  it.each([
    ['cut-off.json', '{"id":1,"lines":[', 'truncated', { offset: 17 }],
    ['not-utf8.csv', new Uint8Array([0x69, 0x64, 0x0a, 0xb7, 0xa2]), 'not_utf8', { offset: 3, line: 2 }],
    ['cr-only.csv', 'id,name\r1,a\r', 'cr_line_end', { offset: 7, line: 1 }],
    ['proto.csv', '__proto__,toString,valueOf,__proto__\n1,2,3,4\n', 'csv_header_forbidden', { line: 1, column: 1 }],
    ['notes.md', new Uint8Array([0xff]), 'not_utf8', { offset: 0 }],
  ])('malformed %s is refused with its place and leaves nothing', async (name, raw, code, current) => {
    const goal = await newGoal();
    const before = (await ask(`${goals}/${goal}/events`)).body.seq;
    const refused = await put(goal, name, raw);
    expect(refused).toMatchObject({ status: 422, body: { code: 'malformed_data', effect: 'none', errors: [{ code }], current } });
    expect((await ask(`${goals}/${goal}/events`)).body.seq).toBe(before);
    expect((await env.FILES.list({ prefix: `ws/local/${goal}/` })).objects).toEqual([]);
  });

  it('must be what the sender says, under a path within the goal, of a goal that exists', async () => {
    const goal = await newGoal();
    expect(await put(goal, 'a.txt', 'abc', { 'content-digest': `sha-256=:${btoa('x'.repeat(32))}:` })).toMatchObject({ status: 409, body: { code: 'digest_mismatch' } });
    expect((await put(goal, '..%2Fa.txt', 'abc')).status).toBe(422);
    expect((await put(`goal_${'2'.repeat(32)}`, 'a.txt', 'abc')).status).toBe(404);
    expect((await env.FILES.list({ prefix: 'ws/local/goal_22' })).objects).toEqual([]);
  });
});

describe('reads', () => {
  it('of one goal answer, each with the seq it reflects', async () => {
    const goal = await newGoal();
    const path = `${goals}/${goal}`;
    const whole = await ask(path);
    expect(whole.body).toMatchObject({ id: goal, bar: { title: 'Hello', status: 'draft' }, contract: { title: 'Hello' } });
    expect((await ask(`${path}/graph`)).body).toMatchObject({ nodes: [], edges: [] });
    expect((await ask(`${path}/next`)).body).toMatchObject({ why: { kind: 'draft' }, who: [{ mover: 'person:local', act: 'confirm' }] });
    expect((await ask(`${path}/resume-packet`)).status).toBe(200);
    expect((await ask(`${path}/doctor`)).status).toBe(200);
    const record = await ask(`${path}/record?kind=goal_version`);
    expect(record.body.data).toHaveLength(1);
    const { contractBody } = record.body.data[0]?.data ?? { contractBody: '' };
    expect((await ask(`${path}/body/${contractBody}`)).body.digest).toBe(contractBody);
    expect((await ask(`${path}/items/nothing`)).status).toBe(404);
    expect((await ask(`${path}/facts/a/b`)).status).toBe(404);
  });

  it('page through events without losing or repeating one', async () => {
    const goal = await newGoal();
    for (let n = 0; n < 4; n++)
      expect((await ask(`${goals}/${goal}/commands`, { body: { type: 'message.post', commandId: fresh('m'), payload: { text: `${n}` } } })).status).toBe(200);
    const all = (await ask(`${goals}/${goal}/events`)).body;
    const seqs: number[] = [];
    let after: string | null = '0';
    while (after !== null) {
      const page: Answered = await ask(`${goals}/${goal}/events?limit=2&after=${after}`);
      seqs.push(...page.body.data.map((event) => event.seq));
      after = page.body.nextCursor;
    }
    expect(seqs).toEqual(all.data.map((event) => event.seq));
    expect(seqs.at(-1)).toBe(all.seq);
  });

  it('wait for an event and are woken by it', async () => {
    const goal = await newGoal();
    const { seq } = (await ask(`${goals}/${goal}/events`)).body;
    const waiting = ask(`${goals}/${goal}/events?after=${seq}&wait=20`);
    await ask(`${goals}/${goal}/commands`, { body: { type: 'message.post', commandId: fresh('m'), payload: { text: 'now' } } });
    expect((await waiting).body.data[0]?.seq).toBe(seq + 1);
  });

  it('refuse a parameter they do not know, and a cursor that is none', async () => {
    const goal = await newGoal();
    expect(await ask(`${goals}?colour=red`)).toMatchObject({ status: 422, body: { errors: [{ pointer: '/query/colour' }] } });
    expect(await ask(`${goals}/${goal}/events?after=x`)).toMatchObject({ status: 422, body: { errors: [{ pointer: '/query/after' }] } });
    expect(await ask(`${goals}?cursor=zzz`)).toMatchObject({ status: 422, body: { errors: [{ code: 'bad_cursor' }] } });
  });

  it.each([
    'versions',
    'proposals',
    'plans',
    'items',
    'assignments',
    'attempts',
    'submissions',
    'reviews',
    'acceptances',
    'rounds',
    'blockers',
    'ledger',
    'executions',
    'waits',
    'approvals',
    'effects',
  ])('history %s comes from the book, of a goal and of the workspace', async (name) => {
    const goal = await newGoal();
    await goalStub(env, 'local', goal).drain({ v: 1, workspace: 'local', goal });
    const ofGoal = await ask(`${goals}/${goal}/${name}`);
    expect(ofGoal).toMatchObject({ status: 200, body: { nextCursor: null } });
    expect(ofGoal.body.seq).toBeGreaterThan(0);
    expect((await ask(`/v1/workspaces/local/${name}?limit=1`)).body.data.length).toBeLessThanOrEqual(1);
  });
});

describe('the socket', () => {
  const open = (goal: string, headers: Record<string, string> = {}) => app.fetch(request(`${goals}/${goal}/socket`, { headers: { upgrade: 'websocket', ...headers } }), env);

  it('starts with a snapshot and then follows', async () => {
    const goal = await newGoal();
    const response = await open(goal);
    expect(response.status).toBe(101);
    const socket = response.webSocket;
    if (!socket) throw new Error('no socket');
    const frames: { kind: string; seq: number; events: { type: string }[] }[] = [];
    let arrived = () => {};
    socket.addEventListener('message', (message) => {
      frames.push(JSON.parse(message.data as string));
      arrived();
    });
    const frame = async (n: number) => {
      while (frames.length <= n)
        await new Promise<void>((resolve) => {
          arrived = resolve;
        });
      return frames[n];
    };
    socket.accept();
    expect(await frame(0)).toMatchObject({ kind: 'snapshot' });
    await ask(`${goals}/${goal}/commands`, { body: { type: 'message.post', commandId: fresh('m'), payload: { text: 'hello' } } });
    const update = await frame(1);
    expect(update).toMatchObject({ kind: 'update' });
    expect(update?.seq).toBeGreaterThan(frames[0]?.seq ?? 0);
    socket.close(1000);
  });

  it('is refused to another site, to strangers and to plain requests', async () => {
    const goal = await newGoal();
    expect((await open(goal, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await open(goal, { 'cf-connecting-ip': '10.0.0.9' })).status).toBe(401);
    expect((await ask(`${goals}/${goal}/socket`)).status).toBe(422);
  });
});

describe('the sweep', () => {
  it('can be run by hand in development', async () => {
    expect(await ask('/v1/dev/sweep', { method: 'POST' })).toMatchObject({ status: 200, body: { goals: { failed: 0 } } });
  });
});
