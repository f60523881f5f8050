import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SetRef } from '../planes/check-spec.ts';
import type { PlanDocumentInput } from './document.ts';
import { type PlanContext, validatePlan } from './validate.ts';

const bound: PlanContext = { mode: 'bound', criteria: [{ id: 'c1', verify: 'check' }] };
type ItemInput = PlanDocumentInput['items'][number];
const check = { key: 'sized', kind: 'count', of: { from: 'ledger', milestone: 'm' }, min: 1 } as const;
const item = (key: string, more: Partial<ItemInput> = {}): ItemInput => ({ key, title: key, checks: [check], ...more });
const on = (...keys: string[]) => keys.map((key) => ({ key }));
const plan = (...items: ItemInput[]): PlanDocumentInput => ({ mode: 'bound', items });

function codes(document: unknown, ctx: PlanContext = bound): string[] {
  const verdict = validatePlan(document, ctx);
  return verdict.ok ? [] : verdict.errors.map((error) => `${error.pointer} ${error.code}`);
}
function details(document: unknown, code: string, ctx: PlanContext = bound): (string | undefined)[] {
  const verdict = validatePlan(document, ctx);
  return verdict.ok ? [] : verdict.errors.filter((error) => error.code === code).map((error) => error.detail);
}

describe('a plan that is right', () => {
  it('is given back with its defaults, and warned of what the audit will meet', () => {
    const verdict = validatePlan(plan(item('a', { covers: ['c1'] }), item('b', { dependsOn: on('a') })), bound);
    expect(verdict).toMatchObject({ ok: true, warnings: [] });
    expect(verdict.ok && verdict.document.items[1]?.dependsOn).toEqual([{ key: 'a', kind: 'hard' }]);
    expect(validatePlan(plan(item('a', { checks: [] })), bound)).toMatchObject({
      ok: true,
      warnings: [
        { pointer: '/items', code: 'criterion_uncovered', detail: 'c1' },
        { pointer: '/items/0/checks', code: 'unchecked_item', detail: 'a' },
      ],
    });
  });
});

