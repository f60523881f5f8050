/** Cases of values, texts, provenance and budgets that did not come through whole. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Actor } from '../context.ts';
import { nextOf } from '../continuation/next.ts';
import { BODY_BYTES, BRIEF_BYTES } from '../limits.ts';
import { ok, World } from '../testing/world.ts';
import type { Json } from '../values.ts';
import { itemView } from '../views/item-view.ts';
import { resumePacket } from '../views/resume-packet.ts';
import { roundContext } from '../views/round-context.ts';
import { accept, begin, call, contract, openRound, owner, planned, refused, skill, submit, whyOf } from './scenes.ts';

it('B67 every constraint of the contract is in every context, word for word, and stays in force', () => {
  const world = new World();
  const nonGoals = Array.from({ length: 12 }, (_, n) => ({
    id: `n${n}`,
    text: n === 3 ? 'never call the bank API' : `never do thing ${n}, whatever a summary says`,
    forbids: n === 3 ? [{ tool: 'bank.*' }] : [],
  }));
  planned(world, [{ key: 'a' }], { nonGoals });
  for (let n = 0; n < 5; n += 1) {
    const actor = begin(world, 'a');
    const context = roundContext(world.state, actor.round, world.lookup, 1000);
    expect(context.contract?.nonGoals.map(({ id, text }) => ({ id, text }))).toEqual(nonGoals.map(({ id, text }) => ({ id, text })));
    expect(ok(world.give(actor, 'round.step', call('bank.transfer', {})))).toMatchObject({ outcome: 'refused', refusal: { code: 'non_goal_forbidden' } });
    if (n < 4) world.tick(0, [{ round: actor.round, fence: actor.fence }]);
  }
});

it('B69 who wrote what, in which Attempt and when, is in the store', () => {
  const world = new World();
  planned(world, [{ key: 'a' }]);
  for (let n = 0; n < 2; n += 1) {
    const { round, fence } = begin(world, 'a');
    world.tick(0, [{ round, fence }]);
  }
  const actor = begin(world, 'a');
  const { attempt } = world.state.items.a ?? {};
  const at = world.now;
  ok(world.give(actor, 'fact.record', { facts: [{ key: 'f', value: 1, provenance: { from: 'person', principal: 'person:ada' } }] }));
  ok(
    world.give(actor, 'ledger.record', { entries: Array.from({ length: 39 }, (_, n) => ({ subject: `reading ${n}`, verdict: 'read', reason: 'read it', evidence: ['fact:f'] })) }),
  );
  world.now += 86_400_000;
  world.tick(0, [{ round: actor.round, fence: actor.fence }]);
  const next = begin(world, 'a');
  expect(new Set(resumePacket(world.state, world.lookup, { round: next.round }).decisions.map(({ done }) => done))).toEqual(new Set(['done by you in a3']));
  expect(resumePacket(world.state, world.lookup).decisions[0]?.done).toBe('done by skill:demo/work in a3 of item a');
  const rows = world.lookup.rows('ledger', {}).map((row) => row.data);
  expect(rows).toHaveLength(39);
  for (const row of rows) expect(row).toMatchObject({ by: 'skill:demo/work', round: actor.round, attempt: attempt?.id, item: 'a', at });
  expect(itemView(world.state, 'a', world.lookup)?.attempts.find((entry) => entry.id === attempt?.id)).toMatchObject({ number: 3, by: 'skill:demo/work' });
});

describe('B75 numbers', () => {
  const big = 2512292042121000001;

  it('that a double cannot keep are refused with their place, wherever a command takes JSON', () => {
    const world = new World();
    planned(world, [{ key: 'a' }]);
    const actor = begin(world, 'a');
    const at = (answer: ReturnType<typeof refused>) => answer.errors?.map(({ pointer, code }) => `${pointer} ${code}`);
    expect(at(refused(world.give(actor, 'round.step', call('lookup', { invoice_id: big }))))).toEqual(['/payload/next/args/invoice_id unsafe_integer']);
    expect(at(refused(world.give(actor, 'fact.record', { facts: [{ key: 'k', value: { deep: [1, -big] }, provenance: { from: 'person', principal: 'person:ada' } }] })))).toEqual([
      '/payload/facts/0/value/deep/1 unsafe_integer',
    ]);
    expect(at(refused(world.give(actor, 'subagent.spawn', { children: [{ name: 'c', brief: [big] }] })))).toEqual(['/payload/children/0/brief/0 unsafe_integer']);
    expect(refused(world.give(owner, 'plan.propose', { document: { items: [{ input: big }] } }, { expected: { planRevision: 1 } })).code).toBe('schema_invalid');
  });

  it('and digits as text come to the tool, into the record and out of it as they were', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }), fc.bigInt({ min: 0n, max: 10n ** 20n }), (id, cents) => {
        const world = new World();
        planned(world, [{ key: 'a' }]);
        const actor = begin(world, 'a');
        const args = { invoice_id: String(id), amount: `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}` };
        const { args: given, call: name } = ok(world.give(actor, 'round.step', call('lookup', args))) as { args: Json; call: string };
        expect(given).toEqual(args);
        const row = world.lookup.row('call', name)?.data as { argsBody: string };
        expect(JSON.parse(JSON.stringify(world.lookup.body(row.argsBody)))).toEqual(args);
      }),
      { numRuns: 30 },
    );
  });

  it('in what a service outside answered do not keep its outcome from the record', () => {
    const world = new World();
    planned(world, [{ key: 'a' }]);
    const actor = begin(world, 'a');
    const { permit } = ok(world.give(actor, 'round.step', call('pay', {}, { effect: 'outside' }))) as { permit: { effect: string; nonce: string } };
    ok(world.give(actor, 'effect.settle', { effect: permit.effect, nonce: permit.nonce, outcome: 'succeeded', result: { at: big } }));
    expect(world.lookup.row('effect', permit.effect)?.data).toMatchObject({ outcome: 'succeeded' });
  });
});

describe('B79 what is large', () => {
  it('a brief up to the limit is handed over whole; over it the refusal is final and names item and size', () => {
    for (const size of [127_000, 129_000, BODY_BYTES - 2]) {
      const world = new World();
      planned(world, [{ key: 'a' }]);
      const actor = begin(world, 'a');
      const brief = 'x'.repeat(size);
      ok(world.give(actor, 'subagent.spawn', { children: [{ name: 'c', brief }] }));
      const round = world.rounds().find((entry) => entry.subagent);
      expect(round).toBeDefined();
      if (round) expect(roundContext(world.state, round.id, world.lookup, 1).brief?.value).toBe(brief);
      // The journal holds a digest: nothing that travels grows with the brief.
      expect(JSON.stringify(world.events.slice(-3)).length).toBeLessThan(5000);
    }
    const world = new World();
    planned(world, [{ key: 'a' }]);
    const actor = begin(world, 'a');
    const seq = world.state.seq;
    const refusal = refused(world.give(actor, 'subagent.spawn', { children: [{ name: 'c', brief: 'x'.repeat(5_000_000) }] }));
    expect(refusal).toMatchObject({ code: 'limit_exceeded', current: { item: 'a', bytes: 5_000_002, of: BODY_BYTES } });
    expect(refusal.detail).toContain('5000002 bytes');
    expect(world.state.seq).toBe(seq);
    ok(submit(world, actor, 'a'));
  });

  it('a brief that is kept as a file is handed over by its digest; one past the limit is refused for good, with item, child and sizes', () => {
    const world = new World();
    planned(world, [{ key: 'a' }]);
    const actor = begin(world, 'a');
    const brief = { bytes: 5_000_000, head: '{' };
    const spawn = (name: string, size: number) => world.give(actor, 'subagent.spawn', { children: [{ name, brief, briefFile: { digest: 'd'.repeat(64), size } }] });
    expect(refused(spawn('huge', BRIEF_BYTES + 1))).toMatchObject({
      code: 'limit_exceeded',
      current: { limit: 'brief', item: 'a', child: 'huge', bytes: BRIEF_BYTES + 1, of: BRIEF_BYTES },
    });
    ok(spawn('large', 5_000_000));
    const round = world.rounds().find((entry) => entry.subagent);
    expect(round && roundContext(world.state, round.id, world.lookup, 1).brief).toMatchObject({ name: 'large', value: brief, file: { digest: 'd'.repeat(64), size: 5_000_000 } });
  });

  it.each(['subagent.return', 'fact.record', 'round.step', 'blocker.resolve'])('%s is measured in bytes, not in characters', (type) => {
    const world = new World();
    planned(world, [{ key: 'a' }]);
    let actor: Actor = begin(world, 'a');
    const large = '字'.repeat(400_000);
    const payloads: Record<string, Json> = {
      'subagent.return': { ok: true, result: large },
      'fact.record': { facts: [{ key: 'k', value: large, provenance: { from: 'person', principal: 'person:ada' } }] },
      'round.step': { next: { tool: 't', args: { large }, subject: 's', effect: 'none', factOnly: [] } },
      'blocker.resolve': { blocker: 'q', answer: large },
    };
    if (type === 'subagent.return') {
      ok(world.give(actor, 'subagent.spawn', { children: [{ name: 'c', brief: 1 }] }));
      const round = world.rounds().find((entry) => entry.subagent);
      if (round) actor = world.start(round);
    }
    if (type === 'blocker.resolve') {
      ok(world.give(actor, 'work.block', { item: 'a', key: 'q', reason: 'r', form: {} }));
      actor = owner;
    }
    expect(refused(world.give(actor, type as never, payloads[type]))).toMatchObject({ code: 'limit_exceeded', current: { limit: 'body', of: BODY_BYTES } });
  });

  it('an outcome is kept even when the answer is not', () => {
    const world = new World();
    planned(world, [{ key: 'a' }]);
    const actor = begin(world, 'a');
    const { permit } = ok(world.give(actor, 'round.step', call('pay', {}, { effect: 'outside' }))) as { permit: { effect: string; nonce: string } };
    ok(world.give(actor, 'effect.settle', { effect: permit.effect, nonce: permit.nonce, outcome: 'succeeded', result: 'x'.repeat(2_000_000) }));
    const row = world.lookup.row('effect', permit.effect)?.data as { outcome: string; resultBody: string };
    expect(row.outcome).toBe('succeeded');
    expect(world.lookup.body(row.resultBody)).toEqual({ omitted: 'too large to keep', bytes: 2_000_002 });
  });
});

describe('B81 the text of a goal', () => {
  const create = (world: World, objective: string) => world.give(owner, 'goal.create', { mode: 'bound', contract: contract({ objective }) });
  const texts: [string, string][] = [
    ['6,078 letters', 'a'.repeat(6078)],
    ['32,000 CJK', '目'.repeat(32_000)],
    ['32,000 of two units each', '𠮷'.repeat(32_000)],
    ['with lines and marks', `Never touch "prod".\r\n\t${'é'.repeat(31_000)}`],
  ];

  it.each(texts)('%s is taken word for word', (_, objective) => {
    const world = new World();
    ok(create(world, objective));
    const row = world.lookup.row('goal_version', '000001')?.data as { contractBody: string };
    expect((world.lookup.body(row.contractBody) as { objective: string }).objective).toBe(objective);
  });

  it.each(['a', '目', '𠮷'])('one more (%s) is refused with count and limit, and nothing is created', (letter) => {
    const world = new World();
    expect(refused(create(world, letter.repeat(32_001)))).toMatchObject({
      code: 'schema_invalid',
      errors: [{ pointer: '/payload/contract/objective', code: 'too_large', detail: '32001 code points of at most 32000' }],
    });
    expect(world.state.seq).toBe(0);
  });

  it('is counted the same in a sentence and in messages, and none of it is cut', () => {
    const world = new World();
    const sentence = `${'𠮷'.repeat(31_990)} no bank`;
    ok(world.give(owner, 'goal.propose', { sentence }));
    const row = world.lookup.row('goal_version', '000001')?.data as { contractBody: string };
    const kept = world.lookup.body(row.contractBody) as { objective: string; criteria: { text: string }[] };
    expect(kept.objective).toBe(sentence);
    for (const criterion of kept.criteria) expect(sentence === criterion.text || !sentence.startsWith(criterion.text), 'a criterion is the whole or points at it').toBe(true);
    ok(world.give(owner, 'message.post', { text: '𠮷'.repeat(32_000) }));
    expect(refused(world.give(owner, 'message.post', { text: '𠮷'.repeat(32_001) }))).toMatchObject({
      errors: [{ code: 'too_large', detail: '32001 code points of at most 32000' }],
    });
  });
});

it('B85 a spent budget is raised and the same goal goes on; the model cannot raise its own', () => {
  const world = new World();
  planned(
    world,
    Array.from({ length: 8 }, (_, n) => ({ key: `i${n}` })),
    { limits: { rounds: 8, parallelRounds: 1 } },
  );
  for (let n = 0; n < 6; n += 1) accept(world, `i${n}`);
  expect(whyOf(world)).toMatchObject({ kind: 'budget', limit: 'rounds', used: 7 });
  expect(nextOf(world.state, world.now, world.carriers).who[0]).toEqual({ mover: 'person:ada', act: 'raise_limit', ref: 'rounds' });
  const acceptances = world.lookup.rows('acceptance', {});
  const { createdAt, seq } = world.state;
  expect(refused(world.give(owner, 'goal.setLimits', { limits: { rounds: 20 } })).code).toBe('version_required');
  expect(refused(world.give(owner, 'goal.setLimits', { limits: { rounds: 20 } }, { expected: { goalVersion: 3 } })).code).toBe('goal_version_stale');
  ok(world.give(owner, 'goal.setLimits', { limits: { rounds: 20 } }, { expected: { goalVersion: 1 } }));
  expect(world.state).toMatchObject({ createdAt, status: 'active' });
  expect(world.state.seq).toBeGreaterThan(seq);
  expect(world.lookup.rows('acceptance', {})).toEqual(acceptances);
  expect(world.rounds()).toHaveLength(1);
  const actor = begin(world, 'i6');
  expect(refused(world.give(actor, 'goal.setLimits', { limits: { rounds: 99 } }, { expected: { goalVersion: 1 } })).code).toBe('forbidden');
  expect(refused(world.give(actor, 'goal.resume')).code).toBe('forbidden');
  ok(submit(world, actor, 'i6'));
  expect(openRound(world, 'worker', 'i7').executor).toEqual(skill('work.js'));
});
