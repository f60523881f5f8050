/** Which goals of a workspace are open, as the book says. */

const ended = `"status" IN ('completed', 'cancelled') OR "erased" = 1`;

export async function openGoalsOf(db: D1Database, workspace: string): Promise<Set<string>> {
  const { results } = await db.prepare(`SELECT "goal_id" AS goal FROM "goals" WHERE "workspace_id" = ?1 AND NOT (${ended})`).bind(workspace).all<{ goal: string }>();
  return new Set(results.map(({ goal }) => goal));
}

/** Of these goals, those that the book has as ended or erased. */
export async function standingOf(db: D1Database, workspace: string, goals: readonly string[]): Promise<Set<string>> {
  if (goals.length === 0) return new Set();
  const { results } = await db
    .prepare(`SELECT "goal_id" AS goal FROM "goals" WHERE "workspace_id" = ?1 AND (${ended}) AND "goal_id" IN (SELECT value FROM json_each(?2))`)
    .bind(workspace, JSON.stringify(goals))
    .all<{ goal: string }>();
  return new Set(results.map(({ goal }) => goal));
}
