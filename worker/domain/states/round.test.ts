/** Rounds, and what is done after each way one can end. */
import { describe, expect, it } from 'vitest';
import { CLAIM_WITHIN_MS, IDLE_WAITS, PROVIDER_TRIES, START_WITHIN_MS } from '../limits.ts';
import { ok, type World } from '../testing/world.ts';
import {
  accept,
  adopt,
  begin,
  contract,
  coordinate,
  created,
  itemOf,
  lanes,
  movers,
  owner,
  planned,
  refused,
  review,
  roundOf,
  rows,
  skill,
  stateOf,
  submit,
  versions,
  whyOf,
} from './stage.ts';

const host = { kind: 'host' as const };

describe('R1 scheduled, claimed, started', () => {
  it('each under the fence that was given last', () => {
    const world = planned([{ key: 'a' }]);
    const { id: round, fence } = roundOf(world, 'worker', 'a');
    refused(world, 'fence_stale', host, 'round.claim', { round, fence: fence - 1, runner: 'r1' }, { current: { fence } });
    ok(world.host('round.claim', { round, fence, runner: 'r1' }));
    refused(world, 'already_claimed', host, 'round.claim', { round, fence, runner: 'r2' }, { current: { runner: 'r1' } });
    // The same Runner again is told where it stands.
    expect(ok(world.host('round.claim', { round, fence, runner: 'r1' }))).toEqual({ round, phase: 'claimed' });
    refused(world, 'fence_stale', host, 'round.start', { round, fence, runner: 'r2' });
    const actor = { kind: 'round' as const, round, fence, runner: 'r1' };
    refused(world, 'invalid_transition', actor, 'round.step', {}, { current: { phase: 'claimed' } });
    ok(world.host('round.start', { round, fence, runner: 'r1' }));
    expect(stateOf(world, 'a')).toBe('running');
    refused(world, 'round_superseded', host, 'round.claim', { round: 'rnd_gone', fence: 1, runner: 'r1' });
    refused(world, 'fence_stale', { ...actor, runner: 'r2' }, 'round.step', {});
    refused(world, 'not_found', { ...actor, round: 'rnd_gone' }, 'round.step', {});
  });
  it("its commands are the host's; a lane has its own", () => {
    const world = planned([{ key: 'a' }]);
    refused(world, 'forbidden', owner, 'round.claim', { round: roundOf(world, 'worker', 'a').id, fence: 1, runner: 'r' });
    const actor = begin(world, 'a');
    refused(world, 'forbidden', actor, 'goal.complete', {});
    refused(world, 'forbidden', actor, 'subagent.return', { ok: true, result: 1 });
    refused(world, 'forbidden', host, 'goal.cancel', {});
  });
  it('one open round per target', () => {
    const world = planned([{ key: 'a' }]);
    refused(world, 'already_claimed', host, 'round.schedule', { lane: 'worker', target: 'item:a', executor: skill('work.js') });
  });
});

describe('R2 not heard of by the deadline', () => {
  it("scheduled or claimed: again under the next fence; the old one is nobody's", () => {
    const world = planned([{ key: 'a' }]);
    const first = roundOf(world, 'worker', 'a');
    world.tick(CLAIM_WITHIN_MS);
    const second = roundOf(world, 'worker', 'a');
    expect(second).toMatchObject({ id: first.id, phase: 'scheduled' });
    expect(second.fence).toBeGreaterThan(first.fence);
    expect(itemOf(world, 'a').assignment?.fence).toBe(second.fence);
    refused(world, 'fence_stale', host, 'round.claim', { round: first.id, fence: first.fence, runner: 'r' });
    ok(world.host('round.claim', { round: second.id, fence: second.fence, runner: 'r' }));
    world.tick(START_WITHIN_MS);
    expect(roundOf(world, 'worker', 'a')).toMatchObject({ phase: 'scheduled' });
    expect(roundOf(world, 'worker', 'a').fence).toBeGreaterThan(second.fence);
  });
  it('five times: errors, and a person is named', () => {
    const world = planned([{ key: 'a' }]);
    for (let n = 0; n < 5; n += 1) world.tick(CLAIM_WITHIN_MS);
    expect(world.rounds().filter((round) => round.item === 'a')).toEqual([]);
    expect(itemOf(world, 'a').stop?.kind).toBe('errors');
    expect(movers(world)).toContain('person:ada resume item:a');
  });
});

