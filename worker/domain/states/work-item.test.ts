/** The derived state of a Work Item: the first row of the table that holds. */
import { describe, expect, it } from 'vitest';
import { ok } from '../testing/world.ts';
import {
  accept,
  adopt,
  begin,
  coordinate,
  created,
  itemOf,
  movers,
  other,
  owner,
  planned,
  refused,
  review,
  roundOf,
  skill,
  stateOf,
  submit,
  verdict,
  versions,
  whyOf,
} from './stage.ts';

const reviewed = { review: [{ by: 'agent' }] };

describe('W1 superseded and cancelled are stored', () => {
  it('superseded by a revision without it; it never comes back but as a new item of that key', () => {
    const world = planned([{ key: 'a' }, { key: 'b' }]);
    adopt(world, owner, [{ key: 'b' }]);
    expect(stateOf(world, 'a')).toBe('superseded');
    for (const type of ['work.claim', 'work.release', 'work.resume'] as const) refused(world, 'invalid_transition', owner, type, { item: 'a' });
    const before = itemOf(world, 'a').version;
    adopt(world, owner, [{ key: 'a' }, { key: 'b' }]);
    expect(itemOf(world, 'a').version).toBeGreaterThan(before);
    expect(['ready', 'assigned']).toContain(stateOf(world, 'a'));
  });
  it('cancelled by work.cancel, with a reason; a required one wants another plan', () => {
    const world = planned([{ key: 'a' }, { key: 'b', dependsOn: [{ key: 'a' }] }]);
    const answer = ok(world.give(owner, 'work.cancel', { item: 'a' }, { expected: versions(world, 'a'), reason: 'not needed' }));
    expect(answer).toEqual({ locks: ['b'] });
    expect([stateOf(world, 'a'), stateOf(world, 'b')]).toEqual(['cancelled', 'locked']);
    expect(roundOf(world, 'coordinator').purpose).toBe('upstream');
    refused(world, 'invalid_transition', owner, 'work.cancel', { item: 'a' }, { expected: versions(world, 'a'), current: { state: 'cancelled' } });
  });
  it('needs the version of the item that was read, and an item', () => {
    const world = planned([{ key: 'a' }]);
    refused(world, 'version_required', owner, 'work.cancel', { item: 'a' }, { current: { itemVersion: itemOf(world, 'a').version } });
    refused(world, 'item_version_stale', owner, 'work.cancel', { item: 'a' }, { expected: { itemVersion: 0 }, current: { itemVersion: itemOf(world, 'a').version } });
    refused(world, 'not_found', owner, 'work.cancel', { item: 'gone' }, { expected: { itemVersion: 0 } });
    refused(world, 'schema_invalid', owner, 'work.claim', { item: 'constructor' });
  });
});

describe('W2 accepted', () => {
  it('unlocks what hard-depends on it, and is neither cancelled nor blocked', () => {
    const world = planned([{ key: 'a' }, { key: 'b', dependsOn: [{ key: 'a' }] }]);
    expect(stateOf(world, 'b')).toBe('locked');
    accept(world, 'a');
    expect(stateOf(world, 'b')).toBe('assigned');
    refused(world, 'invalid_transition', owner, 'work.cancel', { item: 'a' }, { expected: versions(world, 'a'), current: { state: 'accepted' } });
  });
  it('a soft dependency is context: it locks nothing', () => {
    const world = planned([{ key: 'a' }, { key: 'b', dependsOn: [{ key: 'a', kind: 'soft' }] }]);
    expect(stateOf(world, 'b')).toBe('assigned');
  });
  it('a Submission alone unlocks nothing, nor does a cancelled upstream', () => {
    const world = planned([
      { key: 'a', ...reviewed },
      { key: 'b', dependsOn: [{ key: 'a' }] },
    ]);
    ok(submit(world, begin(world, 'a'), 'a'));
    expect([stateOf(world, 'a'), stateOf(world, 'b')]).toEqual(['submitted', 'locked']);
    refused(world, 'dependency_not_accepted', owner, 'work.claim', { item: 'b' }, { current: { missing: ['a'] } });
  });
  it('is lost with another spec, and kept with the same', () => {
    const world = planned([{ key: 'a' }, { key: 'b' }]);
    accept(world, 'a');
    accept(world, 'b');
    adopt(world, owner, [
      { key: 'a', title: 'Only worded otherwise' },
      { key: 'b', objective: 'Something else' },
    ]);
    expect(stateOf(world, 'a')).toBe('accepted');
    expect(stateOf(world, 'b')).toBe('assigned');
  });
});

