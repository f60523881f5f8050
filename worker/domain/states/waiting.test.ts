/** Blockers, waits, approvals, effects and children: what may move each, and what comes too late. */
import { describe, expect, it } from 'vitest';
import { APPROVAL_MS, SIGNAL_KEPT_MS } from '../limits.ts';
import { ok, type World } from '../testing/world.ts';
import { begin, coordinate, created, hex, itemOf, movers, other, owner, planned, refused, rows, stateOf, submit, whyOf } from './stage.ts';

const form = { type: 'object', properties: { program: { enum: ['excel-zh', 'wps'] } }, required: ['program'] };
const call = (tool: string, args: object = {}, more: object = {}) => ({ next: { tool, args, subject: 's', effect: 'outside', ...more } });
type Go = {
  outcome: string;
  call: string;
  permit?: { effect: string; nonce: string; key: string };
  repeat?: unknown;
  refusal?: { code: string };
  notices: { kind: string; texts: string[] }[];
};

describe('B1 blocker', () => {
  const asked = () => {
    const world = planned([{ key: 'a' }]);
    world.form = (schema, value) =>
      JSON.stringify(schema) === JSON.stringify(form) && value !== null && !['excel-zh', 'wps'].includes((value as { program?: string }).program ?? '')
        ? [{ pointer: '/program', code: 'enum' }]
        : [];
    ok(world.give(begin(world, 'a'), 'work.block', { item: 'a', key: 'program', reason: 'which?', form, fact: 'program' }));
    return world;
  };
  it('resolved by an answer that fits its form; the answer is a fact with the person as its source', () => {
    const world = asked();
    const wrong = refused(world, 'schema_invalid', owner, 'blocker.resolve', { blocker: 'program', answer: { program: 'abacus' } }, { current: { form } });
    expect(wrong.errors).toMatchObject([{ pointer: '/payload/answer/program' }]);
    ok(world.give(owner, 'blocker.resolve', { blocker: 'program', answer: { program: 'wps' } }));
    expect(rows(world, 'fact')).toMatchObject([{ key: 'program', provenance: { from: 'person', principal: 'person:ada' } }]);
    refused(world, 'invalid_transition', owner, 'blocker.resolve', { blocker: 'program', answer: { program: 'wps' } }, { current: { state: 'resolved' } });
    refused(world, 'not_found', owner, 'blocker.resolve', { blocker: 'gone', answer: {} });
  });
  it('the same id again is the same blocker with the next generation; an answer to the old one is refused', () => {
    const world = asked();
    ok(world.give(owner, 'blocker.resolve', { blocker: 'program', answer: { program: 'wps' } }));
    ok(world.give(begin(world, 'a'), 'work.block', { item: 'a', key: 'program', reason: 'which now?', form }));
    expect(world.state.blockers.program).toMatchObject({ generation: 2 });
    refused(world, 'invalid_transition', owner, 'blocker.resolve', { blocker: 'program', generation: 1, answer: { program: 'wps' } }, { current: { generation: 2 } });
    expect(rows(world, 'blocker')).toHaveLength(1);
  });
  it('withdrawn by a person; by an agent only on evidence that is on record', () => {
    const world = asked();
    ok(world.give(owner, 'message.post', { text: 'x', asks: 'plan' }));
    const coordinator = coordinate(world, 'replan');
    refused(world, 'evidence_missing', coordinator, 'blocker.withdraw', { blocker: 'program' });
    refused(world, 'evidence_missing', coordinator, 'blocker.resolve', { blocker: 'program', answer: { program: 'wps' }, evidence: ['fact:none'], because: 'seen' });
    ok(world.give(coordinator, 'fact.record', { facts: [{ key: 'seen', value: 'wps', provenance: { from: 'person', principal: 'person:ada' } }] }));
    ok(world.give(coordinator, 'blocker.resolve', { blocker: 'program', answer: { program: 'wps' }, evidence: ['fact:seen'], because: 'it was seen' }));
    expect(stateOf(world, 'a')).toBe('assigned');
    refused(world, 'not_found', owner, 'blocker.withdraw', { blocker: 'program' });
    // A worker's lane answers no question.
    refused(world, 'forbidden', begin(world, 'a'), 'blocker.resolve', { blocker: 'program', answer: {} });
  });
  it('blocks its item alone; the Goal only when no independent item can move', () => {
    const world = planned([{ key: 'a' }, { key: 'b' }]);
    ok(world.give(begin(world, 'a'), 'work.block', { item: 'a', key: 'q', reason: 'r', form: {} }));
    expect(whyOf(world).kind).toBe('ready');
    ok(submit(world, begin(world, 'b'), 'b'));
    expect(whyOf(world)).toEqual({ kind: 'blocked', blockers: ['q'] });
  });
});

