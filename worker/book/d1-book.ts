/** The book on D1. `batch()` is D1's only transaction: a batch is in whole or not at all. */
import { getTableName } from 'drizzle-orm';
import type { Book, BookBatch } from '../goal/ports.ts';
import { projections } from './images.ts';
import { itemImages, statementsOf } from './project.ts';
import * as schema from './schema.ts';

/**
 * One instance per Goal object. It remembers the item images of the last batch that D1 acknowledged, and sends only those that changed since;
 * after any failure, whose batch may still land, it forgets them and sends all. Throws what D1 throws: the lane counts tries and waits.
 */
export function d1Book(db: D1Database): Book {
  let known: { goal: string; items: Map<string, string> } | undefined;
  return {
    async apply(batch: BookBatch): Promise<void> {
      const name = `${batch.workspace}/${batch.goal}`;
      const before = known?.goal === name && !batch.whole ? known.items : undefined;
      known = undefined;
      await db.batch(statementsOf(batch, before).map(({ sql, params }) => db.prepare(sql).bind(...params)));
      known = { goal: name, items: itemImages(batch) };
    },
  };
}

/** Names of all tables that hold rows of a Goal beside `goals`. */
const goalTables: readonly string[] = [
  ...new Set([schema.executions, schema.workItems, schema.bodies, ...Object.values(projections).map((projection) => projection.table)].map((table) => getTableName(table))),
];

/** Deletes a Goal's content from the book for good. A row without content stays, so that no late batch writes it again. Repeatable. */
export async function eraseGoal(db: D1Database, workspace: string, goal: string): Promise<void> {
  await db.batch([
    db
      .prepare(
        `INSERT INTO "goals" ("workspace_id", "goal_id", "title", "mode", "status", "why", "goal_version", "plan_revision", "needs_you", "created_at", "updated_at", "seq", "projected_seq", "erased", "data")
VALUES (?1, ?2, '', '', 'cancelled', 'terminal', 0, 0, 0, 0, 0, 0, 0, 1, '{}')
ON CONFLICT ("workspace_id", "goal_id") DO UPDATE SET "title" = '', "needs_you" = 0, "wake_at" = NULL, "erased" = 1, "data" = '{}'`,
      )
      .bind(workspace, goal),
    ...goalTables.map((table) => db.prepare(`DELETE FROM "${table}" WHERE "workspace_id" = ?1 AND "goal_id" = ?2`).bind(workspace, goal)),
  ]);
}

/** Deletes single bodies, by digest. Repeatable. */
export async function eraseBodies(db: D1Database, workspace: string, goal: string, digests: readonly string[]): Promise<void> {
  await db
    .prepare('DELETE FROM "bodies" WHERE "workspace_id" = ?1 AND "goal_id" = ?2 AND "digest" IN (SELECT value FROM json_each(?3))')
    .bind(workspace, goal, JSON.stringify(digests))
    .run();
}
