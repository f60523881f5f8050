/** Cases over HTTP, through the Worker, the Goal's objects, the book and R2 as they run. */
import { applyD1Migrations } from 'cloudflare:test';
import { env as bindings } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Env } from '../env.ts';
import { goalStub } from '../goal/goal-stub.ts';
import { checkedApp } from './testing/conformity.ts';

const env = { ...(bindings as unknown as Env & { MIGRATIONS: Parameters<typeof applyD1Migrations>[1] }), LONGHAUL_DEV_WORKSPACES: 'local,other' };
beforeAll(() => applyD1Migrations(env.DB, env.MIGRATIONS));

const app = checkedApp;
interface Body {
  goal: string;
  seq: number;
  code: string;
  detail?: string;
  replayed: boolean;
  retryable: boolean;
  effect: string;
  result: Record<string, string & number>;
  errors: { pointer: string; code: string; detail?: string }[];
  current: Record<string, unknown>;
  data: { id: string; type: string; data: Record<string, unknown> }[];
  contract: { objective: string } | null;
  bar: { status: string };
}
type Answered = { status: number; body: Body };

async function ask(path: string, body?: unknown, raw?: string): Promise<Answered> {
  const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const response = await app.fetch(new Request(`http://127.0.0.1:8787${path}`, payload === undefined ? {} : { method: 'POST', body: payload }), env);
  const text = await response.text();
  return { status: response.status, body: JSON.parse(text.startsWith('{') ? text : '{}') as Body };
}

let count = 0;
const fresh = () => `case-${++count}`;
const goals = (workspace = 'local') => `/v1/workspaces/${workspace}/goals`;
const give = (goal: string, type: string, payload: unknown = {}, more: object = {}, workspace = 'local') =>
  ask(`${goals(workspace)}/${goal}/commands`, { type, commandId: fresh(), payload, ...more });

async function done(answer: Promise<Answered>): Promise<Body> {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body;
}

/** A graph-only goal with these items, each for a person unless it says otherwise. */
async function planned(items: object[], workspace = 'local', title = 'G'): Promise<string> {
  const { goal } = await done(ask(goals(workspace), { type: 'goal.create', commandId: fresh(), payload: { mode: 'graph_only', title, confirmed: true } }));
  await adopt(goal, items, 0, workspace);
  return goal;
}
async function adopt(goal: string, items: object[], planRevision: number, workspace = 'local'): Promise<void> {
  const document = { mode: 'graph_only', items: items.map((item) => ({ title: 'An item', executor: { kind: 'person' }, ...item })) };
  const proposed = await done(give(goal, 'plan.propose', { document }, { expected: { planRevision } }, workspace));
  await done(give(goal, 'plan.adopt', { proposal: proposed.result.proposal }, { expected: { planRevision } }, workspace));
}
const record = async (goal: string, kind: string, workspace = 'local') =>
  (await done(ask(`${goals(workspace)}/${goal}/record?kind=${kind}&limit=200`))).data.map((row) => row.data);
async function deliver(goal: string, item: string): Promise<Answered> {
  const { result } = await done(give(goal, 'work.claim', { item }));
  await done(give(goal, 'attempt.start', { item, fence: result.fence }));
  return give(goal, 'submission.submit', { item, artifacts: [], summary: `made ${item}` });
}

it('B31 duplicate claim: of fifty at once one holds the item; the others are told who and until when', async () => {
  const goal = await planned([{ key: 'w1' }]);
  const answers = await Promise.all(Array.from({ length: 50 }, () => give(goal, 'work.claim', { item: 'w1' })));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  const refused = answers.filter(({ status }) => status === 409);
  expect(refused).toHaveLength(49);
  for (const { body } of refused) {
    expect(body).toMatchObject({
      code: 'already_claimed',
      effect: 'none',
      retryable: true,
      current: { holder: 'person:local', fence: expect.any(Number), until: expect.any(Number) },
    });
    expect(body.current.until as number).toBeGreaterThan(Date.now());
  }
  expect(await record(goal, 'assignment')).toHaveLength(1);
  expect(await record(goal, 'attempt')).toHaveLength(1);
});

it('B31 one claim sent fifty times is one claim', async () => {
  const goal = await planned([{ key: 'w1' }]);
  const commandId = fresh();
  const answers = await Promise.all(Array.from({ length: 50 }, () => ask(`${goals()}/${goal}/commands`, { type: 'work.claim', commandId, payload: { item: 'w1' } })));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200));
  expect(answers.filter(({ body }) => !body.replayed)).toHaveLength(1);
  expect(new Set(answers.map(({ body }) => body.result.attempt)).size).toBe(1);
});

