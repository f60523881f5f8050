/**
 * The Store over a Durable Object's SQLite. Nothing is created before the first write, so that reading an object that was never
 * created leaves nothing behind. A value of the platform is at most 2 MB: larger texts are cut into parts.
 */

import type { Row, RowKind } from '../domain/context.ts';
import type { Event } from '../domain/events.ts';
import type { Json } from '../domain/values.ts';
import type { Commit, KeptAnswerRow, LaneCursor, Store } from './ports.ts';
import { schema } from './sql-schema.ts';

/** Characters of one value. At most three bytes each in UTF-8, so below 2 MB. */
const partCharacters = 600_000;
/** From this many rows on one statement over a JSON parameter is cheaper than one statement each. */
const bulkFrom = 8;

const putRow =
  'INSERT INTO rows (kind, id, seq, item, attempt, data) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (kind, id) DO UPDATE SET seq = excluded.seq, item = excluded.item, attempt = excluded.attempt, data = excluded.data';
const putManyRows =
  'INSERT INTO rows (kind, id, seq, item, attempt, data) SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5 FROM json_each(?) WHERE true ON CONFLICT (kind, id) DO UPDATE SET seq = excluded.seq, item = excluded.item, attempt = excluded.attempt, data = excluded.data';

const keptOfCommit = 'SELECT body_digest, answer FROM commits WHERE principal = ?1 AND command_id = ?2';
const keptOfAnswer = 'SELECT body_digest, answer FROM answers WHERE principal = ?1 AND command_id = ?2';

type SqlValue = string | number | null | ArrayBuffer;
interface RowRecord extends Record<string, SqlValue> {
  kind: string;
  id: string;
  seq: number;
  item: string | null;
  attempt: string | null;
  data: string;
}

export class SqlStore implements Store {
  readonly #storage: DurableObjectStorage;
  readonly #sql: SqlStorage;
  #ready: boolean;
  /** Whether there are answers beside those of commits. Undefined: not known. */
  #answers: boolean | undefined;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.#sql = storage.sql;
    this.#ready = this.#sql.exec("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'migrations'").toArray().length > 0;
    if (this.#ready) this.#migrate();
  }

