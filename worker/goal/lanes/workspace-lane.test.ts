/** A round's way through its workspace: asked before it is handed over, given more when a call needs it, given back when it is over; under lost answers and crashes. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { Actor } from '../../domain/context.ts';
import { fold } from '../../domain/evolve.ts';
import { defaultLimits } from '../../domain/contract/contract.ts';
import { MODEL_CALL } from '../../domain/model-call.ts';
import { refuse } from '../../domain/refusals.ts';
import { emptyState, type State } from '../../domain/state.ts';
import type { Json } from '../../domain/values.ts';
import type { Next } from '../../domain/views/types.ts';
import { MemoryWorkspace } from '../../workspace/testing/memory-workspace.ts';
import { domainCore } from '../domain-core.ts';
import { Crash } from '../memory-store.ts';
import type { Grants } from '../ports.ts';
import type { StepAnswer } from '../rpc.ts';
import { Bench, door } from '../testing/bench-top.ts';

const owner: Actor = { kind: 'person', principal: 'person:ada', scopes: ['goals:read', 'goals:write'] };
type Fault = 'before' | 'after' | 'unavailable';

let bench: Bench;
let workspace: MemoryWorkspace;
/** Answers that get lost before or after they had their effect, in order. */
let faults: Fault[];
let asked: string[];

/** `limits` of the goal; its coordinator is an agent. */
async function begin(limits: object = {}, coordinator: Json = { kind: 'agent', profile: 'coordinator' }): Promise<void> {
  faults = [];
  asked = [];
  workspace = new MemoryWorkspace(() => bench.now);
  const over = async <T>(what: string, work: () => T): Promise<T> => {
    asked.push(what);
    const fault = faults.shift();
    if (fault === 'unavailable') return { outcome: 'refused', refusal: refuse('unavailable') } as T;
    if (fault === 'before') throw new Error('lost');
    const answer = work();
    if (fault === 'after') throw new Error('lost');
    return answer;
  };
  const grants: Grants = { grant: (request) => over('grant', () => workspace.grant(request)), settle: (request) => over('settle', () => workspace.settle(request)) };
  bench = new Bench(domainCore, { grants, carriers: { agent: true, skill: () => true } });
  await bench.protocol.command({
    ...door,
    actor: owner,
    envelope: {
      type: 'goal.create',
      commandId: 'create',
      expected: {},
      dryRun: false,
      payload: {
        mode: 'goal_only',
        confirmed: true,
        lanes: { coordinator },
        contract: { title: 'T', objective: 'Do it', criteria: [{ id: 'c1', text: 'done', verify: 'attest' }], limits: limits as Json },
      } as Json,
    },
  });
}

const state = (): State => fold(emptyState(defaultLimits), bench.store.events(0, 100_000));
const roundNow = () => Object.values(state().rounds)[0];
const next = async (): Promise<Next> => {
  const answer = await bench.protocol.read({ ...door, query: { what: 'next' } });
  if (answer.outcome === 'refused') throw new Error(answer.refusal.code);
  return answer.value as unknown as Next;
};

async function claim(): Promise<Actor & { kind: 'round' }> {
  const sent = bench.sent.at(-1);
  if (sent?.kind !== 'round') throw new Error('nothing was handed over');
  const answer = await bench.protocol.claim({ ...door, round: sent.round, fence: sent.fence, runner: 'r', again: false });
  expect(answer.outcome).toBe('granted');
  return { kind: 'round', round: sent.round, fence: sent.fence, runner: 'r' };
}

let n = 0;
async function call(actor: Actor & { kind: 'round' }, reserve: { tokens: number; money: number }, last?: { call: string; tokens: number; money: number }): Promise<StepAnswer> {
  n += 1;
  return bench.protocol.step({
    ...door,
    round: actor.round,
    fence: actor.fence,
    runner: actor.runner,
    n,
    ...(last ? { last: { call: last.call, ok: true, summary: 's', used: { tokens: last.tokens, money: last.money } } } : {}),
    next: { tool: MODEL_CALL, args: {}, subject: 'turn', effect: 'none', factOnly: [], reserve },
  });
}
const end = (actor: Actor, payload: Json = { outcome: 'handed_back' }) =>
  bench.protocol.command({ ...door, actor, envelope: { type: 'round.end', commandId: 'end', expected: {}, payload, dryRun: false } });

beforeEach(() => begin());

