/**
 * From a batch of the book lane to SQL. Full images, never deltas: a row is written where its `seq` is not lower than the one there (one `seq`, one image: writing it again mends) and the Goal is not erased, so a
 * batch may be applied twice, late, or after a newer one, and nothing changes or fails. The Goal's own row, with `projected_seq`, comes last.
 *
 * Bulk goes through one JSON parameter and `json_each` per table: a statement binds three values however many rows it writes.
 */

import { getTableColumns } from 'drizzle-orm';
import { getTableConfig, type SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Json } from '../domain/values.ts';
import type { BookBatch } from '../goal/ports.ts';
import type { GoalRow, ItemImage } from './goal-row.ts';
import { bodiesOf, projections } from './images.ts';
import * as schema from './schema.ts';

export interface Statement {
  sql: string;
  params: [workspace: string, goal: string, rows: string];
}

/** UTF-8 bytes of one JSON parameter. D1 takes 2 MB a value; the rest is room for a single large row at the end of a chunk. */
const CHUNK_BYTES = 900_000;
/** A body larger than this stays in the Goal's object; the book shows its digest only. */
const BODY_BYTES = 900_000;

type Cell = string | number | null;

const ownColumns = new Set(['workspaceId', 'goalId', 'executionId']);
const inserts = new Map<SQLiteTable, { sql: string; properties: string[] }>();

/** The upsert of one table. Cell 0 of a row is the time by which its execution is found; the others are the table's columns in order. */
function upsert(table: SQLiteTable): { sql: string; properties: string[] } {
  const kept = inserts.get(table);
  if (kept) return kept;
  const { name } = getTableConfig(table);
  const columns = Object.entries(getTableColumns(table)).filter(([property]) => !ownColumns.has(property));
  const names = columns.map(([, column]) => `"${column.name}"`);
  const cells = columns.map((_, at) => `r.value ->> ${at + 1}`);
  // An execution belongs to itself, also where it is new. An image written in a later execution keeps the execution it was born in.
  const id = columns.findIndex(([property]) => property === 'id') + 1;
  const execution =
    table === schema.executions
      ? `r.value ->> ${id}`
      : '(SELECT e."id" FROM "executions" e WHERE e."workspace_id" = ?1 AND e."goal_id" = ?2 AND e."at" <= r.value ->> 0 ORDER BY e."at" DESC LIMIT 1)';
  const sql = `INSERT INTO "${name}" ("workspace_id", "goal_id", "execution_id", ${names.join(', ')})
SELECT ?1, ?2, ${execution}, ${cells.join(', ')}
FROM json_each(?3) r
WHERE NOT EXISTS (SELECT 1 FROM "goals" g WHERE g."workspace_id" = ?1 AND g."goal_id" = ?2 AND g."erased" = 1)
ON CONFLICT ("workspace_id", "goal_id", "id") DO UPDATE SET "execution_id" = coalesce("${name}"."execution_id", excluded."execution_id"), ${names.map((column) => `${column} = excluded.${column}`).join(', ')}
WHERE excluded."seq" >= "${name}"."seq"`;
  const made = { sql, properties: columns.map(([property]) => property) };
  inserts.set(table, made);
  return made;
}

const BODIES = `INSERT INTO "bodies" ("workspace_id", "goal_id", "digest", "value") SELECT ?1, ?2, r.value ->> 0, r.value ->> 1 FROM json_each(?3) r
WHERE NOT EXISTS (SELECT 1 FROM "goals" g WHERE g."workspace_id" = ?1 AND g."goal_id" = ?2 AND g."erased" = 1)
ON CONFLICT DO NOTHING`;

const GOAL_COLUMNS = ['execution_id', 'title', 'mode', 'status', 'why', 'goal_version', 'plan_revision', 'needs_you', 'wake_at', 'created_at', 'updated_at', 'seq', 'data'];
// Two conditions: an older summary never replaces a newer one, and `projected_seq` only grows.
const GOAL = `INSERT INTO "goals" ("workspace_id", "goal_id", ${GOAL_COLUMNS.map((name) => `"${name}"`).join(', ')}, "projected_seq")
SELECT ?1, ?2, ${[...GOAL_COLUMNS, 'projected_seq'].map((_, at) => `r.value ->> ${at}`).join(', ')} FROM json_each(?3) r WHERE true
ON CONFLICT ("workspace_id", "goal_id") DO UPDATE SET
${GOAL_COLUMNS.map((name) => `"${name}" = CASE WHEN excluded."seq" >= "goals"."seq" THEN excluded."${name}" ELSE "goals"."${name}" END`).join(', ')},
"projected_seq" = max("goals"."projected_seq", excluded."projected_seq")
WHERE "goals"."erased" = 0`;

