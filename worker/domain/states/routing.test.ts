/** A question of a worker: one coordinator round where an agent coordinates, then a person; and what is a person's from the start. */
import { describe, expect, it } from 'vitest';
import { ok, type World } from '../testing/world.ts';
import { roundContext } from '../views/round-context.ts';
import { type Acting, adopt, begin, coordinate, created, itemOf, lanes, movers, owner, refused, roundOf, rows, since, stateOf, submit, versions, whyOf } from './stage.ts';

const form = { type: 'object', properties: { program: { enum: ['excel-zh', 'wps'] } }, required: ['program'] };
const question = { item: 'a', key: 'program', reason: 'which?', form, fact: 'program' };
const carried = { coordinator: { kind: 'agent', profile: 'coordinator' }, reviewers: lanes.reviewers };

/** A planned goal whose coordinator is an agent. */
function staged(items: object[] = [{ key: 'a' }], more: object = {}): World {
  const world = created(more, { lanes: { reviewers: lanes.reviewers } });
  world.carriers = { agent: true, skill: () => true };
  world.tick();
  const actor = world.start(roundOf(world, 'coordinator'));
  adopt(world, actor, items);
  ok(world.give(actor, 'round.end', { outcome: 'handed_back' }));
  return world;
}
function asking(more: object = {}, items?: object[], goal?: object): World {
  const world = staged(items, goal);
  ok(world.give(begin(world, 'a'), 'work.block', { ...question, ...more }));
  return world;
}
const answer = { blocker: 'program', answer: { program: 'wps' }, evidence: ['contract:objective'], because: 'the objective names it' };
const coordinators = (world: World) => world.rounds().filter((round) => round.lane === 'coordinator');
const asked = ['person:ada answer blocker:program'];

