/** Submission, review, acceptance, and what falls with a verdict that fell. */
import { describe, expect, it } from 'vitest';
import { CHECK_SCRIPT_MS, CHECK_WITHIN_MS } from '../limits.ts';
import { completionProblems } from '../contract/audit.ts';
import type { Event } from '../events.ts';
import { fold } from '../evolve.ts';
import { ok, type World } from '../testing/world.ts';
import { upcast } from '../upcast.ts';
import { evidenceView } from '../views/evidence-view.ts';
import { itemView } from '../views/item-view.ts';
import { resumePacket } from '../views/resume-packet.ts';
import { roundContext } from '../views/round-context.ts';
import {
  accept,
  begin,
  checked,
  contract,
  coordinate,
  hex,
  itemOf,
  lanes,
  movers,
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
  verdict,
  versions,
  whyOf,
} from './stage.ts';

const reviewed = { review: [{ by: 'agent' }] };
const scene = (summary: string) => ({ scene: { summary } });
function delivered(item: object = reviewed, more: object = {}): World {
  const world = planned([{ key: 'a', ...item }], more);
  ok(submit(world, begin(world, 'a'), 'a'));
  return world;
}

describe('S1 submission.submit', () => {
  it("claims name evidence that exists, is live, and is the Attempt's own or of accepted inputs", () => {
    const world = planned([{ key: 'a' }, { key: 'b', dependsOn: [{ key: 'a' }] }, { key: 'c' }]);
    const c = begin(world, 'c');
    const foreign = ok(world.give(c, 'round.step', { next: { tool: 'files.read', args: {}, subject: 's', effect: 'none' } })) as { call: string };
    accept(world, 'a');
    const actor = begin(world, 'b');
    const own = ok(world.give(actor, 'round.step', { next: { tool: 'files.read', args: {}, subject: 's', effect: 'none' } })) as { call: string };
    const claim = (...evidence: string[]) => ({ item: 'b', artifacts: [{ path: 'b.txt', digest: hex(9), size: 1 }], summary: 's', claims: [{ criterion: 'c1', evidence }] });
    const answer = refused(
      world,
      'evidence_missing',
      actor,
      'submission.submit',
      claim('artifact:gone', `call:${own.call}`, 'file:toString', 'attestation:constructor', 'file:../etc/passwd', `call:${foreign.call}`),
    );
    expect(answer.errors?.map(({ pointer, code }) => `${pointer.split('/').at(-1)} ${code}`)).toEqual([
      '0 evidence_missing',
      '2 evidence_missing',
      '3 evidence_missing',
      '4 evidence_missing',
      '5 evidence_foreign',
    ]);
    refused(world, 'evidence_foreign', actor, 'submission.submit', claim(`call:${foreign.call}`));
    ok(
      world.give(
        actor,
        'submission.submit',
        claim(
          `artifact:${hex(9)}`,
          `artifact:${hex(1)}`,
          'file:a.txt',
          `call:${own.call}`,
          `submission:${itemOf(world, 'a').submission?.id}`,
          `acceptance:${itemOf(world, 'a').verdict?.id}`,
        ),
      ),
    );
  });
  it('is immutable: a repeat of the round comes too late, and paths stay inside', () => {
    const world = planned([{ key: 'a', ...reviewed }]);
    const actor = begin(world, 'a');
    refused(world, 'schema_invalid', actor, 'submission.submit', { item: 'a', artifacts: [{ path: '../x', digest: hex(1), size: 1 }], summary: 's' });
    ok(submit(world, actor, 'a'));
    refused(world, 'round_superseded', actor, 'submission.submit', { item: 'a', artifacts: [], summary: 'again' });
    expect(rows(world, 'submission')).toHaveLength(1);
  });
  it('not while children are at work', () => {
    const world = planned([{ key: 'a' }]);
    const actor = begin(world, 'a');
    ok(world.give(actor, 'subagent.spawn', { children: [{ name: 'c', brief: 1 }] }));
    refused(world, 'invalid_transition', actor, 'submission.submit', { item: 'a', artifacts: [], summary: 's' }, { current: { children: [expect.any(String)] } });
  });
  it('a newer one supersedes one without a verdict; its reviewer is told so', () => {
    const world = delivered();
    const reviewer = world.start(roundOf(world, 'reviewer'));
    const first = itemOf(world, 'a').submission;
    ok(world.give(other, 'review.record', { submission: first?.id, digest: first?.digest, verdict: 'changes_requested', ...scene('no') }));
    ok(submit(world, begin(world, 'a'), 'a', { summary: 'second' }));
    refused(world, 'submission_superseded', reviewer, 'review.record', { submission: first?.id, digest: first?.digest, verdict: 'accepted' });
  });
  it('one made under version n is reviewed under n+1 if its item is unaffected', () => {
    const world = delivered();
    const submission = itemOf(world, 'a').submission?.id;
    ok(world.give(owner, 'goal.revise', { contract: contract({ objective: 'more' }) }, { expected: versions(world), reason: 'r' }));
    expect(roundOf(world, 'reviewer')).toMatchObject({ submission, goalVersion: 2 });
    ok(review(world, 'a', 'accepted'));
    expect(itemOf(world, 'a').verdict).toMatchObject({ submission, goalVersion: 2 });
  });
});

