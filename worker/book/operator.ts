/** What operators count in the book, over some workspaces: how Goals stand, how rounds ended, what is overdue, what could not be handed over. */

export interface BookCounts {
  /** By status and reason: `active/running`. */
  goals: Record<string, number>;
  /** By how they ended; `lost` are leases that ran out or Runners that died. `open`: not ended. */
  rounds: Record<string, number>;
  effects: Record<string, number>;
  /** Goals whose projected wake lies in the past. */
  overdue: number;
  /** Milliseconds by which the longest overdue one is late. */
  overdueMs: number;
  deadLetters: number;
}

export async function bookCounts(db: D1Database, workspaces: readonly string[], now: number): Promise<BookCounts> {
  const list = JSON.stringify(workspaces);
  const mine = '"workspace_id" IN (SELECT value FROM json_each(?1))';
  const grouped = (sql: string) => db.prepare(sql).bind(list);
  const [goals, rounds, effects, overdue, dead] = await db.batch<{ label: string | null; n: number; since: number | null }>([
    grouped(`SELECT "status" || '/' || "why" AS label, count(*) AS n FROM "goals" WHERE ${mine} AND "erased" = 0 GROUP BY 1`),
    grouped(`SELECT coalesce("outcome", 'open') AS label, count(*) AS n FROM "rounds" WHERE ${mine} GROUP BY 1`),
    grouped(`SELECT "state" AS label, count(*) AS n FROM "effects" WHERE ${mine} GROUP BY 1`),
    db.prepare(`SELECT count(*) AS n, min("wake_at") AS since FROM "goals" WHERE ${mine} AND "erased" = 0 AND "wake_at" <= ?2`).bind(list, now),
    grouped(`SELECT count(*) AS n FROM "dead_letters" WHERE ${mine}`),
  ]);
  const byLabel = (result: typeof goals) => Object.fromEntries((result?.results ?? []).map((row) => [row.label ?? '', row.n]));
  const since = overdue?.results[0]?.since ?? null;
  return {
    goals: byLabel(goals),
    rounds: byLabel(rounds),
    effects: byLabel(effects),
    overdue: overdue?.results[0]?.n ?? 0,
    overdueMs: since === null ? 0 : Math.max(0, now - since),
    deadLetters: dead?.results[0]?.n ?? 0,
  };
}