describe('what is wrong with a plan', () => {
  it('is named all at once, whatever else is wrong', () => {
    const document = {
      mode: 'bound',
      items: [
        { key: 'a', title: 'a', colour: 'red', dependsOn: [{ key: 'b' }, { key: 'ghost' }] },
        { key: 'b', title: 7, parent: 'nowhere', dependsOn: [{ key: 'a' }], covers: ['c9'] },
        { key: 'b', title: 'again' },
        { title: 'no key' },
      ],
    };
    expect(codes(document)).toEqual(
      expect.arrayContaining([
        '/items/0/colour unknown_field',
        '/items/1/title wrong_type',
        '/items/3/key missing_field',
        '/items/2/key duplicate_key',
        '/items/0/dependsOn/1/key unknown_key',
        '/items/1/parent unknown_key',
        '/items/1/covers/0 unknown_criterion',
        '/items/0 cycle',
      ]),
    );
  });

  it.each([
    ['null', null],
    ['a text', 'plan'],
    ['a list', []],
    ['items that are no list', { mode: 'bound', items: {} }],
    ['items that are no objects', { mode: 'bound', items: [null, 1, 'x', []] }],
    ['keys of the prototype', JSON.parse('{"mode":"bound","items":[{"key":"__proto__","title":"x","__proto__":{"key":"a"}}]}')],
  ])('is said of %s without throwing', (_, document) => {
    expect(validatePlan(document, bound).ok).toBe(false);
  });

  it('is said of an empty plan', () => {
    expect(codes(plan())).toEqual(['/items empty_plan']);
  });

  it('is said of the wrong mode', () => {
    expect(codes({ mode: 'graph_only', items: [item('a')] })).toEqual(['/mode mode_mismatch']);
  });

  it.each([
    ['in one step', plan(item('a', { dependsOn: on('a') })), 'a -> a'],
    ['through dependencies', plan(item('a', { dependsOn: on('b') }), item('b', { dependsOn: on('c') }), item('c', { dependsOn: on('a') })), 'a -> b -> c -> a'],
    ['through soft dependencies', plan(item('a', { dependsOn: [{ key: 'b', kind: 'soft' }] }), item('b', { dependsOn: on('a') })), 'a -> b -> a'],
    ['through parents', plan(item('a', { parent: 'b' }), item('b', { parent: 'a' })), 'a -> b -> a'],
    ['through a group that waits for its own part', plan(item('a', { parent: 'b' }), item('b', { dependsOn: on('a') })), 'a -> b -> a'],
    ['through a part that waits for its group', plan(item('a', { parent: 'b', dependsOn: on('b') }), item('b')), 'a -> b -> a'],
    [
      'through a parent and others in between',
      plan(
        item('a', { dependsOn: on('x') }),
        item('x', { dependsOn: on('g') }),
        item('g'),
        item('z', { parent: 'g' }),
        item('y', { parent: 'a', dependsOn: on('z') }),
        item('w', { dependsOn: on('y') }),
        item('v', { parent: 'g', dependsOn: on('a') }),
      ),
      'a -> x -> g -> v -> a',
    ],
  ])('is a cycle %s, with its path', (_, document, path) => {
    expect(details(document, 'cycle')).toEqual([path]);
  });

  it('is each of two cycles', () => {
    expect(
      details(plan(item('a', { dependsOn: on('b') }), item('b', { dependsOn: on('a') }), item('c', { dependsOn: on('d') }), item('d', { dependsOn: on('c') })), 'cycle'),
    ).toEqual(['a -> b -> a', 'c -> d -> c']);
  });

  it('is no cycle where parts of one group depend on each other', () => {
    expect(codes(plan(item('g'), item('a', { parent: 'g' }), item('b', { parent: 'g', dependsOn: on('a') }), item('c', { dependsOn: on('g') })))).toEqual([]);
  });

  it('is an exclusive output that two items may hold at once', () => {
    const holds = (scope: string, access: 'exclusive' | 'shared' = 'exclusive') => ({ outputs: [{ scope, access }] });
    const conflict = (a: Partial<ItemInput>, b: Partial<ItemInput>) => codes(plan(item('a', a), item('b', b))).length > 0;
    expect(codes(plan(item('a', holds('file:x.md')), item('b', holds('file:x.md'))))).toEqual(['/items/1/outputs/0 output_conflict']);
    expect(conflict(holds('dir:site/'), holds('file:site/a/b.html'))).toBe(true);
    expect(conflict(holds('file:site/a/b.html'), holds('dir:./site'))).toBe(true);
    expect(conflict(holds('dir:site/css/'), holds('dir:site/'))).toBe(true);
    expect(conflict(holds('dir:/'), holds('file:a'))).toBe(true);
    expect(conflict(holds('semantic:batch'), holds('semantic:batch'))).toBe(true);
    expect(conflict(holds('file:x.md', 'shared'), holds('file:x.md'))).toBe(true);
    expect(conflict(holds('file:x.md', 'shared'), holds('file:x.md', 'shared'))).toBe(false);
    expect(conflict(holds('dir:site/'), holds('file:sitemap.xml'))).toBe(false);
    expect(conflict(holds('file:batch'), holds('semantic:batch'))).toBe(false);
    // One waits for the other, however far away.
    expect(codes(plan(item('a', holds('file:x')), item('m', { dependsOn: on('a') }), item('b', { ...holds('file:x'), dependsOn: on('m') })))).toEqual([]);
    // A soft dependency orders nothing.
    expect(conflict(holds('file:x'), { ...holds('file:x'), dependsOn: [{ key: 'a', kind: 'soft' }] })).toBe(true);
  });

  it('is a graph that is for nothing', () => {
    expect(codes(plan(item('a', { required: false })))).toEqual(['/items no_terminal_item']);
    expect(codes(plan(item('a'), item('b', { required: false, dependsOn: on('a') })))).toEqual([]);
  });

  it('is a review that nobody could give', () => {
    const worker = { kind: 'agent', profile: 'worker' } as const;
    const reviewer = { kind: 'agent', profile: 'reviewer' } as const;
    const reviewed = (more: Partial<ItemInput>) => plan(item('a', { executor: worker, review: [{ by: 'agent' }], ...more }));
    expect(codes(reviewed({ review: [{ by: 'checks' }, { by: 'agent', reviewer: worker }] }))).toEqual(['/items/0/review/1 no_eligible_reviewer']);
    expect(codes(reviewed({ review: [{ by: 'agent', reviewer }] }))).toEqual([]);
    expect(codes(reviewed({}))).toEqual([]);
    expect(codes(plan(item('a', { review: [{ by: 'agent', reviewer: worker }] })))).toEqual(['/items/0/review/0 no_eligible_reviewer']);
    expect(codes(plan(item('a', { review: [{ by: 'agent', reviewer: worker }] })), { ...bound, carrier: 'person:owner' })).toEqual([]);
    expect(codes(reviewed({}), { ...bound, reviewers: [] })).toEqual(['/items/0/review/0 reviewer_missing']);
    expect(codes(reviewed({}), { ...bound, reviewers: ['agent:worker'] })).toEqual(['/items/0/review/0 no_eligible_reviewer']);
    expect(codes(reviewed({}), { ...bound, reviewers: ['agent:worker', 'agent:reviewer'] })).toEqual([]);
    expect(codes(reviewed({ review: [{ by: 'agent', count: 2 }] }), { ...bound, reviewers: ['agent:worker', 'agent:reviewer'] })).toEqual([
      '/items/0/review/0 no_eligible_reviewer',
    ]);
  });

  it('is a check of an item that is not there, twice the same, or with a broken pattern', () => {
    const rows: SetRef = { from: 'rows', file: { item: 'ghost', path: 'x.csv' }, id: 'id', where: [{ field: 'f', matches: '(' }] };
    expect(codes(plan(item('a', { checks: [check, { key: 'sized', kind: 'count', of: rows }] })))).toEqual([
      '/items/0/checks/1/key duplicate_key',
      '/items/0/checks/1 unknown_key',
      '/items/0/checks/1 invalid_pattern',
    ]);
  });

  it('is its size', () => {
    expect(codes(plan(...Array.from({ length: 1001 }, (_, n) => item(`k${n}`))))).toEqual(['/items too_large']);
    expect(codes({ ...plan(item('a')), padding: 'x'.repeat(1_000_000) })).toEqual([' too_large']);
    const first = Array.from({ length: 200 }, (_, n) => item(`k${n}`));
    const wide = Array.from({ length: 26 }, (_, n) => item(`w${n}`, { dependsOn: on(...first.map((one) => one.key)) }));
    expect(codes(plan(...first, ...wide))).toEqual(['/items too_large']);
  });

  it('is said of a chain of a thousand, where the last one closes it', () => {
    const chain = Array.from({ length: 1000 }, (_, n) => item(`k${n}`, { checks: [], dependsOn: on(`k${(n + 1) % 1000}`) }));
    expect(details(plan(...chain), 'cycle')[0]?.split(' -> ')).toHaveLength(1001);
  });
});