const count = (equals: number) => ({ key: 'n', kind: 'count', of: { from: 'literal', ids: ['x'] }, equals });
const outside = { key: 'f', kind: 'file_exists', file: { path: 'a.txt' } };
const openCheck = (world: World) => {
  const [check] = Object.values(world.state.checks);
  if (!check) throw new Error('no open check');
  return check;
};
const record = (world: World, pass: boolean | null, more: object = {}) =>
  world.host('check.record', { check: openCheck(world).id, fence: openCheck(world).fence, pass, checker: 'test/1', ...more });

describe('S2 host checks', () => {
  it('a failing one returns the work by the principal host, and no reviewer is paid', () => {
    const world = planned([{ key: 'a', checks: [count(2)], ...reviewed }]);
    ok(submit(world, begin(world, 'a'), 'a'));
    expect(itemOf(world, 'a').verdict).toMatchObject({ verdict: 'changes_requested', by: 'host' });
    expect(world.rounds().map((round) => round.lane)).toEqual(['worker']);
    expect(rows(world, 'acceptance')[0]).toMatchObject({ sceneBody: expect.any(String) });
  });
  it('passing all, policy `checks` accepts by the host', () => {
    const world = planned([{ key: 'a', checks: [count(1)] }]);
    accept(world, 'a');
    expect(itemOf(world, 'a').verdict).toMatchObject({ verdict: 'accepted', by: 'host' });
    expect(rows(world, 'receipt')).toMatchObject([{ key: 'n', pass: true, submission: itemOf(world, 'a').submission?.id }]);
  });
  it('one that runs outside is dispatched again when nobody answers; the old fence answers nothing', () => {
    const world = delivered({ checks: [outside] });
    const first = openCheck(world);
    world.tick(CHECK_WITHIN_MS);
    expect(openCheck(world).fence).toBeGreaterThan(first.fence);
    refused(
      world,
      'fence_stale',
      { kind: 'host' },
      'check.record',
      { check: first.id, fence: first.fence, pass: true, checker: 'x' },
      { current: { fence: openCheck(world).fence } },
    );
    ok(record(world, true));
    expect(stateOf(world, 'a')).toBe('accepted');
    refused(world, 'round_superseded', { kind: 'host' }, 'check.record', { check: first.id, fence: first.fence, pass: true, checker: 'x' });
  });
  it('one that is slow is given twice the time at each dispatch, until a whole script fits', () => {
    const world = delivered({ checks: [outside] });
    const given: number[] = [];
    for (let dispatch = 0; dispatch < 4; dispatch++) {
      given.push(openCheck(world).dueBy - world.now);
      if (dispatch < 3) world.tick(given[dispatch] ?? 0);
    }
    expect(given.slice(0, 3)).toEqual([CHECK_WITHIN_MS, 2 * CHECK_WITHIN_MS, 4 * CHECK_WITHIN_MS]);
    expect(given[3]).toBeGreaterThan(CHECK_SCRIPT_MS);
    world.tick(CHECK_SCRIPT_MS);
    ok(record(world, true));
    expect(stateOf(world, 'a')).toBe('accepted');
  });
  it('one that cannot run: three timed retries, then a question with the form; never a refusal of the work', () => {
    const world = delivered({ checks: [outside], ...reviewed });
    for (const pause of [10_000, 60_000, 300_000]) {
      ok(record(world, null));
      expect(world.state.checks).toEqual({});
      expect(whyOf(world)).toEqual({ kind: 'waiting', kinds: ['timer'] });
      world.tick(pause - 1);
      expect(world.state.checks).toEqual({});
      world.tick(1);
    }
    ok(record(world, null));
    expect(stateOf(world, 'a')).toBe('blocked');
    expect(itemOf(world, 'a')).toMatchObject({ failures: 0, verdict: null });
    const blocker = Object.values(world.state.blockers)[0];
    expect(blocker?.form).toMatchObject({ properties: { decision: { enum: ['try_again', 'person_judges', 'change_the_check'] } } });
    ok(world.give(owner, 'blocker.resolve', { blocker: blocker?.id, answer: { decision: 'person_judges' } }));
    expect(movers(world)).toEqual([`person:ada review submission:${itemOf(world, 'a').submission?.id}`]);
    ok(verdict(world, owner, 'a', 'accepted'));
    expect(stateOf(world, 'a')).toBe('accepted');
  });
  it('and tried again where a person says so, with three retries anew', () => {
    const world = delivered({ checks: [outside] });
    for (const pause of [10_000, 60_000, 300_000, 0]) {
      ok(record(world, null));
      world.tick(pause);
    }
    ok(world.give(owner, 'blocker.resolve', { blocker: Object.keys(world.state.blockers)[0], answer: { decision: 'try_again' } }));
    ok(record(world, null));
    expect(whyOf(world)).toEqual({ kind: 'waiting', kinds: ['timer'] });
    world.tick(10_000);
    ok(record(world, true));
    expect(stateOf(world, 'a')).toBe('accepted');
  });
  it('a check of the contract that cannot run asks the owner, who changes it', () => {
    const criteria = [{ id: 'c1', text: 'f', verify: 'check', checks: ['f'] }];
    const world = planned([{ key: 'a' }], { criteria, checks: [{ key: 'f', kind: 'file_exists', file: { source: 'x.txt' } }] });
    accept(world, 'a');
    for (const pause of [10_000, 60_000, 300_000, 0]) {
      ok(record(world, null));
      world.tick(pause);
    }
    expect(movers(world)).toContain('person:ada answer blocker:check-f');
    ok(world.give(owner, 'blocker.resolve', { blocker: 'check-f', answer: { decision: 'change_the_check' } }));
    expect(movers(world)).toEqual(['person:ada decide check:f']);
    ok(world.give(owner, 'goal.revise', { contract: contract({ criteria: [{ ...criteria[0], checks: ['n'] }], checks: [count(1)] }) }, { expected: versions(world), reason: 'r' }));
    expect(world.state.status).toBe('completed');
  });
  it('an answer of another version is recorded and proves nothing', () => {
    const world = delivered({ checks: [outside] });
    const check = openCheck(world);
    ok(world.give(owner, 'goal.revise', { contract: contract({ objective: 'more' }) }, { expected: versions(world), reason: 'r' }));
    expect(ok(world.host('check.record', { check: check.id, fence: check.fence, pass: true, checker: 'x' }))).toEqual({ late: true });
    expect(stateOf(world, 'a')).toBe('submitted');
    expect(openCheck(world).goalVersion).toBe(2);
    ok(record(world, true));
    expect(stateOf(world, 'a')).toBe('accepted');
  });
});

