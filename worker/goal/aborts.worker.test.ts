/**
 * The object is aborted at every point: before and after each call on its storage and on what is outside, within a command and within the alarm. What a next process
 * finds must be all or nothing of it, the same command must give one answer, and what was answered must be there.
 */
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Envelope } from '../domain/commands.ts';
import type { Actor } from '../domain/context.ts';
import type { Json } from '../domain/values.ts';
import type { Env } from '../env.ts';
import { rederive } from './archive/rederive.ts';
import { Counters } from './counters.ts';
import { domainCore } from './domain-core.ts';
import { checkForm } from './form.ts';
import type { BookBatch, DispatchMessage, Store } from './ports.ts';
import { GoalProtocol } from './protocol.ts';
import type { CommandAnswer } from './rpc.ts';
import { SqlStore } from './sql-store.ts';

const { GOALS } = env as unknown as Env;
const person: Actor = { kind: 'person', principal: 'person:a', scopes: ['goals:read', 'goals:write'] };
const workspace = 'aborts';
/** Alarms of these tests are rung by hand: the real one is set this much later. */
const later = 10 * 3_600_000;
const began = Date.now();

/** Reached when the point to abort at has come. */
class Fault {
  reached = 0;
  readonly at: number;
  readonly abort: () => void;
  constructor(at: number, abort: () => void) {
    this.at = at;
    this.abort = abort;
  }
  point(): void {
    if (++this.reached !== this.at) return;
    this.abort();
    throw new Error('aborted');
  }
}

/** Every call on the store is two points: before it and after it. */
function watched(store: Store, fault: Fault): Store {
  return new Proxy(store, {
    get(target, name) {
      const value = Reflect.get(target, name) as unknown;
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        fault.point();
        if (name === 'setAlarm' && typeof args[0] === 'number') args[0] += later;
        const result = (value as (...given: unknown[]) => unknown).apply(target, args);
        fault.point();
        return result;
      };
    },
  });
}

interface Process {
  protocol: GoalProtocol;
  store: Store;
  batches: BookBatch[];
  sent: DispatchMessage[];
}

function start(storage: DurableObjectStorage, fault: Fault, now: () => number): Process {
  const store = watched(new SqlStore(storage), fault);
  const batches: BookBatch[] = [];
  const sent: DispatchMessage[] = [];
  const outside = async (work: () => void) => {
    fault.point();
    await Promise.resolve();
    work();
    fault.point();
  };
  const protocol = new GoalProtocol({
    store,
    clock: { now },
    book: { apply: (batch) => outside(() => void batches.push(batch)) },
    bookShape: { keeps: () => true, bodiesOf: () => [], goalRow: () => null },
    dispatch: { send: (messages) => outside(() => void sent.push(...messages)) },
    sockets: { list: () => [], send: () => {}, close: () => {} },
    core: domainCore,
    sha256: (text) => createHash('sha256').update(text).digest('hex'),
    form: checkForm,
    policy: () => ({ version: 0, rules: [] }),
    carriers: { agent: false, skill: () => true },
    // Lanes run in the alarm only, so that every point is met in the same order each time.
    timers: { after: () => () => {} },
    counters: new Counters(),
    log: { warn: () => {} },
    random: () => 0.5,
  });
  return { protocol, store, batches, sent };
}

const contract = { title: 'Hello', objective: 'Say hello.', criteria: [{ id: 'said', text: 'It was said', verify: 'attest' }] };
const lanes = { coordinator: { kind: 'skill', skill: 'csv-export', script: 'plan.js' } };
const creation: Envelope = {
  type: 'goal.create',
  commandId: 'create',
  expected: {},
  payload: { mode: 'bound', contract, lanes, confirmed: true } as unknown as Json,
  dryRun: false,
};
const posting: Envelope = { type: 'message.post', commandId: 'm1', expected: {}, payload: { text: 'hello' }, dryRun: false };

const stub = (goal: string) => GOALS.get(GOALS.idFromName(`${workspace}/${goal}`));
/** Runs in the object's process. Undefined: it was aborted meanwhile. */
async function inProcess<T>(goal: string, at: number, now: () => number, work: (running: Process, fault: Fault) => Promise<T>): Promise<{ value: T; points: number } | undefined> {
  try {
    return await runInDurableObject(stub(goal), async (_, state) => {
      const fault = new Fault(at, () => state.abort('the test aborts here'));
      const value = await work(start(state.storage, fault, now), fault);
      // The platform holds answers back until what was written is durable.
      await state.storage.sync();
      if (at > 0 && fault.reached >= at) throw new Error('aborted');
      return { value, points: fault.reached };
    });
  } catch (error) {
    if (/aborts here|aborted/.test(String(error))) return undefined;
    throw error;
  }
}

const give = (goal: string, envelope: Envelope) => (running: Process) => running.protocol.command({ v: 1, workspace, goal, actor: person, envelope });

