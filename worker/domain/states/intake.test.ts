/** The intake of a draft: from a sentence to a proposed contract that a person confirms. */
import { describe, expect, it } from 'vitest';
import { INTAKE_ROUNDS } from '../limits.ts';
import { ok, type World } from '../testing/world.ts';
import { goalBar } from '../views/goal-bar.ts';
import { roundContext } from '../views/round-context.ts';
import { checked, contract, coordinate, lanes, movers, owner, refused, roundOf, versions, whyOf } from './stage.ts';

const sentence = 'Every Monday, send the list of open invoices to accounting';
const draft = {
  contract: { title: 'Open invoices', objective: 'The list, complete', criteria: [{ id: 'sent', text: 'it was sent', verify: 'attest' }] },
  shape: 'goal_only',
  because: ['one_owner'],
  why: 'One person can do it in one go.',
};

function proposed(more: object = {}, agent = true): World {
  const world = checked();
  world.carriers = { agent, skill: () => true };
  ok(world.give(owner, 'goal.propose', { sentence, ...more }));
  return world;
}
const intakeOf = (world: World) => goalBar(world.state, world.now, world.carriers).intake;

describe('intake of a draft', () => {
  it('one round proposes the contract, and only a person confirms it', () => {
    const world = proposed();
    expect(movers(world)).toEqual([expect.stringMatching(/^agent:coordinator run round:/)]);
    const round = coordinate(world, 'intake');
    expect(roundContext(world.state, round.round, world.lookup, 1000).intake).toEqual({ sentence, proposal: null });
    refused(world, 'forbidden', round, 'goal.confirm');
    ok(world.give(round, 'round.pin', { model: 'mine/large', profile: 'coordinator', window: 200_000, skills: [{ name: 'intake', version: '1' }] }));
    ok(world.give(round, 'context.record', { phase: 'begun', n: 1, tokens: 5 }));
    ok(world.give(round, 'goal.draft', { ...draft, questions: ['Which list?'] }));
    expect(world.state).toMatchObject({ status: 'draft', goalVersion: 2, mode: 'goal_only', title: 'Open invoices', rounds: {} });
    expect(movers(world)).toEqual(['person:ada confirm goal']);
    expect(intakeOf(world)).toMatchObject({
      standing: 'drafted',
      rounds: { used: 1, of: INTAKE_ROUNDS },
      proposal: { goalVersion: 2, shape: 'goal_only', because: ['one_owner'] },
    });
    // What was looked at is what is confirmed.
    refused(world, 'goal_version_stale', owner, 'goal.confirm', {}, { expected: { goalVersion: 1 } });
    ok(world.give(owner, 'goal.confirm', {}, { expected: versions(world) }));
    expect(roundOf(world, 'coordinator').purpose).toBe('work');
  });

  it('an intake round changes nothing else, and sends nothing out', () => {
    const world = proposed();
    const round = coordinate(world, 'intake');
    for (const [type, payload] of [
      ['plan.propose', { document: {} }],
      ['fact.record', { facts: [{ key: 'a', value: 1, provenance: { from: 'person', principal: 'person:ada' } }] }],
      ['goal.block', { key: 'q', reason: 'which?', form: { type: 'object' } }],
    ] as const)
      refused(world, 'forbidden', round, type, payload);
    const outside = ok(world.give(round, 'round.step', { next: { tool: 'mail.send', args: {}, subject: 'mail', effect: 'outside', timeoutMs: 1000 } }));
    expect(outside).toMatchObject({ outcome: 'refused', refusal: { code: 'forbidden' } });
    expect(ok(world.give(round, 'round.step', { next: { tool: 'files.list', args: {}, subject: 'files', effect: 'none' } }))).toMatchObject({ outcome: 'go' });
  });

  it('what may be spent stays what the person said', () => {
    const world = proposed({ limits: { tokens: 50_000, money: { amount: 300, currency: 'EUR' } } });
    const round = coordinate(world, 'intake');
    refused(world, 'schema_invalid', round, 'goal.draft', { ...draft, contract: { ...draft.contract, limits: { tokens: 9_000_000 } } });
    ok(world.give(round, 'goal.draft', { ...draft, contract: { ...draft.contract, limits: { rounds: 20 } } }));
    expect(world.state.limits).toMatchObject({ rounds: 20, tokens: 50_000, money: { amount: 300, currency: 'EUR' } });
  });

  it.each([
    ['graph', ['one_owner'], undefined, 'no_reason_for_graph'],
    ['goal_only', ['many_sessions'], undefined, 'reasons_ask_for_graph'],
    ['trigger', ['one_owner'], undefined, 'no_reason_for_trigger'],
    ['skill', ['recurring'], undefined, 'no_reason_for_skill'],
    ['graph', ['parallel_owners'], 'goal_only', 'contradicts_shape'],
  ] as const)('a recommendation against the rule is refused: %s for %j', (shape, because, mode, code) => {
    const world = proposed();
    const answer = refused(world, 'schema_invalid', coordinate(world, 'intake'), 'goal.draft', { ...draft, shape, because, ...(mode ? { mode } : {}) });
    expect(answer.errors?.map((error) => error.code)).toEqual([code]);
  });

  it('a graph is bound, and may be judged by review', () => {
    const world = proposed();
    const reviewed = { ...draft.contract, criteria: [{ id: 'good', text: 'it is good', verify: 'review' }] };
    const round = coordinate(world, 'intake');
    refused(world, 'schema_invalid', round, 'goal.draft', { ...draft, contract: reviewed });
    ok(world.give(round, 'goal.draft', { ...draft, shape: 'graph', because: ['independent_review'], contract: reviewed }));
    expect(world.state.mode).toBe('bound');
  });

  it('without a model nothing runs and the owner is named; by hand, nothing runs either', () => {
    const alone = proposed({}, false);
    expect(alone.rounds()).toEqual([]);
    expect(movers(alone)).toEqual(['person:ada confirm goal']);
    expect(whyOf(alone)).toEqual({ kind: 'draft' });
    expect(intakeOf(alone)?.standing).toBe('uncarried');
    const byHand = proposed({ intake: false });
    expect(byHand.rounds()).toEqual([]);
    expect(intakeOf(byHand)).toBeUndefined();
  });

  it('a person who writes the contract ends the intake, and chooses the mode', () => {
    const world = proposed();
    const round = coordinate(world, 'intake');
    ok(world.give(owner, 'goal.revise', { contract: contract(), mode: 'goal_only' }, { expected: versions(world), reason: 'mine' }));
    expect(world.state).toMatchObject({ mode: 'goal_only', rounds: {} });
    expect(intakeOf(world)?.standing).toBe('written');
    refused(world, 'round_superseded', round, 'goal.draft', draft);
    ok(world.give(owner, 'goal.confirm', {}, { expected: versions(world) }));
    refused(world, 'invalid_transition', owner, 'goal.revise', { contract: contract(), mode: 'bound' }, { expected: versions(world), reason: 'late' });
  });

  it('a person asks for another draft in words, a bounded number of times', () => {
    const world = proposed();
    ok(world.give(coordinate(world, 'intake'), 'goal.draft', draft));
    for (let n = 2; n <= INTAKE_ROUNDS; n += 1) {
      ok(world.give(owner, 'message.post', { text: `shorter, ${n}`, asks: 'draft' }));
      const round = coordinate(world, 'intake');
      expect(roundContext(world.state, round.round, world.lookup, 1000).packet.messages.head.at(-1)?.text).toBe(`shorter, ${n}`);
      ok(world.give(round, 'goal.draft', draft));
    }
    ok(world.give(owner, 'message.post', { text: 'once more', asks: 'draft' }));
    expect(world.rounds()).toEqual([]);
    expect(intakeOf(world)?.standing).toBe('given_up');
    expect(movers(world)).toEqual(['person:ada confirm goal']);
  });

  it('rounds that come to nothing stop, and do not count against the work', () => {
    const world = proposed();
    for (let n = 0; n < 2; n += 1) ok(world.give(coordinate(world, 'intake'), 'round.end', { outcome: 'empty' }));
    expect(intakeOf(world)?.standing).toBe('given_up');
    expect(world.rounds()).toEqual([]);
    ok(world.give(owner, 'goal.confirm', {}, { expected: versions(world) }));
    expect(roundOf(world, 'coordinator').purpose).toBe('plan');
  });

  it('a provider that asks to wait is waited for, and a lost round is dispatched again', () => {
    const world = proposed();
    ok(world.give(coordinate(world, 'intake'), 'round.end', { outcome: 'failed', retryAfterMs: 60_000 }));
    expect(movers(world)).toEqual(['host time coordinator:goal', 'person:ada confirm goal']);
    world.tick(65_000);
    const first = roundOf(world, 'coordinator');
    world.tick(31_000);
    expect(roundOf(world, 'coordinator')).toMatchObject({ id: first.id, fence: first.fence + 1 });
  });

  it('confirming or cancelling while a round is out ends it', () => {
    const world = proposed({ lanes });
    const round = coordinate(world, 'intake');
    ok(world.give(owner, 'goal.confirm', {}, { expected: versions(world) }));
    refused(world, 'round_superseded', round, 'goal.draft', draft);
    const other = proposed();
    coordinate(other, 'intake');
    ok(other.give(owner, 'goal.cancel'));
    expect(other.rounds()).toEqual([]);
  });
});
