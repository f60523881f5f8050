/** Assignments and Attempts: one current of each per item, under one fence counter per lane target. */
import { describe, expect, it } from 'vitest';
import { EXTERNAL_LEASE_MS, OFFER_MS, PERSON_LEASE_MS } from '../limits.ts';
import { ok, type World } from '../testing/world.ts';
import { begin, contract, coordinate, itemOf, movers, other, owner, planned, refused, review, roundOf, rows, since, stateOf, submit, versions, whyOf } from './stage.ts';

const byHand = { executor: { kind: 'person' } };
const claim = (world: World, item = 'a', actor = owner) => {
  ok(world.give(actor, 'work.claim', { item }));
  ok(world.give(actor, 'attempt.start', { item, fence: itemOf(world, item).attempt?.fence }));
};

describe('A1 work.assign and work.claim on ready', () => {
  it('the host assigns what a program can take: pending, under the next fences', () => {
    const world = planned([{ key: 'a' }]);
    expect(itemOf(world, 'a')).toMatchObject({ assignment: { owner: 'skill:demo/work' }, attempt: { number: 1, state: 'pending' } });
    const fences = world.events.flatMap((event) =>
      event.type === 'assignment.made' || event.type === 'attempt.opened'
        ? [event.fence]
        : event.type === 'round.scheduled' && event.round.target === 'item:a'
          ? [event.round.fence]
          : [],
    );
    expect(fences).toEqual([1, 2, 3]);
    expect(itemOf(world, 'a').assignment?.fence).toBe(3);
  });
  it('a person claims an offer, which closes; a second claim is told who has it and until when', () => {
    const world = planned([{ key: 'a', ...byHand }]);
    expect(movers(world)).toEqual(['person:ada carry offer:a']);
    ok(world.give(owner, 'work.claim', { item: 'a' }));
    expect(Object.values(world.state.waits).map((wait) => wait.correlation)).toEqual([`attempt:${itemOf(world, 'a').attempt?.id}`]);
    refused(world, 'already_claimed', other, 'work.claim', { item: 'a' }, { current: { holder: 'person:ada', until: world.now + PERSON_LEASE_MS } });
  });
  it("not what is locked, accepted, stopped, or in nobody's version", () => {
    const world = planned([{ key: 'a' }, { key: 'b', ...byHand, dependsOn: [{ key: 'a' }] }]);
    refused(world, 'dependency_not_accepted', owner, 'work.claim', { item: 'b' }, { current: { missing: ['a'] } });
    refused(world, 'version_required', owner, 'work.assign', { item: 'b' });
    const actor = begin(world, 'a');
    refused(world, 'forbidden', actor, 'work.claim', { item: 'b' });
    ok(submit(world, actor, 'a'));
    refused(world, 'invalid_transition', owner, 'work.claim', { item: 'a' }, { current: { state: 'accepted' } });
  });
});

describe('A2 rework', () => {
  it('keeps the Assignment and takes the next fence', () => {
    const world = planned([{ key: 'a', review: [{ by: 'agent' }] }]);
    ok(submit(world, begin(world, 'a'), 'a'));
    const before = itemOf(world, 'a').assignment;
    ok(review(world, 'a', 'changes_requested'));
    const after = itemOf(world, 'a');
    expect(after.assignment?.id).toBe(before?.id);
    expect(after.attempt).toMatchObject({ number: 2, state: 'pending' });
    expect(after.attempt?.fence).toBeGreaterThan(before?.fence ?? 0);
  });
  it('of a person who holds it: their next Attempt, and nobody is sent', () => {
    const world = planned([{ key: 'a', ...byHand, review: [{ by: 'agent' }] }]);
    claim(world);
    ok(submit(world, owner, 'a'));
    ok(review(world, 'a', 'changes_requested'));
    expect(itemOf(world, 'a')).toMatchObject({ assignment: { owner: 'person:ada' }, attempt: { number: 2, state: 'pending' } });
    expect(world.rounds()).toEqual([]);
  });
});

