/**
 * From a decoded CSV or JSON file to rows, and from rows to ids. Pure, and harmless whatever the header says: a row has no prototype,
 * so that a column named `__proto__` or `constructor` is a column like any other.
 */

import type { Json } from '../values.ts';
import type { SetRef } from './check-spec.ts';

/** Cells by column. Made by this file only, without a prototype. */
export type TableRow = Record<string, string>;
/** `wrong`: why the file cannot be read as rows, in a sentence; it is the file's fault, so whoever delivered it can mend it. */
export type TableAnswer = { ok: true; columns: string[]; rows: TableRow[] } | { ok: false; wrong: string };
export type IdsAnswer = { ok: true; ids: string[] } | { ok: false; wrong: string };
type RowCondition = Extract<SetRef, { from: 'rows' }>['where'][number];

/** CSV records, the first of them the header. A record with more or fewer cells than the header, or a header that names a column twice, is an error. */
export function tableFromRecords(records: readonly (readonly string[])[]): TableAnswer {
  const [header, ...rest] = records;
  if (!header || (header.length === 1 && header[0] === '')) return { ok: false, wrong: 'The file has no header.' };
  const twice = header.find((name, index) => header.indexOf(name) !== index);
  if (twice !== undefined) return { ok: false, wrong: `The header names the column "${clip(twice)}" twice.` };
  const rows: TableRow[] = [];
  for (const [index, record] of rest.entries()) {
    if (record.length !== header.length) return { ok: false, wrong: `Record ${index + 2} has ${record.length} cells, the header has ${header.length}.` };
    const row = emptyRow();
    for (const [column, name] of header.entries()) row[name] = record[column] as string;
    rows.push(row);
  }
  return { ok: true, columns: [...header], rows };
}

/**
 * Rows of decoded JSON: an array of objects, or an object with exactly one such array in it (`{currency, total, lines: [...]}`).
 * Text, numbers and booleans become text; null and nested values are no cells.
 */
export function tableFromJson(value: Json): TableAnswer {
  const list = Array.isArray(value) ? value : onlyList(value);
  if (!list) return { ok: false, wrong: 'The file is neither a JSON array of objects nor an object with exactly one such array.' };
  const columns = new Set<string>();
  const rows: TableRow[] = [];
  for (const [index, entry] of list.entries()) {
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return { ok: false, wrong: `Entry ${index} is not an object.` };
    const row = emptyRow();
    for (const [name, cell] of Object.entries(entry)) {
      if (cell === null || typeof cell === 'object') continue;
      row[name] = String(cell);
      columns.add(name);
    }
    rows.push(row);
  }
  return { ok: true, columns: [...columns], rows };
}

function onlyList(value: Json): Json[] | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const lists = Object.values(value).filter((entry): entry is Json[] => Array.isArray(entry));
  return lists.length === 1 ? lists[0] : undefined;
}

/**
 * Values of `idField` in the rows that satisfy every condition, in their order, each once. A column that no row has is an error where there are rows:
 * a misspelt rule must not look like an empty set. `matches` finds anywhere in the cell; anchor it where the whole cell is meant.
 */
export function selectIds(rows: readonly Readonly<Record<string, string>>[], idField: string, where: readonly RowCondition[] = []): IdsAnswer {
  const tests: { field: string; holds(cell: string): boolean }[] = [];
  for (const condition of where) {
    let pattern: RegExp | undefined;
    try {
      pattern = condition.matches === undefined ? undefined : new RegExp(condition.matches, 'u');
    } catch {
      return { ok: false, wrong: `"${clip(condition.matches ?? '')}" is not a regular expression.` };
    }
    tests.push({
      field: condition.field,
      holds: (cell) =>
        (condition.equals === undefined || cell === condition.equals) &&
        (condition.startsWith === undefined || cell.startsWith(condition.startsWith)) &&
        (pattern === undefined || pattern.test(cell)),
    });
  }
  for (const field of [idField, ...tests.map((test) => test.field)]) {
    if (rows.length > 0 && !rows.some((row) => Object.hasOwn(row, field))) return { ok: false, wrong: `No row has the column "${clip(field)}".` };
  }
  const ids = new Set<string>();
  for (const row of rows) {
    if (!tests.every((test) => Object.hasOwn(row, test.field) && test.holds(row[test.field] as string))) continue;
    if (Object.hasOwn(row, idField)) ids.add(row[idField] as string);
  }
  return { ok: true, ids: [...ids] };
}

function emptyRow(): TableRow {
  return Object.create(null) as TableRow;
}

function clip(name: string): string {
  return name.length > 80 ? `${name.slice(0, 80)}…` : name;
}