describe('over random graphs', () => {
  const graph = fc
    .integer({ min: 1, max: 12 })
    .chain((size) =>
      fc.array(fc.record({ from: fc.nat(size - 1), to: fc.nat(size - 1), as: fc.constantFrom('hard', 'soft', 'parent') }), { maxLength: 20 }).map((links) => ({ size, links })),
    );

  function documentOf({ size, links }: { size: number; links: { from: number; to: number; as: string }[] }): PlanDocumentInput {
    return plan(
      ...Array.from({ length: size }, (_, n) => {
        const targets = new Map(links.filter((link) => link.from === n && link.as !== 'parent').map((link) => [link.to, link.as]));
        const parent = links.find((link) => link.from === n && link.as === 'parent');
        return item(`k${n}`, { dependsOn: [...targets].map(([to, kind]) => ({ key: `k${to}`, kind: kind as 'hard' | 'soft' })), ...(parent ? { parent: `k${parent.to}` } : {}) });
      }),
    );
  }

  it('a graph whose links all point backwards has no cycle', () => {
    fc.assert(
      fc.property(graph, ({ size, links }) => {
        const backwards = links.filter((link) => link.as !== 'parent' && link.to < link.from);
        expect(details(documentOf({ size, links: backwards }), 'cycle')).toEqual([]);
      }),
    );
  });

  it('each path that is named is a path of the plan and ends where it began', () => {
    fc.assert(
      fc.property(graph, (given) => {
        const document = documentOf(given);
        const byKey = new Map(document.items.map((one) => [one.key, one]));
        const names = (from: string, to: string) =>
          byKey.get(from)?.parent === to || byKey.get(to)?.parent === from || (byKey.get(from)?.dependsOn ?? []).some((link) => link.key === to);
        for (const detail of details(document, 'cycle')) {
          const path = (detail ?? '').split(' -> ');
          expect(path[0]).toBe(path.at(-1));
          for (let at = 1; at < path.length; at++) expect(names(path[at - 1] as string, path[at] as string)).toBe(true);
        }
      }),
    );
  });

  it('a dependency cycle is found if and only if no order exists', () => {
    fc.assert(
      fc.property(graph, ({ size, links }) => {
        const document = documentOf({ size, links: links.filter((link) => link.as !== 'parent') });
        const done = new Set<string>();
        for (let moved = true; moved; ) {
          moved = false;
          for (const one of document.items) {
            if (done.has(one.key) || !(one.dependsOn ?? []).every((link) => done.has(link.key))) continue;
            done.add(one.key);
            moved = true;
          }
        }
        expect(details(document, 'cycle').length > 0).toBe(done.size < size);
      }),
    );
  });

  it('is never thrown by any JSON', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        (value) => void validatePlan({ mode: 'bound', items: [value, { key: 'a', title: 'a', dependsOn: value, outputs: value, review: value }] }, bound),
      ),
    );
  });
});
