/** The working set is what is open, not what happened: over a long life of the same work it does not grow. The record does. */
import { expect, it } from 'vitest';
import { GENERATIONS_KEPT } from '../limits.ts';
import type { State } from '../state.ts';
import { ok, type World } from '../testing/world.ts';
import { begin, contract, hex, itemOf, owner, planned, refused, review, roundOf, submit, versions } from './stage.ts';

/** Entries of every collection of the working set. */
const entries = (state: State) =>
  Object.fromEntries(
    Object.entries(state).flatMap(([name, value]) => (value !== null && typeof value === 'object' && !Array.isArray(value) ? [[name, Object.keys(value).length]] : [])),
  );

/** One turn of the same work: a lost round, children, a wait, an effect, an approval, a question, a delivery with a check outside, a return, an acceptance that falls. */
function turn(world: World, n: number): void {
  world.now += 1000;
  const lost = begin(world, 'a');
  ok(world.give(lost, 'subagent.spawn', { children: [{ name: 'lost', brief: n }] }));
  world.tick(0, [{ round: lost.round, fence: lost.fence }]);
  const first = begin(world, 'a');
  ok(
    world.give(first, 'subagent.spawn', {
      children: [
        { name: 'one', brief: n },
        { name: 'two', brief: n },
      ],
    }),
  );
  ok(world.give(first, 'round.end', { outcome: 'waiting', wait: { kind: 'external', correlation: `job-${n}`, reason: 'a job of its own' } }));
  for (const round of world.rounds()) if (round.subagent) ok(world.give(world.start(round), 'subagent.return', { ok: n % 3 > 0, result: n }));
  ok(world.give(owner, 'wait.signal', { correlation: `job-${n}`, generation: 1 }));
  const second = begin(world, 'a');
  const { permit } = ok(world.give(second, 'round.step', { next: { tool: 'ticket.open', args: { n }, subject: 's', effect: 'outside' } })) as {
    permit: { effect: string; nonce: string };
  };
  ok(world.give(second, 'effect.settle', { effect: permit.effect, nonce: permit.nonce, outcome: 'succeeded' }));
  ok(world.give(second, 'round.step', { next: { tool: 'mail.send', args: { n }, subject: 's', effect: 'outside' } }));
  ok(world.give(second, 'round.end', { outcome: 'waiting' }));
  const [approval] = Object.values(world.state.approvals);
  if (approval) ok(world.give(owner, 'approval.decide', { approval: approval.id, decision: 'refused', callDigest: approval.callDigest }));
  ok(world.give(begin(world, 'a'), 'work.block', { item: 'a', key: `q-${n}`, reason: 'a question of its own', form: { type: 'object' } }));
  ok(world.give(owner, 'blocker.resolve', { blocker: `q-${n}`, answer: {} }));
  const deliver = (what: string, pass: boolean) => {
    // Each turn has three negative verdicts: a person who takes it over, and gives it back, allows one more each time.
    ok(world.give(owner, 'work.takeOver', { item: 'a' }, { expected: versions(world, 'a') }));
    ok(world.give(owner, 'work.release', { item: 'a' }));
    ok(submit(world, begin(world, 'a'), 'a', { summary: what, claims: [{ criterion: 'c1', evidence: [`artifact:${hex(1)}`] }] }));
    for (const check of Object.values(world.state.checks))
      ok(world.host('check.record', { check: check.id, fence: check.fence, pass, checker: 'x', ...(pass ? {} : { scene: { summary: `not yet ${what}` } }) }));
  };
  deliver(`first ${n}`, false);
  deliver(`second ${n}`, true);
  ok(review(world, 'a', 'changes_requested', { scene: { summary: `look again ${n}` } }));
  deliver(`third ${n}`, true);
  ok(review(world, 'a', 'cannot_judge'));
  ok(review(world, 'a', 'accepted'));
  ok(world.give(owner, 'acceptance.invalidate', { acceptance: itemOf(world, 'a').verdict?.id, scene: { summary: `it fell ${n}` } }));
  ok(world.give(owner, 'goal.revise', { contract: contract({ ...more, objective: `version ${n}` }) }, { expected: versions(world), reason: 'r' }));
}

const more = { policies: [{ tool: 'mail.*', then: 'ask' }], limits: { rounds: 100_000, attempts: 20, parallelRounds: 16 } };
const start = () => planned([{ key: 'a', checks: [{ key: 'f', kind: 'file_exists', file: { path: 'a.txt' } }], review: [{ by: 'agent' }], limits: { attempts: 20 } }], more);

it('the same open work after two turns and after twenty', () => {
  const world = start();
  const sizes: Record<string, number>[] = [];
  for (let n = 1; n <= 20; n += 1) {
    turn(world, n);
    sizes.push(entries(world.state));
  }
  const closed = (size: Record<string, number> | undefined) => ({ ...size, closed: 0, generations: 0 });
  expect(closed(sizes[19])).toEqual(closed(sizes[1]));
  // Names of waits and questions that were closed are remembered, a bounded number of them; each turn had two.
  expect((sizes[19]?.closed ?? 0) - (sizes[1]?.closed ?? 0)).toBe(2 * 18);
  expect(sizes[19]?.generations).toBe(sizes[19]?.closed);
  expect(world.lookup.count('round')).toBeGreaterThan(200);
});

it('names of closed waits are forgotten, the oldest first, past their number', () => {
  const world = start();
  for (let n = 0; n <= GENERATIONS_KEPT; n += 1) {
    world.now += 1;
    ok(world.give(world.start(roundOf(world, 'worker', 'a')), 'round.end', { outcome: 'waiting', wait: { kind: 'external', correlation: `job-${n}`, reason: 'r' } }));
    ok(world.give(owner, 'wait.signal', { correlation: `job-${n}`, generation: 1 }));
  }
  expect(Object.keys(world.state.closed)).toHaveLength(GENERATIONS_KEPT);
  expect(Object.keys(world.state.generations)).toHaveLength(GENERATIONS_KEPT);
  refused(world, 'invalid_transition', owner, 'wait.signal', { correlation: 'job-1', generation: 1 });
  // Forgotten, so that a late signal for it is kept as an early one, and drops out after its time.
  ok(world.give(owner, 'wait.signal', { correlation: 'job-0', generation: 1 }));
  expect(Object.keys(world.state.signals)).toEqual(['job-0']);
});

it('topics of notes are bounded, entries are not', () => {
  const world = start();
  for (let n = 0; n < 200; n += 1) ok(world.give(owner, 'note.append', { topic: `t${n}`, text: 'x' }));
  refused(world, 'limit_exceeded', owner, 'note.append', { topic: 'one-more', text: 'x' }, { current: { limit: 200 } });
  refused(world, 'limit_exceeded', owner, 'note.revise', { topic: 'one-more', revision: 0, text: 'x' });
  ok(world.give(owner, 'note.append', { topic: 't1', text: 'y' }));
  refused(world, 'item_version_stale', owner, 'note.revise', { topic: 't1', revision: 7, text: 'x' }, { current: { revision: 0 } });
});