describe('W3 blocked', () => {
  it('by work.block, which ends the round and its Attempt; the answer opens it again', () => {
    const world = planned([{ key: 'a' }]);
    const actor = begin(world, 'a');
    ok(world.give(actor, 'work.block', { item: 'a', key: 'which', reason: 'which one?', form: { type: 'object' } }));
    expect(stateOf(world, 'a')).toBe('blocked');
    expect(itemOf(world, 'a')).toMatchObject({ assignment: null, attempt: { state: 'interrupted' } });
    expect(whyOf(world)).toEqual({ kind: 'blocked', blockers: ['which'] });
    refused(world, 'round_superseded', actor, 'submission.submit', { item: 'a', artifacts: [], summary: 's' });
    refused(world, 'invalid_transition', owner, 'work.claim', { item: 'a' }, { current: { state: 'blocked' } });
    ok(world.give(owner, 'blocker.resolve', { blocker: 'which', answer: {} }));
    expect(itemOf(world, 'a').attempt).toMatchObject({ number: 2, state: 'pending' });
  });
  it('not what is submitted or accepted, and not by the round of another item', () => {
    const world = planned([{ key: 'a' }, { key: 'b', ...reviewed }]);
    const block = (item: string) => ({ item, key: 'q', reason: 'r', form: { type: 'object' } });
    const actor = begin(world, 'b');
    refused(world, 'forbidden', actor, 'work.block', block('a'));
    ok(submit(world, actor, 'b'));
    accept(world, 'a');
    const planner = created();
    refused(planner, 'not_found', owner, 'work.block', block('a'));
    refused(world, 'invalid_transition', owner, 'work.block', block('b'), { current: { state: 'submitted' } });
    refused(world, 'invalid_transition', owner, 'work.block', block('a'), { current: { state: 'accepted' } });
  });
});

describe('W4 submitted, rejected, changes requested', () => {
  it('submitted until a live verdict; rejected until somebody decides', () => {
    const world = planned([{ key: 'a', ...reviewed }]);
    ok(submit(world, begin(world, 'a'), 'a'));
    ok(review(world, 'a', 'rejected'));
    expect(stateOf(world, 'a')).toBe('rejected');
    expect(itemOf(world, 'a').assignment).toBeNull();
    refused(world, 'invalid_transition', owner, 'work.claim', { item: 'a' }, { current: { state: 'rejected' } });
    const coordinator = coordinate(world, 'rejected');
    ok(world.give(coordinator, 'work.assign', { item: 'a' }));
    expect(stateOf(world, 'a')).toBe('assigned');
    expect(itemOf(world, 'a')).toMatchObject({ grants: 1, verdict: { decided: true } });
  });
  it('changes requested keeps who delivered, also after another owner was named', () => {
    const world = planned([{ key: 'a', executor: skill('one.js'), ...reviewed }]);
    ok(submit(world, begin(world, 'a'), 'a'));
    ok(review(world, 'a', 'changes_requested'));
    expect(stateOf(world, 'a')).toBe('changes_requested');
    const assignment = itemOf(world, 'a').assignment?.id;
    adopt(world, owner, [{ key: 'a', executor: skill('two.js'), ...reviewed }]);
    expect(roundOf(world, 'worker', 'a').executor).toEqual(skill('one.js'));
    begin(world, 'a');
    expect(itemOf(world, 'a')).toMatchObject({ assignment: { id: assignment }, attempt: { number: 2, state: 'running' } });
    expect(stateOf(world, 'a')).toBe('running');
  });
});