describe('S3 review.record', () => {
  it('accepted needs every criterion judged as met', () => {
    const world = delivered({
      acceptance: [
        { id: 'x', text: 'X' },
        { id: 'y', text: 'Y' },
      ],
      ...reviewed,
    });
    const actor = world.start(roundOf(world, 'reviewer'));
    const submission = itemOf(world, 'a').submission;
    const say = (criteria: object[]) => ({ submission: submission?.id, digest: submission?.digest, verdict: 'accepted', criteria });
    refused(world, 'criterion_unproven', actor, 'review.record', say([{ id: 'x', met: true }]), { current: { unjudged: ['y'] } });
    refused(
      world,
      'invalid_transition',
      actor,
      'review.record',
      say([
        { id: 'x', met: true },
        { id: 'y', met: false },
      ]),
      { current: { unmet: ['y'] } },
    );
    ok(
      world.give(
        actor,
        'review.record',
        say([
          { id: 'x', met: true },
          { id: 'y', met: true },
        ]),
      ),
    );
    expect(stateOf(world, 'a')).toBe('accepted');
    refused(world, 'invalid_transition', other, 'review.record', say([]), { current: { state: 'accepted' } });
  });
  it('id and digest must match; changes need a scene; another round may not', () => {
    const world = delivered();
    const actor = world.start(roundOf(world, 'reviewer'));
    const { id, digest } = itemOf(world, 'a').submission ?? { id: '', digest: '' };
    refused(world, 'digest_mismatch', actor, 'review.record', { submission: id, digest: hex(7), verdict: 'accepted' }, { current: { digest } });
    refused(world, 'not_found', actor, 'review.record', { submission: 'sub_gone', digest, verdict: 'accepted' });
    refused(world, 'schema_invalid', actor, 'review.record', { submission: id, digest, verdict: 'changes_requested' });
    refused(world, 'forbidden', actor, 'submission.submit', { item: 'a', artifacts: [], summary: 's' });
  });
  it('a stage is judged by who it names', () => {
    const world = delivered({ review: [{ by: 'person' }] });
    expect(world.rounds()).toEqual([]);
    expect(movers(world)).toEqual([`person:ada review submission:${itemOf(world, 'a').submission?.id}`]);
    const token = { kind: 'token' as const, principal: 'token:ci', scopes: ['work:review' as const] };
    const { id, digest } = itemOf(world, 'a').submission ?? { id: '', digest: '' };
    refused(world, 'invalid_transition', token, 'review.record', { submission: id, digest, verdict: 'accepted' }, { current: { stage: 'person' } });
    ok(verdict(world, other, 'a', 'accepted'));
    expect(stateOf(world, 'a')).toBe('accepted');
  });
  it('a scope is needed to judge: submitting is not accepting', () => {
    const world = delivered();
    const { id, digest } = itemOf(world, 'a').submission ?? { id: '', digest: '' };
    refused(world, 'scope_missing', { kind: 'token', principal: 'token:ci', scopes: ['work:submit'] }, 'review.record', { submission: id, digest, verdict: 'accepted' });
  });
  it('cannot judge: no verdict, the next reviewer, then a person', () => {
    const world = delivered();
    ok(review(world, 'a', 'cannot_judge'));
    expect(stateOf(world, 'a')).toBe('submitted');
    expect(roundOf(world, 'reviewer').executor).toEqual(lanes.reviewers[1]);
    ok(review(world, 'a', 'cannot_judge'));
    expect(world.rounds()).toEqual([]);
    expect(movers(world)).toEqual([`person:ada review submission:${itemOf(world, 'a').submission?.id}`]);
    ok(verdict(world, owner, 'a', 'accepted'));
    expect(stateOf(world, 'a')).toBe('accepted');
  });
});

