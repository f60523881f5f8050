import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../worker/domain/values.ts';
import { ExportRun } from './testing/export-run.ts';

const data = (name: string) => JSON.parse(readFileSync(join(import.meta.dirname, 'data', name), 'utf8')) as Json;
const shipped = { records: data('records.json'), selection: data('selection.json') };
const small = { rows: 2000, chunkRows: 100, inFlight: 4 };
const programs = ['excel-zh', 'libreoffice', 'wps'] as const;
const answer = (program: string) => ({ spreadsheet_program: { program } });

type RecordRow = Record<string, string | null>;
const selectedOf = (source: { records: Json; selection: Json }) => {
  const { selected, columns } = source.selection as { selected: string[]; columns: string[] };
  const byId = new Map((source.records as RecordRow[]).map((record) => [record.id, record]));
  return { columns, rows: selected.map((id) => byId.get(id) as RecordRow) };
};
/** By a library that knows nothing of this skill: what stands in the file, the mark taken away. */
function readBack(bytes: Uint8Array): { columns: string[]; rows: string[][] } {
  const [columns = [], ...rows] = parse(Buffer.from(bytes), { bom: true, record_delimiter: ['\r\n', '\n'] }) as string[][];
  return { columns, rows: rows.map((row) => row.map((cell) => (cell.startsWith("'") ? cell.slice(1) : cell))) };
}

describe.each(programs)('on the shipped data, for %s', (program) => {
  it('asks which program, is returned once for its own reason, and ends with a file that reads back', async () => {
    const run = new ExportRun(shipped, { large: small });
    const asked = await run.toEnd();
    expect(asked).toMatchObject({ end: 'question', question: { key: 'spreadsheet_program', fact: 'spreadsheet_program', recommended: { program: 'excel-zh' } } });
    expect(await run.toEnd(answer(program))).toEqual({ end: 'done' });

    const server = run.deliveries.filter((each) => each.item === 'server');
    expect(server.map((each) => each.verdict)).toEqual(['changes_requested', 'accepted']);
    expect(server[0]?.checks.filter((check) => !check.pass).map((check) => check.key)).toEqual(['opens-right']);
    const scene = server[0]?.checks.find((check) => !check.pass)?.scene;
    const garbled = { where: 'B2', expected: '逗号,在中间', actual: '閫楀彿,鍦ㄤ腑闂\ufffd' };
    if (program === 'libreoffice') {
      expect(scene?.findings).not.toContainEqual(garbled);
      expect(scene?.findings).toContainEqual({ where: 'B25', expected: 'a;b;c', actual: 'a' });
      expect(scene?.summary).toContain('semicolon');
    } else {
      expect(scene?.findings?.[0]).toEqual(garbled);
      expect(scene?.summary).toContain(garbled.actual);
    }
    expect(scene?.missing?.toSorted()).toEqual(
      {
        'excel-zh': ['rule:bom', 'rule:crlf', 'rule:keep:exponent', 'rule:keep:leading_zeros', 'rule:keep:long_digits', 'rule:keep:short_date'],
        libreoffice: ['rule:keep:exponent', 'rule:keep:leading_zeros', 'rule:keep:long_digits', 'rule:keep:short_date', 'rule:quote:semicolon', 'rule:quote:tab'],
        wps: ['rule:bom', 'rule:keep:exponent', 'rule:keep:leading_zeros', 'rule:keep:short_date'],
      }[program],
    );

    const { columns, rows } = selectedOf(shipped);
    const back = readBack(run.bytes('server', 'export.csv'));
    expect(back.columns).toEqual(columns);
    expect(back.rows).toEqual(rows.map((row) => columns.map((column) => row[column] ?? '')));
    const text = run.text('server', 'export.csv');
    expect(text.startsWith('\ufeff')).toBe(program !== 'libreoffice');
    expect(text.includes('客户') && text.includes('𠮷野家')).toBe(true);
    // No field would run, and a number is never marked.
    const raw = parse(text.replace('\ufeff', ''), { record_delimiter: ['\r\n', '\n'] }) as string[][];
    for (const cell of raw.flat()) if (/^[=+@\t\r-]/.test(cell)) expect(cell).toMatch(/^-[\d,]+(\.\d+)?$/);
    expect(raw.slice(1).every((row) => /^-?\d+\.\d\d$/.test(row[4] ?? ''))).toBe(true);

    // Nothing of the contract is left open, and the reviewed items were judged by somebody else.
    for (const check of run.contract.checks) expect({ key: check.key, ...(await run.check(check)) }).toEqual({ key: check.key, pass: true });
    expect(run.deliveries.filter((each) => each.by !== 'host').map((each) => [each.item, each.by])).toEqual([
      ['requirements', 'skill:csv-export/review'],
      ['documentation', 'skill:csv-export/review'],
    ]);
    await run.coordinate('audit');
    expect((run.audits[0] as { classes: { class: string }[] }).classes.map((each) => each.class)).toEqual(run.contract.criteria.map(() => 'proven'));
  });

  it('fails the same check again when the second Attempt is not told why the first came back', async () => {
    const run = new ExportRun(shipped, { large: small, deaf: true });
    expect(await run.toEnd(answer(program), 2)).toEqual({ end: 'stuck', item: 'server' });
    const failing = run.deliveries.filter((each) => each.item === 'server').map((each) => each.checks.filter((check) => !check.pass));
    expect(failing).toHaveLength(2);
    expect(failing[1]).toEqual(failing[0]);
  });
});

