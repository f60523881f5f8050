import { describe, expect, it } from 'vitest';
import { fakeEnv, MemoryFiles, use, workerContext } from '../testing/fake-env.ts';
import type { Tool } from '../tool.ts';
import { csvOptions, encodeCsv, guardFormula } from './options.ts';
import { parseCsv } from './parse.ts';
import { csvRead } from './read.ts';
import { csvWrite } from './write.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const options = (more: object = {}) => csvOptions.parse(more);

describe('the formula guard', () => {
  it.each(['-12.50', '-1,234.50', '-5', '12', 'text', '', "'quoted"])('leaves %j alone', (cell) => expect(guardFormula(cell)).toBe(cell));
  it.each(['=1+1', '+1', '-1+1', '@SUM(A1)', '\tx', '\rx', '-', '-1,23.5', '--1', '\uFF1D1+1'])('neutralizes %j', (cell) => expect(guardFormula(cell)).toBe(`'${cell}`));
});

describe('writing', () => {
  it('keeps the order of columns, quotes what needs it, ends with CRLF', () => {
    const text = encodeCsv(['b', 'a'], [{ a: 'x,y', b: 'say "hi"' }, { a: 'two\nlines' }], options());
    expect(text).toBe('b,a\r\n"say ""hi""","x,y"\r\n,"two\nlines"\r\n');
  });
  it('quotes a lone CR or LF whatever the line end', () => {
    expect(encodeCsv(['a'], [['x\ry'], ['x\ny']], options({ header: false }))).toBe('"x\ry"\r\n"x\ny"\r\n');
  });
  it('starts with a byte order mark only where the file starts', () => {
    expect(encodeCsv(['a'], [['1']], options({ bom: true }))).toBe('\uFEFFa\r\n1\r\n');
    expect(encodeCsv(['a'], [['1']], options({ bom: true }), false)).toBe('1\r\n');
  });
  it('keeps long digits and leading zeros as text for the program', () => {
    const rows = [['110105199003078515', '007', '12345678901', '12.5']];
    const of = (more: object) => encodeCsv(['a', 'b', 'c', 'd'], rows, options({ header: false, ...more })).trimEnd();
    expect(of({ program: 'excel-zh' })).toBe('"=""110105199003078515""","=""007""",12345678901,12.5');
    expect(of({ program: 'libreoffice' })).toBe('"110105199003078515","007",12345678901,12.5');
    expect(of({ program: 'wps', longDigits: 'tab' })).toBe('\t110105199003078515,\t007,12345678901,12.5');
    expect(of({})).toBe('110105199003078515,007,12345678901,12.5');
  });
  it('gives back what it wrote', () => {
    const rows = [
      { id: '1', note: '逗号,"引号"\r\n换行' },
      { id: '2', note: ' 前后空格 ' },
    ];
    const table = parseCsv(bytes(encodeCsv(['id', 'note'], rows, options({ bom: true, quoting: 'all' }))), { path: 'x.csv' });
    expect(table).toMatchObject({ columns: ['id', 'note'], rows, bom: true, lineEnd: 'crlf', more: false });
  });
  it('never reads a member that a row only inherits', () => {
    expect(encodeCsv(['constructor'], [{}], options())).toBe('constructor\r\n\r\n');
  });
});

describe('reading', () => {
  const code = (content: string | Uint8Array): unknown => {
    const result = parseCsv(typeof content === 'string' ? bytes(content) : content, { path: 'x.csv' });
    return 'refusal' in result ? [result.refusal.code, result.refusal.errors?.[0]?.code, /line (\d+)/.exec(result.refusal.detail ?? '')?.[1]] : 'read';
  };
  it('refuses CR-only line ends', () => expect(code('a,b\r1,2\r')).toEqual(['malformed_data', 'cr_only', '1']));
  it('refuses __proto__ as a header', () => expect(code('a,__proto__\n1,2\n')).toEqual(['malformed_data', 'forbidden_name', '1']));
  it('refuses a column that stands twice', () => expect(code('a,a\n1,2\n')).toEqual(['malformed_data', 'duplicate_column', '1']));
  it('names the line of a quote that never closes', () => expect(code('a,b\n1,2\n"3,4\n')).toEqual(['malformed_data', 'csv_quote_not_closed', '3']));
  it('names the line of a row of another width', () => expect(code('a,b\n1,2\n3\n')).toEqual(['malformed_data', 'csv_record_inconsistent_fields_length', '3']));
  it('names the line of a byte that is not UTF-8', () => expect(code(new Uint8Array([...bytes('a\n1\n'), 0xff, 10]))).toEqual(['malformed_data', 'not_utf8', '3']));
  it('names the line where the bytes are cut within a character', () => expect(code(bytes('a\n逗').subarray(0, 4))).toEqual(['malformed_data', 'not_utf8', '2']));
  it('refuses an empty file', () => expect(code('')).toEqual(['malformed_data', 'empty', '1']));

  it('pages, narrows columns, and says which are there', async () => {
    const files = new MemoryFiles();
    const env = fakeEnv({ files, context: workerContext({ sources: [files.source('s.csv', '\uFEFFa,b\r\n1,x\r\n2,y\r\n3,z\r\n')] }) });
    expect(await use(csvRead as unknown as Tool, { path: 's.csv', columns: ['b'], offset: 1, limit: 1 }, env)).toMatchObject({
      ok: true,
      value: { columns: ['b'], rows: [{ b: 'y' }], next: 2, bom: true },
    });
    expect(await use(csvRead as unknown as Tool, { path: 's.csv', offset: 2 }, env)).toMatchObject({ ok: true, value: { rows: [{ a: '3', b: 'z' }], next: null } });
    expect(await use(csvRead as unknown as Tool, { path: 's.csv', columns: ['q'] }, env)).toMatchObject({
      ok: false,
      refusal: { code: 'not_found', current: { columns: ['a', 'b'] } },
    });
  });

  it('stores what it writes before it names it', async () => {
    const env = fakeEnv({ command: () => ({ refused: true, code: 'lease_lost' }) });
    expect(await use(csvWrite as unknown as Tool, { path: 'o.csv', columns: ['a'], rows: [['1']] }, env)).toMatchObject({ ok: false });
    expect(env.files.stored.size).toBe(1);
    expect(env.paths.has('o.csv')).toBe(false);
  });
});
