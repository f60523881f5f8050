import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scriptModule } from '../../../samples/csv-export/testing/export-run.ts';

interface Rules {
  bom: boolean;
  lineEnd: string;
  quote: string[];
  keep: string[];
}
type Value = string | null;
type RecordRow = Record<string, Value>;
interface Finding {
  where: string;
  expected: string;
  actual: string;
  rule?: string;
}
const { plainRules, withRules, isRule, isFormulaLike, isNegativeNumber, encodeField, encodeHead, encodeRow, reimport, textIn } = await scriptModule<{
  plainRules(): Rules;
  withRules(rules: Rules, asked: string[]): Rules;
  isRule(name: string): boolean;
  isFormulaLike(text: string): boolean;
  isNegativeNumber(text: string): boolean;
  encodeField(text: Value, rules: Rules): string;
  encodeHead(columns: string[], rules: Rules): string;
  encodeRow(values: Value[], rules: Rules): string;
  reimport(bytes: Uint8Array): { columns: string[]; records: RecordRow[] };
  textIn(record: object, column: string): Value;
}>('lib-rules.js');
const { faultsOf, programs } = await scriptModule<{
  faultsOf(bytes: Uint8Array, program: string, columns: string[], records: RecordRow[]): { findings: Finding[]; rules: string[] };
  programs: string[];
}>('lib-models.js');
const { encodingFaults, quotingFaults } =
  await scriptModule<Record<'encodingFaults' | 'quotingFaults', (bytes: Uint8Array, requirements: { program: string; columns: string[] }, records: RecordRow[]) => Finding[]>>(
    'lib-compat.js',
  );
const { readCsv } = await scriptModule<{ readCsv(text: string): { rows: { text: string; quoted: boolean }[][]; faults: { what: string }[] } }>('lib-csv.js');

const file = (columns: string[], records: RecordRow[], rules: Rules): Uint8Array =>
  new TextEncoder().encode(
    encodeHead(columns, rules) +
      records
        .map((record) =>
          encodeRow(
            columns.map((column) => textIn(record, column)),
            rules,
          ),
        )
        .join(''),
  );

const piece = fc.constantFrom(
  '=',
  '+',
  '-',
  '@',
  "'",
  '"',
  ',',
  ';',
  '\t',
  '\r',
  '\n',
  '\r\n',
  '0',
  '1',
  '7',
  '.',
  'e',
  'E',
  ' ',
  '中',
  '文',
  '𠮷',
  'é',
  'e\u0301',
  '\u200b',
  '/',
  'Mar',
  'x',
  '＝',
);
const value = fc.oneof(
  fc.constant(null),
  fc.array(piece, { maxLength: 8 }).map((parts) => parts.join('')),
  fc.stringMatching(/^-?[0-9]{1,20}(\.[0-9]{1,3})?$/),
  fc.string({ unit: 'grapheme', maxLength: 12 }).filter((text) => !/\0/.test(text)),
);
const columns = ['id', 'a', '列'];
const table = fc.array(fc.record({ id: fc.stringMatching(/^[A-Z][0-9]{1,4}$/), a: value, 列: value }), { minLength: 1, maxLength: 12 });

describe('a file written by the rules', () => {
  it('gives the original values back, whatever rules it follows', () => {
    const names = ['bom', 'crlf', 'quote:semicolon', 'quote:tab', 'quote:cr', 'keep:long_digits', 'keep:leading_zeros', 'keep:exponent', 'keep:short_date'];
    fc.assert(
      fc.property(table, fc.subarray(names), (records, asked) => {
        expect(reimport(file(columns, records, withRules(plainRules(), asked)))).toEqual({ columns, records });
      }),
    );
  });

  it.each(programs)('needs for %s at most one round of rules, and then nothing is left to find', (program) => {
    fc.assert(
      fc.property(table, (records) => {
        const asked = faultsOf(file(columns, records, plainRules()), program, columns, records).rules;
        expect(asked.filter((name) => !isRule(name))).toEqual([]);
        const bytes = file(columns, records, withRules(plainRules(), asked));
        expect(faultsOf(bytes, program, columns, records).findings).toEqual([]);
        expect(encodingFaults(bytes, { program, columns }, records)).toEqual([]);
        expect(quotingFaults(bytes, { program, columns }, records)).toEqual([]);
      }),
    );
  });

  it('has no field that a spreadsheet would run, and no marked negative number', () => {
    fc.assert(
      fc.property(value, (text) => {
        const { rows } = readCsv(encodeField(text, plainRules()));
        const field = rows[0]?.[0]?.text ?? '';
        expect(isFormulaLike(field)).toBe(false);
        if (text !== null && isNegativeNumber(text)) expect(field).toBe(text);
      }),
    );
  });
});

it.each(['-12.50', '-1,234.50', '-5', '-1,234,567', '-0.1'])('%s is a number and stays', (text) => {
  expect(encodeField(text, plainRules()).replaceAll('"', '')).toBe(text);
});
it.each(['-1,2', '-a', '-1+1', '--1', '=1', '+1', '@a', '\t1', '\r=1', '\n=1', '＝1', '-'])('%j is guarded', (text) => {
  expect(readCsv(encodeField(text, plainRules())).rows[0]?.[0]?.text).toBe(`'${text}`);
});

it('an unknown rule is an error: leaving one out would send the same file again', () => {
  expect(() => withRules(plainRules(), ['utf16'])).toThrow('utf16');
  expect(() => withRules(plainRules(), ['keep:constructor'])).toThrow('keep:constructor');
});

it.each([
  ['a,"b', 'a quote that is never closed'],
  ['a,"b"c', 'text after a closing quote'],
  ['a,b"c', 'a quote inside a field without quotes'],
  ['a,b\rc', 'a lone carriage return outside quotes'],
])('%j is a fault of the grammar', (text, what) => {
  expect(readCsv(text).faults.map((fault) => fault.what)).toEqual([what]);
});
