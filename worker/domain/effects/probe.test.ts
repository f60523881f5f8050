import { describe, expect, it } from 'vitest';
import { begin, call, planned, refused } from '../cases/scenes.ts';
import { dueTimes } from '../continuation/next.ts';
import { CHECK_RETRIES_MS, CHECK_WITHIN_MS } from '../limits.ts';
import { ok, person, World } from '../testing/world.ts';
import type { Json } from '../values.ts';
import { probeJob } from '../views/probe-job.ts';

const probe = { url: 'https://bank.test/transfers/{key}' };
type Permit = { permit: { effect: string; nonce: string; key: string } };

/** One effect that was sent and never answered. */
function sent(more: object = { probe }) {
  const world = new World();
  planned(world, [{ key: 'a' }]);
  const actor = begin(world, 'a');
  const { permit } = ok(world.give(actor, 'round.step', call('bank', { n: 1 }, { effect: 'outside', timeoutMs: 10_000, ...more }))) as unknown as Permit;
  const effect = () => world.state.effects[permit.effect];
  const settle = () => ok(world.give(actor, 'effect.settle', { effect: permit.effect, nonce: permit.nonce, outcome: 'unknown' }));
  const answer = (found: string, fence = effect()?.probe?.tries ?? 0) => world.host('effect.probe', { effect: permit.effect, fence, found, evidence: 'GET: HTTP 200' });
  const until = (time: number | null | undefined) => world.tick((time ?? world.now) - world.now);
  return { world, actor, permit, effect, settle, answer, until };
}
const reconciled = (world: World) => world.events.filter((event) => event.type === 'effect.reconciled').map((event) => event.outcome);

describe('an unknown effect that says how to find out', () => {
  it('is asked about at once, and what happened is concluded at any time', () => {
    const { world, permit, effect, settle, answer } = sent();
    settle();
    expect(effect()?.probe).toMatchObject({ tries: 1, dueBy: world.now + CHECK_WITHIN_MS });
    expect(probeJob(world.state, permit.effect, 1, world.lookup)).toEqual({ effect: permit.effect, fence: 1, tool: 'bank', key: permit.key, probe });
    expect(dueTimes(world.state)).toContain(effect()?.probe?.dueBy);
    ok(answer('happened'));
    expect(reconciled(world)).toEqual(['succeeded']);
    expect(Object.values(world.state.waits)).toEqual([]);
    expect(world.lookup.row('effect', permit.effect)?.data).toMatchObject({ state: 'reconciled', outcome: 'succeeded', reconciledBy: 'host', probes: 1, probed: 'happened' });
  });
  it('is not taken as absent before its horizon, nor from a question that was put before it', () => {
    const { world, effect, settle, answer, until } = sent();
    settle();
    const horizon = effect()?.horizon ?? 0;
    expect(ok(answer('absent'))).toMatchObject({ again: horizon + 1000 });
    expect(reconciled(world)).toEqual([]);
    until(horizon);
    expect(effect()?.probe?.dueBy).toBeNull();
    until(horizon + 1000);
    expect(effect()?.probe).toMatchObject({ tries: 2 });
    ok(answer('absent'));
    expect(reconciled(world)).toEqual(['not_applied']);
  });
  it('asked before the horizon and answered after it proves nothing', () => {
    const { world, effect, answer, until } = sent();
    // Nobody settled it: unknown at its horizon, less a little, by the end of its round.
    const horizon = effect()?.horizon ?? 0;
    until(horizon - 5000);
    world.tick(
      0,
      Object.values(world.state.rounds).map((round) => ({ round: round.id, fence: round.fence })),
    );
    expect(effect()).toMatchObject({ state: 'unknown', probe: { tries: 1 } });
    until(horizon + 5000);
    ok(answer('absent'));
    expect(reconciled(world)).toEqual([]);
    expect(effect()?.probe).toMatchObject({ tries: 2 });
    ok(answer('absent'));
    expect(reconciled(world)).toEqual(['not_applied']);
  });
  it('that stays unclear is asked a bounded number of times, and then is a person’s', () => {
    const { world, actor, effect, settle, answer, until } = sent();
    settle();
    ok(world.give(actor, 'round.end', { outcome: 'handed_back' }));
    for (const [n, pause] of CHECK_RETRIES_MS.entries()) {
      // The second time nobody answers at all.
      if (n === 1) until(effect()?.probe?.dueBy);
      else ok(answer('unclear'));
      expect(effect()?.probe).toMatchObject({ tries: n + 1, nextAt: world.now + pause });
      until(effect()?.probe?.nextAt);
    }
    ok(answer('unclear'));
    expect(effect()?.probe).toMatchObject({ nextAt: null, dueBy: null });
    world.tick(86_400_000);
    expect(effect()?.probe?.tries).toBe(CHECK_RETRIES_MS.length + 1);
    expect(Object.values(world.state.waits)).toMatchObject([{ kind: 'reconcile', owner: 'person:ada' }]);
    ok(world.give(person('ada'), 'effect.reconcile', { effect: effect()?.id ?? '', outcome: 'succeeded', evidence: 'I called the bank' }));
    expect(reconciled(world)).toEqual(['succeeded']);
  });
  it('answers of an older question and of nobody’s question are refused and change nothing', () => {
    const { world, permit, effect, settle, answer, until } = sent();
    settle();
    until(effect()?.probe?.dueBy);
    until(effect()?.probe?.nextAt);
    expect(refused(answer('happened', 1)).code).toBe('fence_stale');
    expect(refused(probeJob(world.state, permit.effect, 1, world.lookup) as unknown as Json).code).toBe('fence_stale');
    expect(refused(world.give(person('ada'), 'effect.probe', { effect: permit.effect, fence: 2, found: 'happened', evidence: 'x' })).code).toBe('forbidden');
    ok(answer('happened', 2));
    expect(refused(answer('happened', 2)).code).toBe('round_superseded');
    expect(reconciled(world)).toEqual(['succeeded']);
  });
  it('of a cancelled goal is asked about all the same', () => {
    const { world, effect, settle, answer } = sent();
    ok(world.give(person('ada'), 'goal.cancel', {}, { reason: 'enough' }));
    if (effect()?.state !== 'unknown') settle();
    ok(answer('happened'));
    expect(reconciled(world)).toEqual(['succeeded']);
  });
  it('without a way to find out is a person’s from the start', () => {
    const { world, effect, settle } = sent({});
    settle();
    world.tick(600_000);
    expect(effect()?.probe).toBeUndefined();
    expect(world.events.some((event) => event.type === 'effect.probe_asked')).toBe(false);
  });
});
