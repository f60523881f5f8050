import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../domain/values.ts';
import { fakeEnv, MemoryFiles, use, workerContext } from '../testing/fake-env.ts';
import { workbook } from '../testing/workbook.ts';
import type { Tool } from '../tool.ts';
import { xlsxRead } from './read.ts';

async function read(bytes: Uint8Array | string, args: { [key: string]: Json } = {}) {
  const files = new MemoryFiles();
  const env = fakeEnv({ files, context: workerContext({ sources: [files.source('book.xlsx', bytes)] }) });
  return use(xlsxRead as unknown as Tool, { path: 'book.xlsx', ...args }, env);
}

const book = workbook({
  'A &amp; B': [
    ['id', 'amount', 'amount', ''],
    ['0795', 128000.1, { raw: '<c r="REF" t="str"><f>B2*2</f><v>done</v></c>' }, { raw: '<c r="REF" s="1"><v>46000</v></c>' }],
    [{ raw: '<c r="REF"><v>2512292042121000001</v></c>' }, { raw: '<c r="REF" t="b"><v>1</v></c>' }, 'x'],
  ],
  Second: [[1, 2]],
});

describe('xlsx.read', () => {
  it('gives objects by the first row, dates as ISO, digits that a double loses as text', async () => {
    expect(await read(book)).toMatchObject({
      ok: true,
      value: {
        sheet: 'A & B',
        sheets: ['A & B', 'Second'],
        columns: ['id', 'amount', 'amount_2', 'column_4'],
        rows: [
          { id: '0795', amount: 128000.1, amount_2: 'done', column_4: '2025-12-09' },
          { id: '2512292042121000001', amount: true, amount_2: 'x', column_4: null },
        ],
        total: 2,
        next: null,
      },
    });
  });
  it('gives arrays without a header, another sheet by name or number, and pages', async () => {
    expect(await read(book, { sheet: 'Second', header: false })).toMatchObject({ ok: true, value: { sheet: 'Second', rows: [[1, 2]] } });
    expect(await read(book, { sheet: 2, header: false })).toMatchObject({ ok: true, value: { sheet: 'Second', rows: [[1, 2]] } });
    expect(await read(book, { limit: 1 })).toMatchObject({ ok: true, value: { rows: [{ id: '0795' }], next: 1 } });
    expect(await read(book, { limit: 1, offset: 1 })).toMatchObject({ ok: true, value: { rows: [{ amount: true }], next: null } });
  });
  it('reads sheets that pack well and are large', async () => {
    const rows = Array.from({ length: 40_000 }, (_, n) => [`row ${n}`, n, 'the same words again and again']);
    expect(await read(workbook({ Big: [['name', 'n', 'text'], ...rows] }), { offset: 39_999 })).toMatchObject({
      ok: true,
      value: { total: 40_000, rows: [{ name: 'row 39999', n: 39_999 }] },
    });
  });
  it('says which sheets there are', async () =>
    expect(await read(book, { sheet: 'Third' })).toMatchObject({ ok: false, refusal: { code: 'not_found', current: { sheets: ['A & B', 'Second'] } } }));
  it.each([
    ['text', 'id,amount'],
    ['an old .xls', new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])],
    ['a cut file', book.slice(0, book.length / 2)],
    ['another archive', zipSync({ 'a.xml': strToU8('<a/>') })],
    ['a sheet that is no XML', zipSync({ 'xl/workbook.xml': strToU8('<workbook') })],
  ])('refuses %s as malformed', async (_what, bytes) => expect(await read(bytes)).toMatchObject({ ok: false, refusal: { code: 'malformed_data' } }));
  it('does not unpack what would fill the memory', async () => {
    const bomb = zipSync({ 'xl/workbook.xml': strToU8('<workbook/>'), 'xl/worksheets/sheet1.xml': new Uint8Array(120 * 1024 * 1024) });
    expect(bomb.length).toBeLessThan(1_000_000);
    expect(await read(bomb)).toMatchObject({ ok: false, refusal: { code: 'limit_exceeded' } });
  });
});
