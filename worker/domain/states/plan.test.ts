/** Executions, proposals and revisions of the plan. */
import { describe, expect, it } from 'vitest';
import { PROPOSALS } from '../limits.ts';
import { ok } from '../testing/world.ts';
import {
  accept,
  adopt,
  begin,
  contract,
  coordinate,
  created,
  documentOf,
  itemOf,
  lanes,
  movers,
  owner,
  planned,
  propose,
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

describe('E1 Execution', () => {
  it('the host opens one; a second needs `supersede` and a reason, and ends the first with its work', () => {
    const world = planned([{ key: 'a' }, { key: 'b' }]);
    accept(world, 'a');
    const first = world.state.execution?.id;
    refused(world, 'invalid_transition', owner, 'execution.open', {}, { current: { execution: first } });
    refused(world, 'invalid_transition', owner, 'execution.open', { supersede: true });
    const old = propose(world, owner, [{ key: 'z' }]);
    ok(world.give(owner, 'execution.open', { supersede: true }, { reason: 'another way' }));
    expect(world.state).toMatchObject({ execution: { status: 'open' }, plan: null, proposals: {} });
    expect([stateOf(world, 'a'), stateOf(world, 'b')]).toEqual(['superseded', 'superseded']);
    refused(world, 'invalid_transition', owner, 'plan.adopt', { proposal: old }, { expected: { planRevision: 0 }, current: { status: 'superseded' } });
    const planner = coordinate(world, 'plan');
    adopt(world, planner, [{ key: 'a' }]);
    // Numbers of revisions go on: the record of the first execution stays.
    expect(world.state.plan?.revision).toBe(2);
    expect(rows(world, 'revision').map((row) => [row.revision, row.order])).toEqual([
      [1, ['a', 'b']],
      [2, ['a']],
    ]);
  });
  it('abandoned: the goal asks its owner how to go on', () => {
    const world = planned([{ key: 'a' }]);
    ok(world.give(owner, 'execution.abandon'));
    expect(world.rounds()).toEqual([]);
    expect(movers(world)).toEqual(['person:ada decide execution']);
    refused(world, 'invalid_transition', owner, 'execution.abandon');
    ok(world.give(owner, 'execution.open'));
    expect(roundOf(world, 'coordinator').purpose).toBe('plan');
  });
  it('graph-only completes by the host, and leaves no round open', () => {
    const world = created({}, { mode: 'graph_only', contract: undefined, title: 'G' });
    const planner = coordinate(world, 'plan');
    adopt(world, planner, [{ key: 'a' }]);
    accept(world, 'a');
    expect(world.state).toMatchObject({ status: 'completed', execution: { status: 'completed' }, rounds: {} });
    refused(world, 'round_superseded', planner, 'round.end', { outcome: 'handed_back' });
    refused(world, 'forbidden', owner, 'execution.complete');
  });
  it('graph-only abandoned is cancelled; promoted it has a contract, once', () => {
    const abandoned = created({}, { mode: 'graph_only', contract: undefined });
    ok(abandoned.give(owner, 'execution.abandon'));
    expect(abandoned.state.status).toBe('cancelled');
    const world = created({}, { mode: 'graph_only', contract: undefined });
    adopt(world, owner, [{ key: 'a' }]);
    refused(world, 'invalid_transition', owner, 'goal.revise', { contract: contract() }, { expected: versions(world), reason: 'r' });
    ok(world.give(owner, 'execution.promote', { contract: contract() }));
    expect(world.state.mode).toBe('bound');
    accept(world, 'a');
    expect(world.state.status).toBe('active');
    refused(world, 'invalid_transition', owner, 'execution.promote', { contract: contract() }, { current: { mode: 'bound' } });
  });
  it('goal-only has no graph', () => {
    const world = created({}, { mode: 'goal_only' });
    expect(roundOf(world, 'coordinator').purpose).toBe('work');
    refused(world, 'invalid_transition', owner, 'plan.propose', { document: documentOf([{ key: 'a' }]) }, { expected: versions(world) });
  });
});

describe('E2 sealed', () => {
  it('authorizes nothing; the same document again is the same proposal', () => {
    const world = created();
    const first = propose(world, owner, [{ key: 'a' }]);
    expect(world.state.plan).toBeNull();
    expect(propose(world, owner, [{ key: 'a' }])).toBe(first);
    expect(Object.keys(world.state.proposals)).toEqual([first]);
  });
  it('rejected or withdrawn, once', () => {
    const world = created();
    const proposal = propose(world, owner, [{ key: 'a' }]);
    ok(world.give(owner, 'plan.reject', { proposal }));
    expect(rows(world, 'proposal')).toMatchObject([{ status: 'rejected' }]);
    refused(world, 'not_found', owner, 'plan.reject', { proposal });
    refused(world, 'invalid_transition', owner, 'plan.adopt', { proposal }, { expected: { planRevision: 0 }, current: { status: 'rejected' } });
    refused(world, 'not_found', owner, 'plan.adopt', { proposal: 'prop_gone' }, { expected: { planRevision: 0 } });
  });
  it('against another revision than it was made for: stale', () => {
    const world = planned([{ key: 'a' }]);
    const late = propose(world, owner, [{ key: 'a' }, { key: 'b' }]);
    adopt(world, owner, [{ key: 'a' }, { key: 'c' }]);
    refused(world, 'invalid_transition', owner, 'plan.adopt', { proposal: late }, { expected: versions(world), current: { status: 'superseded' } });
    refused(world, 'plan_revision_stale', owner, 'plan.propose', { document: documentOf([{ key: 'a' }]) }, { expected: { planRevision: 1 }, current: { planRevision: 2 } });
    refused(world, 'version_required', owner, 'plan.propose', { document: documentOf([{ key: 'a' }]) });
  });
  it('only so many wait; the oldest are superseded', () => {
    const world = created();
    const all = Array.from({ length: PROPOSALS + 3 }, (_, n) => propose(world, owner, [{ key: 'a', objective: `${n}` }]));
    expect(Object.keys(world.state.proposals)).toEqual(all.slice(3));
    expect(rows(world, 'proposal').filter((row) => row.status === 'superseded')).toHaveLength(3);
  });
  it('plan policy `confirm`: a person adopts it, and the goal says so', () => {
    const world = created({ planPolicy: 'confirm' });
    const planner = coordinate(world, 'plan');
    const proposal = propose(world, planner, [{ key: 'a' }]);
    refused(world, 'approval_required', planner, 'plan.adopt', { proposal });
    ok(world.give(planner, 'round.end', { outcome: 'handed_back' }));
    expect(movers(world)).toEqual([`person:ada decide proposal:${proposal}`]);
    expect(whyOf(world)).toEqual({ kind: 'waiting', kinds: ['input'] });
    ok(world.give(owner, 'plan.adopt', { proposal }, { expected: { planRevision: 0 } }));
    expect(stateOf(world, 'a')).toBe('assigned');
  });
  it('three that cannot be sealed are a question for the owner', () => {
    const world = created();
    const planner = coordinate(world, 'plan');
    for (let n = 0; n < 3; n += 1) world.give(planner, 'plan.propose', { document: { mode: 'bound', items: [] } });
    expect(world.state.blockers['plan-invalid']).toMatchObject({ owner: 'person:ada' });
    ok(world.give(planner, 'round.end', { outcome: 'handed_back' }));
    expect(world.rounds()).toEqual([]);
    ok(world.give(owner, 'blocker.resolve', { blocker: 'plan-invalid', answer: { decision: 'try_again' } }));
    expect(roundOf(world, 'coordinator').purpose).toBe('plan');
  });
});

describe('E3 adopted', () => {
  it('items with the same key and spec keep what they have; nothing else is touched', () => {
    const world = planned([{ key: 'a' }, { key: 'b' }, { key: 'c' }]);
    accept(world, 'a');
    const actor = begin(world, 'b');
    const answer = adopt(world, owner, [{ key: 'a' }, { key: 'b' }, { key: 'd' }]);
    expect(answer).toMatchObject({ status: 'adopted', planRevision: 2, added: ['d'], changed: [], kept: ['a', 'b'], removed: ['c'] });
    expect([stateOf(world, 'a'), stateOf(world, 'b'), stateOf(world, 'c')]).toEqual(['accepted', 'running', 'superseded']);
    ok(submit(world, actor, 'b'));
  });
  it('warns of accepted work that it drops or asks for otherwise, and of a check whose file nobody makes', () => {
    const world = planned([{ key: 'a' }, { key: 'b' }], { checks: [{ key: 'f', kind: 'file_exists', file: { item: 'gone', path: 'x.txt' } }] });
    accept(world, 'a');
    accept(world, 'b');
    const { warnings } = ok(world.give(owner, 'plan.propose', { document: documentOf([{ key: 'b', objective: 'more' }]) }, { expected: versions(world) })) as {
      warnings: { code: string; detail: string }[];
    };
    expect(warnings.map(({ code, detail }) => `${code} ${detail}`)).toEqual(
      expect.arrayContaining(['drops_accepted a', 'reopens_accepted b', 'unknown_key gone, which the check f of the contract reads']),
    );
  });
});

describe('E4 pending', () => {
  const busy = () => {
    const world = planned([{ key: 'a' }, { key: 'b' }]);
    const actor = begin(world, 'a');
    return { world, actor };
  };
  it('an adoption does not wait for a Submission that nobody can judge any more, since what it was made from is cancelled', () => {
    const reviewed = { review: [{ by: 'agent' }] };
    const world = planned([{ key: 'a' }, { key: 'b', dependsOn: [{ key: 'a' }], ...reviewed }]);
    accept(world, 'a');
    ok(submit(world, begin(world, 'b'), 'b'));
    ok(world.give(owner, 'acceptance.invalidate', { acceptance: itemOf(world, 'a').verdict?.id, scene: { summary: 'it fell' } }));
    ok(world.give(owner, 'work.cancel', { item: 'a' }, { reason: 'not wanted', expected: { itemVersion: itemOf(world, 'a').version } }));
    expect(stateOf(world, 'b')).toBe('submitted');
    expect(adopt(world, owner, [{ key: 'b', objective: 'without a', ...reviewed }])).not.toMatchObject({ status: 'pending' });
    expect(world.state.plan).toMatchObject({ revision: 2, order: ['b'] });
    expect(itemOf(world, 'b').submission).toBeNull();
  });

  it('while an Attempt is live on what it changes; it is adopted when that is over', () => {
    const { world, actor } = busy();
    expect(adopt(world, owner, [{ key: 'a', objective: 'new' }, { key: 'b' }])).toMatchObject({ status: 'pending', waitsFor: ['a'] });
    expect(stateOf(world, 'b')).toBe('assigned');
    ok(world.give(actor, 'round.end', { outcome: 'handed_back' }));
    // Its Attempt is still running: the next round of the same goes on.
    ok(submit(world, begin(world, 'a'), 'a'));
    expect(world.state.plan?.revision).toBe(2);
    expect(stateOf(world, 'a')).toBe('assigned');
  });
  it('no new Attempt starts on anything it changes or removes', () => {
    const world = planned([{ key: 'a' }, { key: 'b', executor: { kind: 'person' } }]);
    const actor = begin(world, 'a');
    adopt(world, owner, [
      { key: 'a', objective: 'new' },
      { key: 'b', objective: 'new', executor: { kind: 'person' } },
    ]);
    refused(world, 'invalid_transition', owner, 'work.claim', { item: 'b' });
    expect(Object.values(world.state.waits)).toEqual([]);
    ok(world.give(actor, 'attempt.end', { item: 'a', outcome: 'failed' }));
    expect(world.state.plan?.revision).toBe(2);
    ok(world.give(owner, 'work.claim', { item: 'b' }));
  });
  it('a review of what was submitted goes on: its verdict is what is waited for', () => {
    const reviewed = { review: [{ by: 'agent' }] };
    const world = planned([{ key: 'a', ...reviewed }]);
    ok(submit(world, begin(world, 'a'), 'a'));
    adopt(world, owner, [{ key: 'a', objective: 'new', ...reviewed }]);
    expect(Object.values(world.state.proposals)).toMatchObject([{ status: 'pending' }]);
    ok(review(world, 'a', 'changes_requested'));
    expect(world.state.plan?.revision).toBe(2);
    expect(itemOf(world, 'a').submission).toBeNull();
  });
  it('what a Submission waits for upstream goes on too', () => {
    const reviewed = { review: [{ by: 'agent' }] };
    const world = planned([{ key: 'a' }, { key: 'b', dependsOn: [{ key: 'a' }], ...reviewed }]);
    accept(world, 'a');
    ok(submit(world, begin(world, 'b'), 'b'));
    ok(world.give(owner, 'acceptance.invalidate', { acceptance: itemOf(world, 'a').verdict?.id, scene: { summary: 'it fell' } }));
    const actor = begin(world, 'a');
    adopt(world, owner, [
      { key: 'a', objective: 'new' },
      { key: 'b', objective: 'new', dependsOn: [{ key: 'a' }], ...reviewed },
    ]);
    ok(world.give(actor, 'attempt.end', { item: 'a', outcome: 'failed' }));
    // Without that the Submission of b could never be judged, and the adoption never end.
    ok(submit(world, begin(world, 'a'), 'a', { summary: 'made anew' }));
    expect(world.state.plan?.revision).toBe(2);
  });
  it('can be withdrawn, and can end what it waits for with a reason', () => {
    const { world, actor } = busy();
    const items = [{ key: 'a', objective: 'new' }, { key: 'b' }];
    const proposal = propose(world, owner, items);
    ok(world.give(owner, 'plan.adopt', { proposal }, { expected: versions(world) }));
    ok(world.give(owner, 'plan.reject', { proposal }));
    expect(world.state.proposals).toEqual({});
    const again = propose(world, owner, items);
    refused(world, 'schema_invalid', owner, 'plan.adopt', { proposal: again, supersede: ['a'] }, { expected: versions(world) });
    ok(world.give(owner, 'plan.adopt', { proposal: again, supersede: ['a'] }, { expected: versions(world), reason: 'urgent' }));
    expect(rows(world, 'attempt').find((row) => row.item === 'a')).toMatchObject({ state: 'cancelled', why: 'urgent' });
    refused(world, 'round_superseded', actor, 'submission.submit', { item: 'a', artifacts: [], summary: 's' });
  });
  it('is answer enough to who asked for another plan: nobody is sent to make one more', () => {
    const { world } = busy();
    ok(world.give(owner, 'message.post', { text: 'split it', asks: 'plan' }));
    const planner = coordinate(world, 'replan');
    adopt(world, planner, [{ key: 'a', objective: 'new' }, { key: 'b' }]);
    ok(world.give(planner, 'round.end', { outcome: 'handed_back' }));
    expect(world.rounds().map((round) => round.lane)).not.toContain('coordinator');
  });
  it('a scheduled round is no reason to wait: it is taken back', () => {
    const world = planned([{ key: 'a' }]);
    const round = roundOf(world, 'worker', 'a');
    expect(adopt(world, owner, [{ key: 'a', objective: 'new' }])).toMatchObject({ status: 'adopted' });
    expect(rows(world, 'round').find((row) => row.id === round.id)).toMatchObject({ outcome: 'cancelled' });
  });
});

describe('E5 the document says everything wrong at once', () => {
  it('with a place and a code each', () => {
    const world = created();
    const answer = refused(
      world,
      'plan_invalid',
      owner,
      'plan.propose',
      {
        document: {
          mode: 'graph_only',
          items: [
            { key: 'a', title: 'A', dependsOn: [{ key: 'b' }], covers: ['c9'], surprise: 1, outputs: [{ scope: 'file:x' }] },
            {
              key: 'b',
              title: 'B',
              dependsOn: [{ key: 'a' }, { key: 'zz' }],
              parent: 'yy',
              executor: skill('review.js'),
              review: [{ by: 'agent', reviewer: skill('review.js') }],
              checks: [{ key: 'm', kind: 'matches', file: { path: 'x' }, pattern: '(' }],
            },
            { key: 'b', title: 'B again', outputs: [{ scope: 'dir:.' }, { scope: 'file:x' }] },
            { key: 'constructor', title: 'C' },
          ],
        },
      },
      { expected: { planRevision: 0 } },
    );
    const codes = new Set(answer.errors?.map((error) => error.code));
    for (const code of ['unknown_field', 'mode_mismatch', 'duplicate_key', 'unknown_key', 'unknown_criterion', 'cycle', 'no_eligible_reviewer', 'invalid_pattern', 'reserved'])
      expect(codes, code).toContain(code);
    expect(answer.errors?.find((error) => error.code === 'cycle')?.detail).toBe('a -> b -> a');
    expect(answer.errors?.find((error) => error.code === 'unknown_field')?.pointer).toBe('/items/0/surprise');
  });
  it('of what an agent wrote, that it could not be sealed is on record, and nothing else', () => {
    const world = created({}, { lanes });
    const planner = coordinate(world, 'plan');
    const seq = world.state.seq;
    expect(world.give(planner, 'plan.propose', { document: { mode: 'bound', items: [] } })).toMatchObject({ code: 'plan_invalid', errors: [{ code: 'empty_plan' }] });
    expect(world.events.slice(seq).map((event) => event.type)).toEqual(['plan.refused']);
    expect(world.state.proposals).toEqual({});
  });
});