describe('W5 ready and locked', () => {
  it('not while another item holds an exclusive output', () => {
    const output = [{ scope: 'file:out.txt', access: 'exclusive' }];
    const world = planned([
      { key: 'a', outputs: output },
      { key: 'b', executor: { kind: 'person' }, dependsOn: [] },
    ]);
    expect(stateOf(world, 'b')).toBe('ready');
    // A plan whose items could hold one output at the same time is not sealed at all.
    const answer = refused(
      world,
      'plan_invalid',
      owner,
      'plan.propose',
      {
        document: {
          mode: 'bound',
          items: [
            { key: 'x', title: 'X', outputs: output },
            { key: 'y', title: 'Y', outputs: output },
          ],
        },
      },
      { expected: versions(world) },
    );
    expect(answer.errors?.map((error) => error.code)).toContain('output_conflict');
  });
  it('not while an effect of its own is unknown', () => {
    const world = planned([{ key: 'a' }]);
    const actor = begin(world, 'a');
    ok(world.give(actor, 'round.step', { next: { tool: 't', args: {}, subject: 's', effect: 'outside' } }));
    world.tick(0, [{ round: actor.round, fence: actor.fence }]);
    expect(stateOf(world, 'a')).toBe('locked');
    expect(whyOf(world)).toEqual({ kind: 'waiting', kinds: ['reconcile'] });
    refused(world, 'invalid_transition', owner, 'work.claim', { item: 'a' }, { current: { state: 'locked' } });
    ok(world.give(owner, 'effect.reconcile', { effect: Object.keys(world.state.effects)[0], outcome: 'succeeded', evidence: 'seen' }));
    expect(itemOf(world, 'a').attempt).toMatchObject({ number: 2, state: 'pending' });
  });
  it('locked names what is missing', () => {
    const world = planned([{ key: 'a' }, { key: 'b' }, { key: 'c', dependsOn: [{ key: 'a' }, { key: 'b' }] }]);
    accept(world, 'b');
    refused(world, 'dependency_not_accepted', owner, 'work.assign', { item: 'c' }, { expected: versions(world, 'c'), current: { missing: ['a'] } });
  });
});