describe('R3 ended', () => {
  it.each(['reviewer', 'coordinator'] as const)('a lost %s is scheduled again', (lane) => {
    const world = lane === 'coordinator' ? created() : planned([{ key: 'a', review: [{ by: 'agent' }] }]);
    if (lane === 'reviewer') ok(submit(world, begin(world, 'a'), 'a'));
    const round = roundOf(world, lane);
    world.start(round);
    world.tick(0, [{ round: round.id, fence: round.fence }]);
    expect(roundOf(world, lane).fence).toBeGreaterThan(round.fence);
    expect(rows(world, 'round').find((row) => row.id === round.id)).toMatchObject({ outcome: 'lost' });
  });
  it('lost makes its effects unknown, and what it used is still taken', () => {
    const world = planned([{ key: 'a' }]);
    const actor = begin(world, 'a');
    ok(world.give(actor, 'round.step', { next: { tool: 't', args: {}, subject: 's', effect: 'outside' } }));
    world.tick(0, [{ round: actor.round, fence: actor.fence }]);
    expect(Object.values(world.state.effects)).toMatchObject([{ state: 'unknown' }]);
    ok(world.give(actor, 'usage.record', { tokens: 12 }));
    expect(rows(world, 'usage')).toMatchObject([{ tokens: 12, late: true }]);
    // A lease of another fence, or of a round that is over, ends nothing.
    const events = world.events.length;
    world.tick(0, [{ round: actor.round, fence: actor.fence }]);
    expect(world.events).toHaveLength(events);
  });
  it('what says that it waits, and waits for nothing, was empty', () => {
    const world = planned([{ key: 'a' }]);
    ok(world.give(begin(world, 'a'), 'round.end', { outcome: 'waiting' }));
    expect(rows(world, 'round').find((row) => row.lane === 'worker')).toMatchObject({ outcome: 'empty' });
  });
});

