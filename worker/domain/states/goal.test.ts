/** Transitions of a Goal. Which row of `docs/states.md` a test shows stands in its name. */
import { describe, expect, it } from 'vitest';
import { ok, type World } from '../testing/world.ts';
import {
  accept,
  adopt,
  begin,
  checked,
  contract,
  coordinate,
  created,
  itemOf,
  lanes,
  other,
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

const draft = (): World => created({}, { confirmed: false });
function completed(): World {
  const world = planned([{ key: 'a' }]);
  accept(world, 'a');
  ok(world.give(owner, 'criterion.attest', { criterion: 'c1', holds: true, statement: 'seen' }, { expected: versions(world) }));
  expect(world.state.status).toBe('completed');
  return world;
}
const cancelled = (): World => {
  const world = planned([{ key: 'a' }]);
  ok(world.give(owner, 'goal.cancel'));
  return world;
};

describe('G1 goal.propose and goal.create', () => {
  it('from a sentence to a draft that nobody confirmed', () => {
    const world = checked();
    ok(world.give(owner, 'goal.propose', { sentence: 'Write the report', lanes }));
    expect(world.state).toMatchObject({ status: 'draft', goalVersion: 1, confirmedAt: null });
    expect(world.rounds()).toMatchObject([{ purpose: 'intake' }]);
    expect(whyOf(world)).toEqual({ kind: 'draft' });
  });
  it('is active only with a confirmed contract', () => {
    expect(created().state.status).toBe('active');
    expect(draft().state.status).toBe('draft');
  });
  it('is given once, and with a contract that its mode can carry', () => {
    refused(created(), 'invalid_transition', owner, 'goal.create', { contract: contract() });
    refused(checked(), 'schema_invalid', owner, 'goal.create', { mode: 'bound' });
    refused(checked(), 'schema_invalid', owner, 'goal.create', { mode: 'graph_only', contract: contract() });
    const answer = refused(checked(), 'schema_invalid', owner, 'goal.create', {
      mode: 'goal_only',
      contract: contract({ criteria: [{ id: 'r', text: 'read', verify: 'review' }] }),
    });
    expect(answer.errors).toMatchObject([{ pointer: '/payload/contract/criteria/0/verify', code: 'review_needs_graph' }]);
  });
  it('before creation nothing else exists', () => {
    refused(checked(), 'not_found', owner, 'goal.pause');
  });
  it('a contract names what it refers to, and rules that can be judged', () => {
    const answer = refused(checked(), 'schema_invalid', owner, 'goal.create', {
      contract: contract({
        criteria: [
          { id: 'c1', text: 'x', verify: 'check', checks: ['gone'] },
          { id: 'c1', text: 'y', verify: 'check' },
        ],
        checks: [{ key: 'm', kind: 'matches', file: { source: 'a.txt' }, pattern: '(' }],
        nonGoals: [{ id: 'n', text: 'no', forbids: [{ tool: 'bank.*', where: [{ pointer: 'amount', matches: '[' }] }] }],
        policies: [{ tool: '*', then: 'ask', where: [{ pointer: '/a', matches: '(' }] }],
      }),
    });
    expect(answer.errors?.map(({ pointer, code }) => `${pointer} ${code}`)).toEqual([
      '/payload/contract/criteria/1 duplicate_key',
      '/payload/contract/criteria/0/checks unknown_key',
      '/payload/contract/criteria/1/checks check_missing',
      '/payload/contract/checks/0 invalid_pattern',
      '/payload/contract/nonGoals/0/forbids/0/where/0/pointer invalid_pointer',
      '/payload/contract/nonGoals/0/forbids/0/where/0/matches invalid_pattern',
      '/payload/contract/policies/0/where/0/matches invalid_pattern',
    ]);
  });
  it.each([{ rounds: 100_001 }, { parallelRounds: 65 }, { wallTimeMs: 367 * 86_400_000 }, { attempts: 0 }, { drift: { window: 101, stride: 1 } }])(
    'limits have bounds: %j',
    (limits) => {
      refused(checked(), 'schema_invalid', owner, 'goal.create', { contract: contract({ limits }) });
    },
  );
});

describe('G2 draft', () => {
  it('goal.revise keeps it a draft under the next version, goal.confirm starts it', () => {
    const world = draft();
    ok(world.give(owner, 'goal.revise', { contract: contract({ title: 'U' }) }, { expected: versions(world), reason: 'clearer' }));
    expect(world.state).toMatchObject({ status: 'draft', goalVersion: 2 });
    expect(world.rounds()).toEqual([]);
    ok(world.give(owner, 'goal.confirm', {}, { expected: versions(world) }));
    expect(world.state.status).toBe('active');
    expect(roundOf(world, 'coordinator').purpose).toBe('plan');
  });
  it('confirms the version that was read, and once', () => {
    const world = draft();
    refused(world, 'version_required', owner, 'goal.confirm', {}, { current: { goalVersion: 1 } });
    refused(world, 'goal_version_stale', owner, 'goal.confirm', {}, { expected: { goalVersion: 2 }, current: { goalVersion: 1 } });
    refused(created(), 'invalid_transition', owner, 'goal.confirm', {}, { expected: { goalVersion: 1 }, current: { status: 'active' } });
  });
  it('no work begins in it, and its limits can be set', () => {
    const world = draft();
    for (const type of ['goal.pause', 'goal.resume', 'execution.abandon'] as const) refused(world, 'goal_not_active', owner, type, {}, { current: { status: 'draft' } });
    ok(world.give(owner, 'goal.setLimits', { limits: { rounds: 9 } }, { expected: versions(world) }));
    expect(world.state).toMatchObject({ status: 'draft', limits: { rounds: 9 } });
  });
  it('goal-only refuses criteria that a reviewer would have to judge', () => {
    const world = created({}, { mode: 'goal_only', confirmed: false });
    refused(
      world,
      'schema_invalid',
      owner,
      'goal.revise',
      { contract: contract({ criteria: [{ id: 'r', text: 'read', verify: 'review' }] }) },
      { expected: versions(world), reason: 'r' },
    );
  });
});

describe('G3 goal.revise', () => {
  it('counts up, says why and by whom, and asks for its checks again', () => {
    const check = { key: 'n', kind: 'count', of: { from: 'literal', ids: ['x'] }, equals: 1 };
    const world = planned([{ key: 'a' }], { criteria: [{ id: 'c1', text: 'n', verify: 'check', checks: ['n'] }], checks: [check] });
    accept(world, 'a');
    expect(world.state.status).toBe('completed');
    const before = world.state.receipts.n?.id;
    ok(
      world.give(
        owner,
        'goal.revise',
        { contract: contract({ criteria: [{ id: 'c1', text: 'n', verify: 'check', checks: ['n'] }], checks: [check], objective: 'more' }) },
        { expected: versions(world), reason: 'more' },
      ),
    );
    expect(world.state).toMatchObject({ goalVersion: 2, status: 'completed' });
    expect(world.state.receipts.n).toMatchObject({ goalVersion: 2, pass: true });
    expect(world.state.receipts.n?.id).not.toBe(before);
    expect(rows(world, 'goal_version')).toMatchObject([
      { goalVersion: 1, completedAt: expect.any(Number) },
      { goalVersion: 2, reason: 'more', by: 'person:ada' },
    ]);
    expect(world.state.completions.map((entry) => entry.goalVersion)).toEqual([1, 2]);
  });
  it('needs a reason and the version it was decided on', () => {
    const world = created();
    refused(world, 'schema_invalid', owner, 'goal.revise', { contract: contract() }, { expected: versions(world) });
    refused(world, 'version_required', owner, 'goal.revise', { contract: contract() }, { reason: 'r' });
    refused(world, 'goal_version_stale', owner, 'goal.revise', { contract: contract() }, { reason: 'r', expected: { goalVersion: 3 }, current: { goalVersion: 1 } });
    refused(cancelled(), 'goal_not_active', owner, 'goal.revise', { contract: contract() }, { expected: { goalVersion: 1 }, reason: 'r', current: { status: 'cancelled' } });
  });
  it('a round of the old version records what it learned, and claims nothing of the new one', () => {
    const world = planned([{ key: 'a' }]);
    const actor = begin(world, 'a');
    ok(world.give(owner, 'goal.revise', { contract: contract({ objective: 'otherwise' }) }, { expected: versions(world), reason: 'r' }));
    ok(world.give(actor, 'fact.record', { facts: [{ key: 'k', value: 1, provenance: { from: 'person', principal: 'person:ada' } }] }));
    refused(world, 'goal_version_stale', actor, 'submission.submit', { item: 'a', artifacts: [], summary: 's' }, { current: { goalVersion: 2 } });
    refused(world, 'goal_version_stale', actor, 'ledger.record', { entries: [{ subject: 's', verdict: 'v', reason: 'r', evidence: ['fact:k'] }] });
    const attempt = itemOf(world, 'a').attempt?.id;
    ok(world.give(actor, 'round.end', { outcome: 'handed_back' }));
    // Its item is untouched by the change: the same Attempt goes on in a round of the new version.
    expect(roundOf(world, 'worker', 'a')).toMatchObject({ goalVersion: 2, attempt });
    ok(submit(world, begin(world, 'a'), 'a'));
  });
  it('classes accepted items: unaffected, put up again, superseded', () => {
    const criteria = ['c1', 'c2', 'c3'].map((id) => ({ id, text: id, verify: 'review' }));
    const world = planned(
      ['a', 'b', 'c'].map((key, n) => ({ key, executor: skill(`${key}.js`), covers: [`c${n + 1}`], review: [{ by: 'agent' }] })),
      { criteria },
    );
    for (const key of ['a', 'b', 'c']) {
      ok(submit(world, begin(world, key), key));
      ok(review(world, key, 'accepted', { criteria: criteria.map(({ id }) => ({ id, met: true })) }));
    }
    const answer = ok(
      world.give(
        owner,
        'goal.revise',
        { contract: contract({ criteria: [criteria[0], { id: 'c2', text: 'otherwise', verify: 'review' }] }) },
        { expected: versions(world), reason: 'r' },
      ),
    );
    expect(answer).toMatchObject({ impact: { unaffected: ['a'], reaffirm: ['b'], superseded: ['c'] }, criteria: { changed: ['c2'], removed: ['c3'] } });
    expect(['a', 'b', 'c'].map((key) => stateOf(world, key))).toEqual(['accepted', 'submitted', 'superseded']);
    // Nothing is thrown away: the same Submission is judged again.
    expect(roundOf(world, 'reviewer', 'b').submission).toBe(itemOf(world, 'b').submission?.id);
  });
  it('withdraws what the host asked about the old version, and nothing that people or agents asked', () => {
    const world = planned([{ key: 'a' }], { criteria: [{ id: 'c1', text: 'r', verify: 'review' }] });
    accept(world, 'a');
    for (let n = 0; n < 2; n += 1) {
      const auditor = coordinate(world, 'audit');
      ok(world.give(auditor, 'goal.audit', { classes: [] }));
      ok(world.give(auditor, 'round.end', { outcome: 'handed_back' }));
      if (n === 0) {
        const planner = coordinate(world, 'uncovered');
        adopt(world, planner, [{ key: 'a' }, { key: 'b' }]);
        ok(world.give(planner, 'round.end', { outcome: 'handed_back' }));
        accept(world, 'b');
      }
    }
    expect(Object.keys(world.state.blockers)).toEqual(['uncovered-c1']);
    ok(world.give(owner, 'goal.block', { key: 'mine', reason: 'q', form: { type: 'object' } }));
    ok(world.give(owner, 'goal.revise', { contract: contract({ criteria: [{ id: 'c1', text: 'a', verify: 'attest' }] }) }, { expected: versions(world), reason: 'r' }));
    expect(Object.keys(world.state.blockers)).toEqual(['mine']);
  });
});

describe('G4 goal.pause, goal.resume', () => {
  it('takes back what has not started; what runs is stopped at its next call', () => {
    const world = planned([{ key: 'a' }, { key: 'b' }]);
    const actor = begin(world, 'a');
    ok(world.give(owner, 'goal.pause'));
    expect(world.rounds().map((round) => round.item)).toEqual(['a']);
    expect(whyOf(world)).toEqual({ kind: 'paused' });
    refused(world, 'goal_paused', actor, 'round.step', { next: { tool: 'files.read', args: {}, subject: 's', effect: 'none' } }, { current: { status: 'paused' } });
    ok(world.give(actor, 'round.end', { outcome: 'interrupted' }));
    expect(itemOf(world, 'a').attempt?.state).toBe('interrupted');
    world.tick(3_600_000);
    expect(world.rounds()).toEqual([]);
    ok(world.give(owner, 'goal.resume'));
    expect(world.rounds().map((round) => round.item)).toEqual(['a', 'b']);
    // Resuming revives no Attempt.
    expect(itemOf(world, 'a').attempt).toMatchObject({ number: 2, state: 'pending' });
  });
  it('settles effects in flight while paused', () => {
    const world = planned([{ key: 'a' }]);
    const actor = begin(world, 'a');
    const { permit } = ok(world.give(actor, 'round.step', { next: { tool: 't', args: {}, subject: 's', effect: 'outside' } })) as { permit: { effect: string; nonce: string } };
    ok(world.give(owner, 'goal.pause'));
    ok(world.give(actor, 'effect.settle', { effect: permit.effect, nonce: permit.nonce, outcome: 'succeeded' }));
    expect(world.state.effects).toEqual({});
  });
  it('lifts stops and clears the counts', () => {
    const world = planned([{ key: 'a' }]);
    for (let n = 0; n < 2; n += 1) ok(world.give(begin(world, 'a'), 'round.end', { outcome: 'handed_back' }));
    expect(itemOf(world, 'a').stop?.kind).toBe('no_progress');
    ok(world.give(owner, 'goal.resume'));
    expect(itemOf(world, 'a').stop).toBeNull();
    expect(world.state.streaks).toEqual({});
    expect(roundOf(world, 'worker', 'a').recovery).toBe(false);
  });
  it('only what is paused or stopped is resumed, only what is active paused', () => {
    refused(created(), 'invalid_transition', owner, 'goal.resume', {}, { current: { status: 'active' } });
    const world = created();
    ok(world.give(owner, 'goal.pause'));
    refused(world, 'goal_paused', owner, 'goal.pause');
    refused(completed(), 'goal_not_active', owner, 'goal.pause', {}, { current: { status: 'completed' } });
    refused(completed(), 'goal_not_active', owner, 'goal.resume');
  });
});

describe('G5 goal.setLimits', () => {
  it('goes on where that lifts the stop, in one action', () => {
    const world = planned([{ key: 'a' }], { limits: { rounds: 2 } });
    expect(whyOf(world)).toMatchObject({ kind: 'budget', limit: 'rounds', used: 1, of: 2 });
    ok(world.give(owner, 'goal.setLimits', { limits: { rounds: 10 } }, { expected: versions(world) }));
    expect(roundOf(world, 'worker', 'a').phase).toBe('scheduled');
  });
  it('is refused when the goal is over, and below what a limit allows', () => {
    refused(completed(), 'goal_not_active', owner, 'goal.setLimits', { limits: { rounds: 9 } }, { expected: { goalVersion: 1 } });
    const world = created();
    refused(world, 'schema_invalid', owner, 'goal.setLimits', { limits: { rounds: 0 } }, { expected: versions(world) });
  });
});

describe('G6 goal.block', () => {
  it('is a blocker on the Goal where nothing independent can move', () => {
    const world = planned([{ key: 'a' }]);
    const busy = refused(world, 'invalid_transition', owner, 'goal.block', { key: 'q', reason: 'which', form: { type: 'object' } });
    expect(busy.current).toEqual({ items: ['a'] });
    accept(world, 'a');
    ok(world.give(owner, 'goal.block', { key: 'q', reason: 'which', form: { type: 'object' } }));
    expect(world.state.blockers.q).toMatchObject({ owner: 'person:ada', generation: 1 });
  });
});

describe('G7 goal.audit and goal.complete', () => {
  it('an audit records a class per criterion; a claim lowers and never raises what the record proves', () => {
    const criteria = [
      { id: 'r', text: 'r', verify: 'review' },
      { id: 's', text: 's', verify: 'attest' },
    ];
    const world = planned([{ key: 'a', covers: ['r'], review: [{ by: 'agent' }] }], { criteria });
    ok(submit(world, begin(world, 'a'), 'a'));
    ok(review(world, 'a', 'accepted', { criteria: [{ id: 'r', met: true }] }));
    const auditor = coordinate(world, 'audit');
    const answer = ok(
      world.give(auditor, 'goal.audit', {
        classes: [
          { criterion: 'r', class: 'insufficient', note: 'thin' },
          { criterion: 's', class: 'proven' },
        ],
      }),
    );
    expect(answer).toMatchObject({ classes: { r: { class: 'insufficient' }, s: { class: 'missing' } } });
    refused(world, 'schema_invalid', auditor, 'goal.audit', { classes: [{ criterion: 'gone', class: 'proven' }] });
  });
  it('completes only when nothing is missing, and names what is', () => {
    const world = planned([{ key: 'a' }]);
    const answer = refused(world, 'graph_open', owner, 'goal.complete', {}, { expected: versions(world) });
    expect(answer.current).toMatchObject({ missing: expect.arrayContaining(['item:a', 'audit:stale', 'criterion:c1']) });
    accept(world, 'a');
    refused(world, 'criterion_unproven', owner, 'goal.complete', {}, { expected: versions(world), current: { missing: ['criterion:c1'] } });
    refused(world, 'goal_version_stale', owner, 'goal.complete', {}, { expected: { goalVersion: 9 } });
    ok(world.give(owner, 'criterion.attest', { criterion: 'c1', holds: true, statement: 'seen' }, { expected: versions(world) }));
    expect(world.state.status).toBe('completed');
  });
  it('a criterion that a person attests is attested by a person, under the version they read', () => {
    const world = planned([{ key: 'a' }]);
    accept(world, 'a');
    expect(whyOf(world)).toEqual({ kind: 'waiting', kinds: ['input'] });
    const token = { kind: 'token' as const, principal: 'token:ci', scopes: ['work:review' as const] };
    refused(world, 'forbidden', token, 'criterion.attest', { criterion: 'c1', holds: true, statement: 's' }, { expected: versions(world) });
    refused(world, 'not_found', owner, 'criterion.attest', { criterion: 'c9', holds: true, statement: 's' }, { expected: versions(world) });
    ok(world.give(other, 'criterion.attest', { criterion: 'c1', holds: false, statement: 'it does not' }, { expected: versions(world) }));
    expect(world.state.audit?.classes.c1?.class).toBe('contradicted');
    expect(roundOf(world, 'coordinator').purpose).toBe('uncovered');
  });
  it('a milestone that a person confirms holds completion back until then', () => {
    const world = planned([{ key: 'a' }], { milestones: [{ key: 'm', title: 'M', target: 1, confirm: true }] });
    accept(world, 'a');
    ok(world.give(owner, 'criterion.attest', { criterion: 'c1', holds: true, statement: 's' }, { expected: versions(world) }));
    expect(world.state.status).toBe('active');
    expect(whyOf(world)).toEqual({ kind: 'waiting', kinds: ['input'] });
    refused(world, 'forbidden', { kind: 'host' }, 'wait.signal', { correlation: 'milestone:m', generation: 1 });
    refused(world, 'not_found', owner, 'wait.signal', { correlation: 'milestone:gone', generation: 1 });
    ok(world.give(owner, 'wait.signal', { correlation: 'milestone:m', generation: 1 }));
    expect(world.state).toMatchObject({ status: 'completed', milestones: { m: { confirmedBy: 'person:ada' } } });
  });
  it('completion leaves nothing open behind: questions and proposals of work that was not required go with it', () => {
    const world = planned([{ key: 'a' }, { key: 'b', required: false }]);
    const actor = begin(world, 'b');
    ok(world.give(actor, 'work.block', { item: 'b', key: 'q', reason: 'which', form: { type: 'object' } }));
    ok(world.give(owner, 'plan.propose', { document: { mode: 'bound', items: [{ key: 'z', title: 'Z' }] } }, { expected: versions(world) }));
    accept(world, 'a');
    ok(world.give(owner, 'criterion.attest', { criterion: 'c1', holds: true, statement: 's' }, { expected: versions(world) }));
    expect(world.state).toMatchObject({ status: 'completed', blockers: {}, proposals: {}, waits: {}, rounds: {} });
  });
});

describe('G8 goal.cancel', () => {
  it.each(['draft', 'active', 'paused'] as const)('from %s', (from) => {
    const world = from === 'draft' ? draft() : planned([{ key: 'a' }]);
    if (from === 'paused') ok(world.give(owner, 'goal.pause'));
    ok(world.give(owner, 'goal.cancel'));
    expect(world.state.status).toBe('cancelled');
    expect(whyOf(world)).toEqual({ kind: 'terminal', status: 'cancelled' });
  });
  it('closes all that is open; an effect in flight stays until it is settled', () => {
    const world = planned([{ key: 'a' }, { key: 'b' }], { policies: [{ tool: 'mail', then: 'ask' }] });
    const a = begin(world, 'a');
    const b = begin(world, 'b');
    const { permit } = ok(world.give(a, 'round.step', { next: { tool: 't', args: {}, subject: 's', effect: 'outside' } })) as { permit: { effect: string; nonce: string } };
    ok(world.give(a, 'subagent.spawn', { children: [{ name: 'c', brief: 1 }] }));
    ok(world.give(b, 'round.step', { next: { tool: 'mail', args: {}, subject: 's', effect: 'outside' } }));
    ok(world.give(owner, 'goal.cancel'));
    expect(world.state).toMatchObject({ rounds: {}, waits: {}, approvals: {}, subagents: {}, blockers: {} });
    expect(rows(world, 'attempt').map((row) => row.state)).toEqual(['cancelled', 'cancelled']);
    expect(rows(world, 'subagent').map((row) => row.state)).toEqual(['cancelled']);
    expect(Object.keys(world.state.effects)).toEqual([permit.effect]);
    ok(world.give(a, 'effect.settle', { effect: permit.effect, nonce: permit.nonce, outcome: 'succeeded' }));
    expect(world.state).toMatchObject({ status: 'cancelled', effects: {} });
  });
  it('an effect that nobody settled becomes unknown also then, and a person says what became of it', () => {
    const world = planned([{ key: 'a' }]);
    ok(world.give(begin(world, 'a'), 'round.step', { next: { tool: 't', args: {}, subject: 's', effect: 'outside' } }));
    ok(world.give(owner, 'goal.cancel'));
    world.tick(200_000);
    const [effect] = Object.values(world.state.effects);
    expect(effect?.state).toBe('unknown');
    ok(world.give(owner, 'effect.reconcile', { effect: effect?.id, outcome: 'not_applied', evidence: 'looked' }));
    expect(world.state).toMatchObject({ status: 'cancelled', effects: {}, waits: {} });
  });
  it('is final, and a completed goal is not cancelled', () => {
    refused(cancelled(), 'goal_not_active', owner, 'goal.cancel', {}, { current: { status: 'cancelled' } });
    refused(cancelled(), 'goal_not_active', owner, 'goal.resume');
    refused(completed(), 'goal_not_active', owner, 'goal.cancel', {}, { current: { status: 'completed' } });
  });
});