describe('before the hand-over', () => {
  test('the round gets a place and a share, once; at its end both go back with what was used', async () => {
    await bench.pass(100);
    expect(asked).toEqual(['grant']);
    expect(bench.sent).toHaveLength(1);
    expect(workspace.running()).toBe(1);
    expect(roundNow()?.grant).toMatchObject({ state: 'granted', tokens: 500_001, money: 0 });
    const actor = await claim();
    const first = await call(actor, { tokens: 1000, money: 0 });
    if (first.outcome !== 'go') throw new Error(first.outcome);
    await end(actor, { outcome: 'handed_back', last: { call: first.call, ok: true, summary: 's', used: { tokens: 400, money: 0 } } });
    await bench.pass(100);
    expect(workspace.used).toEqual({ tokens: 400, money: 0 });
    // The next round has its place already.
    expect(workspace.running()).toBe(1);
    expect(state().settling).toEqual({});
    expect(roundNow()?.grant?.state).toBe('granted');
  });

  test('a script needs a place and nothing else', async () => {
    await begin({}, { kind: 'skill', skill: 'demo', script: 'plan.js' });
    await bench.pass(100);
    expect(roundNow()?.grant).toEqual({ state: 'granted', tokens: 0, money: 0 });
  });

  test('where the workspace is full the round waits, says why and until when, is asked for again then, or when it is rung', async () => {
    await begin();
    workspace.budget = { ...workspace.budget, parallelRounds: 1 };
    workspace.grant({ v: 1, workspace: 'acme', goal: 'other', round: 'r', fence: 1, tokens: 0, money: 0 });
    await bench.pass(100);
    expect(bench.sent).toEqual([]);
    const standing = await next();
    expect(standing).toMatchObject({ why: { kind: 'queued', by: 'places' }, who: [{ mover: 'host', act: 'time' }] });
    const due = standing.who[0]?.due ?? 0;
    expect(due).toBeGreaterThan(bench.now);
    // Nothing is asked in between.
    const before = asked.length;
    await bench.pass(due - bench.now - 10);
    expect(asked).toHaveLength(before);
    await bench.pass(20);
    expect(asked).toHaveLength(before + 1);
    expect(bench.sent).toEqual([]);
    workspace.settle({ v: 1, workspace: 'acme', goal: 'other', round: 'r', fence: 1, used: { tokens: 0, money: 0 }, asOf: 1 });
    await bench.protocol.poke(door);
    await bench.pass(100);
    expect(bench.sent).toHaveLength(1);
  });

  test('where a connection did not pass its test no round is handed over: who may set it right is named, and it goes on when the workspace rings', async () => {
    await begin();
    workspace.untested = { outcome: 'untested', setting: 'provider:main', code: 'key', detail: 'Incorrect API key', person: true, retryAfterMs: 600_000 };
    await bench.pass(100);
    const connection = { setting: 'provider:main', code: 'key', detail: 'Incorrect API key', person: true };
    expect(await next()).toMatchObject({
      why: { kind: 'queued', by: 'connection', connection },
      who: [
        { mover: 'person:admin', act: 'set_connection', ref: 'provider:main' },
        { mover: 'host', act: 'time' },
      ],
    });
    expect(bench.sent).toEqual([]);
    expect(workspace.running()).toBe(0);
    expect(asked).toHaveLength(1);
    // Under way: nobody has to do anything.
    workspace.untested = { ...workspace.untested, code: 'testing', person: false };
    await bench.protocol.poke(door);
    await bench.pass(100);
    expect((await next()).who).toMatchObject([{ mover: 'host', act: 'time' }]);
    workspace.untested = null;
    await bench.protocol.poke(door);
    await bench.pass(100);
    expect(bench.sent).toHaveLength(1);
    expect(Object.keys(state().rounds)).toHaveLength(1);
    expect(state().budget.rounds).toBe(1);
  });

  test('where its budget is spent the owner is named, and no round is lost over it', async () => {
    workspace.budget = { ...workspace.budget, total: { tokens: 0 } };
    await begin();
    workspace.budget = { ...workspace.budget, total: { tokens: 0 } };
    await bench.pass(100);
    expect(await next()).toMatchObject({
      why: {
        kind: 'queued',
        by: 'budget',
        limit: 'tokens',
        spent: { window: 'total', used: 0, reserved: 0, of: 0 },
        remains: { items: { count: 0 }, criteria: { count: 1, head: ['c1'] } },
      },
      who: [
        { mover: 'person:ada', act: 'raise_limit', ref: 'workspace/tokens' },
        { mover: 'host', act: 'time' },
      ],
    });
    await bench.pass(60_000);
    expect(state().budget.rounds).toBe(1);
    workspace.budget = { ...workspace.budget, total: { tokens: 1000 } };
    await bench.protocol.poke(door);
    await bench.pass(100);
    // What remains is enough to begin with.
    expect(roundNow()?.grant).toMatchObject({ state: 'granted', tokens: 1000 });
  });

  test.each(['before', 'after', 'unavailable'] as const)('an answer that is lost is asked for again: %s', async (fault) => {
    await begin();
    faults = [fault, fault];
    await bench.pass(10_000);
    expect(asked).toEqual(['grant', 'grant', 'grant']);
    expect([bench.sent.length, workspace.open().length]).toEqual([1, 1]);
  });

  test('a round that ends before its answer came gives back what it may have been granted', async () => {
    await begin();
    faults = ['after'];
    await bench.pass(1);
    expect(workspace.running()).toBe(1);
    await bench.protocol.command({ ...door, actor: owner, envelope: { type: 'goal.cancel', commandId: 'x', expected: {}, payload: {}, dryRun: false } });
    await bench.pass(10_000);
    expect([workspace.running(), workspace.open().length, state().settling]).toEqual([0, 0, {}]);
    expect(bench.store.alarm).toBeNull();
  });

  test('a hand-over that nobody took goes on under the next fence; the place of the old one is free', async () => {
    await bench.pass(100);
    await bench.pass(40_000);
    expect(bench.sent.map((message) => message.fence)).toEqual([1, 2]);
    expect(workspace.running()).toBe(1);
    expect(state().settling).toEqual({});
  });
});

