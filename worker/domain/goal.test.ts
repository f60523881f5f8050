import { describe, expect, it } from 'vitest';
import { nextOf } from './continuation/next.ts';
import { defaultLimits } from './contract/contract.ts';
import { fold } from './evolve.ts';
import { isRefusal } from './refusals.ts';
import { emptyState } from './state.ts';
import { ok, person, World } from './testing/world.ts';
import type { Json } from './values.ts';
import { itemState } from './work/derive.ts';

const owner = person('ada');
const skill = (script: string) => ({ kind: 'skill', skill: 'demo', script });
const digest = 'a'.repeat(64);

function bound(world: World, contract: object = {}, items?: object[]): void {
  ok(
    world.give(owner, 'goal.create', {
      mode: 'bound',
      confirmed: true,
      lanes: { coordinator: skill('plan.js'), reviewers: [skill('review.js')] },
      contract: { title: 'T', objective: 'Do it', criteria: [{ id: 'c1', text: 'done', verify: 'review' }], ...contract },
    }),
  );
  const round = world.rounds()[0];
  if (!round) throw new Error('no coordinator round');
  const actor = world.start(round);
  const proposal = ok(world.give(actor, 'plan.propose', { document: { mode: 'bound', items: items ?? twoItems } as Json })) as { proposal: string };
  ok(world.give(actor, 'plan.adopt', { proposal: proposal.proposal }));
  ok(world.give(actor, 'round.end', { outcome: 'handed_back' }));
}

const twoItems = [
  { key: 'a', title: 'A', executor: skill('a.js'), review: [{ by: 'checks' }, { by: 'agent' }], covers: ['c1'] },
  { key: 'b', title: 'B', executor: skill('b.js'), dependsOn: [{ key: 'a' }] },
];

function work(world: World, item: string, summary = 'done') {
  const round = world.rounds().find((entry) => entry.item === item && entry.lane === 'worker');
  if (!round) throw new Error(`no worker round on ${item}: ${JSON.stringify(nextOf(world.state, world.now, world.carriers).why)}`);
  const actor = world.start(round);
  return { actor, answer: world.give(actor, 'submission.submit', { item, artifacts: [{ path: 'x.txt', digest, size: 1 }], summary }) };
}

function review(world: World, verdict: string, more: object = {}) {
  const round = world.rounds().find((entry) => entry.lane === 'reviewer');
  if (!round?.item) throw new Error('no reviewer round');
  const submission = world.state.items[round.item]?.submission;
  return world.give(world.start(round), 'review.record', {
    submission: submission?.id,
    digest: submission?.digest,
    verdict,
    criteria: [{ id: 'c1', met: verdict === 'accepted' }],
    ...more,
  });
}