describe('S4 several stages and quorum', () => {
  it('in order, each by its own', () => {
    const world = delivered({ review: [{ by: 'agent' }, { by: 'person' }] });
    ok(review(world, 'a', 'accepted'));
    expect(stateOf(world, 'a')).toBe('submitted');
    expect(movers(world)).toEqual([`person:ada review submission:${itemOf(world, 'a').submission?.id}`]);
    ok(verdict(world, owner, 'a', 'accepted'));
    expect(stateOf(world, 'a')).toBe('accepted');
  });
  it('two independent verdicts: nobody votes twice, and it is accepted by the second', () => {
    const world = delivered({ review: [{ by: 'agent', count: 2 }] });
    ok(review(world, 'a', 'accepted'));
    expect(itemOf(world, 'a')).toMatchObject({ verdict: null, submission: { votes: ['skill:demo/review'] } });
    expect(roundOf(world, 'reviewer').executor).toEqual(lanes.reviewers[1]);
    ok(review(world, 'a', 'accepted'));
    expect(stateOf(world, 'a')).toBe('accepted');
    const people = delivered({ review: [{ by: 'person', count: 2 }] });
    ok(verdict(people, owner, 'a', 'accepted'));
    const { id, digest } = itemOf(people, 'a').submission ?? { id: '', digest: '' };
    refused(people, 'already_claimed', owner, 'review.record', { submission: id, digest, verdict: 'accepted' });
  });
  it('the first negative verdict decides', () => {
    const world = delivered({ review: [{ by: 'agent', count: 2 }] });
    ok(review(world, 'a', 'accepted'));
    ok(review(world, 'a', 'changes_requested'));
    expect(stateOf(world, 'a')).toBe('changes_requested');
    expect(itemOf(world, 'a').assignment).not.toBeNull();
  });
});