describe('B2 wait', () => {
  const waiting = (wait: object = { kind: 'external', correlation: 'build', reason: 'the build' }): World => {
    const world = planned([{ key: 'a' }]);
    ok(world.give(begin(world, 'a'), 'round.end', { outcome: 'waiting', wait }));
    return world;
  };
  it('released by the signal of its generation alone, once', () => {
    const world = waiting();
    expect(whyOf(world)).toEqual({ kind: 'waiting', kinds: ['external'] });
    expect(world.rounds()).toEqual([]);
    ok(world.give(owner, 'wait.signal', { correlation: 'build', generation: 1, payload: 'green' }));
    expect(world.rounds().map((round) => round.item)).toEqual(['a']);
    refused(world, 'invalid_transition', owner, 'wait.signal', { correlation: 'build', generation: 1 }, { current: { generation: 1 } });
    ok(world.give(begin(world, 'a'), 'round.end', { outcome: 'waiting', wait: { kind: 'external', correlation: 'build', reason: 'again' } }));
    refused(world, 'invalid_transition', owner, 'wait.signal', { correlation: 'build', generation: 1 }, { current: { generation: 2 } });
    ok(world.give(owner, 'wait.signal', { correlation: 'build', generation: 2 }));
    expect(world.state.waits).toEqual({});
  });
  it('a signal that comes before its waiter is kept and matched, for a bounded time', () => {
    const world = planned([{ key: 'a' }]);
    ok(world.give(owner, 'wait.signal', { correlation: 'build', generation: 1 }));
    const actor = begin(world, 'a');
    ok(world.give(actor, 'round.end', { outcome: 'waiting', wait: { kind: 'external', correlation: 'build', reason: 'r' } }));
    expect(world.rounds().map((round) => round.item)).toEqual(['a']);
    expect(world.state.signals).toEqual({});
    ok(world.give(owner, 'wait.signal', { correlation: 'later', generation: 1 }));
    world.tick(SIGNAL_KEPT_MS);
    expect(world.state.signals).toEqual({});
  });
  it('expires at its time; a timer is released by it', () => {
    const world = waiting({ kind: 'external', correlation: 'build', dueInMs: 1000, reason: 'r' });
    world.tick(999);
    expect(world.rounds()).toEqual([]);
    world.tick(1);
    expect(rows(world, 'wait')).toMatchObject([{ state: 'expired' }]);
    expect(world.rounds()).toHaveLength(1);
    const timer = waiting({ kind: 'timer', correlation: 'soon', dueInMs: 1000, reason: 'r' });
    timer.tick(1000);
    expect(rows(timer, 'wait')).toMatchObject([{ state: 'released' }]);
  });
  it("the host's own are neither armed nor signalled from outside; a timer has a time", () => {
    const world = planned([{ key: 'a' }]);
    const actor = begin(world, 'a');
    const wait = (correlation: string, kind = 'external') => ({ outcome: 'waiting', wait: { kind, correlation, reason: 'r' } });
    refused(world, 'schema_invalid', actor, 'round.end', wait('approval:x'));
    refused(world, 'schema_invalid', actor, 'round.end', wait('soon', 'timer'));
    refused(world, 'schema_invalid', actor, 'round.end', wait('__proto__'));
    refused(world, 'forbidden', owner, 'wait.signal', { correlation: 'attempt:x', generation: 1 });
    refused(world, 'schema_invalid', owner, 'wait.signal', { correlation: 'toString', generation: 1 });
    refused(world, 'schema_invalid', owner, 'wait.signal', { correlation: 'build', generation: 0 });
  });
  it('ends with what waited', () => {
    const world = waiting();
    ok(world.give(owner, 'work.cancel', { item: 'a' }, { expected: { itemVersion: itemOf(world, 'a').version }, reason: 'no' }));
    expect(rows(world, 'wait')).toMatchObject([{ state: 'cancelled' }]);
  });
});