describe('a goal from contract to completion', () => {
  it('runs a bound goal through plan, rework, review, audit', () => {
    const world = new World();
    bound(world);
    expect(itemState(world.state, 'b')).toBe('locked');
    ok(work(world, 'a').answer);
    expect(itemState(world.state, 'a')).toBe('submitted');
    expect(itemState(world.state, 'b')).toBe('locked');
    ok(review(world, 'changes_requested', { scene: { summary: 'cell B2 is garbled' } }));
    expect(world.state.items.a?.attempt?.number).toBe(2);
    ok(work(world, 'a', 'second').answer);
    ok(review(world, 'accepted'));
    expect(itemState(world.state, 'a')).toBe('accepted');
    ok(work(world, 'b').answer);
    expect(itemState(world.state, 'b')).toBe('accepted');
    const audit = world.rounds().find((round) => round.purpose === 'audit');
    expect(audit).toBeDefined();
    if (!audit) return;
    const actor = world.start(audit);
    ok(world.give(actor, 'goal.audit', { classes: [] }));
    expect(world.state.status).toBe('completed');
    expect(fold(emptyState(defaultLimits), world.events)).toEqual(world.state);
  });

  it('revises a completed goal: the next version goes on, the completion stays', () => {
    const world = new World();
    bound(world);
    ok(work(world, 'a').answer);
    ok(review(world, 'accepted'));
    ok(work(world, 'b').answer);
    const audit = world.rounds().find((round) => round.purpose === 'audit');
    if (!audit) throw new Error('no audit');
    ok(world.give(world.start(audit), 'goal.audit', { classes: [] }));
    const contract = {
      title: 'T',
      objective: 'Do it',
      criteria: [
        { id: 'c1', text: 'done', verify: 'review' },
        { id: 'c2', text: 'also signed', verify: 'attest' },
      ],
    };
    const stale = world.give(owner, 'goal.revise', { contract }, { expected: { goalVersion: 7 }, reason: 'more' });
    expect(isRefusal(stale) && stale.code).toBe('goal_version_stale');
    ok(world.give(owner, 'goal.revise', { contract }, { expected: { goalVersion: 1 }, reason: 'more' }));
    expect(world.state.status).toBe('active');
    expect(world.state.completions).toHaveLength(1);
    const again = world.rounds().find((round) => round.purpose === 'audit');
    if (!again) throw new Error('no second audit');
    const auditor = world.start(again);
    ok(world.give(auditor, 'goal.audit', { classes: [] }));
    ok(world.give(auditor, 'round.end', { outcome: 'handed_back' }));
    const next = nextOf(world.state, world.now, world.carriers);
    expect(next.why).toEqual({ kind: 'waiting', kinds: ['input'] });
    ok(world.give(owner, 'criterion.attest', { criterion: 'c2', holds: true, statement: 'I signed it' }, { expected: { goalVersion: 2 } }));
    const last = world.rounds().find((round) => round.purpose === 'audit');
    if (!last) throw new Error('no third audit');
    ok(world.give(world.start(last), 'goal.audit', { classes: [] }));
    expect(world.state.completions.map((entry) => entry.goalVersion)).toEqual([1, 2]);
  });

  it('blocks, resolves, and opens a new attempt', () => {
    const world = new World();
    bound(world);
    const round = world.rounds()[0];
    if (!round) throw new Error('no round');
    const actor = world.start(round);
    ok(world.give(actor, 'work.block', { item: 'a', key: 'q', reason: 'which?', form: { type: 'object' } }));
    expect(itemState(world.state, 'a')).toBe('blocked');
    expect(nextOf(world.state, world.now, world.carriers).why).toEqual({ kind: 'blocked', blockers: ['q'] });
    const late = world.give(actor, 'submission.submit', { item: 'a', artifacts: [], summary: 'late' });
    expect(isRefusal(late) && late.code).toBe('round_superseded');
    ok(world.give(owner, 'blocker.resolve', { blocker: 'q', answer: { x: 1 } }));
    expect(world.state.items.a?.attempt?.number).toBe(2);
    expect(world.rounds()).toHaveLength(1);
  });

  it('stops at no_progress after a recovery round, and goes on when resumed', () => {
    const world = new World();
    bound(world);
    for (let n = 0; n < 2; n += 1) {
      const round = world.rounds()[0];
      if (!round) throw new Error('no round');
      expect(round.recovery).toBe(n === 1);
      ok(world.give(world.start(round), 'round.end', { outcome: 'handed_back' }));
    }
    // The stop is a coordinator's to judge; it finds nothing either.
    for (let n = 0; n < 2; n += 1) {
      const round = world.rounds()[0];
      expect(round?.purpose).toBe('stopped');
      if (round) ok(world.give(world.start(round), 'round.end', { outcome: 'handed_back' }));
    }
    expect(world.rounds()).toHaveLength(0);
    expect(nextOf(world.state, world.now, world.carriers).why.kind).toBe('no_progress');
    ok(world.give(owner, 'goal.resume'));
    expect(world.rounds()).toHaveLength(1);
  });

  it('gives a lost round to the next fence', () => {
    const world = new World();
    bound(world);
    const round = world.rounds()[0];
    if (!round) throw new Error('no round');
    const old = world.start(round);
    world.tick(1000, [{ round: round.id, fence: round.fence }]);
    const next = world.rounds()[0];
    expect(next && next.fence > round.fence).toBe(true);
    expect(world.state.items.a?.attempt?.number).toBe(2);
    const late = world.give(old, 'submission.submit', { item: 'a', artifacts: [], summary: 'from the dead' });
    expect(isRefusal(late) && late.code).toBe('round_superseded');
  });

  it('leaves no dead end where the owner did the work that a person must judge', () => {
    const world = new World();
    bound(world, {}, [{ key: 'a', title: 'A', executor: skill('a.js'), review: [{ by: 'person' }], covers: ['c1'] }]);
    const deliver = () => {
      ok(world.give(owner, 'work.takeOver', { item: 'a' }, { expected: { itemVersion: world.state.items.a?.version } }));
      ok(world.give(owner, 'attempt.start', { item: 'a', fence: world.state.items.a?.attempt?.fence }));
      ok(world.give(owner, 'submission.submit', { item: 'a', artifacts: [], summary: 'by hand' }));
      return { submission: world.state.items.a?.submission?.id, digest: world.state.items.a?.submission?.digest, verdict: 'accepted', criteria: [{ id: 'c1', met: true }] };
    };
    const verdict = deliver();
    expect(nextOf(world.state, world.now, world.carriers).who).toEqual([{ mover: 'person:reviewer', act: 'review', ref: `submission:${verdict.submission}` }]);
    const own = world.give(owner, 'review.record', verdict);
    expect(isRefusal(own) && own.code).toBe('self_review');
    // Nobody else is there: the owner takes it back, and the item's own executor works it again.
    ok(world.give(owner, 'work.release', { item: 'a' }));
    expect(world.rounds('scheduled').map((round) => [round.item, round.principal])).toEqual([['a', 'skill:demo/a']]);
    ok(world.give(person('bob'), 'review.record', deliver()));
    expect(itemState(world.state, 'a')).toBe('accepted');
  });

  it('runs graph-only and goal-only to their ends', () => {
    const graph = new World();
    ok(graph.give(owner, 'goal.create', { mode: 'graph_only', title: 'G', confirmed: true, lanes: { coordinator: skill('plan.js') } }));
    const plan = graph.start(graph.rounds()[0] as never);
    const { proposal } = ok(graph.give(plan, 'plan.propose', { document: { mode: 'graph_only', items: [{ key: 'a', title: 'A', executor: skill('a.js') }] } })) as {
      proposal: string;
    };
    ok(graph.give(plan, 'plan.adopt', { proposal }));
    ok(graph.give(plan, 'round.end', { outcome: 'handed_back' }));
    ok(work(graph, 'a').answer);
    expect(graph.state.status).toBe('completed');

    const goal = new World();
    ok(
      goal.give(owner, 'goal.create', {
        mode: 'goal_only',
        confirmed: true,
        lanes: { coordinator: skill('work.js') },
        contract: {
          title: 'L',
          objective: 'count',
          criteria: [{ id: 'all', text: 'all', verify: 'check', checks: ['n'] }],
          checks: [{ key: 'n', kind: 'count', of: { from: 'ledger', milestone: 'm' }, equals: 2 }],
          milestones: [{ key: 'm', title: 'M', target: 2 }],
        },
      }),
    );
    const actor = goal.start(goal.rounds()[0] as never);
    const entry = (subject: string) => ({
      subject,
      milestone: 'm',
      verdict: 'ok',
      reason: 'r',
      evidence: [`fact:${subject}`],
      facts: [{ key: subject, value: 1, provenance: { from: 'person', principal: 'person:ada' } }],
    });
    ok(goal.give(actor, 'ledger.record', { entries: [entry('s1')] }));
    ok(goal.give(actor, 'round.end', { outcome: 'handed_back', finish: true }));
    // One of two: the check fails, the audit says so, and the coordinator works on.
    expect(goal.state.status).toBe('active');
    const early = goal.give(owner, 'goal.complete', {}, { expected: { goalVersion: 1 } });
    expect(isRefusal(early) && early.code).toBe('needs_rework');
    expect(isRefusal(early) && early.current).toMatchObject({ checks: { n: { summary: expect.stringContaining('1') } } });
    const again = goal.start(goal.rounds()[0] as never);
    ok(goal.give(again, 'ledger.record', { entries: [entry('s2')] }));
    ok(goal.give(again, 'round.end', { outcome: 'handed_back', finish: true }));
    expect(goal.state.status).toBe('completed');
    expect(goal.state.milestones.m?.count).toBe(2);
  });
});