describe('a call that needs more than the share', () => {
  test('gets it before it is judged, as far as the goal allows', async () => {
    await begin({ tokens: 2_000_000 });
    await bench.pass(100);
    const actor = await claim();
    expect((await call(actor, { tokens: 900_000, money: 0 })).outcome).toBe('go');
    expect(roundNow()?.grant).toMatchObject({ tokens: 1_400_000, money: 0 });
    // Money is asked for when a call has a price.
    expect((await call(actor, { tokens: 10, money: 1_000_000 })).outcome).toBe('go');
    const grant = roundNow()?.grant;
    expect(grant?.state === 'granted' && grant.money).toBeGreaterThanOrEqual(1_000_000);
    // What the goal itself has no room for is asked of nobody.
    const before = asked.length;
    expect(await call(actor, { tokens: 3_000_000, money: 0 })).toMatchObject({ outcome: 'ended', refusal: { code: 'budget_exceeded', current: { scope: 'goal' } } });
    expect(asked.slice(before)).not.toContain('grant');
  });

  test('and does not get it ends its round; the next one waits for as much as that call needs', async () => {
    workspace.budget = { ...workspace.budget, total: { tokens: 600_000 } };
    await bench.pass(100);
    const actor = await claim();
    expect(await call(actor, { tokens: 700_000, money: 0 })).toMatchObject({
      outcome: 'ended',
      refusal: { code: 'budget_exceeded', current: { scope: 'workspace', of: 500_001 } },
    });
    await bench.pass(100);
    expect(await next()).toMatchObject({ why: { kind: 'queued', by: 'budget', limit: 'tokens' } });
    expect(bench.sent).toHaveLength(1);
    workspace.budget = { ...workspace.budget, total: { tokens: 800_000 } };
    await bench.protocol.poke(door);
    await bench.pass(100);
    expect((await call(await claim(), { tokens: 700_000, money: 0 })).outcome).toBe('go');
  });

  test('is asked again by its Runner where the workspace does not answer; nothing was judged', async () => {
    await bench.pass(100);
    const actor = await claim();
    faults = ['unavailable'];
    const seq = bench.store.lastSeq();
    const answer = await call(actor, { tokens: 900_000, money: 0 });
    expect(answer).toMatchObject({ outcome: 'refused', refusal: { code: 'unavailable' } });
    expect(bench.store.lastSeq()).toBe(seq);
    n -= 1;
    expect((await call(actor, { tokens: 900_000, money: 0 })).outcome).toBe('go');
  });
});

