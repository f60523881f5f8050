import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Row } from '../context.ts';
import { MemoryLookup } from '../testing/memory-lookup.ts';
import type { Json } from '../values.ts';
import { type CheckSpec, type SetRef, scene as sceneShape } from './check-spec.ts';
import { evaluateInside, factsOf, filesOf, planesRead, readsOutside, type SetAnswer, type Sources, setName, setsOf, sourcesOf, sourcesOfJob } from './checks.ts';

const literal = (...ids: string[]): SetRef => ({ from: 'literal', ids });
const given = (sets: Record<string, SetAnswer> = {}, facts: Record<string, Json> = {}): Sources => ({
  set: (ref) => (ref.from === 'literal' ? ref.ids : ref.from === 'fact' ? (sets[ref.key] ?? null) : null),
  fact: (key) => facts[key],
});
const rows: SetRef = { from: 'rows', file: { source: 'in.csv' }, id: 'id', where: [] };
const equal = (left: SetRef, right: SetRef): CheckSpec => ({ key: 'k', kind: 'set_equal', left, right });

describe('sets', () => {
  it('equal sets pass, and otherwise exactly the difference is named', () => {
    const ids = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 8 }), { maxLength: 30 });
    fc.assert(
      fc.property(ids, ids, (left, right) => {
        const found = evaluateInside(equal(literal(...left), literal(...right)), given());
        const missing = right.filter((id) => !left.includes(id)).sort();
        const extra = left.filter((id) => !right.includes(id)).sort();
        expect(found.pass).toBe(missing.length + extra.length === 0);
        expect(found.scene?.missing ?? []).toEqual(missing);
        expect(found.scene?.extra ?? []).toEqual(extra);
        expect(evaluateInside({ key: 'k', kind: 'set_covers', superset: literal(...left), subset: literal(...right) }, given()).scene?.missing ?? []).toEqual(missing);
        if (found.scene) expect(sceneShape.safeParse(found.scene).success).toBe(true);
      }),
    );
  });

  it('a scene is capped and its summary has the whole count', () => {
    const many = Array.from({ length: 5000 }, (_, n) => `id-${String(n).padStart(4, '0')}`);
    const { scene } = evaluateInside(equal(literal(), literal(...many)), given());
    expect(scene?.missing).toHaveLength(2000);
    expect(scene?.summary).toContain('5000 missing: id-0000');
    expect(scene?.summary).toContain('and 4990 more');
    expect(sceneShape.safeParse(scene).success).toBe(true);
  });

  it('what cannot be told is neither pass nor fail; what is not as it should be is a fail that says so', () => {
    expect(evaluateInside(equal(rows, literal('a')), given()).pass).toBeNull();
    expect(evaluateInside(equal({ from: 'fact', key: 'f' }, literal('a')), given({ f: { wrong: 'No fact stands under f.' } }))).toEqual({
      pass: false,
      scene: { summary: 'No fact stands under f.' },
    });
    expect(evaluateInside({ key: 'k', kind: 'file_exists', file: { path: 'x' } }, given()).pass).toBeNull();
  });
});

describe('count', () => {
  const count = (more: object): CheckSpec => ({ key: 'k', kind: 'count', of: literal('a', 'b', 'b'), ...more });
  it('counts ids once, against numbers or the size of a set', () => {
    expect(evaluateInside(count({ equals: 2 }), given())).toEqual({ pass: true });
    expect(evaluateInside(count({ min: 2, max: 2 }), given()).pass).toBe(true);
    expect(evaluateInside(count({ min: 3 }), given()).pass).toBe(false);
    expect(evaluateInside(count({ max: 1 }), given()).pass).toBe(false);
    expect(evaluateInside(count({ equals: { sizeOf: literal('a', 'c') } }), given()).pass).toBe(true);
    expect(evaluateInside(count({ equals: { sizeOf: literal('a', 'b', 'c') } }), given())).toMatchObject({ pass: false, scene: { missing: ['c'], data: { count: 2 } } });
  });
});

describe('sum', () => {
  const sum = (more: object, over: SetRef = literal('1', '2')): CheckSpec => ({ key: 'k', kind: 'sum', over, prefix: 'inv/', field: 'amount', ...more });
  const facts: Record<string, Json> = { 'inv/1': { amount: '0.10' }, 'inv/2': { amount: '0.20' } };
  it('is exact, with inclusive bounds', () => {
    expect(evaluateInside(sum({ equals: '0.3' }), given({}, facts)).pass).toBe(true);
    expect(evaluateInside(sum({ max: '0.30' }), given({}, facts)).pass).toBe(true);
    expect(evaluateInside(sum({ max: '0.29' }), given({}, facts))).toMatchObject({ pass: false, scene: { data: { sum: '0.30' } } });
    expect(evaluateInside(sum({ min: '0.31' }), given({}, facts)).pass).toBe(false);
  });
  it('names ids without an exact amount', () => {
    expect(evaluateInside(sum({ max: '9' }, literal('2', '3', '1')), given({}, { ...facts, 'inv/1': { amount: 'ten' } }))).toMatchObject({
      pass: false,
      scene: { missing: ['1', '3'] },
    });
  });
});

