import { env, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { refuse } from '../domain/refusals.ts';
import type { Env } from '../env.ts';
import type { DispatchMessage } from '../goal/ports.ts';
import { workerContext } from '../tools/testing/fake-env.ts';
import { acceptDispatch, runnerName } from './accept.ts';
import type { Runner } from './runner.ts';
import { FakeGoal } from './testing/fake-goal.ts';

const bindings = env as unknown as Env;
let number = 0;
const next = (fence = 1): Extract<DispatchMessage, { kind: 'round' }> => ({ v: 1, kind: 'round', workspace: 'w', goal: `runner-${++number}`, round: 'r1', fence });

/** A Runner whose Goal is the given one. The stub's type is that of the namespace, which does not say its class. */
async function runnerOf(message: DispatchMessage, goal: FakeGoal) {
  const stub = bindings.RUNNERS.get(bindings.RUNNERS.idFromName(runnerName(message))) as unknown as DurableObjectStub<Runner>;
  await runInDurableObject(stub, (instance) => {
    const namespace = { idFromName: (name: string) => name, get: () => goal };
    Object.assign(instance, { env: { ...bindings, GOALS: namespace as unknown as DurableObjectNamespace } });
  });
  return stub;
}
const stored = (stub: DurableObjectStub<Runner>) =>
  runInDurableObject(stub, async (_instance, state) => ({ work: await state.storage.get<{ begun: boolean; tries: number }>('work'), alarm: await state.storage.getAlarm() }));
/** Without a model an agent's round fails at once: enough to see the round from claim to end. */
const agent = () => new FakeGoal(workerContext({ executor: { kind: 'agent', profile: 'worker' } }));

describe('a Runner', () => {
  it('is the same for the same delivery, and another for a higher fence', () => {
    const message = next();
    expect(runnerName({ ...message })).toBe(runnerName(message));
    expect(runnerName({ ...message, fence: 2 })).not.toBe(runnerName(message));
  });

  it('takes a hand-over once, runs it in its alarm, and forgets it', async () => {
    const message = next();
    const goal = agent();
    const stub = await runnerOf(message, goal);
    await acceptDispatch(bindings, message);
    await acceptDispatch(bindings, message);
    await runDurableObjectAlarm(stub);
    await expect.poll(() => goal.given.length).toBe(1);
    expect(goal.claims).toMatchObject([{ round: 'r1', fence: 1, runner: runnerName(message), again: false }]);
    expect(goal.given).toMatchObject([['round.end', { outcome: 'failed' }]]);
    await expect.poll(() => stored(stub)).toEqual({ work: undefined, alarm: null });
  });

  it('that died in its round asks at once for what follows and runs nothing', async () => {
    const message = next();
    const goal = agent();
    goal.onClaim = () => ({ outcome: 'refused', refusal: refuse('round_superseded') });
    const stub = await runnerOf(message, goal);
    // What a killed run leaves behind: the claim begun, and no end.
    await runInDurableObject(stub, async (_instance, state) => {
      await state.storage.put('work', { message, begun: true, tries: 0 });
      await state.storage.setAlarm(Date.now() + 60_000);
    });
    await runDurableObjectAlarm(stub);
    expect(goal.claims).toMatchObject([{ again: true }]);
    expect(goal.given).toEqual([]);
    expect(await stored(stub)).toEqual({ work: undefined, alarm: null });
  });

  it('waits where another holds the lease, and does not call that a death', async () => {
    const message = next();
    const goal = agent();
    goal.onClaim = () => ({ outcome: 'refused', refusal: refuse('already_claimed'), retryAfterMs: 100_000 });
    const stub = await runnerOf(message, goal);
    await runInDurableObject(stub, (_instance, state) => state.storage.put('work', { message, begun: false, tries: 0 }));
    await runInDurableObject(stub, (instance) => instance.alarm());
    const { work, alarm } = await stored(stub);
    expect(work).toMatchObject({ begun: false, tries: 1 });
    expect(alarm).toBeGreaterThan(Date.now() + 50_000);
  });

  it('does not start a second run while one is on', async () => {
    const message = next();
    const goal = agent();
    let release: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const claim = goal.claim.bind(goal);
    goal.claim = async (request) => {
      await held;
      return claim(request);
    };
    const stub = await runnerOf(message, goal);
    await runInDurableObject(stub, (_instance, state) => state.storage.put('work', { message, begun: false, tries: 0 }));
    await runInDurableObject(stub, async (instance) => {
      const first = instance.alarm();
      await instance.alarm();
      await instance.accept(message);
      release();
      await first;
    });
    expect(goal.claims).toHaveLength(1);
    expect(goal.given).toHaveLength(1);
  });

  it('never throws out of its alarm, and backs off', async () => {
    const message = next();
    const goal = agent();
    const stub = await runnerOf(message, goal);
    await runInDurableObject(stub, (instance) => {
      const broken = Object.defineProperty({ ...bindings }, 'LOADER', {
        get() {
          throw new TypeError('no loader');
        },
      });
      Object.assign(instance, { env: broken });
    });
    await runInDurableObject(stub, (_instance, state) => state.storage.put('work', { message, begun: false, tries: 3 }));
    await runInDurableObject(stub, (instance) => instance.alarm());
    const { work, alarm } = await stored(stub);
    expect(work).toMatchObject({ begun: true, tries: 4 });
    expect(alarm).not.toBeNull();
  });
});
