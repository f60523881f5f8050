/**
 * The record in memory: rows by kind and id, bodies by digest, leases. Answers as the object's SQL does: ids in the order of their UTF-8 bytes,
 * the last image of a row wins, a kind without rows is empty. Nothing here is durable.
 */
import type { Lookup, Row, RowKind } from '../context.ts';
import type { Json } from '../values.ts';

/** Rows of one kind, their ids in order, and the ids of each item's rows. */
interface Table {
  rows: Map<string, Row>;
  ids: string[];
  ofItem: Map<string, string[]>;
}

export class MemoryLookup implements Lookup {
  readonly #tables = new Map<string, Table>();
  readonly #bodies = new Map<string, Json>();
  readonly #leases = new Map<string, { runner: string; until: number }>();

  put(rows: Iterable<Row>): void {
    for (const row of rows) this.#putRow(row);
  }

  #putRow(row: Row): void {
    let table = this.#tables.get(row.kind);
    if (!table) {
      table = { rows: new Map(), ids: [], ofItem: new Map() };
      this.#tables.set(row.kind, table);
    }
    const before = table.rows.get(row.id);
    table.rows.set(row.id, row);
    if (!before) insert(table.ids, row.id);
    if (before?.item === row.item) return;
    if (before?.item !== undefined) remove(table.ofItem.get(before.item) ?? [], row.id);
    if (row.item !== undefined) {
      const ids = table.ofItem.get(row.item);
      if (ids) insert(ids, row.id);
      else table.ofItem.set(row.item, [row.id]);
    }
  }

  /** Takes a row out, as a rolled back transaction does. */
  removeRow(kind: RowKind, id: string): void {
    const table = this.#tables.get(kind);
    const row = table?.rows.get(id);
    if (!table || !row) return;
    table.rows.delete(id);
    remove(table.ids, id);
    if (row.item !== undefined) remove(table.ofItem.get(row.item) ?? [], id);
  }

  putBodies(bodies: Record<string, Json>): void {
    for (const [digest, body] of Object.entries(bodies)) this.#bodies.set(digest, body);
  }

  eraseBodies(digests: Iterable<string>): void {
    for (const digest of digests) this.#bodies.delete(digest);
  }

  putLease(round: string, lease: { runner: string; until: number } | null): void {
    if (lease) this.#leases.set(round, lease);
    else this.#leases.delete(round);
  }

  row(kind: RowKind, id: string): Row | undefined {
    return this.#tables.get(kind)?.rows.get(id);
  }

  /** `newestFirst` turns the order of ids around, and `after` then excludes the ids down to and including it. Without a limit: all. */
  rows(kind: RowKind, options: { prefix?: string; item?: string; after?: string; limit?: number; newestFirst?: boolean } = {}): Row[] {
    const table = this.#tables.get(kind);
    if (!table) return [];
    const { prefix = '', item, after, limit = Number.POSITIVE_INFINITY, newestFirst = false } = options;
    const ids = item === undefined ? table.ids : (table.ofItem.get(item) ?? []);
    let from = place(ids, prefix);
    let to = from;
    if (prefix === '') to = ids.length;
    else to = firstWithout(ids, prefix, from);
    if (after !== undefined) {
      const at = place(ids, after);
      if (newestFirst) to = Math.min(to, at);
      else from = Math.max(from, ids[at] === after ? at + 1 : at);
    }
    const found: Row[] = [];
    for (let step = 0; step < to - from && found.length < limit; step++) {
      const row = table.rows.get(ids[newestFirst ? to - 1 - step : from + step] as string);
      if (row) found.push(row);
    }
    return found;
  }

  count(kind: RowKind, prefix = ''): number {
    const ids = this.#tables.get(kind)?.ids ?? [];
    const from = place(ids, prefix);
    return prefix === '' ? ids.length : firstWithout(ids, prefix, from) - from;
  }

  body(digest: string): Json | undefined {
    return this.#bodies.get(digest);
  }

  lease(round: string): { runner: string; until: number } | undefined {
    return this.#leases.get(round);
  }
}

/** Order of UTF-8 bytes, as SQLite has it: like that of UTF-16 units, but surrogates come after everything else. */
export function compareIds(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const [left, right] = [a.charCodeAt(index), b.charCodeAt(index)];
    if (left === right) continue;
    const surrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdfff;
    return surrogate(left) === surrogate(right) ? left - right : surrogate(left) ? 1 : -1;
  }
  return a.length - b.length;
}

/** Index of the first id that is not less. */
function place(ids: readonly string[], id: string): number {
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareIds(ids[middle] as string, id) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Index behind the run of ids with this prefix that begins at `from`. */
function firstWithout(ids: readonly string[], prefix: string, from: number): number {
  let low = from;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ids[middle] as string).startsWith(prefix)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function insert(ids: string[], id: string): void {
  const last = ids.at(-1);
  if (last === undefined || compareIds(last, id) < 0) ids.push(id);
  else ids.splice(place(ids, id), 0, id);
}

function remove(ids: string[], id: string): void {
  const at = place(ids, id);
  if (ids[at] === id) ids.splice(at, 1);
}
