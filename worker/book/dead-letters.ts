/** Messages that could not be handed over, as people see them. Nothing is lost by one: the Goal schedules the work again by its own clock; somebody should know why. */
import type { Json } from '../domain/values.ts';

export interface DeadLetter {
  workspace: string;
  goal: string;
  /** Of the message. */
  id: string;
  kind: string;
  /** The round or check. */
  ref: string;
  fence: number;
  /** Milliseconds. */
  sentAt: number;
  at: number;
}

/** Repeatable: a message is one record. */
export async function recordDeadLetter(db: D1Database, letter: DeadLetter): Promise<void> {
  await db
    .prepare('INSERT INTO "dead_letters" ("workspace_id", "goal_id", "id", "kind", "ref", "fence", "sent_at", "at") VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING')
    .bind(letter.workspace, letter.goal, letter.id, letter.kind, letter.ref, letter.fence, letter.sentAt, letter.at)
    .run();
}

/** Newest first, at most `limit`; `before` is the cursor `next` of the page before. */
export async function listDeadLetters(
  db: D1Database,
  workspace: string,
  filter: { before?: { at: number; id: string }; limit: number },
): Promise<{ data: Omit<DeadLetter, 'workspace'>[]; next: { at: number; id: string } | null; total: number }> {
  const [page, counted] = await db.batch<Record<string, Json>>([
    db
      .prepare(
        `SELECT "goal_id" AS goal, "id", "kind", "ref", "fence", "sent_at" AS sentAt, "at" FROM "dead_letters"
WHERE "workspace_id" = ?1 AND (?2 IS NULL OR ("at", "id") < (?2, ?3)) ORDER BY "at" DESC, "id" DESC LIMIT ?4`,
      )
      .bind(workspace, filter.before?.at ?? null, filter.before?.id ?? null, filter.limit + 1),
    db.prepare('SELECT count(*) AS n FROM "dead_letters" WHERE "workspace_id" = ?1').bind(workspace),
  ]);
  const rows = (page?.results ?? []) as unknown as Omit<DeadLetter, 'workspace'>[];
  const data = rows.slice(0, filter.limit);
  const last = data.at(-1);
  return { data, next: rows.length > filter.limit && last ? { at: last.at, id: last.id } : null, total: Number(counted?.results[0]?.n ?? 0) };
}
