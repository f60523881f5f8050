/** The audit's table in the workspace's object: appended to and read; of a row only what is `held` beside it can be erased. The object is the one writer, so there is no gap and no race. */
import type { Json, PrincipalId } from '../../domain/values.ts';
import { sha256 } from '../../goal/sha256.ts';
import { type AuditFact, type AuditFilter, type AuditHead, type AuditRow, type AuditSource, chainedRow, type Held, noHead } from './chain.ts';

type SqlValue = string | number | null | ArrayBuffer;

interface AuditRecord extends Record<string, SqlValue> {
  seq: number;
  at: number;
  principal: string;
  type: string;
  subject: string | null;
  source: string;
  number: number | null;
  before: string | null;
  after: string | null;
  held: string | null;
  held_digest: string;
  prev: string;
  digest: string;
}

/** One migration of the object; see `sql-schema.ts`. */
export const auditSchema: readonly string[] = [
  'CREATE TABLE audit_chain (seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, principal TEXT NOT NULL, type TEXT NOT NULL, subject TEXT, source TEXT NOT NULL, number INTEGER, before TEXT, after TEXT, held TEXT, held_digest TEXT NOT NULL, prev TEXT NOT NULL, digest TEXT NOT NULL)',
  'CREATE INDEX audit_chain_by ON audit_chain (principal, seq)',
  'CREATE INDEX audit_chain_type ON audit_chain (type, seq)',
  'CREATE UNIQUE INDEX audit_chain_taken ON audit_chain (source, number) WHERE number IS NOT NULL',
  'CREATE TABLE audit_head (one INTEGER PRIMARY KEY CHECK (one = 1), seq INTEGER NOT NULL, digest TEXT NOT NULL)',
];

export function heldOf(from: string | null, reason: string | null): Held {
  return { salt: [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join(''), from, reason };
}

const text = (value: Json): string | null => (value === null ? null : JSON.stringify(value));
const json = (value: string | null): Json => (value === null ? null : (JSON.parse(value) as Json));

export class AuditStore {
  readonly #sql: SqlStorage;
  readonly #workspace: string;
  readonly #ready: () => boolean;

  /** `ready`: whether the tables are there yet. */
  constructor(sql: SqlStorage, workspace: string, ready: () => boolean) {
    this.#sql = sql;
    this.#workspace = workspace;
    this.#ready = ready;
  }

  #rows<T extends Record<string, SqlValue>>(query: string, ...bindings: SqlValue[]): T[] {
    return this.#ready() ? this.#sql.exec<T>(query, ...bindings).toArray() : [];
  }

  head(): AuditHead {
    const [row] = this.#rows<{ seq: number; digest: string }>('SELECT seq, digest FROM audit_head');
    return row ? { seq: row.seq, digest: row.digest } : noHead;
  }

  /** Within a transaction of the caller, with what it records. */
  append(fact: AuditFact): AuditRow {
    const row = chainedRow(sha256, this.#workspace, this.head(), fact);
    this.#sql.exec(
      'INSERT INTO audit_chain (seq, at, principal, type, subject, source, number, before, after, held, held_digest, prev, digest) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      row.seq,
      row.at,
      row.by,
      row.type,
      row.subject,
      row.source,
      row.number,
      text(row.before),
      text(row.after),
      JSON.stringify(row.held),
      row.heldDigest,
      row.prev,
      row.digest,
    );
    this.#sql.exec('INSERT INTO audit_head (one, seq, digest) VALUES (1, ?, ?) ON CONFLICT (one) DO UPDATE SET seq = excluded.seq, digest = excluded.digest', row.seq, row.digest);
    return row;
  }

  has(type: string, subject: string): boolean {
    return this.#rows('SELECT 1 FROM audit_chain WHERE type = ? AND subject = ? LIMIT 1', type, subject).length > 0;
  }

  /** Number of the last row that was taken in from the log of people. */
  lastTaken(): number {
    return this.#rows<{ number: number | null }>("SELECT MAX(number) AS number FROM audit_chain WHERE source = 'people'")[0]?.number ?? 0;
  }

  /** Newest first, those before `before`. */
  page(filter: AuditFilter, before: number | undefined, limit: number): AuditRow[] {
    return this.#select(filter, 'seq < ?', before ?? Number.MAX_SAFE_INTEGER, 'DESC', limit);
  }

  /** Oldest first, those after `after`, up to `upTo`. */
  following(filter: AuditFilter, after: number, limit: number): AuditRow[] {
    return this.#select(filter, 'seq > ?', after, 'ASC', limit);
  }

  #select(filter: AuditFilter, place: string, at: number, order: 'ASC' | 'DESC', limit: number): AuditRow[] {
    const where = [place];
    const values: SqlValue[] = [at];
    const and = (condition: string, value: SqlValue | undefined) => {
      if (value === undefined) return;
      where.push(condition);
      values.push(value);
    };
    and('principal = ?', filter.by);
    if (filter.type?.endsWith('*')) and("type LIKE ? ESCAPE '\\'", `${filter.type.slice(0, -1).replace(/[\\%_]/g, '\\$&')}%`);
    else and('type = ?', filter.type);
    and('at >= ?', filter.from);
    and('at < ?', filter.to);
    return this.#rows<AuditRecord>(`SELECT * FROM audit_chain WHERE ${where.join(' AND ')} ORDER BY seq ${order} LIMIT ?`, ...values, limit).map(rowOf);
  }

  /** Erases the addresses and reasons of what this principal did. How many rows had them. */
  eraseHeld(principal: PrincipalId): number {
    return this.#sql.exec('UPDATE audit_chain SET held = NULL WHERE principal = ? AND held IS NOT NULL RETURNING seq', principal).toArray().length;
  }
}

function rowOf(row: AuditRecord): AuditRow {
  return {
    seq: row.seq,
    at: row.at,
    by: row.principal as PrincipalId,
    type: row.type,
    subject: row.subject,
    source: row.source as AuditSource,
    number: row.number,
    before: json(row.before),
    after: json(row.after),
    held: row.held === null ? null : (JSON.parse(row.held) as Held),
    heldDigest: row.held_digest,
    prev: row.prev,
    digest: row.digest,
  };
}
