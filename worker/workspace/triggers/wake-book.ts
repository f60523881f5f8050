/** D1's table of when workspaces want their triggers to be looked after. */

/** How long after its time the sweep pokes a workspace, and how long D1 may take: milliseconds. */
const overdueMs = 30_000;
const answersInMs = 5_000;

/** Null: nothing to look after. A workspace that is erased is written no more. Rejects where D1 does not answer in time; it may land all the same. */
export async function writeWake(db: D1Database, workspace: string, number: number, at: number | null): Promise<void> {
  const statement =
    at === null
      ? db.prepare('DELETE FROM workspace_wakes WHERE workspace_id = ?1 AND number < ?2').bind(workspace, number)
      : db
          .prepare(
            `INSERT INTO workspace_wakes (workspace_id, number, wake_at) SELECT ?1, ?2, ?3 WHERE NOT EXISTS (SELECT 1 FROM erasures WHERE kind = 'workspace' AND subject = ?1)
ON CONFLICT (workspace_id) DO UPDATE SET number = excluded.number, wake_at = excluded.wake_at WHERE excluded.number > number`,
          )
          .bind(workspace, number, at);
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('no answer in time')), answersInMs);
  await Promise.race([statement.run(), late.promise]).finally(() => clearTimeout(timer));
}

/** Workspaces whose triggers should have been looked after at `now`, the longest overdue first; at most `limit`. */
export async function overdueWorkspaces(db: D1Database, now: number, limit: number): Promise<string[]> {
  const { results } = await db
    .prepare('SELECT workspace_id AS workspace FROM workspace_wakes WHERE wake_at <= ?1 ORDER BY wake_at, workspace_id LIMIT ?2')
    .bind(now - overdueMs, limit)
    .all<{ workspace: string }>();
  return results.map(({ workspace }) => workspace);
}