test('what is reported late is told as well', async () => {
  await bench.pass(100);
  const actor = await claim();
  const first = await call(actor, { tokens: 1000, money: 0 });
  if (first.outcome !== 'go') throw new Error(first.outcome);
  await end(actor, { outcome: 'failed' });
  await bench.pass(100);
  expect(workspace.used.tokens).toBe(1000);
  await bench.protocol.command({
    ...door,
    actor,
    envelope: { type: 'usage.record', commandId: 'late', expected: {}, payload: { call: first.call, tokens: 1200, money: 0 }, dryRun: false },
  });
  await bench.pass(100);
  expect(workspace.used.tokens).toBe(1200);
  expect(state().settling).toEqual({});
  // Also where it names no call.
  await bench.protocol.command({ ...door, actor, envelope: { type: 'usage.record', commandId: 'later', expected: {}, payload: { tokens: 30, money: 0 }, dryRun: false } });
  await bench.pass(100);
  expect([workspace.used.tokens, state().budget.tokens]).toEqual([1230, 1230]);
  expect(state().settling).toEqual({});
});

test('a call that was charged at its worst case and cost less is corrected with the workspace too, whatever word comes first', async () => {
  await bench.pass(100);
  const actor = await claim();
  const first = await call(actor, { tokens: 5000, money: 0 });
  if (first.outcome !== 'go') throw new Error(first.outcome);
  await end(actor, { outcome: 'failed' });
  await bench.pass(100);
  expect([workspace.used.tokens, state().budget.tokens]).toEqual([5000, 5000]);
  const [said] = workspace.grants.values();
  faults = ['after', 'before'];
  await bench.protocol.command({
    ...door,
    actor,
    envelope: { type: 'usage.record', commandId: 'bill', expected: {}, payload: { call: first.call, tokens: 1200, money: 0 }, dryRun: false },
  });
  await bench.pass(60_000);
  expect([workspace.used.tokens, state().budget.tokens]).toEqual([1200, 1200]);
  expect(state().settling).toEqual({});
  // The first word once more, from a process that is long gone.
  const late = workspace.settle({ v: 1, workspace: 'acme', goal: said?.goal ?? '', round: said?.round ?? '', fence: 1, used: { tokens: 5000, money: 0 }, asOf: said?.asOf ?? 0 });
  expect(late).toMatchObject({ used: { tokens: 1200 }, replayed: true });
  expect(workspace.used.tokens).toBe(1200);
});

test('killed before and after any of its writes, every place comes back', async () => {
  const story = async (fault?: { n: number; when: 'before' | 'after' }): Promise<number> => {
    await begin();
    let writes = 0;
    const count = (when: 'before' | 'after') => () => {
      if (when === 'before') writes += 1;
      if (fault?.when === when && fault.n === writes) throw new Crash(`${when} write ${writes}`);
    };
    bench.hooks = { beforeWrite: count('before'), afterWrite: count('after') };
    const go = async () => {
      await bench.pass(3000);
      if (bench.store.dead) bench.restart();
    };
    for (let turn = 0; turn < 12; turn += 1) {
      await go();
      const round = roundNow();
      if (!round) break;
      if (round.phase === 'scheduled' && bench.sent.some((message) => message.kind === 'round' && message.round === round.id && message.fence === round.fence))
        await bench.protocol.claim({ ...door, round: round.id, fence: round.fence, runner: 'r', again: false });
      else if (round.phase === 'started')
        await bench.protocol.command({
          ...door,
          actor: { kind: 'round', round: round.id, fence: round.fence, runner: 'r' },
          envelope: { type: 'round.end', commandId: 'end', expected: {}, payload: { outcome: 'handed_back', finish: true }, dryRun: false },
        });
      if (bench.store.dead) bench.restart();
    }
    await bench.pass(60_000);
    if (bench.store.dead) bench.restart();
    await bench.protocol.drain(door);
    const open = Object.values(state().rounds).filter((round) => round.grant?.state === 'granted');
    expect({ fault, open: workspace.open().map((grant) => `${grant.round}:${grant.fence}`), settling: state().settling }).toEqual({
      fault,
      open: open.map((round) => `${round.id}:${round.fence}`),
      settling: {},
    });
    return writes;
  };
  const writes = await story();
  expect(writes).toBeGreaterThan(8);
  for (let at = 1; at <= writes; at += 1) for (const when of ['before', 'after'] as const) await story({ n: at, when });
}, 60_000);