/** The record as a new process finds it: whole in itself, rows and journal saying the same. */
async function recordOf(goal: string): Promise<{ commits: string[]; seq: number }> {
  const found = await inProcess(
    goal,
    0,
    () => began,
    async ({ store }) => {
      const seq = store.lastSeq();
      if (seq === 0) {
        expect(store.meta()).toBeUndefined();
        expect(store.rowsSince(0, 10)).toEqual([]);
        expect(store.bodies('', 10)).toEqual([]);
        return { commits: [], seq };
      }
      expect(rederive({ store, core: domainCore })).toMatchObject({ same: true });
      return { commits: store.commits(0, 100).map((commit) => commit.commandId), seq };
    },
  );
  if (!found) throw new Error('not aborted here');
  return found.value;
}

/** Aborts at every point of `work`, each time on a Goal of its own that `before` has prepared. */
async function everyPoint(
  name: string,
  now: () => number,
  before: Envelope[],
  work: (goal: string) => (running: Process) => Promise<unknown>,
  then: (goal: string) => Promise<void>,
) {
  const prepared = async (goal: string) => {
    for (const envelope of before) expect((await inProcess(goal, 0, () => began, give(goal, envelope)))?.value).toMatchObject({ outcome: 'applied' });
  };
  const whole = `${name}-whole`;
  await prepared(whole);
  const points = (await inProcess(whole, 0, now, work(whole)))?.points ?? 0;
  expect(points).toBeGreaterThan(10);
  let aborted = 0;
  for (let at = 1; at <= points; at++) {
    const goal = `${name}-${at}`;
    await prepared(goal);
    if ((await inProcess(goal, at, now, work(goal))) === undefined) aborted++;
    await then(goal);
  }
  expect(aborted).toBe(points);
}

describe('aborted at every point', () => {
  test('of a creation', { timeout: 120_000 }, async () => {
    await everyPoint(
      'create',
      () => began,
      [],
      (goal) => give(goal, creation),
      async (goal) => {
        expect([[], ['create']]).toContainEqual((await recordOf(goal)).commits);
        expect((await inProcess(goal, 0, () => began, give(goal, creation)))?.value).toMatchObject({ outcome: 'applied' });
        expect((await recordOf(goal)).commits).toEqual(['create']);
      },
    );
  });

  test('of a command', { timeout: 120_000 }, async () => {
    await everyPoint(
      'command',
      () => began + 1000,
      [creation],
      (goal) => give(goal, posting),
      async (goal) => {
        const { commits } = await recordOf(goal);
        expect([['create'], ['create', 'm1']]).toContainEqual(commits);
        const again = (await inProcess(goal, 0, () => began + 1000, give(goal, posting)))?.value;
        expect(again).toMatchObject({ outcome: 'applied', result: { message: 1 }, replayed: commits.length === 2 });
        expect((await recordOf(goal)).commits).toEqual(['create', 'm1']);
      },
    );
  });

  test('of the alarm that finds a round nobody claimed', { timeout: 240_000 }, async () => {
    // An hour later: the hand-over is long overdue, and the book and the queue have not been told of anything.
    const now = () => began + 3_600_000;
    const ring = () => (running: Process) => running.protocol.onAlarm();
    await everyPoint('alarm', now, [creation], ring, async (goal) => {
      await recordOf(goal);
      // The next ring, in the next process, makes good whatever the abort cut off.
      const rung = (
        await inProcess(goal, 0, now, async (running) => {
          await running.protocol.onAlarm();
          await running.protocol.drain({ v: 1, workspace, goal });
          const scheduled = running.store.rows('round', {}).filter((row) => (row.data as { phase: string }).phase === 'scheduled');
          return {
            sent: running.sent.map((message) => message.fence),
            fences: scheduled.map((row) => (row.data as { fence: number }).fence),
            lane: running.store.cursor('book')?.seq,
            seq: running.store.lastSeq(),
          };
        })
      )?.value;
      expect(rung?.fences).toHaveLength(1);
      // Once at least: the queue may get it twice, and the fence makes that harmless.
      expect(rung?.sent).toContain(rung?.fences[0]);
      expect(rung?.lane).toBe(rung?.seq);
      expect((await recordOf(goal)).commits.filter((id) => id.startsWith('tick:')).length).toBe(1);
    });
  });
});

test('what was answered is there after an abort', async () => {
  const goal = 'answered';
  const answers: (CommandAnswer | undefined)[] = [];
  for (let n = 0; n < 10; n++) {
    const envelope = n === 0 ? creation : { ...posting, commandId: `m${n}` };
    answers.push((await inProcess(goal, 0, () => began + n, give(goal, envelope)))?.value);
    await runInDurableObject(stub(goal), (_, state) => state.abort('the test aborts here')).catch(() => {});
  }
  expect((await recordOf(goal)).commits).toEqual(['create', ...Array.from({ length: 9 }, (_, n) => `m${n + 1}`)]);
  const last = answers.at(-1);
  expect(last).toMatchObject({ outcome: 'applied', result: { message: 9 } });
  expect((await recordOf(goal)).seq).toBe(last?.outcome === 'applied' ? last.seq : 0);
});
