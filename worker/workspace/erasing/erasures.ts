/** Erasures on record in D1: begun with the batch that closes the doors, done with their receipt. What is begun and not done is taken up again by the sweep, so a crash at any point only delays it. */
import { hashOf } from '../../auth/secret-text.ts';
import type { Json, PrincipalId } from '../../domain/values.ts';
import { type Sql, sql } from '../people/change.ts';
import type { Receipt } from './receipt.ts';

export interface Erasure {
  id: string;
  kind: Receipt['kind'];
  /** Id of the workspace or person. */
  subject: string;
  askedBy: PrincipalId;
  askedAt: number;
  /** What was counted when it began, and what is left to do. */
  progress: ErasureProgress;
  receipt: Receipt | null;
}
export interface ErasureProgress {
  erased: Record<string, number>;
  /** Of a person: workspaces whose object was not told yet. */
  workspaces?: string[];
}

/** The same thing is erased once. */
export const erasureIdOf = (kind: Erasure['kind'], subject: string): string => `erasure-${hashOf(JSON.stringify([kind, subject])).slice(0, 24)}`;

/** `counts`: an expression of SQL that gives the progress as JSON, before anything is deleted. `when`: only then. */
export function beginning(erasure: Pick<Erasure, 'id' | 'kind' | 'subject' | 'askedBy' | 'askedAt'>, counts: Sql, when: Sql): Sql {
  return sql(
    `INSERT INTO erasures (id, kind, subject, asked_by, asked_at, progress) SELECT ?, ?, ?, ?, ?, ${counts.sql} WHERE ${when.sql} ON CONFLICT DO NOTHING`,
    erasure.id,
    erasure.kind,
    erasure.subject,
    erasure.askedBy,
    erasure.askedAt,
    ...counts.values,
    ...when.values,
  );
}

const columns = 'id, kind, subject, asked_by AS askedBy, asked_at AS askedAt, progress, receipt';
type Row = Omit<Erasure, 'progress' | 'receipt'> & { progress: string; receipt: string | null };
const erasureOf = (row: Row): Erasure => ({
  ...row,
  progress: JSON.parse(row.progress) as ErasureProgress,
  receipt: row.receipt === null ? null : (JSON.parse(row.receipt) as Receipt),
});

export async function readErasure(db: D1Database, id: string): Promise<Erasure | null> {
  const row = await db.prepare(`SELECT ${columns} FROM erasures WHERE id = ?`).bind(id).first<Row>();
  return row && erasureOf(row);
}

/** Those that somebody asked for, newest first. */
export async function erasuresOf(db: D1Database, askedBy: string): Promise<Erasure[]> {
  const { results } = await db.prepare(`SELECT ${columns} FROM erasures WHERE asked_by = ? ORDER BY asked_at DESC, id LIMIT 100`).bind(askedBy).all<Row>();
  return results.map(erasureOf);
}

export async function unfinished(db: D1Database, limit: number): Promise<Erasure[]> {
  const { results } = await db.prepare(`SELECT ${columns} FROM erasures WHERE done_at IS NULL ORDER BY asked_at, id LIMIT ?`).bind(limit).all<Row>();
  return results.map(erasureOf);
}

export async function keepProgress(db: D1Database, id: string, progress: ErasureProgress): Promise<void> {
  await db
    .prepare('UPDATE erasures SET progress = ? WHERE id = ? AND done_at IS NULL')
    .bind(JSON.stringify(progress as unknown as Json), id)
    .run();
}

/** The first receipt stays. */
export async function finish(db: D1Database, id: string, receipt: Receipt): Promise<void> {
  await db.prepare('UPDATE erasures SET done_at = ?, receipt = ? WHERE id = ? AND done_at IS NULL').bind(receipt.doneAt, JSON.stringify(receipt), id).run();
}