const utf8 = new TextEncoder();

/** Cuts rows into JSON arrays of at most `CHUNK_BYTES`; a single larger row gets a chunk of its own. */
function chunks(rows: Cell[][]): string[] {
  const out: string[] = [];
  let open: string[] = [];
  let size = 0;
  for (const row of rows) {
    const text = JSON.stringify(row);
    const bytes = utf8.encode(text).length + 1;
    if (open.length > 0 && size + bytes > CHUNK_BYTES) {
      out.push(`[${open.join(',')}]`);
      open = [];
      size = 0;
    }
    open.push(text);
    size += bytes;
  }
  if (open.length > 0) out.push(`[${open.join(',')}]`);
  return out;
}

function goalRow(batch: BookBatch): GoalRow {
  return batch.goalRow as unknown as GoalRow;
}

/** The item images of a batch as text by key: what a caller compares to leave out those that did not change. */
export function itemImages(batch: BookBatch): Map<string, string> {
  return new Map(goalRow(batch).items.map((item) => [item.key, JSON.stringify(item)]));
}

/**
 * Statements of one batch, to be run in this order in one transaction.
 * `unchanged`: item images that the book is known to hold already; they are left out. Pass an empty map when in doubt: that is always right.
 */
export function statementsOf(batch: BookBatch, unchanged: ReadonlyMap<string, string> = new Map()): Statement[] {
  const row = goalRow(batch);
  const { items, ...summary } = row;
  const tables = new Map<SQLiteTable, Cell[][]>();
  const add = (table: SQLiteTable, born: number, values: Record<string, Cell>) => {
    const list = tables.get(table) ?? [];
    if (list.length === 0) tables.set(table, list);
    list.push([born, ...upsert(table).properties.map((property) => values[property] ?? null)]);
  };

  // First, so that the rows of this batch find it.
  if (row.execution) {
    const { id, status, openedAt } = row.execution;
    add(schema.executions, openedAt, { id, item: null, attempt: null, seq: row.seq, at: openedAt, status, data: JSON.stringify(row.execution) });
  }
  const bodies = new Map<string, Json>();
  for (const image of batch.rows) {
    const projection = projections[image.kind];
    if (!projection) continue;
    const columns = projection.columns(image.data as never, image);
    const born = image.kind === 'evidence_use' ? row.updatedAt : Number(columns.at);
    add(projection.table, born, { id: image.id, item: image.item ?? null, attempt: image.attempt ?? null, seq: image.seq, data: JSON.stringify(image.data), ...columns });
    for (const digest of bodiesOf(image)) {
      const value = batch.bodies[digest];
      if (value !== undefined) bodies.set(digest, value);
    }
  }
  for (const item of items) {
    const text = JSON.stringify(item);
    if (unchanged.get(item.key) === text) continue;
    add(schema.workItems, row.updatedAt, itemColumns(item, row, text));
  }

  const out: Statement[] = [];
  for (const [table, rows] of tables) for (const chunk of chunks(rows)) out.push({ sql: upsert(table).sql, params: [batch.workspace, batch.goal, chunk] });
  const shown = [...bodies].map(([digest, value]): Cell[] => [digest, JSON.stringify(value)]).filter((cells) => String(cells[1]).length <= BODY_BYTES);
  for (const chunk of chunks(shown)) out.push({ sql: BODIES, params: [batch.workspace, batch.goal, chunk] });
  const cells: Cell[] = [
    row.execution?.id ?? null,
    row.title,
    row.mode,
    row.status,
    row.why,
    row.goalVersion,
    row.planRevision,
    row.needsYou,
    row.wakeAt,
    row.createdAt,
    row.updatedAt,
    row.seq,
    JSON.stringify(summary),
    batch.seq,
  ];
  out.push({ sql: GOAL, params: [batch.workspace, batch.goal, JSON.stringify([cells])] });
  return out;
}

function itemColumns(item: ItemImage, row: GoalRow, text: string): Record<string, Cell> {
  return {
    id: item.key,
    item: item.key,
    attempt: null,
    seq: row.seq,
    at: row.createdAt,
    state: item.state,
    title: item.title,
    kind: item.kind,
    required: item.required ? 1 : 0,
    specDigest: item.specDigest,
    version: item.version,
    attempts: item.attempts,
    submissions: item.submissions,
    data: text,
  };
}