  transaction<T>(work: () => T): T {
    return this.#storage.transactionSync(() => {
      if (!this.#ready) this.#migrate();
      return work();
    });
  }

  meta() {
    const found = this.#first<{ workspace: string; goal: string; erased: number }>('SELECT workspace, goal, erased FROM meta');
    return found && { workspace: found.workspace, goal: found.goal, erased: found.erased === 1 };
  }
  putMeta(meta: { workspace: string; goal: string; erased: boolean }): void {
    this.#sql.exec(
      'INSERT INTO meta (one, workspace, goal, erased) VALUES (1, ?, ?, ?) ON CONFLICT (one) DO UPDATE SET erased = excluded.erased',
      meta.workspace,
      meta.goal,
      meta.erased ? 1 : 0,
    );
  }

  appendCommit(commit: Commit): boolean {
    const answer = JSON.stringify(commit.answer);
    if (commit.events.length === 0) {
      if (this.commitOf(commit.principal, commit.commandId)) return false;
      this.#answers = true;
      this.#sql.exec(
        'INSERT INTO answers (principal, command_id, body_digest, answer) VALUES (?, ?, ?, ?)',
        commit.principal,
        commit.commandId,
        commit.bodyDigest,
        this.#cut(`answer:${commit.principal}:${commit.commandId}`, answer),
      );
      return true;
    }
    if (this.#answersExist() && this.#first(keptOfAnswer, commit.principal, commit.commandId)) return false;
    const events = JSON.stringify(commit.events);
    const written = this.#sql.exec(
      'INSERT INTO commits (seq, at, principal, command_id, command_type, body_digest, events, answer) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (command_id, principal) DO NOTHING',
      commit.seq,
      commit.at,
      commit.principal,
      commit.commandId,
      commit.commandType,
      commit.bodyDigest,
      head(events),
      head(answer),
    );
    if (written.rowsWritten === 0) return false;
    this.#cut(`events:${commit.seq}`, events);
    this.#cut(`answer:${commit.principal}:${commit.commandId}`, answer);
    return true;
  }

  commitOf(principal: string, commandId: string) {
    const found = this.#first<{ body_digest: string; answer: string }>(this.#answersExist() ? `${keptOfCommit} UNION ALL ${keptOfAnswer}` : keptOfCommit, principal, commandId);
    return found && { bodyDigest: found.body_digest, answer: JSON.parse(this.#joined(`answer:${principal}:${commandId}`, found.answer)) as Json };
  }

  commits(after: number, limit: number): Commit[] {
    if (!this.#ready) return [];
    return this.#sql
      .exec<{ seq: number; at: number; principal: string; command_id: string; command_type: string; body_digest: string; events: string; answer: string }>(
        'SELECT seq, at, principal, command_id, command_type, body_digest, events, answer FROM commits WHERE seq > ? ORDER BY seq LIMIT ?',
        after,
        limit,
      )
      .toArray()
      .map((found) => ({
        seq: found.seq,
        at: found.at,
        principal: found.principal,
        commandId: found.command_id,
        commandType: found.command_type,
        bodyDigest: found.body_digest,
        events: JSON.parse(this.#joined(`events:${found.seq}`, found.events)) as Event[],
        answer: JSON.parse(this.#joined(`answer:${found.principal}:${found.command_id}`, found.answer)) as Json,
      }));
  }

  answers(after: { principal: string; commandId: string } | undefined, limit: number): KeptAnswerRow[] {
    if (!this.#ready) return [];
    return this.#sql
      .exec<{ principal: string; command_id: string; body_digest: string; answer: string }>(
        'SELECT principal, command_id, body_digest, answer FROM answers WHERE (principal, command_id) > (?, ?) ORDER BY principal, command_id LIMIT ?',
        after?.principal ?? '',
        after?.commandId ?? '',
        limit,
      )
      .toArray()
      .map((found) => ({
        principal: found.principal,
        commandId: found.command_id,
        bodyDigest: found.body_digest,
        answer: JSON.parse(this.#joined(`answer:${found.principal}:${found.command_id}`, found.answer)) as Json,
      }));
  }

  events(after: number, limit: number): Event[] {
    const events: Event[] = [];
    if (!this.#ready) return events;
    for (const commit of this.#sql.exec<{ seq: number; events: string }>('SELECT seq, events FROM commits WHERE seq > ? ORDER BY seq LIMIT ?', after, limit)) {
      for (const event of JSON.parse(this.#joined(`events:${commit.seq}`, commit.events)) as Event[]) {
        if (event.seq > after && events.length < limit) events.push(event);
      }
      if (events.length >= limit) break;
    }
    return events;
  }

  lastSeq(): number {
    return this.#first<{ seq: number | null }>('SELECT max(seq) AS seq FROM commits')?.seq ?? 0;
  }

  putRows(rows: Row[]): void {
    if (rows.length < bulkFrom) {
      for (const row of rows) this.#sql.exec(putRow, row.kind, row.id, row.seq, row.item ?? null, row.attempt ?? null, JSON.stringify(row.data));
      return;
    }
    let batch: Json[] = [];
    let size = 0;
    for (const row of rows) {
      const data = JSON.stringify(row.data);
      if (size > 0 && size + data.length > partCharacters / 2) {
        this.#sql.exec(putManyRows, JSON.stringify(batch));
        batch = [];
        size = 0;
      }
      batch.push([row.kind, row.id, row.seq, row.item ?? null, row.attempt ?? null, data]);
      size += data.length + 100;
    }
    this.#sql.exec(putManyRows, JSON.stringify(batch));
  }

  putBodies(bodies: Record<string, Json>): void {
    for (const [digest, body] of Object.entries(bodies)) {
      this.#sql.exec('INSERT INTO bodies (digest, data) VALUES (?, ?) ON CONFLICT (digest) DO NOTHING', digest, this.#cut(`body:${digest}`, JSON.stringify(body)));
    }
  }
  eraseBodies(digests: string[]): void {
    for (const digest of digests) {
      this.#sql.exec('DELETE FROM bodies WHERE digest = ?', digest);
      this.#sql.exec('DELETE FROM parts WHERE owner = ?', `body:${digest}`);
    }
  }
  body(digest: string): Json | undefined {
    const found = this.#first<{ data: string }>('SELECT data FROM bodies WHERE digest = ?', digest);
    return found && (JSON.parse(this.#joined(`body:${digest}`, found.data)) as Json);
  }

  bodies(after: string, limit: number): { digest: string; body: Json }[] {
    if (!this.#ready) return [];
    return this.#sql
      .exec<{ digest: string; data: string }>('SELECT digest, data FROM bodies WHERE digest > ? ORDER BY digest LIMIT ?', after, limit)
      .toArray()
      .map((found) => ({ digest: found.digest, body: JSON.parse(this.#joined(`body:${found.digest}`, found.data)) as Json }));
  }
  mentioned(digests: readonly string[]): string[] {
    if (!this.#ready) return [];
    return this.#sql
      .exec<{ digest: string }>(
        `SELECT value AS digest FROM json_each(?) d WHERE EXISTS (SELECT 1 FROM rows WHERE instr(rows.data, d.value) > 0)
OR EXISTS (SELECT 1 FROM bodies WHERE instr(bodies.data, d.value) > 0) OR EXISTS (SELECT 1 FROM parts WHERE instr(parts.data, d.value) > 0)`,
        JSON.stringify(digests),
      )
      .toArray()
      .map((found) => found.digest);
  }

  row(kind: string, id: string): Row | undefined {
    const found = this.#first<RowRecord>('SELECT kind, id, seq, item, attempt, data FROM rows WHERE kind = ? AND id = ?', kind, id);
    return found && rowOf(found);
  }

  rows(kind: string, options: { prefix?: string; item?: string; after?: string; limit?: number; newestFirst?: boolean }): Row[] {
    if (!this.#ready) return [];
    const where = ['kind = ?'];
    const values: SqlValue[] = [kind];
    if (options.prefix) {
      where.push('id >= ? AND id < ?');
      values.push(options.prefix, `${options.prefix}\u{10FFFF}`);
    }
    if (options.item !== undefined) {
      where.push('item = ?');
      values.push(options.item);
    }
    if (options.after !== undefined) {
      where.push(options.newestFirst ? 'id < ?' : 'id > ?');
      values.push(options.after);
    }
    values.push(options.limit ?? -1);
    const order = options.newestFirst ? 'DESC' : 'ASC';
    return this.#sql
      .exec<RowRecord>(`SELECT kind, id, seq, item, attempt, data FROM rows WHERE ${where.join(' AND ')} ORDER BY id ${order} LIMIT ?`, ...values)
      .toArray()
      .map(rowOf);
  }

  rowsSince(seq: number, limit: number): Row[] {
    if (!this.#ready) return [];
    const rows = this.#sql.exec<RowRecord>('SELECT kind, id, seq, item, attempt, data FROM rows WHERE seq > ? ORDER BY seq LIMIT ?', seq, limit).toArray();
    const last = rows[rows.length - 1];
    if (!last || rows.length < limit) return rows.map(rowOf);
    // The rows of the last event are completed, so that a cursor can name it.
    const whole = rows.filter((row) => row.seq < last.seq);
    whole.push(...this.#sql.exec<RowRecord>('SELECT kind, id, seq, item, attempt, data FROM rows WHERE seq = ?', last.seq).toArray());
    return whole.map(rowOf);
  }

  countRows(kind: string, prefix?: string): number {
    const found = prefix
      ? this.#first<{ n: number }>('SELECT count(*) AS n FROM rows WHERE kind = ? AND id >= ? AND id < ?', kind, prefix, `${prefix}\u{10FFFF}`)
      : this.#first<{ n: number }>('SELECT count(*) AS n FROM rows WHERE kind = ?', kind);
    return found?.n ?? 0;
  }

  snapshot() {
    const found = this.#first<{ fold_version: number; seq: number; data: string }>('SELECT fold_version, seq, data FROM snapshot');
    return found && { foldVersion: found.fold_version, seq: found.seq, state: JSON.parse(this.#joined('snapshot', found.data)) as Json };
  }
  putSnapshot(foldVersion: number, seq: number, state: Json): void {
    this.#sql.exec("DELETE FROM parts WHERE owner = 'snapshot'");
    this.#sql.exec('INSERT OR REPLACE INTO snapshot (one, fold_version, seq, data) VALUES (1, ?, ?, ?)', foldVersion, seq, this.#cut('snapshot', JSON.stringify(state)));
  }

  lease(round: string) {
    return this.#first<{ runner: string; fence: number; until: number }>('SELECT runner, fence, until FROM leases WHERE round = ?', round);
  }
  putLease(round: string, lease: { runner: string; fence: number; until: number } | null): void {
    if (lease) this.#sql.exec('INSERT OR REPLACE INTO leases (round, runner, fence, until) VALUES (?, ?, ?, ?)', round, lease.runner, lease.fence, lease.until);
    else this.#sql.exec('DELETE FROM leases WHERE round = ?', round);
  }
  leases() {
    if (!this.#ready) return [];
    return this.#sql.exec<{ round: string; runner: string; fence: number; until: number }>('SELECT round, runner, fence, until FROM leases').toArray();
  }

  cursor(lane: string): LaneCursor | undefined {
    const found = this.#first<{ seq: number; tries: number; retry_at: number; quarantined: number }>('SELECT seq, tries, retry_at, quarantined FROM cursors WHERE lane = ?', lane);
    return found && { seq: found.seq, tries: found.tries, retryAt: found.retry_at, quarantined: found.quarantined };
  }
  putCursor(lane: string, cursor: LaneCursor): void {
    this.#sql.exec(
      'INSERT OR REPLACE INTO cursors (lane, seq, tries, retry_at, quarantined) VALUES (?, ?, ?, ?, ?)',
      lane,
      cursor.seq,
      cursor.tries,
      cursor.retryAt,
      cursor.quarantined,
    );
  }

  stage(batch: string, part: number, name: string, text: string): void {
    this.#sql.exec('DELETE FROM staged WHERE batch <> ?', batch);
    this.#sql.exec("DELETE FROM parts WHERE owner LIKE 'staged:%' AND owner NOT LIKE ?", `staged:${batch}:%`);
    this.#sql.exec('INSERT OR REPLACE INTO staged (batch, part, name, data) VALUES (?, ?, ?, ?)', batch, part, name, this.#cut(`staged:${batch}:${part}`, text));
  }
  staged(batch: string, after: number, limit: number) {
    if (!this.#ready) return [];
    return this.#sql
      .exec<{ part: number; name: string; data: string }>('SELECT part, name, data FROM staged WHERE batch = ? AND part > ? ORDER BY part LIMIT ?', batch, after, limit)
      .toArray()
      .map((found) => ({ part: found.part, name: found.name, text: this.#joined(`staged:${batch}:${found.part}`, found.data) }));
  }
  dropStaged(): void {
    if (!this.#ready) return;
    this.#sql.exec('DELETE FROM staged');
    this.#sql.exec("DELETE FROM parts WHERE owner LIKE 'staged:%'");
  }
  dropRows(): void {
    this.#sql.exec('DELETE FROM rows');
  }
  wipe(): void {
    for (const table of ['commits', 'answers', 'rows', 'bodies', 'snapshot', 'leases', 'cursors', 'parts', 'staged']) this.#sql.exec(`DELETE FROM ${table}`);
  }

  setAlarm(at: number | null): void {
    // Part of the surrounding transaction; the promise only says that it was taken.
    if (at === null) void this.#storage.deleteAlarm();
    else void this.#storage.setAlarm(at);
  }

  async deleteAll(): Promise<void> {
    await this.#storage.deleteAll();
    this.#ready = false;
    this.#answers = undefined;
  }

  /** Few Goals have answers without events, and every command asks for one. */
  #answersExist(): boolean {
    this.#answers ??= this.#first('SELECT 1 AS one FROM answers LIMIT 1') !== undefined;
    return this.#answers;
  }

  #first<T extends Record<string, SqlValue>>(query: string, ...values: SqlValue[]): T | undefined {
    if (!this.#ready) return undefined;
    // To its end: a cursor that is left open keeps the prepared statement from being used again.
    return this.#sql.exec<T>(query, ...values).toArray()[0];
  }

  /** Stores the parts of a text that is too long for one value. The text itself, or an empty text whose parts are stored beside it. */
  #cut(owner: string, text: string): string {
    if (text.length <= partCharacters) return text;
    for (let part = 0; part * partCharacters < text.length; part++) {
      this.#sql.exec('INSERT OR REPLACE INTO parts (owner, part, data) VALUES (?, ?, ?)', owner, part, wellFormed(text, part));
    }
    return '';
  }
  #joined(owner: string, text: string): string {
    if (text !== '') return text;
    return this.#sql
      .exec<{ data: string }>('SELECT data FROM parts WHERE owner = ? ORDER BY part', owner)
      .toArray()
      .map((part) => part.data)
      .join('');
  }

  #migrate(): void {
    this.#sql.exec('CREATE TABLE IF NOT EXISTS migrations (version INTEGER PRIMARY KEY)');
    const at = this.#sql.exec<{ version: number | null }>('SELECT max(version) AS version FROM migrations').one().version ?? 0;
    for (const [index, statements] of schema.entries()) {
      if (index + 1 <= at) continue;
      for (const statement of statements) this.#sql.exec(statement);
      this.#sql.exec('INSERT INTO migrations (version) VALUES (?)', index + 1);
    }
    this.#ready = true;
  }
}

/** What stands in the row of a text: the text, or nothing where it is stored in parts. */
function head(text: string): string {
  return text.length <= partCharacters ? text : '';
}

/** Part `n` of a text, cut so that no pair of surrogates is torn apart. */
function wellFormed(text: string, part: number): string {
  const cut = (at: number) => {
    const code = text.charCodeAt(at);
    return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at;
  };
  return text.slice(cut(part * partCharacters), cut((part + 1) * partCharacters));
}

function rowOf(record: RowRecord): Row {
  const row: Row = { kind: record.kind as RowKind, id: record.id, seq: record.seq, data: JSON.parse(record.data) as Json };
  if (record.item !== null) row.item = record.item;
  if (record.attempt !== null) row.attempt = record.attempt;
  return row;
}
