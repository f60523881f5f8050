import { describe, expect, it } from 'vitest';
import { refuse } from '../domain/refusals.ts';
import type { StepAnswer, StepRequest } from '../goal/rpc.ts';
import { Redactor } from '../observe/redactor.ts';
import { closedRules } from '../outgoing/address.ts';
import { fixedWorld } from '../outgoing/world.ts';
import { MemoryFiles, workerContext } from '../tools/testing/fake-env.ts';
import { CALL_TIMEOUT, Session, SLICE_RESERVE } from './session.ts';
import { FakeGoal, go } from './testing/fake-goal.ts';

function sessionOf(goal: FakeGoal, sliceEnds = 15 * 60_000): Session {
  return new Session(workerContext(), 'w/g/round/r1/1', {
    goal: goal.calls(),
    files: new MemoryFiles(),
    services: {},
    world: fixedWorld(closedRules),
    redactor: new Redactor(),
    now: () => 0,
    sliceEnds,
  });
}
const answering = (answer: (request: StepRequest) => StepAnswer): FakeGoal => {
  const goal = new FakeGoal(workerContext());
  goal.onStep = answer;
  return goal;
};
const reserve = { tokens: 100, money: 5 };

describe('a model call', () => {
  it('is a step with what it reserves; what it used travels with the next step, and with the end', async () => {
    const goal = answering((request) => go(request));
    const session = sessionOf(goal);
    const first = await session.modelCall({ reserve, subject: 'turn 1' });
    if (!first.ok) throw new Error(first.refusal.code);
    session.modelUsed(first.call, true, 'called a tool', { tokens: 60, money: 3, cacheRead: 20 }, 12);
    await session.call('tasks.set', { tasks: [] });
    const second = await session.modelCall({ reserve, subject: 'turn 2' });
    if (!second.ok) throw new Error(second.refusal.code);
    session.modelUsed(second.call, false, 'cut off', undefined, 7);
    session.close('failed', 'cut off');
    await session.finish();
    expect(goal.steps.map(({ n, next, last }) => [n, next?.tool, next?.reserve, last?.used])).toEqual([
      [1, 'model.call', reserve, undefined],
      [2, 'tasks.set', undefined, { tokens: 60, money: 3, cacheRead: 20 }],
      [3, 'model.call', reserve, undefined],
    ]);
    // Nothing is known of it: the host charges what it had set aside.
    expect(goal.given.at(-1)).toEqual(['round.end', { outcome: 'failed', note: 'cut off', last: { call: second.call, ok: false, summary: 'cut off', ms: 7 } }]);
  });

  it('that does not fit ends the session; the round is closed on record, so nothing more is said', async () => {
    const goal = answering((request) => (request.n === 1 ? go(request) : { outcome: 'ended', refusal: refuse('budget_exceeded', { detail: 'tokens' }) }));
    const session = sessionOf(goal);
    expect((await session.modelCall({ reserve, subject: 'turn 1' })).ok).toBe(true);
    expect(await session.modelCall({ reserve, subject: 'turn 2' })).toMatchObject({ ok: false, over: true, refusal: { code: 'budget_exceeded' } });
    expect(await session.over).toMatchObject({ said: true });
    await session.finish();
    expect(goal.given).toEqual([]);
    expect(await session.modelCall({ reserve, subject: 'turn 3' })).toMatchObject({ ok: false, over: true });
    expect(goal.steps).toHaveLength(2);
  });

  it('whose round was ended by another still says what it used', async () => {
    const goal = answering((request) => (request.n === 1 ? go(request) : { outcome: 'ended', refusal: refuse('fence_stale') }));
    const session = sessionOf(goal);
    const first = await session.modelCall({ reserve, subject: 'turn 1' });
    if (!first.ok) throw new Error(first.refusal.code);
    session.modelUsed(first.call, true, 'said', { tokens: 60, money: 3 }, 1);
    expect(await session.modelCall({ reserve, subject: 'turn 2' })).toMatchObject({ ok: false, over: true });
    await session.finish();
    expect(goal.given).toEqual([['usage.record', { call: first.call, tokens: 60, money: 3 }]]);
  });

  it('that no time is left for hands the round back', async () => {
    const goal = answering((request) => go(request));
    const session = sessionOf(goal, CALL_TIMEOUT + SLICE_RESERVE - 1);
    expect(await session.modelCall({ reserve, subject: 'turn 1' })).toMatchObject({ ok: false, over: true });
    expect(await session.over).toMatchObject({ outcome: 'handed_back', note: 'slice', said: false });
    expect(goal.steps).toEqual([]);
  });

  it('that is refused for another reason leaves the round going', async () => {
    const goal = answering(() => ({ outcome: 'refused', refusal: refuse('schema_invalid'), notices: [] }));
    expect(await sessionOf(goal).modelCall({ reserve, subject: 't' })).toMatchObject({ ok: false, over: false });
  });
});