describe('B3 approval', () => {
  const policies = [
    { tool: 'mail.*', then: 'ask' },
    { tool: 'bank.*', then: 'deny' },
  ];
  const asking = () => {
    const world = planned([{ key: 'a' }], { policies });
    const actor = begin(world, 'a');
    expect(ok(world.give(actor, 'round.step', call('mail.send', { to: 'x' })))).toMatchObject({ outcome: 'waiting' });
    ok(world.give(actor, 'round.end', { outcome: 'waiting' }));
    const [approval] = Object.values(world.state.approvals);
    if (!approval) throw new Error('nothing was asked');
    return { world, approval };
  };
  const decide = (approval: { id: string; callDigest: string }, decision: string) => ({ approval: approval.id, decision, callDigest: approval.callDigest });
  it('approved: that call runs once, and only that one', () => {
    const { world, approval } = asking();
    expect(whyOf(world)).toEqual({ kind: 'waiting', kinds: ['approval'] });
    refused(world, 'approval_mismatch', owner, 'approval.decide', { ...decide(approval, 'approved'), callDigest: hex(1) });
    refused(world, 'scope_missing', { kind: 'person', principal: 'person:eve', scopes: ['goals:write'] }, 'approval.decide', decide(approval, 'approved'));
    ok(world.give(other, 'approval.decide', decide(approval, 'approved')));
    refused(world, 'invalid_transition', owner, 'approval.decide', decide(approval, 'refused'), { current: { state: 'approved', decidedBy: 'person:bob' } });
    const actor = begin(world, 'a');
    expect(ok(world.give(actor, 'round.step', call('mail.send', { to: 'y' })))).toMatchObject({ outcome: 'waiting' });
    const first = ok(world.give(actor, 'round.step', call('mail.send', { to: 'x' }))) as Go;
    expect(first).toMatchObject({ outcome: 'go', permit: { effect: expect.any(String) } });
    ok(world.give(actor, 'effect.settle', { effect: first.permit?.effect, nonce: first.permit?.nonce, outcome: 'failed' }));
    // Used up: the same call asks again.
    expect(ok(world.give(actor, 'round.step', call('mail.send', { to: 'x' })))).toMatchObject({ outcome: 'waiting' });
  });
  it('refused: it does not run, and asking again is told so', () => {
    const { world, approval } = asking();
    ok(world.give(owner, 'approval.decide', decide(approval, 'refused')));
    const actor = begin(world, 'a');
    expect(ok(world.give(actor, 'round.step', call('mail.send', { to: 'x' })))).toMatchObject({ outcome: 'refused', refusal: { code: 'policy_denied' } });
    refused(world, 'invalid_transition', owner, 'approval.decide', decide(approval, 'approved'));
  });
  it('refused stays refused, however many other calls were asked about since', () => {
    const { world, approval } = asking();
    ok(world.give(owner, 'approval.decide', decide(approval, 'refused')));
    const actor = begin(world, 'a');
    for (let n = 0; n < 410; n++) ok(world.give(actor, 'round.step', call('mail.send', { to: `y${n}` })));
    expect(rows(world, 'approval')).toHaveLength(411);
    expect(ok(world.give(actor, 'round.step', call('mail.send', { to: 'x' })))).toMatchObject({ outcome: 'refused', refusal: { code: 'policy_denied' } });
  });
  it('deny beats ask and allow, wherever it stands', () => {
    const world = planned([{ key: 'a' }], { policies: [{ tool: 'bank.*', then: 'allow' }, ...policies] });
    world.policy = { version: 1, rules: [{ tool: 'mail.send', then: 'deny', where: [] }] };
    const actor = begin(world, 'a');
    for (const tool of ['bank.transfer', 'mail.send'])
      expect(ok(world.give(actor, 'round.step', call(tool)))).toMatchObject({ outcome: 'refused', refusal: { code: 'policy_denied' } });
    expect(world.state.effects).toEqual({});
  });
  it('expires; the second time for the same call it is a question', () => {
    const { world } = asking();
    ok(world.give(owner, 'goal.setLimits', { limits: { wallTimeMs: 100 * 86_400_000 } }, { expected: { goalVersion: 1 } }));
    world.tick(APPROVAL_MS);
    expect(world.state.approvals).toEqual({});
    const actor = begin(world, 'a');
    ok(world.give(actor, 'round.step', call('mail.send', { to: 'x' })));
    ok(world.give(actor, 'round.end', { outcome: 'waiting' }));
    world.tick(APPROVAL_MS);
    expect(stateOf(world, 'a')).toBe('blocked');
    expect(Object.values(world.state.blockers)).toMatchObject([{ reason: 'mail.send: nobody decided twice', owner: 'person:ada' }]);
  });
  it('also where no item asked, and not where it was approved in time and not used', () => {
    const world = created({ policies }, { mode: 'goal_only' });
    ok(world.give(owner, 'goal.setLimits', { limits: { wallTimeMs: 100 * 86_400_000 } }, { expected: { goalVersion: 1 } }));
    const ask = () => {
      const actor = coordinate(world, 'work');
      const answer = ok(world.give(actor, 'round.step', call('mail.send', { to: 'x' }))) as Go;
      ok(world.give(actor, 'round.end', { outcome: 'waiting' }));
      return answer;
    };
    ask();
    const [approval] = Object.values(world.state.approvals);
    if (approval) ok(world.give(owner, 'approval.decide', decide(approval, 'approved')));
    for (const round of world.rounds())
      ok(world.give(world.start(round), 'round.end', { outcome: 'waiting', wait: { kind: 'timer', correlation: 'later', dueInMs: APPROVAL_MS, reason: 'r' } }));
    world.tick(APPROVAL_MS);
    expect(world.state).toMatchObject({ approvals: {}, expiries: {} });
    for (let n = 0; n < 2; n += 1) {
      ask();
      world.tick(APPROVAL_MS);
    }
    expect(Object.values(world.state.blockers)).toMatchObject([{ reason: 'mail.send: nobody decided twice' }]);
    expect(world.rounds()).toEqual([]);
  });
});

