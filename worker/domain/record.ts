/** Reading the record's rows with their types. Rows hold what `rows.ts` wrote, so the kind tells the shape. */
import type { Lookup, Row, RowKind } from './context.ts';
import type { Contract } from './contract/contract.ts';
import type { Scene } from './planes/check-spec.ts';
import type { RowData } from './row-data.ts';
import type { State } from './state.ts';
import type { Json } from './values.ts';

export type TypedKind = RowKind & keyof RowData;

export function dataOf<K extends TypedKind>(_kind: K, row: Row): RowData[K] {
  return row.data as unknown as RowData[K];
}

export function recordOf<K extends TypedKind>(lookup: Lookup, kind: K, id: string): RowData[K] | undefined {
  const row = lookup.row(kind, id);
  return row ? dataOf(kind, row) : undefined;
}

/** Rows are read in pages, so that a store may bound one answer. */
const pageRows = 1000;

/** Every row of a kind, in order of id. Use it only where all of them are needed: it grows with the record. */
export function* everyRow(lookup: Lookup, kind: RowKind, options: { prefix?: string; item?: string; newestFirst?: boolean } = {}): Generator<Row> {
  let after: string | undefined;
  for (;;) {
    const page = lookup.rows(kind, { ...options, limit: pageRows, ...(after === undefined ? {} : { after }) });
    yield* page;
    if (page.length < pageRows) return;
    after = page.at(-1)?.id;
  }
}

/** A body that is text; empty when there is none or it was erased. */
export function textOf(lookup: Lookup, digest: string | null | undefined): string {
  const body = digest ? lookup.body(digest) : undefined;
  return typeof body === 'string' ? body : '';
}

/** A body that is a scene; null when there is none or it was erased. */
export function sceneOf(lookup: Lookup, digest: string | null | undefined): Scene | null {
  const body = digest ? lookup.body(digest) : undefined;
  return typeof body === 'object' && body !== null && !Array.isArray(body) && typeof body.summary === 'string' ? (body as unknown as Scene) : null;
}

/** The texts of a spec beside its lean form; empty where they were erased. */
export interface SpecTexts {
  objective: string;
  deliverable: string;
  acceptance: { id: string; text: string }[];
  inputs: string[];
  input: Json;
}

export function specTexts(lookup: Lookup, specDigest: string): SpecTexts {
  const digest = recordOf(lookup, 'item_spec', specDigest)?.specBody;
  const body = digest ? lookup.body(digest) : undefined;
  const none: SpecTexts = { objective: '', deliverable: '', acceptance: [], inputs: [], input: null };
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? { ...none, ...(body as unknown as Partial<SpecTexts>) } : none;
}

/** The contract in force, whole. Null in graph-only, and where its body was erased. */
export function contractInForce(state: State, lookup: Lookup): Contract | null {
  if (!state.contract) return null;
  const digest = recordOf(lookup, 'goal_version', String(state.goalVersion).padStart(6, '0'))?.contractBody;
  return ((digest ? lookup.body(digest) : undefined) as unknown as Contract | undefined) ?? null;
}
