/**
 * Whether the book holds of a Goal what its record says: row by row, every column. `rowsOf` reads the record page by page, so that the size of a Goal does not matter.
 * A book that is behind is not equal; ask again when its lane is empty.
 */
import { getTableColumns, getTableName } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { RowKind } from '../domain/context.ts';
import type { Json } from '../domain/values.ts';
import type { GoalRow } from './goal-row.ts';
import { projections } from './images.ts';
import * as schema from './schema.ts';

/** A row as the record gives it. */
export interface RecordRow {
  id: string;
  seq: number;
  item?: string;
  attempt?: string;
  data: Json;
}

export type RowsOf = (kind: RowKind, after: string | undefined) => Promise<{ data: RecordRow[]; next: string | null }>;

export interface TableComparison {
  table: string;
  /** Rows on record, and in the book. */
  record: number;
  book: number;
  /** Ids that are missing or different in the book, the first twenty. */
  differing: string[];
}

export interface Comparison {
  equal: boolean;
  /** `seq` of the record, and up to which the book says that it has everything. */
  seq: number;
  projectedSeq: number;
  tables: TableComparison[];
}

const shown = 20;

/** `null`: the book does not know the Goal. */
export async function compareBook(db: D1Database, workspace: string, goal: string, seq: number, goalRow: GoalRow, rowsOf: RowsOf): Promise<Comparison | null> {
  const row = await db
    .prepare('SELECT "title", "status", "goal_version", "plan_revision", "seq", "projected_seq" FROM "goals" WHERE "workspace_id" = ?1 AND "goal_id" = ?2 AND "erased" = 0')
    .bind(workspace, goal)
    .first<{ title: string; status: string; goal_version: number; plan_revision: number; seq: number; projected_seq: number }>();
  if (!row) return null;
  const tables: TableComparison[] = [];
  for (const [kind, projection] of Object.entries(projections)) {
    if (!projection) continue;
    const comparison = await begin(db, workspace, goal, projection.table);
    for (let after: string | undefined; ; ) {
      const page = await rowsOf(kind as RowKind, after);
      const wanted = page.data.map((each) => {
        const image = { kind: kind as RowKind, ...each };
        return {
          id: each.id,
          item: each.item ?? null,
          attempt: each.attempt ?? null,
          seq: each.seq,
          data: JSON.stringify(each.data),
          ...projection.columns(each.data as never, image),
        };
      });
      await hold(db, workspace, goal, projection.table, wanted, comparison);
      if (page.next === null) break;
      after = page.next;
    }
    tables.push(comparison);
  }
  // Items and executions carry the `seq` of the batch that brought them, which says nothing about them.
  const items = await begin(db, workspace, goal, schema.workItems);
  await hold(
    db,
    workspace,
    goal,
    schema.workItems,
    goalRow.items.map((item) => ({ id: item.key, state: item.state, title: item.title, version: item.version, specDigest: item.specDigest, data: JSON.stringify(item) })),
    items,
  );
  tables.push(items);
  const goals: TableComparison = { table: 'goals', record: 1, book: 1, differing: [] };
  if (row.title !== goalRow.title || row.status !== goalRow.status || row.goal_version !== goalRow.goalVersion || row.plan_revision !== goalRow.planRevision)
    goals.differing.push(goal);
  tables.push(goals);
  const equal = row.projected_seq === seq && tables.every((table) => table.differing.length === 0 && table.record === table.book);
  return { equal, seq, projectedSeq: row.projected_seq, tables };
}

async function begin(db: D1Database, workspace: string, goal: string, table: SQLiteTable): Promise<TableComparison> {
  const name = getTableName(table);
  const counted = await db.prepare(`SELECT count(*) AS n FROM "${name}" WHERE "workspace_id" = ?1 AND "goal_id" = ?2`).bind(workspace, goal).first<{ n: number }>();
  return { table: name, record: 0, book: counted?.n ?? 0, differing: [] };
}

type Wanted = { id: string } & Record<string, string | number | null>;

async function hold(db: D1Database, workspace: string, goal: string, table: SQLiteTable, wanted: Wanted[], comparison: TableComparison): Promise<void> {
  comparison.record += wanted.length;
  if (wanted.length === 0) return;
  const name = getTableName(table);
  const { results } = await db
    .prepare(`SELECT * FROM "${name}" WHERE "workspace_id" = ?1 AND "goal_id" = ?2 AND "id" IN (SELECT value FROM json_each(?3))`)
    .bind(workspace, goal, JSON.stringify(wanted.map((each) => each.id)))
    .all<Record<string, string | number | null>>();
  const there = new Map(results.map((each) => [each.id, each]));
  const columns = getTableColumns(table);
  for (const each of wanted) {
    const found = there.get(each.id);
    const same = found && Object.entries(each).every(([property, value]) => property in columns && equalCell(found[columns[property]?.name ?? ''], value));
    if (!same && comparison.differing.length < shown) comparison.differing.push(each.id);
  }
}

function equalCell(found: string | number | null | undefined, wanted: string | number | null): boolean {
  return (found ?? null) === wanted;
}
