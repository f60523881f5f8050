/** What counts against a workspace's quotas, in its object: its goals, and its files with their sizes. A file counts from before it is put until it is deleted; the sweep counts both again. */
import type { PrincipalId } from '../../domain/values.ts';
import type { QuotaOverride } from '../core/quotas.ts';

type SqlValue = string | number | null | ArrayBuffer;

/** One migration of the object; see `sql-schema.ts`. */
export const quotaSchema: readonly string[] = [
  'CREATE TABLE goals (goal TEXT PRIMARY KEY, since INTEGER NOT NULL, open INTEGER NOT NULL) WITHOUT ROWID',
  'CREATE INDEX goals_open ON goals (open)',
  'CREATE TABLE files (goal TEXT NOT NULL, digest TEXT NOT NULL, size INTEGER NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (goal, digest)) WITHOUT ROWID',
  'CREATE TABLE stored (one INTEGER PRIMARY KEY CHECK (one = 1), bytes INTEGER NOT NULL)',
  'CREATE TABLE quotas (one INTEGER PRIMARY KEY CHECK (one = 1), data TEXT NOT NULL, at INTEGER NOT NULL, by TEXT NOT NULL)',
  // When the book was first asked which goals are open; until then `goals` may lack those from before.
  'CREATE TABLE counted (one INTEGER PRIMARY KEY CHECK (one = 1), at INTEGER NOT NULL)',
];

export interface FileKey {
  goal: string;
  digest: string;
}

export class QuotaStore {
  readonly #sql: SqlStorage;
  readonly #ready: () => boolean;

  constructor(sql: SqlStorage, ready: () => boolean) {
    this.#sql = sql;
    this.#ready = ready;
  }

  #rows<T extends Record<string, SqlValue>>(query: string, ...bindings: SqlValue[]): T[] {
    return this.#ready() ? this.#sql.exec<T>(query, ...bindings).toArray() : [];
  }

  override(): QuotaOverride {
    const [row] = this.#rows<{ data: string }>('SELECT data FROM quotas');
    return row ? (JSON.parse(row.data) as QuotaOverride) : {};
  }
  putOverride(override: QuotaOverride, at: number, by: PrincipalId): void {
    this.#sql.exec(
      'INSERT INTO quotas (one, data, at, by) VALUES (1, ?, ?, ?) ON CONFLICT (one) DO UPDATE SET data = excluded.data, at = excluded.at, by = excluded.by',
      JSON.stringify(override),
      at,
      by,
    );
  }

  openGoals(): number {
    return this.#rows<{ n: number }>('SELECT COUNT(*) AS n FROM goals WHERE open = 1')[0]?.n ?? 0;
  }
  hasOpen(goal: string): boolean {
    return this.#rows('SELECT 1 FROM goals WHERE goal = ? AND open = 1', goal).length > 0;
  }
  putGoal(goal: string, since: number, open: boolean): void {
    this.#sql.exec('INSERT INTO goals (goal, since, open) VALUES (?, ?, ?) ON CONFLICT (goal) DO UPDATE SET open = excluded.open', goal, since, open ? 1 : 0);
  }
  dropGoal(goal: string): void {
    this.#sql.exec('DELETE FROM goals WHERE goal = ?', goal);
  }
  /** Goals that count as open since before that time. */
  openSince(before: number): string[] {
    return this.#rows<{ goal: string }>('SELECT goal FROM goals WHERE open = 1 AND since < ?', before).map((row) => row.goal);
  }
  /** All goals that were ever counted, those after `after` in the order of their ids. */
  goals(after: string, limit: number): string[] {
    return this.#rows<{ goal: string }>('SELECT goal FROM goals WHERE goal > ? ORDER BY goal LIMIT ?', after, limit).map((row) => row.goal);
  }
  counted(): number {
    return this.#rows<{ at: number }>('SELECT at FROM counted')[0]?.at ?? 0;
  }
  putCounted(at: number): void {
    this.#sql.exec('INSERT INTO counted (one, at) VALUES (1, ?) ON CONFLICT (one) DO UPDATE SET at = excluded.at', at);
  }

  bytes(): number {
    return this.#rows<{ bytes: number }>('SELECT bytes FROM stored')[0]?.bytes ?? 0;
  }
  files(): number {
    return this.#rows<{ n: number }>('SELECT COUNT(*) AS n FROM files')[0]?.n ?? 0;
  }
  hasFile({ goal, digest }: FileKey): boolean {
    return this.#rows('SELECT 1 FROM files WHERE goal = ? AND digest = ?', goal, digest).length > 0;
  }
  addFile({ goal, digest }: FileKey, size: number, at: number): void {
    if (this.hasFile({ goal, digest })) return;
    this.#sql.exec('INSERT INTO files (goal, digest, size, at) VALUES (?, ?, ?, ?)', goal, digest, size, at);
    this.#add(size);
  }
  dropFiles(goal: string, digests: readonly string[] | null): void {
    const gone =
      digests === null
        ? this.#sql.exec<{ size: number }>('DELETE FROM files WHERE goal = ? RETURNING size', goal).toArray()
        : this.#sql
            .exec<{ size: number }>('DELETE FROM files WHERE goal = ? AND digest IN (SELECT value FROM json_each(?)) RETURNING size', goal, JSON.stringify(digests))
            .toArray();
    this.#add(-gone.reduce((sum, row) => sum + row.size, 0));
  }
  /** Files after that one in order, that were counted before that time. */
  filesAfter(after: FileKey, upTo: FileKey | null, before: number): FileKey[] {
    return this.#rows<{ goal: string; digest: string }>(
      'SELECT goal, digest FROM files WHERE (goal, digest) > (?, ?) AND (? IS NULL OR (goal, digest) <= (?, ?)) AND at < ?',
      after.goal,
      after.digest,
      upTo?.goal ?? null,
      upTo?.goal ?? null,
      upTo?.digest ?? null,
      before,
    );
  }
  #add(bytes: number): void {
    if (bytes !== 0) this.#sql.exec('INSERT INTO stored (one, bytes) VALUES (1, MAX(0, ?1)) ON CONFLICT (one) DO UPDATE SET bytes = MAX(0, bytes + ?1)', bytes);
  }
}
