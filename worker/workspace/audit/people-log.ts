/**
 * Between the audit's chain in the workspace's object and D1: the log of people and tokens, which is appended there in the batch of the change and taken into the chain from here; and the heads of the
 * chain, kept in D1 so that a chain that was cut or made anew in the object shows.
 */
import type { Json, PrincipalId } from '../../domain/values.ts';
import type { AuditFact, AuditHead } from './chain.ts';

export interface LoggedChange {
  number: number;
  at: number;
  by: PrincipalId;
  type: string;
  before: Json;
  after: Json;
  from: string | null;
  reason: string | null;
}

interface LogRecord {
  number: number;
  at: number;
  principal: PrincipalId;
  type: string;
  before: string | null;
  after: string | null;
  address: string | null;
  reason: string | null;
}

const json = (value: string | null): Json => (value === null ? null : (JSON.parse(value) as Json));

/** Changes after that number, in their order. */
export async function loggedAfter(db: D1Database, workspace: string, after: number, limit: number): Promise<LoggedChange[]> {
  const { results } = await db
    .prepare('SELECT number, at, principal, type, before, after, address, reason FROM people_log WHERE workspace_id = ? AND number > ? ORDER BY number LIMIT ?')
    .bind(workspace, after, limit)
    .all<LogRecord>();
  return results.map(({ number, at, principal, type, before, after: then, address, reason }) => ({
    number,
    at,
    by: principal,
    type,
    before: json(before),
    after: json(then),
    from: address,
    reason,
  }));
}

/** Fields in which a change names what it changed. */
const subjects = ['member', 'token', 'invitation', 'workspace'] as const;

export function subjectOf({ before, after }: Pick<LoggedChange, 'before' | 'after'>): string | null {
  for (const value of [after, before])
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) for (const name of subjects) if (typeof value[name] === 'string') return value[name];
  return null;
}

export function factOf(change: LoggedChange, held: AuditFact['held']): AuditFact {
  const { number, at, by, type, before, after } = change;
  return { at, by, type, subject: subjectOf(change), before, after, source: 'people', number, held };
}

export async function keepHead(db: D1Database, workspace: string, head: AuditHead, now: number): Promise<void> {
  if (head.seq === 0) return;
  await db
    .prepare(
      'INSERT INTO audit_heads (workspace_id, seq, digest, at) VALUES (?, ?, ?, ?) ON CONFLICT (workspace_id) DO UPDATE SET seq = excluded.seq, digest = excluded.digest, at = excluded.at WHERE excluded.seq > audit_heads.seq',
    )
    .bind(workspace, head.seq, head.digest, now)
    .run();
}

export async function keptHead(db: D1Database, workspace: string): Promise<AuditHead | null> {
  return db.prepare('SELECT seq, digest FROM audit_heads WHERE workspace_id = ?').bind(workspace).first<AuditHead>();
}
