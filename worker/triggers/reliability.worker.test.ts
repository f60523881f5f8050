/** The safety nets on the real runtime: a book that is away, an alarm that was lost, messages that cannot be handed over, bytes that nobody refers to. */
import { applyD1Migrations, createExecutionContext, createMessageBatch, getQueueResult, runInDurableObject } from 'cloudflare:test';
import { env as bindings, exports } from 'cloudflare:workers';
import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Env } from '../env.ts';
import { fileKey } from '../goal/file-key.ts';
import { goalIdOf } from '../goal/goal-id.ts';
import { goalStub } from '../goal/goal-stub.ts';
import type { CommandAnswer } from '../goal/rpc.ts';
import { SqlStore } from '../goal/sql-store.ts';
import { r2Files } from '../rounds/r2-files.ts';
import { buryAll, handOver } from './dispatch-queue.ts';
import { deadQueueOf } from './queue-names.ts';
import { leftoverAfterMs, sweepLeftovers } from './leftovers.ts';
import { sweep } from './sweep.ts';

const env = bindings as unknown as Env & { MIGRATIONS: Parameters<typeof applyD1Migrations>[1] };
const worker = (exports as unknown as { default: { fetch(request: Request): Promise<Response> } }).default;
const workspace = 'local';

let count = 0;
const door = (goal: string) => ({ v: 1 as const, workspace, goal });
const newId = () => goalIdOf(workspace, ['test', String(++count)]);
const contract = { title: 'Hello', objective: 'Say hello.', criteria: [{ id: 'said', text: 'It was said', verify: 'attest' }] };
const carried = { coordinator: { kind: 'skill', skill: 'csv-export', script: 'plan.js' } };

async function give(goal: string, type: 'goal.create' | 'message.post' | 'goal.confirm', commandId: string, payload: object, expected = {}): Promise<CommandAnswer> {
  return goalStub(env, workspace, goal).command({
    ...door(goal),
    actor: { kind: 'person', principal: 'person:local', scopes: ['goals:read', 'goals:write', 'admin'] },
    envelope: { type, commandId, expected, payload: payload as never, dryRun: false },
  });
}
const create = (goal: string, more: object = {}) => give(goal, 'goal.create', 'create', { mode: 'bound', contract, ...more });
const ask = async (path: string) => {
  const response = await worker.fetch(new Request(`http://127.0.0.1:8787/v1${path}`));
  return { status: response.status, body: (await response.json()) as { [key: string]: unknown; data: { [key: string]: unknown }[] } };
};
const object = (goal: string) => env.GOALS.get(env.GOALS.idFromName(`${workspace}/${goal}`));

// First, while D1 has no tables: that is how this file's D1 begins.
describe('while the book is away', () => {
  const goal = newId();

  it('commands and the goal page go on', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    expect(await create(goal)).toMatchObject({ outcome: 'applied' });
    for (let n = 0; n < 20; n++) expect(await give(goal, 'message.post', `m${n}`, { text: `${n}` })).toMatchObject({ outcome: 'applied', result: { message: n + 1 } });
    expect(await ask(`/workspaces/${workspace}/goals/${goal}`)).toMatchObject({ status: 200, body: { bar: { title: 'Hello' } } });
    expect(await ask(`/workspaces/${workspace}/goals/${goal}/graph`)).toMatchObject({ status: 200 });
    expect((await ask(`/workspaces/${workspace}/goals`)).status).toBe(503);
    const lanes = (await goalStub(env, workspace, goal).drain(door(goal))) as { lane: string; pending: boolean; behind?: number }[];
    expect(lanes).toContainEqual(expect.objectContaining({ lane: 'book', pending: true, cursor: 0 }));
  });

  it('rounds are handed out, run and end', async () => {
    const other = newId();
    await create(other, { lanes: carried, confirmed: true });
    await vi.waitFor(
      async () => {
        const rounds = await goalStub(env, workspace, other).read({ ...door(other), query: { what: 'rows', kind: 'round', limit: 10 } });
        expect(JSON.stringify(rounds)).toContain('"phase":"ended"');
      },
      { timeout: 30_000, interval: 50 },
    );
    expect(await env.DB.prepare("SELECT count(*) AS n FROM sqlite_master WHERE name = 'goals'").first()).toEqual({ n: 0 });
  }, 60_000);

  it('and when it is back it catches up in order, to what a rebuild gives', async () => {
    await applyD1Migrations(env.DB, env.MIGRATIONS);
    await goalStub(env, workspace, goal).drain(door(goal));
    expect(await ask(`/workspaces/${workspace}/goals/${goal}/compare`)).toMatchObject({ status: 200, body: { equal: true } });
    const dump = async () => {
      const tables = ['goal_versions', 'executions', 'rounds', 'waits', 'work_items', 'bodies'];
      return Promise.all(tables.map(async (table) => (await env.DB.prepare(`SELECT * FROM ${table} WHERE goal_id = ? ORDER BY 1, 2, 3, 4`).bind(goal).all()).results));
    };
    const followed = await dump();
    await goalStub(env, workspace, goal).rebuild(door(goal));
    expect(await dump()).toEqual(followed);
    vi.restoreAllMocks();
  });
});

