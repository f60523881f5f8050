/** How CSV is written: what a spreadsheet does on opening is the reason for every option. */
import { stringify } from 'csv-stringify/sync';
import { z } from 'zod';

/** The program a person opens the file with. */
export const programs = ['excel-zh', 'libreoffice', 'wps'] as const;
export type Program = (typeof programs)[number];

export const csvOptions = z.strictObject({
  bom: z.boolean().default(false).describe('Start with a UTF-8 byte order mark.'),
  lineEnd: z.enum(['crlf', 'lf']).default('crlf'),
  delimiter: z.enum([',', ';', '\t']).default(','),
  quoting: z.enum(['needed', 'all']).default('needed').describe('Quote cells only where needed, or all of them.'),
  header: z.boolean().default(true),
  formulaGuard: z.boolean().default(true).describe('Cells that a spreadsheet would run as a formula get a leading apostrophe; plain negative numbers are left alone.'),
  program: z.enum(programs).optional(),
  longDigits: z
    .enum(['plain', 'tab', 'equals', 'quote'])
    .optional()
    .describe(
      'How digits-only cells that the program would turn into a number (12 or more digits, or a leading zero) stay text: as they are, with a leading TAB, as ="...", or as a quoted cell. Default by program: excel-zh and wps "equals", libreoffice "quote", none "plain".',
    ),
});
export type CsvOptions = z.output<typeof csvOptions>;

const byProgram: Record<Program, 'equals' | 'quote'> = { 'excel-zh': 'equals', wps: 'equals', libreoffice: 'quote' };

/** A number as people write it, thousands grouped or not. With a leading plus it is a phone number as often as not, so that is guarded. */
const plainNumber = /^-(\d+|\d{1,3}(,\d{3})+)(\.\d+)?$/;
/** The signs a formula starts with, their full-width forms that some programs take for the same, and what hides them from the eye. */
const formulaStart = /^'*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/;
const longDigitsOnly = /^(0\d+|\d{12,})$/;

/** Text that already has the apostrophe gets another, so that taking one off always gives back what was written. */
export function guardFormula(cell: string): string {
  return formulaStart.test(cell) && !plainNumber.test(cell) ? `'${cell}` : cell;
}

/** The opposite of `guardFormula`. */
export function unguardFormula(cell: string): string {
  const rest = cell.slice(1);
  return cell.startsWith("'") && formulaStart.test(rest) && !plainNumber.test(rest) ? rest : cell;
}

export type Cell = string | number | boolean | null;

/** Columns in the given order; a row's missing column is an empty cell. `first`: this is the beginning of the file, with BOM and header. */
export function encodeCsv(columns: readonly string[], rows: readonly ({ [column: string]: Cell } | readonly Cell[])[], options: CsvOptions, first = true): string {
  const style = options.longDigits ?? (options.program ? byProgram[options.program] : 'plain');
  const cellText = (value: Cell | undefined): string => {
    if (value === null || value === undefined) return '';
    const text = String(value);
    if (longDigitsOnly.test(text)) {
      if (style === 'tab') return `\t${text}`;
      if (style === 'equals') return `="${text}"`;
      return text;
    }
    return options.formulaGuard ? guardFormula(text) : text;
  };
  const lines = rows.map((row) =>
    Array.isArray(row)
      ? columns.map((_, i) => cellText(row[i]))
      : columns.map((name) => cellText(Object.hasOwn(row, name) ? (row as { [column: string]: Cell })[name] : undefined)),
  );
  if (first && options.header) lines.unshift(columns.map((name) => (options.formulaGuard ? guardFormula(name) : name)));
  const text = stringify(lines, {
    delimiter: options.delimiter,
    record_delimiter: options.lineEnd === 'crlf' ? '\r\n' : '\n',
    quoted: options.quoting === 'all',
    // A lone CR or LF inside a cell must be quoted whichever line end the file has.
    quoted_match: style === 'quote' ? [/[\r\n]/, longDigitsOnly] : /[\r\n]/,
  });
  return first && options.bom ? `\uFEFF${text}` : text;
}
