/** How the items of goals made from a template went, by their key: from the book, over the goals that it holds. */
import type { ItemFigures } from '../../domain/template/figures.ts';

const sql = `WITH made AS (SELECT "goal_id", "data" ->> '$.currency' AS currency FROM "goals"
  WHERE "workspace_id" = ?1 AND "erased" = 0 AND "data" ->> '$.template.name' = ?2 AND (?3 IS NULL OR "data" ->> '$.template.version' = ?3)),
work AS (SELECT a."item", count(DISTINCT a."goal_id") AS goals, count(*) AS attempts, sum(CASE WHEN a."ended_at" IS NULL OR a."started_at" IS NULL THEN 0 ELSE a."ended_at" - a."started_at" END) AS ms
  FROM made JOIN "attempts" a ON a."workspace_id" = ?1 AND a."goal_id" = made."goal_id" GROUP BY a."item"),
back AS (SELECT v."item", count(*) AS returns FROM made JOIN "acceptances" v ON v."workspace_id" = ?1 AND v."goal_id" = made."goal_id"
  WHERE v."verdict" <> 'accepted' OR v."invalidated_at" IS NOT NULL GROUP BY v."item"),
cost AS (SELECT u."item", made.currency, sum(u."tokens") AS tokens, sum(u."money") AS money FROM made JOIN "usage" u ON u."workspace_id" = ?1 AND u."goal_id" = made."goal_id"
  WHERE u."item" IS NOT NULL GROUP BY u."item", made.currency)
SELECT work."item" AS item, work.goals, work.attempts, coalesce(back.returns, 0) AS returns, work.ms, cost.currency, coalesce(cost.tokens, 0) AS tokens, coalesce(cost.money, 0) AS money
FROM work LEFT JOIN back ON back."item" = work."item" LEFT JOIN cost ON cost."item" = work."item" WHERE work."item" IS NOT NULL ORDER BY work."item" LIMIT 2000`;

interface Row extends Omit<ItemFigures, 'money'> {
  currency: string | null;
  money: number;
}

/** `version` undefined: of all versions. */
export async function templateFigures(db: D1Database, workspace: string, name: string, version: number | undefined): Promise<{ goals: number; data: ItemFigures[] }> {
  const [rows, made] = await db.batch([
    db.prepare(sql).bind(workspace, name, version ?? null),
    db
      .prepare(
        `SELECT count(*) AS goals FROM "goals" WHERE "workspace_id" = ?1 AND "erased" = 0 AND "data" ->> '$.template.name' = ?2 AND (?3 IS NULL OR "data" ->> '$.template.version' = ?3)`,
      )
      .bind(workspace, name, version ?? null),
  ]);
  const data = new Map<string, ItemFigures>();
  for (const { currency, money, tokens, ...row } of (rows as D1Result<Row>).results) {
    const known = data.get(row.item) ?? { ...row, tokens: 0, money: {} };
    known.tokens += tokens;
    if (currency !== null && money > 0) known.money[currency] = (known.money[currency] ?? 0) + money;
    data.set(row.item, known);
  }
  return { goals: (made as D1Result<{ goals: number }>).results[0]?.goals ?? 0, data: [...data.values()] };
}