it('the file differs by program, and only by what the program needs', async () => {
  const files = await Promise.all(
    programs.map(async (program) => {
      const run = new ExportRun(shipped, { large: small });
      await run.toEnd(answer(program));
      return run.text('server', 'export.csv');
    }),
  );
  const [excel = '', libre = '', wps = ''] = files;
  expect(new Set(files).size).toBe(3);
  expect(excel.split('\r\n').length).toBeGreaterThan(59);
  expect(libre).toContain('"a;b;c"');
  expect(excel).not.toContain('"a;b;c"');
  expect(excel).toContain("'440301199001011234");
  expect(wps).toMatch(/[,\n]440301199001011234/);
});

const hostile = (): { records: Json; selection: Json } => {
  const texts = [
    '-12.50',
    '-1,234.50',
    '=1+1',
    '-a',
    '+86 10',
    '@x',
    "O'Brien",
    "'quoted",
    "'=1",
    '',
    null,
    '0',
    '-0',
    '00',
    '123456789012345',
    '1234567890123456',
    '-440301199001011234',
    '1e5',
    '2026-01',
    '1/2',
    'MAR1',
    'sept 2',
    'a\tb',
    'x;y',
    'l\nf',
    'c\r\nl',
    '"',
    '""',
    ' lead',
    '＝1',
    '阿',
    '\u202eabc',
    'ends\\',
    '#REF!',
    ',',
    '\ufeffbom',
  ];
  return {
    records: texts.map((text, n) => ({ id: `X${n}`, 编号: `${n}`.padStart(18, '1'), text, toString: n % 2 ? text : null, balance: n % 3 ? '-12.50' : '-1,234.50' })) as Json,
    selection: {
      selected: texts.map((_, n) => `X${(n * 7) % texts.length}`).filter((id, at, all) => all.indexOf(id) === at),
      columns: ['text', 'balance', '编号', 'toString', 'id'],
    },
  };
};

it.each(programs)('other columns and hostile values go through for %s, and negative numbers stay', async (program) => {
  const run = new ExportRun(hostile(), { large: small });
  expect(await run.toEnd(answer(program))).toEqual({ end: 'done' });
  const { columns, rows } = selectedOf(hostile());
  const back = readBack(run.bytes('server', 'export.csv'));
  expect(back.columns).toEqual(columns);
  expect(back.rows).toEqual(rows.map((row) => columns.map((column) => (Object.hasOwn(row, column) ? row[column] : null) ?? '')));
  const text = run.text('server', 'export.csv');
  expect(text).toContain('-12.50');
  expect(text).toContain('"-1,234.50"');
  expect(text).not.toContain("'-12.50");
  expect(text).not.toContain("'-1,234.50");
});

it('numbers that a double cannot keep are exported digit by digit', async () => {
  const records = new TextEncoder().encode('[{"id":"a","n":440301199001011234},{"id":"b","n":12.5}]');
  const selection = new TextEncoder().encode('{"selected":["b","a"],"columns":["id","n"]}');
  const run = new ExportRun({ bytes: { 'records.json': records, 'selection.json': selection } }, { large: small });
  expect(await run.toEnd(answer('wps'))).toEqual({ end: 'done' });
  expect(readBack(run.bytes('server', 'export.csv')).rows).toEqual([
    ['b', '12.5'],
    ['a', '440301199001011234'],
  ]);
});

it('a run over 100,000 records stays within its chunks, and a cancelled one leaves nothing', async () => {
  const run = new ExportRun(shipped);
  expect(await run.toEnd(answer('excel-zh'))).toEqual({ end: 'done' });
  const large = run.json('server', 'large-run.json') as Record<string, number>;
  expect(large).toMatchObject({ rows: 100_000, chunkRows: 5000, chunks: 20 });
  expect(large.maxInFlight).toBeGreaterThanOrEqual(1);
  expect(large.maxInFlight).toBeLessThanOrEqual(4);
  const stored = run.store.get(String(large.digest));
  expect(stored?.length).toBe(large.bytes);
  const { rows } = readBack(stored as Uint8Array);
  expect(rows).toHaveLength(100_000);
  expect(new Set(rows.map((row) => row[0])).size).toBe(100_000);
  expect(run.json('server', 'cancelled-run.json')).toMatchObject({ rows: 100_000, written: 10_000, leftBehind: [] });
  expect(run.staged.size).toBe(0);
  expect(run.ledger.filter((entry) => entry.verdict === 'exported')).toHaveLength(2);
  const entry = JSON.parse(run.text('server', 'audit.jsonl')) as Record<string, Json>;
  expect(entry).toMatchObject({
    by: 'skill:csv-export/server',
    askedBy: 'person:owner',
    columns: (shipped.selection as { columns: string[] }).columns,
    digest: run.artifact('server', 'export.csv')?.digest,
  });
}, 60_000);