describe('B4 effect', () => {
  const sent = () => {
    const world = planned([{ key: 'a' }]);
    const actor = begin(world, 'a');
    const { permit } = ok(world.give(actor, 'round.step', call('ticket.open', { n: 1 }))) as Go;
    if (!permit) throw new Error('no permit');
    return { world, actor, permit };
  };
  it('settled under its permit; the same call again is answered from the record', () => {
    const { world, actor, permit } = sent();
    refused(world, 'forbidden', actor, 'effect.settle', { effect: permit.effect, nonce: 'another', outcome: 'succeeded' });
    refused(world, 'not_found', actor, 'effect.settle', { effect: 'eff_gone', nonce: 'x', outcome: 'succeeded' });
    expect(ok(world.give(actor, 'round.step', call('ticket.open', { n: 1 })))).toMatchObject({ outcome: 'refused', refusal: { code: 'effect_unknown' } });
    ok(world.give(actor, 'effect.settle', { effect: permit.effect, nonce: permit.nonce, outcome: 'succeeded', result: { id: 7 } }));
    const again = ok(world.give(actor, 'round.step', call('ticket.open', { n: 1 }))) as Go;
    expect(again).toMatchObject({ outcome: 'go', repeat: { effect: permit.effect, result: { id: 7 } } });
    expect(again.permit).toBeUndefined();
  });
  it('is found however many came after it', () => {
    const { world, actor, permit } = sent();
    ok(world.give(actor, 'effect.settle', { effect: permit.effect, nonce: permit.nonce, outcome: 'succeeded', result: 1 }));
    for (let n = 2; n < 560; n += 1) {
      const next = ok(world.give(actor, 'round.step', call('ticket.open', { n }, { subject: `s${n}` }))) as Go;
      ok(world.give(actor, 'effect.settle', { effect: next.permit?.effect, nonce: next.permit?.nonce, outcome: 'succeeded' }));
    }
    expect(ok(world.give(actor, 'round.step', call('ticket.open', { n: 1 })))).toMatchObject({ repeat: { effect: permit.effect } });
  });
  it('failed: may be sent again; unknown: not before a reconciliation, and not too early', () => {
    const { world, actor, permit } = sent();
    ok(world.give(actor, 'effect.settle', { effect: permit.effect, nonce: permit.nonce, outcome: 'failed' }));
    const second = ok(world.give(actor, 'round.step', call('ticket.open', { n: 1 }))) as Go;
    expect(second.permit).toMatchObject({ key: permit.key });
    const effect = second.permit?.effect;
    refused(world, 'invalid_transition', owner, 'effect.reconcile', { effect, outcome: 'succeeded', evidence: 'x' }, { current: { state: 'planned' } });
    ok(world.give(actor, 'effect.settle', { effect, nonce: second.permit?.nonce, outcome: 'unknown' }));
    expect(ok(world.give(actor, 'round.step', call('ticket.open', { n: 1 })))).toMatchObject({ refusal: { code: 'effect_unknown' } });
    refused(world, 'invalid_transition', owner, 'effect.reconcile', { effect, outcome: 'not_applied', evidence: 'x' }, { current: { notBefore: expect.any(Number) } });
    world.now += 200_000;
    ok(world.give(owner, 'effect.reconcile', { effect, outcome: 'not_applied', evidence: 'looked there' }));
    expect(ok(world.give(actor, 'round.step', call('ticket.open', { n: 1 })))).toMatchObject({ outcome: 'go', permit: { key: permit.key } });
    refused(world, 'invalid_transition', owner, 'effect.reconcile', { effect, outcome: 'succeeded', evidence: 'x' }, { current: { state: 'reconciled' } });
  });
  it('past its horizon it is unknown; a late settlement of its sender is taken and marked so', () => {
    const { world, actor, permit } = sent();
    world.tick(0, [{ round: actor.round, fence: actor.fence }]);
    world.tick(200_000);
    expect(whyOf(world).kind).not.toBe('suspended');
    ok(world.give(actor, 'effect.settle', { effect: permit.effect, nonce: permit.nonce, outcome: 'succeeded' }));
    expect(rows(world, 'effect')).toMatchObject([{ state: 'succeeded', late: true }]);
    expect(world.state.waits).toEqual({});
    // And once more: on record as late, and nothing moves.
    expect(ok(world.give(actor, 'effect.settle', { effect: permit.effect, nonce: permit.nonce, outcome: 'failed' }))).toEqual({ late: true, outcome: 'succeeded' });
    expect(rows(world, 'effect')).toMatchObject([{ state: 'succeeded' }]);
    expect(rows(world, 'late')).toMatchObject([{ command: 'effect.settle' }]);
  });
});