describe('R4 empty and handed back', () => {
  it('first a recovery round that says so, at the limit the stop; other items go on', () => {
    const world = planned([{ key: 'a' }, { key: 'b' }]);
    for (let n = 0; n < 2; n += 1) ok(world.give(begin(world, 'a'), 'round.end', { outcome: 'handed_back' }));
    expect(itemOf(world, 'a').stop?.kind).toBe('no_progress');
    expect(world.state.stop).toBeNull();
    expect(roundOf(world, 'worker', 'b')).toBeDefined();
  });
  it('an applied change between clears the count', () => {
    const world = planned([{ key: 'a' }], { milestones: [{ key: 'm', title: 'M', target: 9 }] });
    for (let n = 0; n < 6; n += 1) {
      const actor = begin(world, 'a');
      if (n % 2)
        ok(
          world.give(actor, 'ledger.record', {
            entries: [
              {
                subject: `s${n}`,
                milestone: 'm',
                verdict: 'ok',
                reason: 'r',
                evidence: ['fact:k'],
                facts: [{ key: 'k', value: n, provenance: { from: 'person', principal: 'person:ada' } }],
              },
            ],
          }),
        );
      ok(world.give(actor, 'round.end', { outcome: 'handed_back' }));
    }
    expect(itemOf(world, 'a').stop).toBeNull();
    expect(roundOf(world, 'worker', 'a').recovery).toBe(false);
  });
  it('reads, messages, refused commands and ticks of a list are no progress', () => {
    const world = planned([{ key: 'a' }], { nonGoals: [{ id: 'n', text: 'no', forbids: [{ tool: 'bank.*' }] }] });
    for (let n = 0; n < 2; n += 1) {
      const actor = begin(world, 'a');
      ok(world.give(actor, 'round.step', { next: { tool: 'files.read', args: {}, subject: 's', effect: 'none' } }));
      ok(world.give(actor, 'round.step', { next: { tool: 'bank.transfer', args: {}, subject: 's', effect: 'outside' } }));
      ok(world.give(actor, 'message.post', { text: 'still here' }));
      ok(world.give(actor, 'tasks.set', { tasks: [{ text: 't', done: true }] }));
      ok(world.give(actor, 'note.append', { topic: 'x', text: 't' }));
      ok(world.give(actor, 'round.end', { outcome: 'handed_back' }));
    }
    expect(itemOf(world, 'a').stop?.kind).toBe('no_progress');
  });
  it('of the coordinator: the Goal stops only when nothing else can move', () => {
    const world = created();
    for (let n = 0; n < 2; n += 1) ok(world.give(coordinate(world, 'plan'), 'round.end', { outcome: 'handed_back' }));
    expect(whyOf(world).kind).toBe('no_progress');
    expect(movers(world)).toEqual(['person:ada resume goal']);
    ok(world.give(owner, 'goal.resume'));
    expect(roundOf(world, 'coordinator').purpose).toBe('plan');
  });
  it('ten rounds in a row that waited for time alone are a poll that finds nothing', () => {
    const world = planned([{ key: 'a' }]);
    for (let n = 0; n < IDLE_WAITS; n += 1) {
      ok(world.give(begin(world, 'a'), 'round.end', { outcome: 'waiting', wait: { kind: 'timer', correlation: 'poll', dueInMs: 1000, reason: 'look again' } }));
      world.tick(1000);
    }
    expect(itemOf(world, 'a').stop).toMatchObject({ kind: 'no_progress' });
  });
});

describe('R5 failed', () => {
  it('by the provider: waits as it asks, capped, a bounded number of times; other items go on', () => {
    const world = planned([{ key: 'a' }, { key: 'b' }]);
    ok(world.give(begin(world, 'a'), 'round.end', { outcome: 'failed', retryAfterMs: 86_400_000 }));
    expect(world.rounds().map((round) => round.item)).toEqual(['b']);
    accept(world, 'b');
    world.tick(15 * 60_000 + 2000);
    expect(roundOf(world, 'worker', 'a')).toBeDefined();
    for (let n = 2; n <= PROVIDER_TRIES; n += 1) {
      ok(world.give(begin(world, 'a'), 'round.end', { outcome: 'failed', retryAfterMs: 1000 }));
      if (n < PROVIDER_TRIES) expect(whyOf(world)).toEqual({ kind: 'waiting', kinds: ['timer'] });
      world.tick(5000);
    }
    expect(itemOf(world, 'a').stop?.kind).toBe('errors');
  });
  it('otherwise: one more under the next fence, on the same Attempt, then errors', () => {
    const world = planned([{ key: 'a' }]);
    const attempt = itemOf(world, 'a').attempt?.id;
    const first = begin(world, 'a');
    ok(world.give(first, 'round.end', { outcome: 'failed', note: 'boom' }));
    const second = begin(world, 'a');
    expect(second.fence).toBeGreaterThan(first.fence);
    expect(itemOf(world, 'a').attempt).toMatchObject({ id: attempt, state: 'running' });
    ok(world.give(second, 'round.end', { outcome: 'failed', note: 'boom' }));
    expect(itemOf(world, 'a').stop?.kind).toBe('errors');
  });
});