describe('A3 attempt.start', () => {
  it('with the current fence only, and by who holds it', () => {
    const world = planned([{ key: 'a', ...byHand }]);
    ok(world.give(owner, 'work.claim', { item: 'a' }));
    const fence = itemOf(world, 'a').attempt?.fence ?? 0;
    refused(world, 'fence_stale', owner, 'attempt.start', { item: 'a', fence: fence - 1 }, { current: { fence } });
    refused(world, 'forbidden', other, 'attempt.start', { item: 'a', fence }, { current: { holder: 'person:ada' } });
    ok(world.give(owner, 'attempt.start', { item: 'a', fence }));
    expect(stateOf(world, 'a')).toBe('running');
    // Again is no second start.
    const events = world.events.length;
    ok(world.give(owner, 'attempt.start', { item: 'a', fence }));
    expect(world.events).toHaveLength(events);
  });
  it('a round starts its own; what nobody started delivers nothing', () => {
    const world = planned([{ key: 'a', ...byHand }]);
    ok(world.give(owner, 'work.claim', { item: 'a' }));
    refused(world, 'invalid_transition', owner, 'submission.submit', { item: 'a', artifacts: [], summary: 's' }, { current: { attempt: 'pending' } });
  });
});

describe('A4 submission.submit', () => {
  it('ends Attempt and round in the same commit; the Assignment stays until the verdict', () => {
    const world = planned([{ key: 'a', review: [{ by: 'agent' }] }]);
    const actor = begin(world, 'a');
    const seq = world.state.seq;
    ok(submit(world, actor, 'a'));
    expect(since(world, seq).slice(0, 3)).toEqual(['submission.received', 'attempt.ended', 'round.ended']);
    expect(itemOf(world, 'a')).toMatchObject({ attempt: { state: 'succeeded' }, assignment: { owner: 'skill:demo/work' } });
    ok(review(world, 'a', 'accepted'));
    expect(itemOf(world, 'a').assignment).toBeNull();
  });
});

describe('A5 failed, interrupted, blocked', () => {
  it.each(['failed', 'interrupted'] as const)('attempt.end %s releases; only failures count', (outcome) => {
    const world = planned([{ key: 'a' }]);
    ok(world.give(begin(world, 'a'), 'attempt.end', { item: 'a', outcome }));
    expect(rows(world, 'attempt')[0]).toMatchObject({ state: outcome });
    expect(rows(world, 'assignment')[0]).toMatchObject({ why: outcome });
    expect(itemOf(world, 'a').failures).toBe(outcome === 'failed' ? 1 : 0);
    expect(itemOf(world, 'a').attempt).toMatchObject({ number: 2, state: 'pending' });
  });
  it('after the limit nobody starts another by itself', () => {
    const world = planned([{ key: 'a' }], { limits: { attempts: 2 } }, {});
    for (let n = 0; n < 2; n += 1) ok(world.give(begin(world, 'a'), 'attempt.end', { item: 'a', outcome: 'failed' }));
    expect(itemOf(world, 'a')).toMatchObject({ stop: { kind: 'attempts' }, assignment: null });
    expect(world.rounds().map((round) => round.lane)).toEqual(['coordinator']);
  });
});