describe('B5 children', () => {
  const spawned = () => {
    const world = planned([{ key: 'a' }], { limits: { parallelRounds: 8 } });
    const parent = begin(world, 'a');
    const { children } = ok(world.give(parent, 'subagent.spawn', { children: [{ name: 'one', brief: 1 }] })) as { children: Record<string, string> };
    const round = world.rounds().find((entry) => entry.subagent === children.one);
    if (!round || !children.one) throw new Error('no child');
    return { world, parent, id: children.one, child: world.start(round) };
  };
  it('the same name is the same child; a result is kept and returned once', () => {
    const { world, parent, id, child } = spawned();
    expect(ok(world.give(parent, 'subagent.spawn', { children: [{ name: 'one', brief: 1 }] }))).toEqual({ children: { one: id }, open: 1 });
    refused(world, 'evidence_missing', child, 'subagent.return', { ok: true, result: '' });
    ok(world.give(child, 'subagent.return', { ok: true, result: { found: 3 } }));
    expect(ok(world.give(child, 'subagent.return', { ok: true, result: { found: 4 } }))).toEqual({ late: true, state: 'returned' });
    expect(rows(world, 'subagent')).toMatchObject([{ id, state: 'returned', ok: true }]);
    expect(stateOf(world, 'a')).toBe('running');
    refused(world, 'forbidden', parent, 'subagent.return', { ok: true, result: 1 });
  });
  it('never completes the item of its parent, and spawns no children', () => {
    const { world, child } = spawned();
    for (const [type, payload] of [
      ['submission.submit', { item: 'a', artifacts: [], summary: 's' }],
      ['attempt.end', { item: 'a', outcome: 'failed' }],
      ['subagent.spawn', { children: [{ name: 'x', brief: 1 }] }],
    ] as const)
      refused(world, 'forbidden', child, type, payload);
  });
  it('cancelled: its later calls are refused, and its result is recorded as late', () => {
    const { world, parent, id, child } = spawned();
    refused(world, 'not_found', parent, 'subagent.cancel', { subagent: 'child_gone' });
    ok(world.give(parent, 'subagent.cancel', { subagent: id }));
    refused(world, 'invalid_transition', parent, 'subagent.cancel', { subagent: id }, { current: { state: 'cancelled' } });
    refused(world, 'round_superseded', child, 'round.step', {});
    expect(ok(world.give(child, 'subagent.return', { ok: true, result: 1 }))).toEqual({ late: true, state: 'cancelled' });
    ok(submit(world, parent, 'a'));
    // Also after the parent is over and nothing of it is left in the working set.
    expect(world.state.subagents).toEqual({});
    expect(ok(world.give(child, 'subagent.return', { ok: true, result: 1 }))).toEqual({ late: true, state: 'cancelled' });
    refused(world, 'invalid_transition', owner, 'subagent.cancel', { subagent: id }, { current: { state: 'cancelled' } });
  });
  it('a parent that waits goes on when the last has returned', () => {
    const { world, parent, child } = spawned();
    ok(world.give(parent, 'round.end', { outcome: 'waiting' }));
    expect(movers(world).some((mover) => mover.startsWith('host run children:'))).toBe(true);
    ok(world.give(child, 'subagent.return', { ok: false, result: { error: 'no' } }));
    expect(world.rounds().map((round) => round.item)).toEqual(['a']);
    expect(world.state.waits).toEqual({});
  });
});