describe('R6 taken back', () => {
  it.each(['pause', 'cancel', 'version', 'revision'] as const)('by %s, before it started', (how) => {
    const world = planned([{ key: 'a' }]);
    const { id, fence } = roundOf(world, 'worker', 'a');
    ok(world.host('round.claim', { round: id, fence, runner: 'r' }));
    if (how === 'pause') ok(world.give(owner, 'goal.pause'));
    else if (how === 'cancel') ok(world.give(owner, 'goal.cancel'));
    else if (how === 'version') ok(world.give(owner, 'goal.revise', { contract: contract({ objective: 'o' }) }, { expected: versions(world), reason: 'r' }));
    else adopt(world, owner, [{ key: 'b' }]);
    expect(rows(world, 'round').find((row) => row.id === id)).toMatchObject({ outcome: 'cancelled' });
    expect(world.give({ kind: 'round', round: id, fence, runner: 'r' }, 'round.end', { outcome: 'empty' })).toMatchObject({ code: 'round_superseded' });
  });
});

describe('R7 a lane that nobody carries', () => {
  it('is a wait for the owner, who can do it by hand: plan, work, review, audit', () => {
    const world = created({ criteria: [{ id: 'c1', text: 'r', verify: 'review' }] }, { lanes: { reviewers: [] } });
    expect(movers(world)).toEqual(['person:ada carry coordinator:goal']);
    adopt(world, owner, [{ key: 'a', executor: { kind: 'agent', profile: 'worker' }, covers: ['c1'], review: [{ by: 'agent' }] }]);
    expect(movers(world)).toEqual(['person:ada carry worker:item:a']);
    ok(world.give({ kind: 'person', principal: 'person:bob', scopes: ['work:submit'] }, 'work.claim', { item: 'a' }));
    const bob = { kind: 'person' as const, principal: 'person:bob', scopes: ['work:submit' as const] };
    ok(world.give(bob, 'attempt.start', { item: 'a', fence: itemOf(world, 'a').attempt?.fence }));
    ok(submit(world, bob, 'a'));
    const submission = itemOf(world, 'a').submission;
    expect(movers(world)).toEqual([`person:ada carry reviewer:submission:${submission?.id}`]);
    ok(world.give(owner, 'review.record', { submission: submission?.id, digest: submission?.digest, verdict: 'accepted', criteria: [{ id: 'c1', met: true }] }));
    expect(movers(world)).toEqual(['person:ada carry coordinator:goal']);
    ok(world.give(owner, 'goal.audit', { classes: [] }));
    expect(world.state.status).toBe('completed');
  });
});

describe('R8 parallel limit, budget, deadline', () => {
  it('as many open rounds as the contract allows, in plan order', () => {
    const world = planned(
      ['a', 'b', 'c'].map((key) => ({ key })),
      { limits: { parallelRounds: 2 } },
    );
    expect(world.rounds().map((round) => round.item)).toEqual(['a', 'b']);
    accept(world, 'a');
    expect(world.rounds().map((round) => round.item)).toEqual(['b', 'c']);
  });
  it('at the budget nothing starts, what a person and the host can do goes on, and the audit is kept back from the start', () => {
    const world = planned([{ key: 'a', covers: ['c1'], review: [{ by: 'agent' }] }, { key: 'b' }], {
      criteria: [{ id: 'c1', text: 'r', verify: 'review' }],
      limits: { rounds: 3 },
    });
    ok(submit(world, begin(world, 'a'), 'a'));
    expect(whyOf(world)).toMatchObject({ kind: 'budget', limit: 'rounds', used: 2, of: 3 });
    const submission = itemOf(world, 'a').submission;
    ok(world.give(owner, 'review.record', { submission: submission?.id, digest: submission?.digest, verdict: 'accepted', criteria: [{ id: 'c1', met: true }] }));
    ok(world.give(owner, 'work.claim', { item: 'b' }));
    ok(world.give(owner, 'attempt.start', { item: 'b', fence: itemOf(world, 'b').attempt?.fence }));
    ok(submit(world, owner, 'b'));
    expect(roundOf(world, 'coordinator').purpose).toBe('audit');
  });
  it('at the deadline no new round and no new offer; raising it goes on', () => {
    const world = planned([{ key: 'a' }, { key: 'b', executor: { kind: 'person' }, dependsOn: [{ key: 'a' }] }], { limits: { wallTimeMs: 60_000 } });
    const actor = begin(world, 'a');
    world.tick(60_000);
    ok(submit(world, actor, 'a'));
    expect(world.state.waits).toEqual({});
    expect(whyOf(world)).toMatchObject({ kind: 'deadline' });
    ok(world.give(owner, 'goal.setLimits', { limits: { wallTimeMs: 3_600_000 } }, { expected: versions(world) }));
    expect(movers(world)).toEqual(['person:ada carry offer:b']);
  });
});

