/**
 * Which goals have sockets of whom: so that the end of a session, a role or a token reaches them at once. A goal says so when somebody opens one, and again each day while it stays open.
 * What is missing here is made good by the socket's own renewal.
 */
import type { PrincipalId } from '../domain/values.ts';

/** Milliseconds after which a goal says again that it has a socket of somebody, and after which what was said counts no more. */
export const watchEvery = 86_400_000;
const watchKept = 3 * watchEvery;
/** Forgotten in one go. */
const forgottenAtOnce = 200;

export const watchersSchema: readonly string[] = [
  'CREATE TABLE watching (principal TEXT NOT NULL, goal TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (principal, goal)) WITHOUT ROWID',
  'CREATE INDEX watching_at ON watching (at)',
];

export class Watchers {
  readonly #sql: SqlStorage;
  readonly #ready: () => boolean;

  constructor(sql: SqlStorage, ready: () => boolean) {
    this.#sql = sql;
    this.#ready = ready;
  }

  /** Within a transaction of the caller. */
  add(principal: PrincipalId, goal: string, now: number): void {
    this.#sql.exec('INSERT INTO watching (principal, goal, at) VALUES (?, ?, ?) ON CONFLICT (principal, goal) DO UPDATE SET at = excluded.at', principal, goal, now);
    this.#sql.exec('DELETE FROM watching WHERE (principal, goal) IN (SELECT principal, goal FROM watching WHERE at < ? LIMIT ?)', now - watchKept, forgottenAtOnce);
  }

  of(principal: PrincipalId): { goal: string; at: number }[] {
    if (!this.#ready()) return [];
    return this.#sql.exec<{ goal: string; at: number }>('SELECT goal, at FROM watching WHERE principal = ? ORDER BY goal', principal).toArray();
  }

  /** Unless the goal has said so again since. */
  drop(principal: PrincipalId, goal: string, at: number): void {
    this.#sql.exec('DELETE FROM watching WHERE principal = ? AND goal = ? AND at = ?', principal, goal, at);
  }
}
