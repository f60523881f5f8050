/** What a person said becomes a proposed version by a coordinator, and a version by a person alone. */
import { describe, expect, it } from 'vitest';
import { ok, person, type World } from '../testing/world.ts';
import { goalBar } from '../views/goal-bar.ts';
import { accept, type Acting, adopt, begin, coordinate, created, lanes, movers, owner, refused, roundOf, rows, since, stateOf, versions } from './stage.ts';

const criteria = [
  { id: 'c1', text: 'done', verify: 'attest' },
  { id: 'c2', text: 'dated', verify: 'attest' },
];
const dated = { message: 1, change: { criteria }, why: 'It must be dated too.' };

/** Two items; an agent coordinates. */
function staged(): World {
  const world = created(
    {
      criteria: [
        { id: 'c1', text: 'done', verify: 'attest' },
        { id: 'old', text: 'in blue', verify: 'attest' },
      ],
      nonGoals: [{ id: 'no-bank', text: 'no bank', forbids: [{ tool: 'bank.*' }] }],
    },
    { lanes: { reviewers: lanes.reviewers } },
  );
  world.carriers = { agent: true, skill: () => true };
  world.tick();
  const actor = world.start(roundOf(world, 'coordinator'));
  adopt(world, actor, [{ key: 'a', covers: ['c1'] }, { key: 'b', covers: ['old'] }, { key: 'c' }]);
  ok(world.give(actor, 'round.end', { outcome: 'handed_back' }));
  accept(world, 'a');
  accept(world, 'b');
  return world;
}
function asked(text = 'It must be dated, and need not be blue'): { world: World; round: Acting } {
  const world = staged();
  ok(world.give(owner, 'message.post', { text, asks: 'change' }));
  return { world, round: coordinate(world, 'amend') };
}
const decide = (world: World, decision: string, more: object = {}) =>
  world.give(owner, 'amendment.decide', { amendment: world.state.amendment?.id, decision, ...more }, { expected: { goalVersion: world.state.goalVersion } });