describe('over the record', () => {
  const lookup = new MemoryLookup();
  const row = (kind: Row['kind'], id: string, data: Json): Row => ({ kind, id, seq: 1, data });
  lookup.put([
    row('ledger_subject', 'review/A', { entry: 'l1', verdict: 'approved' }),
    row('ledger_subject', 'review/B', { entry: 'l2', verdict: 'needs_review' }),
    row('ledger_subject', 'review2/C', { entry: 'l3', verdict: 'approved' }),
    row('ledger_subject', '-/D', { entry: 'l4', verdict: 'approved' }),
    row('review_list', 'review/B', { subject: 'B', milestone: 'review', state: 'open' }),
    row('review_list', 'review/E', { subject: 'E', milestone: 'review', state: 'resolved' }),
    row('fact', 'scope/ids', { valueBody: 'b1' }),
    row('fact', 'scope/erased', { valueBody: 'gone' }),
    row('fact', 'scope/odd', { valueBody: 'b2' }),
  ]);
  lookup.putBodies({ b1: ['A', 'B'], b2: { not: 'a list' } });
  const sources = sourcesOf(lookup);

  it('reads sets of the ledger, the needs-review list and facts', () => {
    expect(sources.set({ from: 'ledger', milestone: 'review' })).toEqual(['A', 'B']);
    expect(sources.set({ from: 'ledger', milestone: 'review', verdict: 'approved' })).toEqual(['A']);
    expect(sources.set({ from: 'review_list', milestone: 'review' })).toEqual(['B', 'E']);
    expect(sources.set({ from: 'fact', key: 'scope/ids' })).toEqual(['A', 'B']);
    expect(sources.set({ from: 'fact_keys', prefix: 'scope/' })).toEqual(['erased', 'ids', 'odd']);
    expect(sources.set(rows)).toBeNull();
  });
  it('tells an erased value from one that was never recorded', () => {
    expect(sources.set({ from: 'fact', key: 'scope/erased' })).toBeNull();
    expect(sources.set({ from: 'fact', key: 'scope/none' })).toHaveProperty('wrong');
    expect(sources.set({ from: 'fact', key: 'scope/odd' })).toHaveProperty('wrong');
  });
  it('a decision that is deleted is exactly what the gate names', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 199 })), (deleted) => {
        const all = Array.from({ length: 200 }, (_, n) => `INV-${String(n).padStart(4, '0')}`);
        const record = new MemoryLookup();
        record.put(all.filter((_, n) => !deleted.includes(n)).map((id) => row('ledger_subject', `review/${id}`, { entry: id, verdict: 'approved' })));
        const found = evaluateInside(equal({ from: 'ledger', milestone: 'review' }, literal(...all)), sourcesOf(record));
        expect(found.scene?.missing ?? []).toEqual(deleted.map((n) => all[n]).sort());
      }),
      { numRuns: 30 },
    );
  });
  it('the checker outside says the same of the same data', () => {
    const ledger: SetRef = { from: 'ledger', milestone: 'review' };
    const job = { sets: { [setName(ledger)]: ['A', 'B'] }, facts: { 'fact:scope/odd': { not: 'a list' } } };
    const outside = sourcesOfJob(job, () => ['A', 'B', 'C']);
    expect(evaluateInside(equal(ledger, rows), outside)).toMatchObject({ pass: false, scene: { missing: ['C'] } });
    expect(evaluateInside(equal({ from: 'fact', key: 'scope/odd' }, rows), outside).pass).toBe(false);
    expect(evaluateInside(equal({ from: 'fact', key: 'toString' }, rows), outside).pass).toBe(false);
    expect(evaluateInside(equal({ from: 'review_list', milestone: 'x' }, rows), outside).pass).toBeNull();
  });
});

describe('what a check reads', () => {
  const script: CheckSpec = { key: 'k', kind: 'script', skill: 's', script: 'a.js', files: [{ path: 'out.csv' }], facts: ['program'] };
  const sum: CheckSpec = { key: 'k', kind: 'sum', over: { from: 'ledger', milestone: 'm' }, prefix: 'p/', field: 'f' };
  it('decides where it runs and what makes its receipt stale', () => {
    expect(readsOutside(equal(rows, literal()))).toBe(true);
    expect(readsOutside(equal({ from: 'fact', key: 'x' }, literal()))).toBe(false);
    expect(readsOutside(script)).toBe(true);
    expect(planesRead(script)).toEqual(['artifacts', 'facts']);
    expect(planesRead(sum)).toEqual(['facts', 'ledger']);
    expect(planesRead(equal(rows, { from: 'review_list', milestone: 'm' }))).toEqual(['reviewList', 'sources']);
    expect(planesRead({ key: 'k', kind: 'http_probe', url: 'https://example.org', status: 200, holdsMs: 1000 })).toEqual([]);
    expect(filesOf(equal(rows, literal()))).toEqual([{ source: 'in.csv' }]);
    expect(factsOf(equal({ from: 'fact', key: 'x' }, literal()))).toEqual(['x']);
    expect(setsOf({ key: 'k', kind: 'count', of: literal('a'), equals: { sizeOf: rows } })).toHaveLength(2);
  });
});