it('B11 premature completion is refused with what is open, and changes nothing', async () => {
  const contract = { title: 'T', objective: 'Do it', criteria: [{ id: 'c', text: 'done', verify: 'attest' }] };
  const { goal } = await done(ask(goals(), { type: 'goal.create', commandId: fresh(), payload: { mode: 'bound', contract, confirmed: true } }));
  const document = { mode: 'bound', items: ['w1', 'w2'].map((key) => ({ key, title: key, executor: { kind: 'person' } })) };
  const { result } = await done(give(goal, 'plan.propose', { document }, { expected: { planRevision: 0 } }));
  await done(give(goal, 'plan.adopt', { proposal: result.proposal }, { expected: { planRevision: 0 } }));
  await done(deliver(goal, 'w1'));
  expect(await give(goal, 'goal.complete', {}, { expected: { goalVersion: 1 } })).toMatchObject({
    status: 409,
    body: { code: 'graph_open', current: { missing: expect.arrayContaining(['item:w2']) } },
  });
  expect((await done(ask(`${goals()}/${goal}`))).bar.status).toBe('active');
});

it('B13 evidence that is empty, unknown or foreign is refused with its place', async () => {
  const goal = await planned([{ key: 'a' }, { key: 'b' }]);
  await done(deliver(goal, 'b'));
  const [delivered] = await record(goal, 'submission');
  const { result } = await done(give(goal, 'work.claim', { item: 'a' }));
  await done(give(goal, 'attempt.start', { item: 'a', fence: result.fence }));
  const submit = (evidence: string[]) => give(goal, 'submission.submit', { item: 'a', artifacts: [], summary: 's', claims: [{ criterion: 'c', evidence }] });
  expect(await submit([])).toMatchObject({ status: 422, body: { code: 'schema_invalid' } });
  expect(await submit(['fact:none'])).toMatchObject({ status: 422, body: { code: 'evidence_missing', errors: [{ pointer: '/payload/claims/0/evidence/0' }] } });
  expect(await submit([`submission:${delivered?.id}`])).toMatchObject({ status: 422, body: { code: 'evidence_foreign' } });
  expect((await record(goal, 'submission')).filter((row) => row.item === 'a')).toEqual([]);
});

it('B23 a repaired plan of one goal leaves those of the others as they were', async () => {
  const items = [{ key: 'x' }, { key: 'y' }];
  const [a, b, c] = [await planned(items), await planned(items), await planned(items)] as [string, string, string];
  const plans = async () =>
    JSON.stringify([await record(a, 'revision'), await record(c, 'revision'), (await done(ask(`${goals()}/${a}`))).seq, (await done(ask(`${goals()}/${c}`))).seq]);
  const before = await plans();
  await adopt(b, [{ key: 'x' }, { key: 'y', dependsOn: [{ key: 'x' }] }], 1);
  expect(await record(b, 'revision')).toHaveLength(2);
  expect(await plans()).toBe(before);
});

it('B73 the key of a creation gives the goal it made, also when that goal is dead; a new key makes a new one', async () => {
  const creation = { type: 'goal.create', commandId: fresh(), payload: { mode: 'graph_only', title: 'dies', confirmed: true } };
  const first = await ask(goals(), creation);
  expect(first.status).toBe(201);
  await done(give(first.body.goal, 'goal.cancel'));
  expect(await ask(goals(), creation)).toMatchObject({ status: 200, body: { goal: first.body.goal, replayed: true, seq: first.body.seq } });
  expect((await done(ask(`${goals()}/${first.body.goal}`))).bar.status).toBe('cancelled');
  expect(await ask(goals(), { ...creation, payload: { ...creation.payload, title: 'lives' } })).toMatchObject({ status: 409, body: { code: 'command_reused' } });
  const next = await ask(goals(), { ...creation, commandId: fresh() });
  expect(next.status).toBe(201);
  expect(next.body.goal).not.toBe(first.body.goal);
});

it('B75 a number that would lose digits is refused with its place, and digits as text come back as sent', async () => {
  const goal = await planned([{ key: 'a' }]);
  const fact = (value: string) =>
    `{"type":"fact.record","commandId":"${fresh()}","payload":{"facts":[{"key":"id","value":${value},"provenance":{"from":"person","principal":"person:local"}}]}}`;
  const path = `${goals()}/${goal}/commands`;
  for (const value of ['2512292042121000001', '{"deep":[-9007199254740993]}']) {
    const refused = await ask(path, undefined, fact(value));
    expect(refused).toMatchObject({ status: 422, body: { code: 'schema_invalid', effect: 'none' } });
    expect(refused.body.errors[0]).toMatchObject({ code: 'unsafe_integer', pointer: expect.stringMatching(/^\/payload\/facts\/0\/value/) });
  }
  await done(ask(path, undefined, fact('{"id":"2512292042121000001","amount":"128000.10","safe":9007199254740991}')));
  const [row] = await record(goal, 'fact');
  const body = await app.fetch(new Request(`http://127.0.0.1:8787${goals()}/${goal}/body/${row?.valueBody}`), env);
  expect(await body.text()).toContain('"2512292042121000001"');
});