describe('R9 what a coordinator is sent for', () => {
  it('one round at a time, for one reason, in the order of the table', () => {
    const world = created({}, { lanes });
    adopt(world, coordinate(world, 'plan'), [{ key: 'a', review: [{ by: 'agent' }] }]);
    expect(world.rounds().filter((round) => round.lane === 'coordinator')).toHaveLength(1);
    ok(world.give(owner, 'message.post', { text: 'split it', asks: 'plan' }));
    const [plan] = world.rounds().filter((round) => round.lane === 'coordinator');
    ok(world.give({ kind: 'round', round: plan?.id ?? '', fence: plan?.fence ?? 0, runner: plan?.runner ?? '' }, 'round.end', { outcome: 'handed_back' }));
    expect(roundOf(world, 'coordinator').purpose).toBe('replan');
  });
  it('who was asked for another plan and finds none needed says so by handling the message', () => {
    const world = planned([{ key: 'a' }]);
    ok(world.give(owner, 'message.post', { text: 'split it', asks: 'plan' }));
    const actor = coordinate(world, 'replan');
    refused(world, 'not_found', actor, 'message.handle', { upTo: 9 }, { current: { posted: 1 } });
    ok(world.give(actor, 'message.handle', { upTo: 1 }));
    ok(world.give(actor, 'round.end', { outcome: 'handed_back' }));
    expect(world.rounds().map((round) => round.lane)).toEqual(['worker']);
  });
  it('a criterion that two audits found uncovered is a question for the owner', () => {
    const world = planned([{ key: 'a' }], { criteria: [{ id: 'c1', text: 'r', verify: 'review' }] });
    accept(world, 'a');
    const audit = (): World => {
      const auditor = coordinate(world, 'audit');
      ok(world.give(auditor, 'goal.audit', { classes: [] }));
      ok(world.give(auditor, 'round.end', { outcome: 'handed_back' }));
      return world;
    };
    audit();
    const planner = coordinate(world, 'uncovered');
    adopt(world, planner, [{ key: 'a' }, { key: 'b' }]);
    ok(world.give(planner, 'round.end', { outcome: 'handed_back' }));
    accept(world, 'b');
    audit();
    expect(world.state.blockers['uncovered-c1']).toMatchObject({ owner: 'person:ada', form: { properties: { decision: { enum: ['plan', 'attest', 'revise'] } } } });
    expect(world.rounds()).toEqual([]);
    ok(world.give(owner, 'blocker.resolve', { blocker: 'uncovered-c1', answer: { decision: 'plan' } }));
    const again = coordinate(world, 'uncovered');
    adopt(world, again, [{ key: 'a' }, { key: 'b' }, { key: 'c', covers: ['c1'], review: [{ by: 'agent' }] }]);
    ok(world.give(again, 'round.end', { outcome: 'handed_back' }));
    ok(submit(world, begin(world, 'c'), 'c'));
    ok(review(world, 'c', 'accepted', { criteria: [{ id: 'c1', met: true }] }));
    ok(world.give(coordinate(world, 'audit'), 'goal.audit', { classes: [] }));
    expect(world.state.status).toBe('completed');
  });
});
