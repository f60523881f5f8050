import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { selectIds, tableFromJson, tableFromRecords } from './reading.ts';

const table = tableFromRecords([
  ['id', 'status', 'date'],
  ['1', 'open', '2026-09-01'],
  ['2', 'disputed', '2026-09-02'],
  ['3', 'open', '2026-10-01'],
  ['3', 'open', '2026-10-02'],
]);
const rows = table.ok ? table.rows : [];

describe('rows of a file', () => {
  it('are selected by every condition, each id once', () => {
    expect(selectIds(rows, 'id')).toEqual({ ok: true, ids: ['1', '2', '3'] });
    expect(selectIds(rows, 'id', [{ field: 'status', equals: 'open' }])).toEqual({ ok: true, ids: ['1', '3'] });
    expect(
      selectIds(rows, 'id', [
        { field: 'status', equals: 'open' },
        { field: 'date', startsWith: '2026-09' },
      ]),
    ).toEqual({ ok: true, ids: ['1'] });
    expect(selectIds(rows, 'id', [{ field: 'date', matches: '-0[12]$' }])).toEqual({ ok: true, ids: ['1', '2', '3'] });
  });

  it('a column that is not there is no empty set', () => {
    expect(selectIds(rows, 'ID')).toMatchObject({ ok: false });
    expect(selectIds(rows, 'id', [{ field: 'state', equals: 'open' }])).toMatchObject({ ok: false });
    expect(selectIds([], 'id')).toEqual({ ok: true, ids: [] });
    expect(selectIds(rows, 'id', [{ field: 'status', matches: '(' }])).toMatchObject({ ok: false });
  });

  it('with columns named like parts of a prototype are harmless', () => {
    const odd = tableFromRecords([
      ['__proto__', 'constructor', 'toString', 'id'],
      ['p', 'c', 't', '1'],
    ]);
    const first = odd.ok ? odd.rows : [];
    expect(selectIds(first, '__proto__')).toEqual({ ok: true, ids: ['p'] });
    expect(selectIds(first, 'id', [{ field: 'constructor', equals: 'c' }])).toEqual({ ok: true, ids: ['1'] });
    expect(({} as Record<string, unknown>).p).toBeUndefined();
    // Not there, though every object has one.
    expect(selectIds(rows, 'toString')).toMatchObject({ ok: false });
    expect(selectIds([{ id: '1' }], 'hasOwnProperty')).toMatchObject({ ok: false });
    const parsed = tableFromJson(JSON.parse('[{"__proto__": "p", "id": 1}]'));
    expect(parsed.ok && selectIds(parsed.rows, '__proto__')).toEqual({ ok: true, ids: ['p'] });
  });

  it('any header and cells come out as they went in', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.oneof(fc.string({ minLength: 1 }), fc.constantFrom('__proto__', 'constructor', 'valueOf')), { minLength: 1, maxLength: 6 }),
        fc.string(),
        (header, cell) => {
          const answer = tableFromRecords([header, header.map((_, index) => `${cell}${index}`)]);
          for (const [index, name] of header.entries()) expect(answer.ok && selectIds(answer.rows, name)).toEqual({ ok: true, ids: [`${cell}${index}`] });
        },
      ),
    );
  });

  it('are refused where the table is none', () => {
    expect(tableFromRecords([])).toMatchObject({ ok: false });
    expect(
      tableFromRecords([
        ['a', 'a'],
        ['1', '2'],
      ]),
    ).toMatchObject({ ok: false, wrong: expect.stringContaining('twice') });
    expect(tableFromRecords([['a', 'b'], ['1']])).toMatchObject({ ok: false, wrong: expect.stringContaining('Record 2') });
  });

  it('of JSON are an array of objects, or the only array in an object', () => {
    expect(tableFromJson([{ id: 1, ok: true, no: null, deep: {} }])).toEqual({ ok: true, columns: ['id', 'ok'], rows: [{ id: '1', ok: 'true' }] });
    const batch = tableFromJson({ currency: 'CNY', total: '1.00', lines: [{ invoice_id: 'A' }] });
    expect(batch.ok && selectIds(batch.rows, 'invoice_id')).toEqual({ ok: true, ids: ['A'] });
    expect(tableFromJson({ a: [], b: [] })).toMatchObject({ ok: false });
    expect(tableFromJson('x')).toMatchObject({ ok: false });
    expect(tableFromJson([1])).toMatchObject({ ok: false });
  });
});