describe('B8 routing', () => {
  it('one coordinator round looks at it first, and nobody is asked meanwhile', () => {
    const world = asking();
    expect(movers(world)).toEqual([expect.stringMatching(/^agent:coordinator run round:/)]);
    const round = coordinate(world, 'blocker');
    expect(roundContext(world.state, round.round, world.lookup, 1000).question).toMatchObject({ id: 'program', item: 'a', form, route: 'coordinator', asked: 1 });
    expect(rows(world, 'blocker')).toMatchObject([{ route: 'coordinator', state: 'open' }]);
  });

  it('answered from the record: reason and sources stand with it, and the fact says so', () => {
    const world = asking();
    const round = coordinate(world, 'blocker');
    refused(world, 'evidence_missing', round, 'blocker.resolve', { ...answer, evidence: [] });
    refused(world, 'evidence_missing', round, 'blocker.resolve', { ...answer, evidence: ['contract:no-such-part'] });
    refused(world, 'schema_invalid', round, 'blocker.resolve', { ...answer, because: undefined });
    ok(world.give(round, 'blocker.resolve', answer));
    expect(rows(world, 'blocker')).toMatchObject([{ state: 'resolved', resolvedBy: 'agent:coordinator', evidence: answer.evidence, because: answer.because }]);
    expect(rows(world, 'fact')).toMatchObject([{ key: 'program', provenance: { from: 'blocker', blocker: 'program', evidence: answer.evidence } }]);
    expect(stateOf(world, 'a')).toBe('assigned');
    ok(world.give(round, 'round.end', { outcome: 'handed_back' }));
    ok(submit(world, begin(world, 'a'), 'a'));
  });

  it("asked again after an answer of an agent, it is a person's", () => {
    const world = asking();
    const round = coordinate(world, 'blocker');
    ok(world.give(round, 'blocker.resolve', answer));
    ok(world.give(round, 'round.end', { outcome: 'handed_back' }));
    ok(world.give(begin(world, 'a'), 'work.block', question));
    expect(world.state.blockers.program).toMatchObject({ generation: 2 });
    expect(movers(world)).toEqual(asked);
  });

  it('passed on with the question put better, to a person', () => {
    const world = asking();
    const round = coordinate(world, 'blocker');
    refused(world, 'schema_invalid', round, 'blocker.pass', { blocker: 'program', why: 'w', owner: 'agent:worker' });
    refused(world, 'not_found', round, 'blocker.pass', { blocker: 'none', why: 'w' });
    ok(
      world.give(round, 'blocker.pass', {
        blocker: 'program',
        why: 'no file says',
        question: 'Which of Excel and WPS will open it?',
        recommended: { program: 'wps' },
        owner: 'person:bob',
      }),
    );
    expect(rows(world, 'blocker')).toMatchObject([{ reason: 'Which of Excel and WPS will open it?', recommended: { program: 'wps' }, owner: 'person:bob', route: 'owner', form }]);
    refused(world, 'invalid_transition', round, 'blocker.pass', { blocker: 'program', why: 'again' });
    ok(world.give(round, 'round.end', { outcome: 'handed_back' }));
    expect(movers(world)).toEqual(['person:bob answer blocker:program']);
    expect(coordinators(world)).toEqual([]);
    ok(world.give(owner, 'blocker.resolve', { blocker: 'program', answer: { program: 'wps' } }));
  });

  it('turned into work: the item that asks is changed, and asks no longer', () => {
    const world = asking();
    const round = coordinate(world, 'blocker');
    adopt(world, round, [{ key: 'find-out' }, { key: 'a', dependsOn: [{ key: 'find-out' }] }]);
    expect(world.state.blockers).toEqual({});
    expect(itemOf(world, 'a').spec.dependsOn).toHaveLength(1);
    ok(world.give(round, 'round.end', { outcome: 'handed_back' }));
    expect(world.rounds().map((each) => each.item)).toEqual(['find-out']);
  });

  it.each(['handed_back', 'empty', 'interrupted', 'blocked'])('a round that did nothing of it leaves it to the owner: %s', (outcome) => {
    const world = asking();
    ok(world.give(coordinate(world, 'blocker'), 'round.end', { outcome, note: 'I do not know' }));
    expect(movers(world)).toEqual(asked);
    expect(whyOf(world)).toEqual({ kind: 'blocked', blockers: ['program'] });
    expect(coordinators(world)).toEqual([]);
    // It says nothing about the other work of coordinators.
    expect(world.state.streaks).toEqual({});
  });

  it('a round that is lost or put off by its provider comes again, and not for ever', () => {
    const world = asking();
    const lose = () => {
      const round = roundOf(world, 'coordinator');
      world.start(round);
      world.tick(0, [{ round: round.id, fence: round.fence }]);
    };
    for (let n = 0; n < 5; n += 1) lose();
    expect(movers(world)).toEqual(asked);
    const later = asking();
    ok(later.give(coordinate(later, 'blocker'), 'round.end', { outcome: 'failed', retryAfterMs: 60_000 }));
    expect(movers(later)).toEqual(['host time coordinator:blocker:program']);
    later.tick(70_000);
    coordinate(later, 'blocker');
  });

  it('it waits for nothing, and sends nothing out', () => {
    const world = asking();
    const round = coordinate(world, 'blocker');
    refused(world, 'invalid_transition', round, 'round.end', { outcome: 'waiting', wait: { kind: 'external', correlation: 'x', reason: 'r' } });
    const outside = ok(world.give(round, 'round.step', { next: { tool: 'mail.send', args: {}, subject: 'mail', effect: 'outside', timeoutMs: 1000 } }));
    expect(outside).toMatchObject({ outcome: 'refused', refusal: { code: 'forbidden' } });
  });

  it.each(['secret', 'approval', 'money', 'identity', 'acceptance', 'scope'])('about %s it is asked of a person at once, and no agent answers or withdraws it', (about) => {
    const world = asking({ about });
    expect(movers(world)).toEqual(asked);
    ok(world.give(owner, 'message.post', { text: 'x', asks: 'plan' }));
    const round = coordinate(world, 'replan');
    refused(world, 'forbidden', round, 'blocker.resolve', answer);
    refused(world, 'forbidden', round, 'blocker.withdraw', { blocker: 'program', evidence: ['contract:objective'] });
  });

  it("named owner, a skill that coordinates, nobody who can: the owner's from the start", () => {
    expect(movers(asking({ owner: 'person:bob' }))).toEqual(['person:bob answer blocker:program']);
    for (const make of [(): World => created({}, { lanes }), (): World => created({}, { lanes: carried })]) {
      const world = make();
      if (world.rounds().length === 0) {
        adopt(world, owner as unknown as Acting, [{ key: 'a' }]);
      } else {
        const actor = world.start(roundOf(world, 'coordinator'));
        adopt(world, actor, [{ key: 'a' }]);
        ok(world.give(actor, 'round.end', { outcome: 'handed_back' }));
      }
      ok(world.give(begin(world, 'a'), 'work.block', question));
      expect(movers(world)).toContain(asked[0]);
      expect(world.state.blockers.program?.route).toBeUndefined();
    }
  });

  it('what the host asks, an agent does not answer', () => {
    const world = staged([{ key: 'a', executor: { kind: 'person' } }]);
    world.tick(10 * 86_400_000);
    ok(world.give(owner, 'goal.setLimits', { limits: { wallTimeMs: 100 * 86_400_000 } }, { expected: versions(world) }));
    expect(world.state.blockers['offer-a']).toMatchObject({ raisedBy: 'host' });
    ok(world.give(owner, 'message.post', { text: 'x', asks: 'plan' }));
    refused(world, 'forbidden', coordinate(world, 'replan'), 'blocker.resolve', { ...answer, blocker: 'offer-a', answer: { decision: 'offer_again' } });
  });

  it('a person may answer while it is looked at, and the round about it ends', () => {
    const world = asking();
    const round = coordinate(world, 'blocker');
    ok(world.give(owner, 'blocker.resolve', { blocker: 'program', answer: { program: 'wps' } }));
    expect(coordinators(world)).toEqual([]);
    refused(world, 'round_superseded', round, 'blocker.resolve', answer);
  });

  it('one coordinator at a time; where none can be had, the owner is asked', () => {
    const world = staged([{ key: 'a' }, { key: 'b' }]);
    ok(world.give(owner, 'message.post', { text: 'x', asks: 'plan' }));
    const replan = coordinate(world, 'replan');
    ok(world.give(begin(world, 'a'), 'work.block', question));
    ok(world.give(begin(world, 'b'), 'work.block', { ...question, item: 'b', key: 'other', fact: 'other' }));
    expect(coordinators(world).map((round) => round.purpose)).toEqual(['replan']);
    ok(world.give(replan, 'message.handle', { upTo: 1 }));
    ok(world.give(replan, 'round.end', { outcome: 'handed_back' }));
    expect(coordinators(world).map((round) => round.blocker?.id)).toEqual(['program']);
    ok(world.give(owner, 'goal.setLimits', { limits: { rounds: world.state.budget.rounds } }, { expected: versions(world) }));
    ok(world.give(coordinate(world, 'blocker'), 'round.end', { outcome: 'handed_back' }));
    expect(Object.values(world.state.blockers).map((blocker) => blocker.route)).toEqual(['owner', 'owner']);
    expect(since(world, 0).filter((type) => type === 'blocker.passed')).toHaveLength(2);
  });

  it('paused, it waits; resumed, it is looked at under the version in force', () => {
    const world = asking();
    ok(world.give(owner, 'goal.pause'));
    expect(coordinators(world)).toEqual([]);
    expect(world.state.blockers.program?.route).toBe('coordinator');
    ok(world.give(owner, 'goal.resume'));
    coordinate(world, 'blocker');
  });
});