describe('a fault that only the second look finds', () => {
  const withCr = {
    records: [
      { id: 'r1', text: 'before\rafter' },
      { id: 'r2', text: '-12.50' },
    ],
    selection: { selected: ['r1', 'r2'], columns: ['id', 'text'] },
  };
  it('takes the acceptance back with its scene, by another principal, and the rework mends it', async () => {
    const run = new ExportRun(withCr, { large: small, quote: [',', '"', '\n'] });
    expect(await run.toEnd(answer('excel-zh'), 6)).toEqual({ end: 'done' });
    expect(run.invalidations).toHaveLength(1);
    expect(run.invalidations[0]).toMatchObject({ item: 'server', by: 'skill:csv-export/compatibility', scene: { missing: ['rule:quote:cr'], findings: [{ where: 'B2' }] } });
    // Accepted by its own checks before that: they cannot see it.
    expect(run.deliveries.filter((each) => each.item === 'server').map((each) => each.verdict)).toEqual(['changes_requested', 'accepted', 'accepted']);
    expect(run.text('server', 'export.csv')).toContain('"before\rafter"');
    expect(run.text('server', 'export.csv').startsWith('\ufeff')).toBe(true);
    expect((run.json('server', 'manifest.json') as { rules: string[] }).rules).toEqual(['bom', 'crlf', 'quote:cr']);
  });
  it('is not there when the server quotes as it does by itself', async () => {
    const run = new ExportRun(withCr, { large: small });
    expect(await run.toEnd(answer('excel-zh'))).toEqual({ end: 'done' });
    expect(run.invalidations).toEqual([]);
  });
});

describe('what cannot be exported as it stands is asked', () => {
  const records = [
    { id: 'a', t: '1' },
    { id: 'b', t: '2' },
  ];
  const cases: [string, Json, Json, string, Json | undefined][] = [
    ['nothing selected', records, { selected: [], columns: ['t'] }, 'export_selection', undefined],
    ['unknown ids', records, { selected: ['b', 'zz'], columns: ['t'] }, 'export_selection', { ids: ['b'] }],
    ['an id twice', records, { selected: ['a', 'a'], columns: ['t'] }, 'export_selection', { ids: ['a'] }],
    ['an unknown column', records, { selected: ['a'], columns: ['t', '__proto__'] }, 'export_columns', { columns: ['t'] }],
    ['a withheld column', [{ id: 'a', t: '1', password: 'x' }], { selected: ['a'], columns: ['t', 'password'] }, 'export_columns', { columns: ['t'] }],
    ['records that share an id', [{ id: 'a' }, { id: 'a' }], { selected: ['a'], columns: ['id'] }, 'source_data', undefined],
    ['records that are none', { a: 1 }, { selected: ['a'], columns: ['id'] }, 'source_data', undefined],
  ];
  it.each(cases)('%s', async (_name, source, selection, key, recommended) => {
    const run = new ExportRun({ records: source, selection }, { large: small, permissions: { export: ['x'], withheldColumns: ['password'] } });
    const end = await run.toEnd(answer('wps'));
    expect(end).toMatchObject({ end: 'question', question: { key, ...(recommended ? { recommended } : {}) } });
    expect(run.deliveries).toEqual([]);
  });
  it('a source that is cut off', async () => {
    const run = new ExportRun({
      bytes: { 'records.json': new TextEncoder().encode('[{"id":"a"'), 'selection.json': new TextEncoder().encode('{"selected":["a"],"columns":["id"]}') },
    });
    expect(await run.toEnd(answer('wps'))).toMatchObject({ end: 'question', question: { key: 'source_data' } });
  });
  it('and the answer is what is exported', async () => {
    const run = new ExportRun({ records, selection: { selected: [], columns: ['t'] } }, { large: small });
    expect(await run.toEnd({ ...answer('libreoffice'), export_selection: { ids: ['b'] } })).toEqual({ end: 'done' });
    expect(readBack(run.bytes('server', 'export.csv')).rows).toEqual([['2']]);
  });
});

it('says so in both languages when nothing is selected or an export fails, with no file', async () => {
  const run = new ExportRun(shipped, { large: small });
  await run.toEnd(answer('wps'));
  for (const code of ['empty_selection', 'failed']) {
    const feedback = run.json('server', `feedback/${code}.json`) as { code: string; file: null; text: { en: string; zh: string } };
    expect(feedback).toMatchObject({ code, file: null });
    expect(feedback.text.en).not.toMatch(/[{}]/);
    expect(feedback.text.zh).toMatch(/没有/);
  }
});