describe('A6 lost', () => {
  it('a lease over: released, ready again with the next fence; what comes late changes nothing', () => {
    const world = planned([{ key: 'a' }]);
    const actor = begin(world, 'a');
    world.tick(1000, [{ round: actor.round, fence: actor.fence }]);
    expect(rows(world, 'attempt')[0]).toMatchObject({ state: 'lost' });
    expect(itemOf(world, 'a')).toMatchObject({ failures: 0, attempt: { number: 2, state: 'pending' } });
    expect(roundOf(world, 'worker', 'a').fence).toBeGreaterThan(actor.fence);
    refused(world, 'round_superseded', actor, 'submission.submit', { item: 'a', artifacts: [], summary: 'late' }, { current: { outcome: 'lost' } });
    refused(world, 'round_superseded', actor, 'attempt.end', { item: 'a', outcome: 'failed' });
  });
  it("five rounds in a row on one target without an applied change are errors, and a person's", () => {
    const world = planned([{ key: 'a' }]);
    for (let n = 0; n < 5; n += 1) {
      const actor = begin(world, 'a');
      world.tick(1000, [{ round: actor.round, fence: actor.fence }]);
    }
    expect(itemOf(world, 'a').stop?.kind).toBe('errors');
    expect(whyOf(world).kind).toBe('suspended');
    expect(movers(world)).toEqual(expect.arrayContaining(['person:ada resume goal', 'person:ada resume item:a']));
  });
  it('what a person holds is lost without a heartbeat, and three times is a question', () => {
    const world = planned([{ key: 'a', ...byHand }]);
    for (let n = 0; n < 3; n += 1) {
      claim(world);
      world.tick(PERSON_LEASE_MS - 1);
      ok(world.give(owner, 'attempt.heartbeat', { item: 'a', fence: itemOf(world, 'a').attempt?.fence }));
      world.tick(PERSON_LEASE_MS - 1);
      expect(stateOf(world, 'a')).toBe('running');
      if (n === 0) ok(world.give(owner, 'goal.setLimits', { limits: { wallTimeMs: 300 * 86_400_000 } }, { expected: versions(world) }));
      world.tick(1);
    }
    expect(stateOf(world, 'a')).toBe('blocked');
    expect(world.state.blockers['offer-a']).toMatchObject({ reason: 'three leases were lost', owner: 'person:ada' });
    ok(world.give(owner, 'blocker.resolve', { blocker: 'offer-a', answer: { decision: 'offer_again' } }));
    expect(movers(world)).toEqual(['person:ada carry offer:a']);
  });
  it('a program beats more often than a person', () => {
    const world = planned([{ key: 'a', executor: { kind: 'external', name: 'ci' } }]);
    const token = { kind: 'token' as const, principal: 'token:ci', scopes: ['work:submit' as const] };
    claim(world, 'a', token as never);
    world.tick(EXTERNAL_LEASE_MS);
    expect(rows(world, 'attempt')[0]).toMatchObject({ state: 'lost', by: 'token:ci' });
  });
});

describe('A7 handed back', () => {
  it('keeps the Attempt; the next round continues the same', () => {
    const world = planned([{ key: 'a' }]);
    const attempt = itemOf(world, 'a').attempt?.id;
    ok(world.give(begin(world, 'a'), 'round.end', { outcome: 'handed_back' }));
    expect(roundOf(world, 'worker', 'a').attempt).toBe(attempt);
    expect(itemOf(world, 'a').attempt).toMatchObject({ id: attempt, state: 'running' });
  });
});

