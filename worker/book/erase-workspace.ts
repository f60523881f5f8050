/** What D1 keeps of a workspace beside tombstones: every table that names a workspace, so that a new one is not forgotten. Repeatable. */
import { getTableColumns, getTableName, isTable } from 'drizzle-orm';
import * as people from '../auth/schema.ts';
import * as book from './schema.ts';

/** Erased goals keep an empty row, so that no late batch writes one again; receipts are what is left to show. */
const kept: ReadonlySet<string> = new Set(['goals', 'erasures']);

/** The table, and its column that names the workspace. */
const tables: readonly { table: string; column: string }[] = Object.values({ ...book, ...people }).flatMap((value) => {
  if (!isTable(value)) return [];
  const table = getTableName(value);
  const column = table === 'workspaces' ? 'id' : Object.values(getTableColumns(value)).find(({ name }) => name === 'workspace_id')?.name;
  return column === undefined || kept.has(table) ? [] : [{ table, column }];
});

/** Rows deleted, by table; tables that had none are left out. */
export async function eraseWorkspaceRows(db: D1Database, workspace: string): Promise<Record<string, number>> {
  const results = await db.batch(tables.map(({ table, column }) => db.prepare(`DELETE FROM "${table}" WHERE "${column}" = ?1`).bind(workspace)));
  return Object.fromEntries(tables.flatMap(({ table }, at) => ((results[at]?.meta.changes ?? 0) > 0 ? [[table, results[at]?.meta.changes ?? 0]] : [])));
}

/** Goals that the book has of a workspace, those after that id. */
export async function goalsAfter(db: D1Database, workspace: string, after: string, limit: number): Promise<string[]> {
  const { results } = await db
    .prepare('SELECT "goal_id" AS goal FROM "goals" WHERE "workspace_id" = ?1 AND "goal_id" > ?2 ORDER BY "goal_id" LIMIT ?3')
    .bind(workspace, after, limit)
    .all<{ goal: string }>();
  return results.map(({ goal }) => goal);
}