describe('W6 stored stops', () => {
  it('no_progress: at the limit of empty rounds, after one recovery round; a coordinator lifts it', () => {
    const world = planned([{ key: 'a' }]);
    ok(world.give(begin(world, 'a'), 'round.end', { outcome: 'empty' }));
    expect(roundOf(world, 'worker', 'a').recovery).toBe(true);
    ok(world.give(begin(world, 'a'), 'round.end', { outcome: 'empty' }));
    expect(itemOf(world, 'a').stop?.kind).toBe('no_progress');
    const coordinator = coordinate(world, 'stopped');
    ok(world.give(coordinator, 'work.resume', { item: 'a' }));
    expect(itemOf(world, 'a')).toMatchObject({ stop: null, grants: 1 });
    expect(roundOf(world, 'worker', 'a').recovery).toBe(false);
    refused(world, 'invalid_transition', owner, 'work.resume', { item: 'a' });
  });
  it('attempts: after the limit a coordinator grants one more, at most twice, then a person', () => {
    const world = planned([{ key: 'a', limits: { attempts: 1 } }]);
    const fail = () => ok(world.give(begin(world, 'a'), 'attempt.end', { item: 'a', outcome: 'failed' }));
    fail();
    expect(itemOf(world, 'a').stop?.kind).toBe('attempts');
    for (let n = 1; n <= 2; n += 1) {
      const coordinator = coordinate(world, 'stopped');
      ok(world.give(coordinator, 'work.assign', { item: 'a' }));
      ok(world.give(coordinator, 'round.end', { outcome: 'handed_back' }));
      fail();
      // One more, and no further one by itself.
      expect(itemOf(world, 'a').stop?.kind).toBe('attempts');
      expect(itemOf(world, 'a').grants).toBe(n);
    }
    expect(world.rounds()).toEqual([]);
    expect(movers(world)).toContain('person:ada resume item:a');
    ok(world.give(owner, 'work.assign', { item: 'a' }, { expected: versions(world, 'a') }));
    expect(stateOf(world, 'a')).toBe('assigned');
  });
  it('same scene twice, and nothing moved between', () => {
    const world = planned([{ key: 'a', ...reviewed }]);
    for (let n = 0; n < 2; n += 1) {
      ok(submit(world, begin(world, 'a'), 'a', { summary: `try ${n}` }));
      ok(review(world, 'a', 'changes_requested', { scene: { summary: 'cell B2 is garbled' } }));
    }
    expect(itemOf(world, 'a').stop?.kind).toBe('same_scene');
    expect(roundOf(world, 'coordinator').purpose).toBe('stopped');
  });
  it('errors: rounds that fail twice; a person lifts it, no coordinator', () => {
    const world = planned([{ key: 'a' }, { key: 'b' }]);
    for (let n = 0; n < 2; n += 1) ok(world.give(begin(world, 'a'), 'round.end', { outcome: 'failed', note: 'boom' }));
    expect(itemOf(world, 'a').stop?.kind).toBe('errors');
    expect(movers(world)).toContain('person:ada resume item:a');
    ok(world.give(owner, 'message.post', { text: 'look', asks: 'plan' }));
    const coordinator = coordinate(world, 'replan');
    refused(world, 'forbidden', coordinator, 'work.resume', { item: 'a' });
    refused(world, 'forbidden', coordinator, 'work.assign', { item: 'a' });
    ok(world.give(owner, 'work.resume', { item: 'a' }));
    expect(roundOf(world, 'worker', 'a')).toBeDefined();
  });
  it('a stop of the review is lifted with the item', () => {
    const world = planned([{ key: 'a', ...reviewed }]);
    ok(submit(world, begin(world, 'a'), 'a'));
    for (let n = 0; n < 2; n += 1) ok(world.give(world.start(roundOf(world, 'reviewer', 'a')), 'round.end', { outcome: 'handed_back' }));
    expect(itemOf(world, 'a').stop?.kind).toBe('no_progress');
    ok(world.give(owner, 'work.resume', { item: 'a' }));
    expect(itemOf(world, 'a').stop).toBeNull();
    ok(review(world, 'a', 'accepted'));
    expect(stateOf(world, 'a')).toBe('accepted');
  });
});

describe('W7 who may not judge', () => {
  it('the submitter, whichever way', () => {
    const world = planned([{ key: 'a', review: [{ by: 'person' }] }]);
    ok(world.give(owner, 'work.takeOver', { item: 'a' }, { expected: versions(world, 'a') }));
    ok(world.give(owner, 'attempt.start', { item: 'a', fence: itemOf(world, 'a').attempt?.fence }));
    ok(submit(world, owner, 'a'));
    const submission = itemOf(world, 'a').submission;
    refused(world, 'self_review', owner, 'review.record', { submission: submission?.id, digest: submission?.digest, verdict: 'accepted' });
    ok(verdict(world, other, 'a', 'accepted'));
    expect(stateOf(world, 'a')).toBe('accepted');
  });
  it('an executor that alone could review is refused at adoption and at assign', () => {
    const world = planned([{ key: 'a', ...reviewed }, { key: 'b' }], {}, { lanes: { coordinator: skill('plan.js'), reviewers: [skill('review.js')] } });
    const answer = refused(
      world,
      'plan_invalid',
      owner,
      'plan.propose',
      { document: { mode: 'bound', items: [{ key: 'a', title: 'A', executor: skill('review.js'), ...reviewed }] } },
      { expected: versions(world) },
    );
    expect(answer.errors?.map((error) => error.code)).toEqual(['no_eligible_reviewer']);
    ok(world.give(owner, 'work.release', { item: 'a' }));
    ok(world.give(begin(world, 'a'), 'attempt.end', { item: 'a', outcome: 'interrupted' }));
    ok(world.give(owner, 'goal.pause'));
    ok(world.give(owner, 'goal.resume'));
    ok(world.give(owner, 'work.release', { item: 'b' }));
    refused(world, 'self_review', owner, 'work.assign', { item: 'a', executor: skill('review.js') }, { expected: versions(world, 'a') });
  });
});