describe('an alarm that was lost', () => {
  beforeAll(() => applyD1Migrations(env.DB, env.MIGRATIONS));

  it('is found by the sweep within its period', async () => {
    const goal = newId();
    // Nobody carries it: all it waits for are people, and its deadline.
    await create(goal, { contract: { ...contract, limits: { wallTimeMs: 3_600_000 } }, confirmed: true });
    await goalStub(env, workspace, goal).drain(door(goal));
    await runInDurableObject(object(goal), (_, state) => state.storage.deleteAlarm());
    const row = await env.DB.prepare('SELECT wake_at FROM goals WHERE goal_id = ?').bind(goal).first<{ wake_at: number }>();
    expect(row?.wake_at).toBeGreaterThan(0);
    // Before its time it is left asleep; half a minute after it, it is not.
    await sweep(env, (row?.wake_at ?? 0) - 1);
    expect(await runInDurableObject(object(goal), (_, state) => state.storage.getAlarm())).toBeNull();
    expect((await sweep(env, (row?.wake_at ?? 0) + 31_000)).poked).toBeGreaterThan(0);
    expect(await runInDurableObject(object(goal), (_, state) => state.storage.getAlarm())).toBeGreaterThan(Date.now());
  });
});

describe('a message that cannot be handed over', () => {
  beforeAll(() => applyD1Migrations(env.DB, env.MIGRATIONS));
  const message = (id: string, body: unknown, attempts = 1) => ({ id, timestamp: new Date(1_700_000_000_000), attempts, body });
  const run = async (queue: string, messages: ReturnType<typeof message>[], with_: Env = env) => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const batch = createMessageBatch(queue, messages);
    await (deadQueueOf(queue) ? buryAll(batch, with_) : handOver(batch, with_));
    const result = await getQueueResult(batch, createExecutionContext());
    vi.restoreAllMocks();
    return { acks: result.explicitAcks, retries: result.retryMessages.map((each) => each.msgId) };
  };
  const round = (goal: string) => ({ v: 1, kind: 'round', workspace, goal, round: 'round_1', fence: 3 });

  it('comes again, and holds back no other', async () => {
    const broken = {
      ...env,
      RUNNERS: {
        ...env.RUNNERS,
        idFromName: (name: string) => name,
        get: (name: string) => ({ accept: async () => (name.includes('bad') ? Promise.reject(new Error('no')) : { accepted: true }) }),
      },
    };
    expect(await run('longhaul-work', [message('one', round('bad')), message('two', round('good'))], broken as unknown as Env)).toEqual({ acks: ['two'], retries: ['one'] });
  });

  it('in the end is a record that people of its workspace see, once, and that is counted', async () => {
    expect(await run('longhaul-dead', [message('dead-1', round('goal_x')), message('dead-1', round('goal_x'))])).toMatchObject({ retries: [] });
    await run('longhaul-dead', [message('dead-2', { ...round('goal_y'), workspace: 'elsewhere' })]);
    const { body } = await ask(`/workspaces/${workspace}/dead-letters`);
    expect(body).toMatchObject({ total: 1, nextCursor: null });
    expect(body.data).toMatchObject([{ goal: 'goal_x', id: 'dead-1', kind: 'round', ref: 'round_1', fence: 3, sentAt: 1_700_000_000_000 }]);
    expect((await ask('/operator/counters')).body).toMatchObject({ book: { deadLetters: 1 }, isolate: { counts: { dead_letter: { round: 3 } } } });
  });

  it('that nobody can read is one at once, and is not tried again', async () => {
    expect(await run('longhaul-work', [message('poison', { hello: 'world', workspace: 'local' })])).toEqual({ acks: ['poison'], retries: [] });
    expect((await ask(`/workspaces/${workspace}/dead-letters?limit=1`)).body).toMatchObject({
      data: [{ id: 'poison', kind: 'unreadable' }],
      total: 2,
      nextCursor: expect.stringMatching(/^\d+:poison$/),
    });
  });

  it('is kept for later while the book is away', async () => {
    const away = { ...env, DB: { prepare: () => ({ bind: () => ({ run: () => Promise.reject(new Error('away')) }) }) } } as unknown as Env;
    expect(await run('longhaul-dead', [message('dead-3', round('goal_x'))], away)).toEqual({ acks: [], retries: ['dead-3'] });
  });
});

