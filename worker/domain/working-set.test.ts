/** The working set of the largest plan, with every item at work, delivered, judged and sent back once, stays under its limit. */
import { expect, test } from 'vitest';
import { PLAN_ITEMS, WORKING_SET_BYTES } from './limits.ts';
import { ok, person, World } from './testing/world.ts';
import type { Json } from './values.ts';

/** A quarter of the largest plan, so that the test is quick: an item costs the same among more. */
const ITEMS = PLAN_ITEMS / 4;

const owner = person('ada');
const key = (n: number) => `work-item-${String(n).padStart(4, '0')}`;

/** Four dependencies an item, two files, two checks. (Many longer texts would be over PLAN_BYTES.) */
const document = {
  mode: 'bound',
  items: Array.from({ length: ITEMS }, (_, n) => ({
    key: key(n),
    title: `The item ${n} of a large plan`,
    objective: 'What it is for.',
    acceptance: ['complete', 'right'].map((id) => ({ id, text: id })),
    covers: ['delivered'],
    outputs: [{ scope: `file:${key(n)}/report.md` }, { scope: `file:${key(n)}/data.json` }],
    dependsOn: n < 10 ? [] : [10, 9, 8, 7].map((back) => ({ key: key(n - back) })),
    executor: { kind: 'skill', skill: 'demo', script: 'work.js' },
    checks: ['first', 'second'].map((name) => ({
      key: name,
      kind: 'count',
      of: { from: 'fact_keys', prefix: `${key(n)}/${name}/` },
      min: n % 10 === 0 && name === 'first' ? 1 : 0,
    })),
  })),
};

test('of a thousand items is under two megabytes', { timeout: 300_000 }, () => {
  const world = new World();
  let largest = 0;
  let commands = 0;
  world.after = (_before, state) => {
    commands += 1;
    if (commands % 500 === 0) largest = Math.max(largest, Buffer.byteLength(JSON.stringify(state)));
  };
  ok(
    world.give(owner, 'goal.create', {
      mode: 'bound',
      confirmed: true,
      lanes: { coordinator: { kind: 'skill', skill: 'demo', script: 'plan.js' } },
      contract: { title: 'Large', objective: 'Much', criteria: [{ id: 'delivered', text: 'all of it', verify: 'attest' }], limits: { rounds: 10_000, parallelRounds: 64 } },
    }),
  );
  const [planning] = world.rounds();
  if (!planning) throw new Error('no round');
  const coordinator = world.start(planning);
  const { proposal } = ok(world.give(coordinator, 'plan.propose', { document: document as Json })) as { proposal: string };
  ok(world.give(coordinator, 'plan.adopt', { proposal }));
  ok(world.give(coordinator, 'round.end', { outcome: 'handed_back' }));

  const digest = (n: number) => (n % 16).toString(16).repeat(64);
  for (let round = world.rounds()[0]; round; round = world.rounds()[0]) {
    const actor = world.start(round);
    const item = round.item ?? '';
    const again = (world.state.items[item]?.attempts ?? 0) > 1;
    if (again) ok(world.give(actor, 'fact.record', { facts: [{ key: `${item}/first/one`, value: 1, provenance: { from: 'person', principal: 'person:ada' } }] }));
    const artifacts = ['report.md', 'data.json'].map((path, n) => ({ path: `${item}/${path}`, digest: digest(n), size: 1000, type: 'text/markdown' }));
    ok(world.give(actor, 'submission.submit', { item, artifacts, summary: 'done' }));
  }
  const items = Object.values(world.state.items);
  expect(items).toHaveLength(ITEMS);
  expect(items.filter((item) => item.verdict?.verdict !== 'accepted').map((item) => item.key)).toEqual([]);
  expect(items.filter((item) => item.attempts === 2)).toHaveLength(ITEMS / 10);
  largest = Math.max(largest, Buffer.byteLength(JSON.stringify(world.state)));

  expect((largest * PLAN_ITEMS) / ITEMS).toBeLessThan(WORKING_SET_BYTES);
});