describe('S5 acceptance.invalidate', () => {
  const chain = (kind = 'produce') => planned([{ key: 'a' }, { key: 'b', kind, dependsOn: [{ key: 'a' }], executor: skill('b.js') }, { key: 'c', dependsOn: [{ key: 'b' }] }]);
  it('counts as changes requested with its scene; what was accepted on it is judged again, what runs is broken off', () => {
    const world = chain();
    accept(world, 'a');
    accept(world, 'b');
    const c = begin(world, 'c');
    const acceptance = itemOf(world, 'a').verdict?.id;
    ok(world.give(other, 'acceptance.invalidate', { acceptance, ...scene('B2 is garbled') }));
    expect(['a', 'b', 'c'].map((key) => stateOf(world, key))).toEqual(['changes_requested', 'submitted', 'locked']);
    expect(itemOf(world, 'a').failures).toBe(1);
    expect(rows(world, 'acceptance').find((row) => row.id === acceptance)).toMatchObject({ live: false, invalidated: { by: 'person:bob' } });
    refused(world, 'round_superseded', c, 'submission.submit', { item: 'c', artifacts: [], summary: 's' });
    refused(world, 'invalid_transition', other, 'acceptance.invalidate', { acceptance, ...scene('again') }, { current: { live: false } });
    // Delivered as before: the same Submission downstream is judged again. Otherwise: it was made from something else, and is returned.
    ok(submit(world, begin(world, 'a'), 'a', { summary: 'another' }));
    expect(stateOf(world, 'a')).toBe('accepted');
    expect(itemOf(world, 'b').verdict).toMatchObject({ verdict: 'changes_requested', by: 'host' });
  });
  it('the same delivery again leaves the one downstream as it was', () => {
    const world = chain();
    accept(world, 'a');
    accept(world, 'b');
    const submission = itemOf(world, 'b').submission?.id;
    ok(world.give(other, 'acceptance.invalidate', { acceptance: itemOf(world, 'a').verdict?.id, ...scene('looked at wrongly') }));
    ok(submit(world, begin(world, 'a'), 'a'));
    expect([stateOf(world, 'a'), stateOf(world, 'b')]).toEqual(['accepted', 'accepted']);
    expect(itemOf(world, 'b').submission?.id).toBe(submission);
  });
  it('by a verify Attempt on its own hard upstream, which ends its round and waits', () => {
    const world = chain('verify');
    accept(world, 'a');
    const actor = begin(world, 'b');
    const acceptance = itemOf(world, 'a').verdict?.id;
    const unknown = refused(world, 'evidence_missing', actor, 'acceptance.invalidate', { acceptance, evidence: ['fact:none'], ...scene('x') });
    expect(unknown.errors).toMatchObject([{ pointer: '/payload/evidence/0' }]);
    ok(world.give(actor, 'acceptance.invalidate', { acceptance, ...scene('found only here') }));
    expect([stateOf(world, 'a'), stateOf(world, 'b')]).toEqual(['changes_requested', 'locked']);
    expect(itemOf(world, 'b')).toMatchObject({ failures: 0, attempt: { state: 'interrupted' } });
    expect(world.rounds().map((round) => round.item)).toEqual(['a']);
  });
  it('nothing is accepted on an input that has fallen, whoever judges; it may come back', () => {
    const world = planned([{ key: 'a' }, { key: 'b', review: [{ by: 'person' }], dependsOn: [{ key: 'a' }], executor: skill('b.js') }]);
    accept(world, 'a');
    ok(submit(world, begin(world, 'b'), 'b'));
    ok(world.give(other, 'acceptance.invalidate', { acceptance: itemOf(world, 'a').verdict?.id, ...scene('fell') }));
    const { id: submission, digest } = itemOf(world, 'b').submission ?? {};
    refused(world, 'dependency_not_accepted', other, 'review.record', { submission, digest, verdict: 'accepted' }, { current: { missing: ['a'] } });
    ok(world.give(other, 'review.record', { submission, digest, verdict: 'changes_requested', ...scene('it rests on what fell') }));
  });
  it("not by another kind of item, not on another's upstream, not what is not there", () => {
    const world = chain();
    accept(world, 'a');
    const actor = begin(world, 'b');
    refused(world, 'forbidden', actor, 'acceptance.invalidate', { acceptance: itemOf(world, 'a').verdict?.id, ...scene('x') });
    refused(world, 'not_found', owner, 'acceptance.invalidate', { acceptance: 'acc_gone', ...scene('x') });
    refused(checked(), 'not_found', owner, 'acceptance.invalidate', { acceptance: 'acc_gone', ...scene('x') });
  });
});

