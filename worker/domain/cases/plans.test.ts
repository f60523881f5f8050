/** Cases of plans that lost what was done, or of views that disagreed about what may start. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { candidates } from '../continuation/candidates.ts';
import { defaultLimits } from '../contract/contract.ts';
import { fold } from '../evolve.ts';
import { violations } from '../invariants.ts';
import { isRefusal } from '../refusals.ts';
import { emptyState } from '../state.ts';
import { ok, World } from '../testing/world.ts';
import type { Json } from '../values.ts';
import { graphView } from '../views/graph-view.ts';
import { itemView } from '../views/item-view.ts';
import { resumePacket } from '../views/resume-packet.ts';
import { itemState, mayStart } from '../work/derive.ts';
import { accept, adopt, begin, documentOf, openRound, owner, planned, refused, skill, submit } from './scenes.ts';

type Warned = { proposal: string; warnings: { pointer: string; code: string; detail?: string }[] };
const propose = (world: World, items: object[], planRevision = world.state.plan?.revision ?? 0) =>
  ok(world.give(owner, 'plan.propose', { document: documentOf(items) }, { expected: { planRevision } })) as unknown as Warned;

describe('B21 a plan that comes from outside', () => {
  const items = ['w1', 'w2', 'w3'].map((key) => ({ key, objective: `do ${key}` }));

  it('is a proposal: it names what accepted work it would drop, and changes nothing until adopted', () => {
    const world = new World();
    planned(world, items);
    accept(world, 'w3');
    const { items: before, plan } = world.state;
    const { warnings } = propose(world, [...items.slice(0, 2), { key: 'w3', objective: 'do w3 as an old file says' }]);
    expect(warnings).toContainEqual({ pointer: '/items/2', code: 'reopens_accepted', detail: 'w3' });
    expect(propose(world, items.slice(0, 2)).warnings).toContainEqual({ pointer: '/items', code: 'drops_accepted', detail: 'w3' });
    expect(propose(world, items).warnings.filter((warning) => /accepted/.test(warning.code))).toEqual([]);
    expect(world.state.items).toBe(before);
    expect(world.state.plan).toBe(plan);
    expect(itemState(world.state, 'w3')).toBe('accepted');
  });

  it('made against an older revision is refused, also when it was sealed in time', () => {
    const world = new World();
    planned(world, items);
    accept(world, 'w3');
    const stale = propose(world, items.slice(0, 2)).proposal;
    adopt(world, owner, [...items, { key: 'w4' }]);
    expect(refused(world.give(owner, 'plan.propose', { document: documentOf(items) }, { expected: { planRevision: 1 } }))).toMatchObject({
      code: 'plan_revision_stale',
      current: { planRevision: 2 },
    });
    expect(isRefusal(world.give(owner, 'plan.adopt', { proposal: stale }, { expected: { planRevision: 2 } }))).toBe(true);
    expect(itemState(world.state, 'w3')).toBe('accepted');
  });
});

it('B23 repairing one part touches no other', () => {
  const group = (name: string) => Array.from({ length: 3 }, (_, n) => ({ key: `${name}${n}`, objective: `do ${name}${n}` }));
  fc.assert(
    fc.property(fc.constantFrom('a', 'b', 'c'), fc.nat(2), fc.subarray(['a0', 'b0', 'c0']), (repaired, n, done) => {
      const world = new World();
      const items = ['a', 'b', 'c'].flatMap(group);
      planned(world, items, { limits: { parallelRounds: 16 } });
      for (const key of done) accept(world, key);
      const key = `${repaired}${n}`;
      const others = () => items.filter((item) => item.key !== key).map((item) => world.state.items[item.key]);
      const rows = () =>
        JSON.stringify(['submission', 'acceptance', 'attempt', 'item_spec'].flatMap((kind) => world.lookup.rows(kind as never, {}).filter((row) => row.item !== key)));
      const before = [others(), rows()];
      const answer = adopt(
        world,
        owner,
        items.map((item) => (item.key === key ? { ...item, dependsOn: [{ key: `${repaired}${(n + 1) % 3}` }] } : item)),
        { supersede: [key] },
      );
      expect(answer).toMatchObject({ status: 'adopted', added: [], changed: [key], removed: [] });
      expect([others(), rows()]).toEqual(before);
    }),
    { numRuns: 30 },
  );
});

describe('B25 a plan made anew', () => {
  it('keeps the acceptance of what is the same work; another key is another item; nothing leaves the record', () => {
    const world = new World();
    const old = [
      { key: 'w1', objective: 'one' },
      { key: 'w2', objective: 'two' },
      { key: 'w3', objective: 'three' },
    ];
    planned(world, old);
    accept(world, 'w1');
    accept(world, 'w2');
    const { verdict } = world.state.items.w1 ?? {};
    const next = [
      { key: 'w1', objective: 'one', title: 'One, said better' },
      { key: 'two', objective: 'two' },
      { key: 'w3a', objective: 'three, first half' },
      { key: 'w3b', objective: 'three, second half', dependsOn: [{ key: 'w3a' }] },
    ];
    expect(propose(world, next).warnings).toContainEqual({ pointer: '/items', code: 'drops_accepted', detail: 'w2' });
    expect(adopt(world, owner, next, { supersede: ['w3'] })).toMatchObject({ planRevision: 2, kept: ['w1'], added: ['two', 'w3a', 'w3b'], removed: ['w2', 'w3'] });
    expect(itemState(world.state, 'w1')).toBe('accepted');
    expect(world.state.items.w1?.verdict).toEqual(verdict);
    expect(world.state.items.w1?.spec.title).toBe('One, said better');
    expect(itemState(world.state, 'two')).not.toBe('accepted');
    expect(world.state.items.two?.submission).toBeNull();
    for (const key of ['w2', 'w3']) expect(itemState(world.state, key)).toBe('superseded');
    // A field that nobody defined does not smuggle an acceptance over.
    expect(refused(world.give(owner, 'plan.propose', { document: documentOf([{ key: 'two', replaces: 'w2' }]) }, { expected: { planRevision: 2 } }))).toMatchObject({
      code: 'plan_invalid',
      errors: [{ pointer: '/items/0/replaces', code: 'unknown_field' }],
    });
    expect(world.lookup.rows('revision', {})).toHaveLength(2);
    expect(world.lookup.rows('acceptance', { item: 'w2' })).toMatchObject([{ data: { verdict: 'accepted', live: true } }]);
    expect(world.lookup.rows('submission', { item: 'w2' })).toHaveLength(1);
    // Nor does the same key, when it comes back, bring its old verdict with it.
    adopt(world, owner, [...next, { key: 'w2', objective: 'two' }]);
    expect(itemState(world.state, 'w2')).not.toBe('accepted');
    expect(fold(emptyState(defaultLimits), world.events)).toEqual(world.state);
  });

  const spec = (n: number) => ({ objective: `spec ${n}` });
  it('carries an acceptance over exactly where key and spec are the same', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(1), fc.boolean()), { minLength: 2, maxLength: 6 }), fc.array(fc.option(fc.nat(1)), { minLength: 6, maxLength: 6 }), (before, after) => {
        const world = new World();
        world.after = (old, state, events) => expect(violations({ before: old, state, events, lookup: world.lookup, now: world.now, carriers: world.carriers })).toEqual([]);
        planned(
          world,
          before.map(([n], i) => ({ key: `i${i}`, ...spec(n) })),
          { limits: { parallelRounds: 16 } },
        );
        before.forEach(([, done], i) => done && accept(world, `i${i}`));
        const next = after.flatMap((n, i) => (n === null ? [] : [{ key: `i${i}`, ...spec(n) }]));
        if (next.length === 0) return;
        adopt(world, owner, next, { supersede: before.map((_, i) => `i${i}`) });
        before.forEach(([n, done], i) => expect(itemState(world.state, `i${i}`) === 'accepted').toBe(done && after[i] === n));
      }),
      { numRuns: 40 },
    );
  });
});

it('B27 every view says the same about what may start, at the revision it names', () => {
  const size = 200;
  const seen = new Set<string>();
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.nat(size - 1), { maxLength: 3 }), { minLength: size, maxLength: size }),
      fc.array(fc.tuple(fc.nat(7), fc.nat(size - 1)), { minLength: 40, maxLength: 80 }),
      (edges, moves) => {
        const world = new World();
        const items = edges.map((ups, n) => ({
          key: `i${n}`,
          executor: n % 3 === 0 ? { kind: 'person' } : skill('work.js'),
          review: [n % 5 === 0 ? { by: 'person' } : { by: 'checks' }],
          dependsOn: [...new Set(ups.filter((up) => up < n))].map((up) => ({ key: `i${up}` })),
        }));
        planned(world, items as object[], { limits: { parallelRounds: 4, rounds: 1000 } });
        for (const [act, pick] of moves) {
          const keys = world.state.plan?.order ?? [];
          const startable = keys.filter((key) => mayStart(world.state, key));
          const claimed = startable[pick % Math.max(1, startable.length)];
          const round = world.rounds().filter((entry) => entry.lane === 'worker')[pick % 4];
          if (act < 2 && claimed) {
            ok(world.give(owner, 'work.claim', { item: claimed }));
            ok(world.give(owner, 'attempt.start', { item: claimed, fence: world.state.items[claimed]?.attempt?.fence }));
            if (act === 0) ok(submit(world, owner as never, claimed));
          } else if (round?.item) {
            const actor = world.start(round);
            if (act === 2) ok(world.give(actor, 'work.block', { item: round.item, key: `q-${round.item}`, reason: 'which?', form: {} }));
            else if (act === 3) ok(world.give(actor, 'attempt.end', { item: round.item, outcome: 'failed' }));
            else ok(submit(world, actor, round.item));
          }
        }
        const { state } = world;
        for (const key of state.plan?.order ?? []) seen.add(itemState(state, key));
        const graph = graphView(state, world.lookup);
        const packet = resumePacket(state, world.lookup);
        const free = (node: { state: string; stop?: string; owner?: string; inputs: { missing: string[] } }) =>
          node.stop === undefined && (node.state === 'ready' || (node.state === 'changes_requested' && !node.owner && node.inputs.missing.length === 0));
        const details = (state.plan?.order ?? []).map((key) => itemView(state, key, world.lookup));
        const byItem = details.flatMap((view) => (view && free(view.node) ? [view.node.key] : []));
        const byGraph = graph.nodes.filter(free).map((node) => node.key);
        // The scheduler: what it starts by itself, and what it has offered to people.
        const found = candidates({ ...state, waits: {} }, world.now, world.carriers);
        const byScheduler = found.start.flatMap((entry) => (entry.do === 'assign' || entry.do === 'offer' ? [entry.item] : []));
        const byPredicate = (state.plan?.order ?? []).filter((key) => mayStart(state, key));
        expect(byItem).toEqual(byPredicate);
        expect(byGraph).toEqual(byPredicate);
        expect(byScheduler).toEqual(byPredicate);
        expect(packet.next.ready).toEqual(byPredicate.slice(0, packet.next.ready.length));
        expect(packet.next.ready.length).toBeGreaterThanOrEqual(Math.min(8, byPredicate.length));
        for (const named of [graph.seq, packet.seq, ...details.map((view) => view?.seq)]) expect(named).toBe(state.seq);
        expect([graph.revision, packet.planRevision]).toEqual([1, 1]);
        // And a claim agrees with all of them.
        for (const key of (state.plan?.order ?? []).filter((_, n) => n % 7 === 0)) {
          const copy = new World();
          Object.assign(copy, { state, now: world.now, lookup: world.lookup });
          const answer = world.give(owner, 'work.claim', { item: key });
          expect(!isRefusal(answer), `${key} ${JSON.stringify(answer)}`).toBe(byPredicate.includes(key));
          if (!isRefusal(answer)) ok(world.give(owner, 'work.release', { item: key }));
        }
      },
    ),
    { numRuns: 6 },
  );
  for (const state of ['locked', 'ready', 'assigned', 'running', 'submitted', 'accepted', 'blocked']) expect(seen, state).toContain(state);
}, 60_000);

it('B27 an item that a plan change waits for is started by nobody', () => {
  const world = new World();
  planned(world, [{ key: 'a', review: [{ by: 'agent' }] }, { key: 'b' }]);
  const actor = begin(world, 'a');
  adopt(world, owner, [{ key: 'a', objective: 'another', review: [{ by: 'agent' }] }, { key: 'b' }]);
  expect(Object.values(world.state.proposals)).toMatchObject([{ status: 'pending', waitsFor: ['a'] }]);
  ok(world.give(actor, 'attempt.end', { item: 'a', outcome: 'failed' }));
  // Nothing waits any more: adopted, and only the new spec is worked on.
  expect(world.state.plan?.revision).toBe(2);
  expect(openRound(world, 'worker', 'a').planRevision).toBe(2);
});

it('B19 commands of one batch are decided one after another, each on what the one before left', () => {
  const world = new World();
  planned(world, [{ key: 'a' }]);
  accept(world, 'a');
  const { items } = world.state;
  const contract = { title: 'T', objective: 'Do it otherwise', criteria: [{ id: 'c1', text: 'done', verify: 'attest' }] } as Json;
  ok(world.give(owner, 'goal.revise', { contract }, { expected: { goalVersion: 1 }, reason: 'changed' }));
  expect(refused(world.give(owner, 'goal.complete', {}, { expected: { goalVersion: 1 } }))).toMatchObject({ code: 'goal_version_stale', current: { goalVersion: 2 } });
  expect(Object.keys(world.state.items)).toEqual(Object.keys(items));
});