describe('B6 messages', () => {
  it('come with the next answers of every round until they are handled, but for what a round said itself', () => {
    const world = planned([{ key: 'a' }, { key: 'b' }]);
    const [a, b] = [begin(world, 'a'), begin(world, 'b')];
    const told = (actor: typeof a) =>
      (ok(world.give(actor, 'round.step', call('files.read', {}, { effect: 'none' }))) as Go).notices.flatMap((notice) => (notice.kind === 'messages' ? notice.texts : []));
    ok(world.give(a, 'message.post', { text: 'from a' }));
    expect(told(a)).toEqual([]);
    expect(told(b)).toEqual(['from a']);
    ok(world.give(owner, 'message.post', { text: 'from ada' }));
    expect(told(a)).toEqual(['from ada']);
    ok(world.give(b, 'message.handle', { upTo: 2 }));
    expect([...told(a), ...told(b)]).toEqual([]);
  });
});

describe('B7 milestones', () => {
  const set = { key: 'ids', value: ['s1', 's2'], provenance: { from: 'person', principal: 'person:ada' } };
  const milestone = { key: 'm', title: 'M', target: { fact: 'ids' } };
  const decided = (subject: string, under: string | undefined = 'm') => ({
    entries: [{ subject, ...(under ? { milestone: under } : {}), verdict: 'ok', reason: 'r', evidence: ['fact:ids'], facts: [] }],
  });
  it('an id counts when it is decided or parked, once, and only if it belongs to the set', () => {
    const world = planned([{ key: 'a' }], { milestones: [milestone] });
    const actor = begin(world, 'a');
    ok(world.give(actor, 'fact.record', { facts: [set] }));
    for (const subject of ['s1', 's1', 'stranger']) ok(world.give(actor, 'ledger.record', decided(subject)));
    ok(world.give(actor, 'review_list.add', { entries: [{ subject: 's2', milestone: 'm', note: 'n' }] }));
    expect(world.state.milestones.m).toMatchObject({ target: 2, count: 2 });
    refused(world, 'schema_invalid', actor, 'ledger.record', decided('s1', 'gone'));
  });
  it('what was decided before the set was known counts from then on', () => {
    const world = planned([{ key: 'a' }], { milestones: [milestone] });
    const actor = begin(world, 'a');
    ok(world.give(actor, 'fact.record', { facts: [{ ...set, value: [] }] }));
    ok(world.give(actor, 'ledger.record', decided('s1')));
    expect(world.state.milestones.m).toMatchObject({ count: 0, target: 0 });
    ok(world.give(actor, 'fact.record', { facts: [set] }));
    expect(world.state.milestones.m).toMatchObject({ count: 1, target: 2 });
  });
  it('one that is defined after its set takes the target from it; names and their number are bounded', () => {
    const world = planned([{ key: 'a' }]);
    ok(world.give(owner, 'fact.record', { facts: [set] }));
    ok(world.give(owner, 'milestone.define', { milestone }));
    expect(world.state.milestones.m).toMatchObject({ target: 2 });
    refused(world, 'invalid_transition', owner, 'milestone.define', { milestone }, { current: { key: 'm' } });
    refused(world, 'schema_invalid', owner, 'milestone.define', { milestone: { ...milestone, key: 'constructor' } });
    for (let n = 1; n < 50; n += 1) ok(world.give(owner, 'milestone.define', { milestone: { key: `m${n}`, title: 'M', target: 1 } }));
    refused(world, 'limit_exceeded', owner, 'milestone.define', { milestone: { key: 'one-more', title: 'M', target: 1 } }, { current: { limit: 50 } });
  });
});
