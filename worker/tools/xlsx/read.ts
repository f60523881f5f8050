import { InvalidSpreadsheetError, readSheet, SheetNotFoundError } from 'read-excel-file/universal';
import { z } from 'zod';
import type { Json } from '../../domain/values.ts';
import { done, no } from '../answers.ts';
import { cleanJson } from '../clean.ts';
import { findFile, readWhole } from '../files/find.ts';
import { about, fileArgs, paging } from '../shapes.ts';
import { tool } from '../tool.ts';
import { openWorkbook } from './workbook.ts';

/** Bytes of a file as it is stored, packed. */
const FILE_LIMIT = 16 * 1024 * 1024;

export const xlsxRead = tool({
  name: 'xlsx.read',
  description:
    'Reads rows of one sheet of an .xlsx file (at most 16 MiB packed): `{path, sheet?, header?, offset?, limit?}`; `sheet` is its name or its number from 1. With `header` (the default) the first row names the columns and rows are objects, else arrays. Formulas give their stored results, dates come as ISO 8601, empty cells as null, numbers whose digits a double cannot keep as text. Answers `{sheet, sheets, columns?, rows, total, next}`; `next` is the offset of the rest or null.',
  lanes: ['worker', 'coordinator', 'reviewer'],
  input: z.strictObject({ ...fileArgs, sheet: z.union([z.string().min(1).max(200), z.int().min(1).max(1000)]).default(1), header: z.boolean().default(true), ...paging, about }),
  effect: 'none',
  subject: (args) => args.about ?? args.path ?? args.digest ?? 'xlsx.read',
  async run(args, env) {
    const found = findFile(env, args);
    if ('refusal' in found) return { ok: false, refusal: found.refusal };
    const { path } = found.artifact;
    const read = await readWhole(env, found.artifact, FILE_LIMIT);
    if ('refusal' in read) return { ok: false, refusal: read.refusal };
    const opened = openWorkbook(read.bytes, path);
    if ('refusal' in opened) return { ok: false, refusal: opened.refusal };
    const { stored, sheets } = opened.workbook;
    let table: Json[][];
    try {
      const rows = await readSheet<string | number>(stored, args.sheet as string, { trim: false, parseNumber: exactNumber });
      table = rows.map((row) => row.map(cell));
    } catch (error) {
      if (error instanceof SheetNotFoundError) return no('not_found', { detail: `${path} has no sheet ${args.sheet}`, current: { sheets } });
      const detail = error instanceof InvalidSpreadsheetError ? 'it is no spreadsheet' : `it cannot be read: ${error instanceof Error ? error.message : String(error)}`;
      return no('malformed_data', { detail: `${path}: ${detail}`.slice(0, 500), errors: [{ pointer: path, code: 'not_xlsx' }] });
    }
    const columns = args.header ? named(table[0] ?? []) : undefined;
    const body = columns ? table.slice(1) : table;
    const part = body.slice(args.offset, args.offset + args.limit);
    const rows = columns ? part.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at] ?? null]))) : part;
    const next = args.offset + args.limit < body.length ? args.offset + args.limit : null;
    const sheet = typeof args.sheet === 'number' ? (sheets[args.sheet - 1] ?? null) : args.sheet;
    return done(cleanJson({ sheet, sheets, ...(columns ? { columns } : {}), rows, total: body.length, next }).value, `${path}: ${rows.length} of ${body.length} rows`);
  },
});

/** A number as it is written in the file; as text where a double would change its digits. */
function exactNumber(text: string): number | string {
  const value = Number(text);
  if (!Number.isFinite(value)) return text;
  return /^-?\d+$/.test(text) && !Number.isSafeInteger(value) ? text : value;
}

function cell(value: unknown): Json {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString().replace(/T00:00:00\.000Z$/, '');
  return value === undefined ? null : (value as Json);
}

/** Names of columns: each once, empty ones by their position. */
function named(header: Json[]): string[] {
  const taken = new Set<string>();
  return header.map((value, at) => {
    const wish = value === null || value === '' ? `column_${at + 1}` : String(value);
    let name = wish;
    for (let n = 2; taken.has(name); n++) name = `${wish}_${n}`;
    taken.add(name);
    return name === '__proto__' ? `column_${at + 1}` : name;
  });
}