describe('B79 what is too large', () => {
  it('is refused for good, with its size and the limit, and leaves nothing', async () => {
    const goal = await planned([{ key: 'a' }]);
    const before = (await done(ask(`${goals()}/${goal}`))).seq;
    const message = await give(goal, 'fact.record', { facts: [{ key: 'k', value: 'x'.repeat(5_000_000), provenance: { from: 'person', principal: 'person:local' } }] });
    expect(message).toMatchObject({ status: 422, body: { code: 'limit_exceeded', retryable: false, effect: 'none', current: { limit: 'body', bytes: 1_000_000 } } });
    expect((await done(ask(`${goals()}/${goal}`))).seq).toBe(before);
  });

  it.each([127_000, 129_000, 900_000])('and %s bytes are kept whole', async (size) => {
    const goal = await planned([{ key: 'a' }]);
    await done(give(goal, 'fact.record', { facts: [{ key: 'k', value: 'x'.repeat(size), provenance: { from: 'person', principal: 'person:local' } }] }));
    const fact = await app.fetch(new Request(`http://127.0.0.1:8787${goals()}/${goal}/facts/k`), env);
    expect((await fact.text()).length).toBeGreaterThan(size);
  });
});

describe('B81 the text of a goal', () => {
  const create = (objective: string) =>
    ask(goals(), {
      type: 'goal.create',
      commandId: fresh(),
      payload: { mode: 'bound', contract: { title: 'T', objective, criteria: [{ id: 'c', text: 'c', verify: 'attest' }] } },
    });

  it.each([
    ['a', 6078],
    ['目', 32_000],
    ['𠮷', 32_000],
  ] as const)('%s, %s times, comes back word for word', async (letter, times) => {
    const objective = letter.repeat(times);
    const { goal } = await done(create(objective));
    expect((await done(ask(`${goals()}/${goal}`))).contract?.objective).toBe(objective);
  });

  it.each(['a', '目', '𠮷'])('one more than the limit (%s) is refused with count and limit', async (letter) => {
    const refused = await create(letter.repeat(32_001));
    expect(refused).toMatchObject({ status: 422, body: { code: 'schema_invalid', effect: 'none' } });
    expect(refused.body.errors).toMatchObject([{ pointer: '/payload/contract/objective', code: 'too_large', detail: '32001 code points of at most 32000' }]);
  });
});

it('B89 two workspaces at work at once: nothing of one is found in the other', async () => {
  const spaces = ['local', 'other'] as const;
  const made: Record<string, string> = {};
  for (const space of spaces) made[space] = await planned([{ key: 'researcher' }], space, `canary-${space}`);
  for (let n = 0; n < 20; n++) {
    // The same ids, keys and subjects on both sides, at the same moment.
    await Promise.all(
      spaces.map((space) =>
        done(
          ask(`${goals(space)}/${made[space]}/commands`, {
            type: n % 2 ? 'message.post' : 'fact.record',
            commandId: `shared-${n}`,
            payload:
              n % 2 ? { text: `canary-${space} ${n}` } : { facts: [{ key: `memory-${n}`, value: `canary-${space}`, provenance: { from: 'person', principal: 'person:local' } }] },
          }),
        ),
      ),
    );
  }
  for (const space of spaces) await goalStub(env, space, made[space] ?? '').drain({ v: 1, workspace: space, goal: made[space] ?? '' });
  for (const space of spaces) {
    const foreign = `canary-${spaces.find((each) => each !== space)}`;
    const paths = [
      '',
      `/${made[space]}`,
      ...['graph', 'events?limit=200', 'next', 'resume-packet', 'facts/memory-0', 'record?kind=fact', 'record?kind=message', 'attempts', 'proposals', 'doctor'].map(
        (path) => `/${made[space]}/${path}`,
      ),
    ];
    for (const path of paths) {
      const response = await app.fetch(new Request(`http://127.0.0.1:8787${goals(space)}${path}`), env);
      const text = await response.text();
      expect(response.status, path).toBe(200);
      expect(text.includes(foreign), path).toBe(false);
    }
    for (const other of spaces.filter((each) => each !== space)) expect((await ask(`${goals(space)}/${made[other]}`)).status).toBe(404);
  }
});

it('B93 a write on what a client saw before its absence is refused, with what is current', async () => {
  const goal = await planned([{ key: 'a' }]);
  await adopt(goal, [{ key: 'a' }, { key: 'b' }], 1);
  const document = { mode: 'graph_only', items: [{ key: 'c', title: 'C' }] };
  expect(await give(goal, 'plan.propose', { document }, { expected: { planRevision: 1 } })).toMatchObject({
    status: 412,
    body: { code: 'plan_revision_stale', current: { planRevision: 2 } },
  });
  expect(await give(goal, 'plan.propose', { document })).toMatchObject({ status: 428, body: { code: 'version_required' } });
});