describe('A8 cancelled, taken over, released, superseded', () => {
  it('work.release ends round and Attempt and gives it back; not twice', () => {
    const world = planned([{ key: 'a', ...byHand }]);
    claim(world);
    ok(world.give(owner, 'work.release', { item: 'a' }));
    expect(itemOf(world, 'a')).toMatchObject({ assignment: null, attempt: { state: 'interrupted' } });
    refused(world, 'invalid_transition', owner, 'work.release', { item: 'a' });
    refused(world, 'round_superseded', owner, 'attempt.heartbeat', { item: 'a', fence: 2 });
  });
  it('work.takeOver: the round ends, the children end, the person holds it', () => {
    const world = planned([{ key: 'a' }]);
    const actor = begin(world, 'a');
    ok(world.give(actor, 'subagent.spawn', { children: [{ name: 'c', brief: 1 }] }));
    refused(world, 'version_required', owner, 'work.takeOver', { item: 'a' });
    ok(world.give(owner, 'work.takeOver', { item: 'a' }, { expected: versions(world, 'a') }));
    expect(world.rounds()).toEqual([]);
    expect(rows(world, 'subagent')).toMatchObject([{ state: 'cancelled' }]);
    expect(itemOf(world, 'a')).toMatchObject({ assignment: { owner: 'person:ada' }, attempt: { number: 2, state: 'pending' } });
    refused(world, 'round_superseded', actor, 'round.step', {});
    ok(world.give(owner, 'attempt.start', { item: 'a', fence: itemOf(world, 'a').attempt?.fence }));
    ok(submit(world, owner, 'a'));
    expect(stateOf(world, 'a')).toBe('accepted');
    refused(world, 'invalid_transition', owner, 'work.takeOver', { item: 'a' }, { expected: versions(world, 'a'), current: { state: 'accepted' } });
  });
  it('a revision of the goal under which its criteria are gone ends it', () => {
    const criteria = [
      { id: 'c1', text: 'x', verify: 'attest' },
      { id: 'c2', text: 'y', verify: 'attest' },
    ];
    const world = planned([{ key: 'a', covers: ['c2'], review: [{ by: 'person' }] }, { key: 'b' }], { criteria });
    ok(submit(world, begin(world, 'a'), 'a'));
    ok(world.give(owner, 'goal.revise', { contract: contract({ criteria: [criteria[0]] }) }, { expected: versions(world), reason: 'r' }));
    expect(itemOf(world, 'a')).toMatchObject({ stored: 'superseded', assignment: null });
  });
});

describe('A9 granted past the limit', () => {
  it('by a coordinator at most twice, then by a person', () => {
    const world = planned([{ key: 'a', review: [{ by: 'agent' }] }]);
    for (let n = 0; n < 2; n += 1) {
      ok(submit(world, begin(world, 'a'), 'a', { summary: `${n}` }));
      ok(review(world, 'a', 'rejected'));
      const coordinator = coordinate(world, 'rejected');
      ok(world.give(coordinator, 'work.assign', { item: 'a' }));
      ok(world.give(coordinator, 'round.end', { outcome: 'handed_back' }));
    }
    ok(submit(world, begin(world, 'a'), 'a', { summary: 'third' }));
    ok(review(world, 'a', 'rejected'));
    // No coordinator turns on what it may not grant: the owner is asked.
    expect(world.rounds()).toEqual([]);
    expect(movers(world)).toEqual(['person:ada decide item:a']);
    ok(world.give(owner, 'work.assign', { item: 'a' }, { expected: versions(world, 'a') }));
    expect(itemOf(world, 'a').attempt).toMatchObject({ number: 4, state: 'pending' });
  });
});

describe('A10 an offer that nobody takes', () => {
  it('a program is offered its work and claims it; nobody assigns it', () => {
    const world = planned([{ key: 'a', executor: { kind: 'external', name: 'ci' }, review: [{ by: 'agent' }] }, { key: 'b' }]);
    refused(world, 'invalid_transition', owner, 'work.assign', { item: 'a' }, { expected: versions(world, 'a'), current: { state: 'ready' } });
    const token = { kind: 'token' as const, principal: 'token:ci', scopes: ['work:submit' as const] };
    claim(world, 'a', token as never);
    ok(submit(world, token, 'a'));
    ok(review(world, 'a', 'rejected'));
    ok(world.give(coordinate(world, 'rejected'), 'work.assign', { item: 'a' }));
    expect(stateOf(world, 'a')).toBe('ready');
    expect(movers(world)).toContain('person:ada carry offer:a');
  });
  it('is a question after its time', () => {
    const world = planned([{ key: 'a', ...byHand }]);
    world.tick(OFFER_MS);
    expect(world.state.blockers['offer-a']).toMatchObject({ reason: 'nobody took the offer in time' });
    expect(world.state.waits).toEqual({});
    refused(world, 'invalid_transition', owner, 'work.claim', { item: 'a' }, { current: { state: 'blocked' } });
  });
});