describe('amendment', () => {
  it('proposed with its impact, it changes nothing; confirmed it is the next version, with the message and the reason', () => {
    const { world, round } = asked();
    const answer = ok(world.give(round, 'goal.amend', dated));
    expect(answer).toMatchObject({ impact: { unaffected: ['a'], superseded: ['b'], reaffirm: [] }, criteria: { added: ['c2'], changed: [], removed: ['old'] } });
    expect(world.state.goalVersion).toBe(1);
    expect(stateOf(world, 'b')).toBe('accepted');
    ok(world.give(round, 'round.end', { outcome: 'handed_back' }));
    expect(world.rounds().filter((each) => each.lane === 'coordinator')).toEqual([]);
    expect(movers(world)).toContain(`person:ada decide amendment:${world.state.amendment?.id}`);
    const bar = goalBar(world.state, world.now, world.carriers);
    expect(bar.amendment).toMatchObject({ message: 1, basedOn: 1, by: 'agent:coordinator' });
    expect(world.lookup.body(bar.amendment?.body ?? '')).toMatchObject({ why: dated.why, contract: { criteria, nonGoals: [{ id: 'no-bank' }], limits: { rounds: 200 } } });

    ok(decide(world, 'confirmed'));
    expect(world.state).toMatchObject({ goalVersion: 2 });
    expect(world.state.amendment).toBeUndefined();
    expect([stateOf(world, 'a'), stateOf(world, 'b')]).toEqual(['accepted', 'superseded']);
    expect(rows(world, 'goal_version')[1]).toMatchObject({ message: 1, reason: dated.why, by: 'person:ada' });
    expect(rows(world, 'message')).toMatchObject([{ became: 2 }]);
  });

  it('only a person decides, over the version that was looked at, once', () => {
    const { world, round } = asked();
    ok(world.give(round, 'goal.amend', dated));
    const id = world.state.amendment?.id;
    refused(world, 'forbidden', round, 'amendment.decide', { amendment: id, decision: 'confirmed' });
    const token = { kind: 'token' as const, principal: 'token:ci', scopes: ['goals:write' as const] };
    refused(world, 'forbidden', token, 'amendment.decide', { amendment: id, decision: 'confirmed' }, { expected: versions(world) });
    refused(world, 'version_required', owner, 'amendment.decide', { amendment: id, decision: 'confirmed' });
    ok(decide(world, 'rejected'));
    expect(world.state).toMatchObject({ goalVersion: 1 });
    refused(world, 'not_found', owner, 'amendment.decide', { amendment: id, decision: 'confirmed' }, { expected: versions(world) });
  });

  it('an old remark is never obeyed over a newer version', () => {
    const { world, round } = asked();
    ok(world.give(round, 'goal.amend', dated));
    ok(world.give(owner, 'goal.revise', { contract: { title: 'T', objective: 'In red', criteria: [criteria[0]] } }, { expected: versions(world), reason: 'red' }));
    expect(since(world, 0).at(-1)).not.toBe('amendment.proposed');
    expect(world.state.amendment).toBeUndefined();
    // The round of the old version proposes nothing more, and none is sent for the old message.
    refused(world, 'goal_version_stale', round, 'goal.amend', dated);
    ok(world.give(round, 'round.end', { outcome: 'handed_back' }));
    expect(world.rounds().filter((each) => each.purpose === 'amend')).toEqual([]);
    ok(world.give(owner, 'message.post', { text: 'and green', asks: 'change' }));
    const next = coordinate(world, 'amend');
    refused(world, 'goal_version_stale', next, 'goal.amend', dated, { current: { said: 1, goalVersion: 2 } });
    ok(world.give(next, 'goal.amend', { ...dated, message: 2 }));
  });

  it("what it may not be made of: nobody's words, an agent's, what was handled; and not of nothing", () => {
    const { world, round } = asked();
    refused(world, 'not_found', round, 'goal.amend', { ...dated, message: 9 });
    ok(world.give(round, 'message.post', { text: 'I would rather' }));
    refused(world, 'forbidden', round, 'goal.amend', { ...dated, message: 2 });
    refused(world, 'invalid_transition', round, 'goal.amend', { ...dated, change: {} });
    refused(world, 'schema_invalid', round, 'goal.amend', { ...dated, change: { limits: { tokens: 9 } } });
    refused(world, 'schema_invalid', round, 'goal.amend', { ...dated, change: { policies: [] } });
    refused(world, 'schema_invalid', round, 'goal.amend', { ...dated, change: { criteria: [{ id: 'c', text: 't', verify: 'check', checks: ['none'] }] } });
    refused(world, 'forbidden', begin(world, 'c'), 'goal.amend', dated);
    ok(world.give(round, 'message.handle', { upTo: 1 }));
    refused(world, 'invalid_transition', round, 'goal.amend', dated);
  });

  it('proposed again, the newer counts; what is left out stays', () => {
    const { world, round } = asked();
    ok(world.give(round, 'goal.amend', dated));
    const first = world.state.amendment?.id;
    ok(world.give(round, 'goal.amend', { ...dated, change: { limits: { rounds: 300 } } }));
    refused(world, 'not_found', owner, 'amendment.decide', { amendment: first, decision: 'confirmed' }, { expected: versions(world) });
    ok(decide(world, 'confirmed'));
    expect(world.state.limits.rounds).toBe(300);
    expect(world.state.contract?.criteria.map(({ id }) => id)).toEqual(['c1', 'old']);
    expect(world.state.contract?.nonGoals).toHaveLength(1);
  });

  it('one round for a message; where it changes nothing, none comes again', () => {
    const { world, round } = asked();
    refused(world, 'invalid_transition', round, 'round.end', { outcome: 'waiting', wait: { kind: 'external', correlation: 'x', reason: 'r' } });
    ok(world.give(round, 'round.end', { outcome: 'handed_back' }));
    expect(world.rounds().filter((each) => each.lane === 'coordinator')).toEqual([]);
    expect(world.state.streaks).toEqual({});
    const fails = asked();
    for (let n = 0; n < 2; n += 1) ok(fails.world.give(n === 0 ? fails.round : coordinate(fails.world, 'amend'), 'round.end', { outcome: 'failed' }));
    expect(fails.world.rounds().filter((each) => each.lane === 'coordinator')).toEqual([]);
    expect(fails.world.state.stop).toBeNull();
  });

  it('a skill that coordinates is not sent for it; a draft and an agent do not ask for it', () => {
    const world = created({}, { lanes });
    ok(world.give(owner, 'message.post', { text: 'otherwise', asks: 'change' }));
    expect(roundOf(world, 'coordinator').purpose).toBe('plan');
    refused(world, 'invalid_transition', world.start(roundOf(world, 'coordinator')), 'message.post', { text: 'otherwise', asks: 'change' });
    const draft = created({}, { confirmed: false });
    refused(draft, 'invalid_transition', person('ada'), 'message.post', { text: 'otherwise', asks: 'change' });
  });

  it('the goal goes on meanwhile; cancelled, it is over', () => {
    const { world, round } = asked();
    ok(world.give(round, 'goal.amend', dated));
    accept(world, 'c');
    ok(world.give(owner, 'goal.cancel'));
    expect(world.state.amendment).toBeUndefined();
  });
});