describe('bytes that nothing refers to', () => {
  beforeAll(() => applyD1Migrations(env.DB, env.MIGRATIONS));
  const put = async (goal: string, text: string) => (await r2Files(env.FILES, workspace, goal).put(new TextEncoder().encode(text))).digest;
  const there = async (goal: string, digest: string) => (await env.FILES.head(fileKey(workspace, goal, digest))) !== null;
  let day = 0;
  /** Rounds of the sweep begin once a day: each here is a day later. */
  const swept = async () => {
    const now = Date.now() + leftoverAfterMs + ++day * 25 * 3_600_000;
    let deleted = 0;
    for (;;) {
      const page = await sweepLeftovers(env, now);
      if (page.looked === 0) return deleted;
      deleted += page.deleted;
    }
  };

  it('are deleted after two days, not before; what the record names stays', async () => {
    const goal = newId();
    await create(goal);
    const named = await put(goal, 'named');
    const mentioned = await put(goal, 'mentioned in a text only');
    const left = await put(goal, 'left over');
    const artifact = { path: 'a.txt', digest: named, size: 5 };
    const given = await goalStub(env, workspace, goal).command({
      ...door(goal),
      actor: { kind: 'person', principal: 'person:local', scopes: ['goals:write'] },
      envelope: { type: 'artifact.put', commandId: 'put', expected: {}, payload: { artifact, role: 'source' }, dryRun: false },
    });
    expect(given).toMatchObject({ outcome: 'applied' });
    await give(goal, 'message.post', 'm', { text: `see artifact:${mentioned}` });
    expect(await sweepLeftovers(env, Date.now())).toMatchObject({ deleted: 0 });
    await swept();
    expect([await there(goal, named), await there(goal, mentioned), await there(goal, left)]).toEqual([true, true, false]);
  });

  it('of an erased goal, and of one that never was, go too', async () => {
    const goal = newId();
    await create(goal);
    await goalStub(env, workspace, goal).erase(door(goal));
    const late = await put(goal, 'put by a round that did not know');
    const nobody = newId();
    const stray = await put(nobody, 'an import that failed');
    await swept();
    expect([await there(goal, late), await there(nobody, stray)]).toEqual([false, false]);
  });

  it('a goal with rounds out keeps its files for now', async () => {
    const goal = newId();
    await create(goal, { lanes: carried, confirmed: true });
    const file = await put(goal, 'about to be named');
    const busy = await goalStub(env, workspace, goal).read({ ...door(goal), query: { what: 'unreferenced', digests: [file] } });
    expect(busy).toMatchObject({ value: { digests: [file], busy: true } });
    await swept();
    expect(await there(goal, file)).toBe(true);
  });

  it('the same bytes again are written anew once they are a day old', async () => {
    const puts: string[] = [];
    const old = { uploaded: new Date(Date.now() - 25 * 3_600_000) };
    const bucket = { head: async () => old, put: async (key: string) => void puts.push(key) } as unknown as R2Bucket;
    const { digest } = await r2Files(bucket, workspace, 'g').put(new TextEncoder().encode('x'));
    expect(puts).toEqual([fileKey(workspace, 'g', digest)]);
    old.uploaded = new Date(Date.now() - 23 * 3_600_000);
    await r2Files(bucket, workspace, 'g').put(new TextEncoder().encode('x'));
    expect(puts).toHaveLength(1);
    expect(digest).toBe(createHash('sha256').update('x').digest('hex'));
  });
});

it('what a Goal holds is one line of JSON in the log, without content', async () => {
  const lines: string[] = [];
  const spy = vi.spyOn(console, 'warn').mockImplementation((line: string) => void lines.push(line));
  const goal = newId();
  await create(goal);
  await give(goal, 'message.post', 'm', { text: 'a secret of Jane Doe' });
  await goalStub(env, workspace, goal).erase(door(goal));
  spy.mockRestore();
  const mine = lines.map((line) => JSON.parse(line) as { goal?: string; code: string }).filter((line) => line.goal === goal);
  expect(mine.map((line) => line.code)).toContain('goal.erased');
  expect(lines.join('\n')).not.toMatch(/secret|Jane/);
  await runInDurableObject(object(goal), (_, state) => expect(new SqlStore(state.storage).meta()?.erased).toBe(true));
});