describe('S6 evidence.invalidate', () => {
  const decide = (evidence: string, more: object = {}) => ({ entries: [{ subject: 's', verdict: 'ok', reason: 'r', evidence: [evidence], ...more }] });
  function resting(): { world: World; entry: string; actor: ReturnType<typeof begin> } {
    const world = planned([
      { key: 'a', review: [{ by: 'agent' }] },
      { key: 'b', dependsOn: [{ key: 'a' }] },
    ]);
    ok(world.give(owner, 'artifact.put', { artifact: { path: 'terms.md', digest: hex(3), size: 1 }, role: 'source' }));
    const actor = begin(world, 'a');
    const fact = { key: 'rate', value: 3, provenance: { from: 'file', path: 'terms.md', section: '4.2' } };
    const { entries } = ok(world.give(actor, 'ledger.record', decide('fact:rate', { facts: [fact] }))) as { entries: [string] };
    ok(submit(world, actor, 'a', { claims: [{ criterion: 'c1', evidence: [`ledger:${entries[0]}`] }] }));
    ok(review(world, 'a', 'accepted'));
    accept(world, 'b');
    return { world, entry: entries[0], actor };
  }

  it('finds everything that rests on it, however far: a fact, the decision by it, the delivery that cites that, and what was made from it', () => {
    const { world, entry } = resting();
    const acceptance = itemOf(world, 'a').verdict?.id;
    expect(evidenceView(world.state, world.lookup, 'file:terms.md')).toMatchObject({
      fallen: false,
      mark: null,
      facts: [{ key: 'rate', version: 1, current: true }],
      decisions: [{ id: entry, subject: 's', verdict: 'ok', reason: 'r', fallen: [], asked: false }],
      acceptances: [{ id: acceptance, item: 'a', number: 1 }],
      downstream: [{ item: 'b' }],
    });
    const answer = ok(world.give(other, 'evidence.invalidate', { evidence: 'file:terms.md' }, { reason: 'an old edition' }));
    expect(answer).toEqual({ facts: ['rate@000001'], decisions: [entry], acceptances: [acceptance], downstream: ['b'] });
    expect([stateOf(world, 'a'), stateOf(world, 'b')]).toEqual(['submitted', 'submitted']);
    expect([itemOf(world, 'a').reaffirm?.why, itemOf(world, 'b').reaffirm?.why]).toEqual(['evidence_invalidated', 'upstream_invalidated']);
    expect(evidenceView(world.state, world.lookup, 'file:terms.md')).toMatchObject({ fallen: true, mark: { by: 'person:bob', reason: 'an old edition' } });
    expect(rows(world, 'ledger')).toMatchObject([{ flagged: 'file:terms.md', asked: true }]);
    // Whoever judges again sees what fell.
    expect(itemView(world.state, 'a', world.lookup).submissions[0]?.fallen).toEqual([`ledger:${entry}`]);
    const reviewer = roundOf(world, 'reviewer', 'a');
    world.start(reviewer);
    expect(roundContext(world.state, reviewer.id, world.lookup, 1).submission?.fallen).toEqual([`ledger:${entry}`]);
    expect(resumePacket(world.state, world.lookup).fallen).toEqual({ count: 1, head: [{ id: entry, subject: 's', verdict: 'ok', evidence: 'fact:rate' }] });
  });

  it('a decision waits for a new verdict by other evidence, and nothing is complete before', () => {
    const { world, entry } = resting();
    ok(world.give(other, 'evidence.invalidate', { evidence: 'file:terms.md' }));
    ok(review(world, 'a', 'accepted'));
    expect(stateOf(world, 'b')).toBe('accepted');
    expect(movers(world)).toContain('person:ada decide decisions');
    expect(completionProblems(world.state, world.now)).toContain('decisions:asked');
    // Not by what fell: not the file, not the fact taken from it, nor that fact taken from it again.
    refused(world, 'evidence_missing', owner, 'ledger.record', decide('file:terms.md#9'));
    refused(world, 'evidence_missing', owner, 'ledger.record', decide('fact:rate'));
    const again = { key: 'rate', value: 3, provenance: { from: 'file', path: 'terms.md' } };
    refused(world, 'evidence_missing', owner, 'ledger.record', decide('fact:rate', { facts: [again] }));
    // The same verdict for the same reason is a new entry: it is upheld by somebody, on something.
    const said = { ...again, provenance: { from: 'person', principal: 'person:ada' } };
    const { entries } = ok(world.give(owner, 'ledger.record', decide('fact:rate', { facts: [said] }))) as { entries: string[] };
    expect(entries).not.toEqual([entry]);
    expect(rows(world, 'ledger')).toMatchObject([{ id: entry, replacedBy: entries[0] }, { id: entries[0] }]);
    expect(rows(world, 'fact')).toMatchObject([{ version: 2 }]);
    expect(world.state.decisionsAsked).toBe(0);
    expect(movers(world)).not.toContain('person:ada decide decisions');
  });

  it('nothing rests on it any more, until something else stands under its name', () => {
    const { world } = resting();
    ok(world.give(other, 'evidence.invalidate', { evidence: 'file:terms.md' }));
    ok(review(world, 'a', 'changes_requested'));
    const actor = begin(world, 'a');
    const claim = { item: 'a', artifacts: [], summary: 's', claims: [{ criterion: 'c1', evidence: ['file:terms.md#9'] }] };
    refused(world, 'evidence_missing', actor, 'submission.submit', claim);
    // The same bytes again are the same file.
    ok(world.give(owner, 'artifact.put', { artifact: { path: 'terms.md', digest: hex(3), size: 1 }, role: 'source' }));
    refused(world, 'evidence_missing', actor, 'submission.submit', claim);
    ok(world.give(owner, 'artifact.put', { artifact: { path: 'terms.md', digest: hex(4), size: 1 }, role: 'source' }));
    ok(world.give(actor, 'submission.submit', claim));
    refused(world, 'not_found', other, 'evidence.invalidate', { evidence: 'fact:none' });
  });

  it('a delivery falls with the file it holds and the receipt of its check; a receipt of the contract is asked for anew', () => {
    const world = planned([
      { key: 'a', checks: [{ key: 'known', kind: 'set_covers', superset: { from: 'fact_keys', prefix: '' }, subset: { from: 'fact_keys', prefix: 'none/' } }] },
    ]);
    accept(world, 'a');
    const receipt = rows(world, 'receipt')[0]?.id;
    expect(ok(world.give(other, 'evidence.invalidate', { evidence: `receipt:${receipt}` }))).toMatchObject({ acceptances: [expect.any(String)] });
    expect(rows(world, 'receipt')).toHaveLength(2);
    expect(stateOf(world, 'a')).toBe('accepted');
    expect(ok(world.give(other, 'evidence.invalidate', { evidence: `artifact:${hex(1)}` }))).toMatchObject({ acceptances: [expect.any(String)] });
  });

  it('a mark of an older record flagged and asked nobody', () => {
    const { world, entry } = resting();
    const older = { v: 1, seq: world.state.seq + 1, at: 1, by: 'person:ada', type: 'evidence.invalidated', evidence: 'fact:rate', decisions: [entry], acceptances: [] };
    const [event] = upcast([older as unknown as Event]) as [Event];
    expect(fold(world.state, [event])).toMatchObject({ ledger: { flagged: 1 }, decisionsAsked: 0 });
  });
});

describe('S7 a rejected Submission', () => {
  it('ends the Assignment; a coordinator decides: another owner, another plan, or a question', () => {
    const world = delivered();
    ok(review(world, 'a', 'rejected'));
    const coordinator = coordinate(world, 'rejected');
    ok(world.give(coordinator, 'work.block', { item: 'a', key: 'q', reason: 'who?', form: { type: 'object' } }));
    expect(stateOf(world, 'a')).toBe('blocked');
    ok(world.give(owner, 'blocker.resolve', { blocker: 'q', answer: {} }));
    expect(stateOf(world, 'a')).toBe('rejected');
    ok(world.give(owner, 'work.takeOver', { item: 'a' }, { expected: versions(world, 'a') }));
    expect(itemOf(world, 'a')).toMatchObject({ assignment: { owner: 'person:ada' }, attempt: { number: 2 } });
  });
});
