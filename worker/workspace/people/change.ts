/** One change of people or tokens: its statements and its entry in the log are one batch of D1, which applies whole or not at all. */

import { hashOf } from '../../auth/secret-text.ts';
import type { Scope } from '../../domain/context.ts';
import { canonical } from '../../domain/digest.ts';
import { type Refusal, refuse } from '../../domain/refusals.ts';
import type { Role } from '../../domain/roles.ts';
import type { Json, PrincipalId } from '../../domain/values.ts';
import { errorOf, log } from '../../observe/log.ts';

/** A member who gives a command. `person` is null for the sign-in of a development build, which no table knows. */
export interface Giver {
  principal: PrincipalId;
  person: string | null;
  role: Role | null;
  scopes: readonly Scope[];
}

export interface Sql {
  sql: string;
  values: readonly (string | number | null)[];
}
export const sql = (text: string, ...values: (string | number | null)[]): Sql => ({ sql: text, values });

export interface Change {
  statements: readonly Sql[];
  /** Expressions that must be true after the statements, else the whole batch fails: what was decided on has changed meanwhile. */
  holds: readonly Sql[];
  /** For the log, and for the answer of a command id that comes again: no secrets. */
  before: Json;
  after: Json;
  /** In the first answer only. */
  once?: Json;
}

export interface Entry {
  workspace: string;
  principal: PrincipalId;
  commandId: string;
  type: string;
  /** What was asked, for telling a repeated command from another one under its id. */
  body: Json;
  address: string | null;
  reason?: string;
}

export interface Kept {
  bodyDigest: string;
  after: Json;
}

export type Committed = { outcome: 'applied'; result: Json; once?: Json; replayed: boolean } | { outcome: 'rejected'; refusal: Refusal } | { outcome: 'unknown'; detail: string };

export const bodyDigestOf = (body: Json): string => hashOf(canonical(body));

export async function keptOf(db: D1Database, entry: Pick<Entry, 'workspace' | 'principal' | 'commandId'>): Promise<Kept | null> {
  const row = await db
    .prepare('SELECT body_digest, after FROM people_log WHERE workspace_id = ? AND principal = ? AND command_id = ?')
    .bind(entry.workspace, entry.principal, entry.commandId)
    .first<{ body_digest: string; after: string | null }>();
  return row && { bodyDigest: row.body_digest, after: row.after === null ? null : (JSON.parse(row.after) as Json) };
}

export function again(kept: Kept, entry: Entry): Committed {
  if (kept.bodyDigest !== bodyDigestOf(entry.body)) return { outcome: 'rejected', refusal: refuse('command_reused') };
  return { outcome: 'applied', result: kept.after, replayed: true };
}

/** The command id is part of the log's key: a second run of the same command cannot apply, whatever became of the first one's answer. */
export async function commit(db: D1Database, entry: Entry, change: Change, now: number): Promise<Committed> {
  const holds = change.holds.length === 0 ? '1' : `CASE WHEN ${change.holds.map((hold) => `(${hold.sql})`).join(' AND ')} THEN 1 END`;
  const text = (value: Json) => (value === null ? null : JSON.stringify(value));
  const logged = sql(
    `INSERT INTO people_log (workspace_id, principal, command_id, type, body_digest, at, address, before, after, reason, held, number)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ${holds}, (SELECT COALESCE(MAX(number), 0) + 1 FROM people_log WHERE workspace_id = ?))`,
    entry.workspace,
    entry.principal,
    entry.commandId,
    entry.type,
    bodyDigestOf(entry.body),
    now,
    entry.address,
    text(change.before),
    text(change.after),
    entry.reason ?? null,
    ...change.holds.flatMap((hold) => hold.values),
    entry.workspace,
  );
  try {
    await db.batch([...change.statements, logged].map((each) => db.prepare(each.sql).bind(...each.values)));
    return { outcome: 'applied', result: change.after, replayed: false, ...(change.once === undefined ? {} : { once: change.once }) };
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    if (message.includes('people_log.held'))
      return { outcome: 'rejected', refusal: refuse('invalid_transition', { detail: 'It changed while this was decided. Read it and decide again.' }) };
    if (message.includes('UNIQUE constraint failed: people_log')) {
      const kept = await keptOf(db, entry).catch(() => null);
      if (kept) return again(kept, entry);
    }
    log('error', 'people', 'batch.failed', { workspace: entry.workspace, command: entry.type, error: errorOf(error) });
    return { outcome: 'unknown', detail: 'The book does not answer. Send the same command id again to learn what became of it.' };
  }
}

/** Whoever decided this still holds the role it was decided with. */
export function giverHolds(workspace: string, giver: Giver): Sql[] {
  return giver.person === null ? [] : [sql('EXISTS (SELECT 1 FROM members WHERE workspace_id = ? AND person_id = ? AND role = ?)', workspace, giver.person, giver.role)];
}
