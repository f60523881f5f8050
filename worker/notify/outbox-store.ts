/** Tables of one workspace's outbox. Nothing is created before the first write. What writes is called within a transaction of the caller. */
import type { AttemptView, DeliveryState, DeliveryView, EndpointHealth } from './rpc.ts';

type SqlValue = string | number | null | ArrayBuffer;

/** Each entry is one migration; an entry that was released is never changed. */
const schema: readonly (readonly string[])[] = [
  [
    'CREATE TABLE happenings (id TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID',
    'CREATE INDEX happenings_at ON happenings (at)',
    'CREATE TABLE deliveries (seq INTEGER PRIMARY KEY, endpoint TEXT NOT NULL, id TEXT NOT NULL, type TEXT NOT NULL, goal TEXT NOT NULL, body TEXT NOT NULL, state TEXT NOT NULL, tries INTEGER NOT NULL, first_at INTEGER, next_at INTEGER, made_at INTEGER NOT NULL, UNIQUE (endpoint, id))',
    "CREATE INDEX deliveries_due ON deliveries (next_at) WHERE state = 'pending'",
    'CREATE INDEX deliveries_endpoint ON deliveries (endpoint, seq)',
    'CREATE TABLE attempts (delivery INTEGER NOT NULL, n INTEGER NOT NULL, at INTEGER NOT NULL, ms INTEGER NOT NULL, status INTEGER, fault TEXT, PRIMARY KEY (delivery, n)) WITHOUT ROWID',
    // `version`: of the setting that was disabled; a newer one is another endpoint.
    'CREATE TABLE endpoints (name TEXT PRIMARY KEY, failing_since INTEGER, disabled_at INTEGER, why TEXT, version INTEGER) WITHOUT ROWID',
  ],
];

export interface Delivery {
  seq: number;
  endpoint: string;
  id: string;
  type: string;
  goal: string;
  body: string;
  state: DeliveryState;
  tries: number;
  /** When it was tried first since it was made or replayed. */
  firstAt: number | null;
}

interface DeliveryRecord extends Record<string, SqlValue> {
  seq: number;
  endpoint: string;
  id: string;
  type: string;
  goal: string;
  body: string;
  state: string;
  tries: number;
  first_at: number | null;
  next_at: number | null;
  made_at: number;
}

export class OutboxStore {
  readonly #storage: DurableObjectStorage;
  readonly #sql: SqlStorage;
  #ready: boolean;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.#sql = storage.sql;
    this.#ready = this.#made();
    if (this.#ready) this.#migrate();
  }

  #made(): boolean {
    return this.#sql.exec("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'migrations'").toArray().length > 0;
  }

  #migrate(): void {
    this.#sql.exec('CREATE TABLE IF NOT EXISTS migrations (version INTEGER PRIMARY KEY)');
    const done = this.#sql.exec<{ version: number | null }>('SELECT MAX(version) AS version FROM migrations').toArray()[0]?.version ?? 0;
    for (const [at, statements] of schema.entries()) {
      if (at < done) continue;
      for (const statement of statements) this.#sql.exec(statement);
      this.#sql.exec('INSERT INTO migrations (version) VALUES (?)', at + 1);
    }
    this.#ready = true;
  }

  transaction<T>(work: () => T): T {
    try {
      return this.#storage.transactionSync(() => {
        if (!this.#ready) this.#migrate();
        return work();
      });
    } catch (error) {
      this.#ready = this.#made();
      throw error;
    }
  }

  /** Nothing is left, not even the tables. */
  async wipe(): Promise<void> {
    await this.#storage.deleteAlarm();
    await this.#storage.deleteAll();
    this.#ready = false;
  }

  #rows<T extends Record<string, SqlValue>>(query: string, ...bindings: SqlValue[]): T[] {
    return this.#ready ? this.#sql.exec<T>(query, ...bindings).toArray() : [];
  }

  knows(id: string): boolean {
    return this.#rows('SELECT 1 FROM happenings WHERE id = ?', id).length > 0;
  }
  addHappening(id: string, at: number): void {
    this.#sql.exec('INSERT INTO happenings (id, at) VALUES (?, ?) ON CONFLICT (id) DO NOTHING', id, at);
  }

  addDelivery(made: Pick<Delivery, 'endpoint' | 'id' | 'type' | 'goal' | 'body'>, at: number): void {
    this.#sql.exec(
      "INSERT INTO deliveries (endpoint, id, type, goal, body, state, tries, next_at, made_at) VALUES (?, ?, ?, ?, ?, 'pending', 0, ?, ?) ON CONFLICT (endpoint, id) DO NOTHING",
      made.endpoint,
      made.id,
      made.type,
      made.goal,
      made.body,
      at,
      at,
    );
  }
  /** Those that are to be sent by now, the one that waited longest first. */
  due(now: number, limit: number): Delivery[] {
    return this.#rows<DeliveryRecord>("SELECT * FROM deliveries WHERE state = 'pending' AND next_at <= ? ORDER BY next_at, seq LIMIT ?", now, limit).map(deliveryOf);
  }
  delivery(seq: number): Delivery | undefined {
    const [row] = this.#rows<DeliveryRecord>('SELECT * FROM deliveries WHERE seq = ?', seq);
    return row && deliveryOf(row);
  }
  /** What one try came to. `nextAt` null: no other follows. */
  tried(delivery: Delivery, attempt: Omit<AttemptView, 'n'>, state: DeliveryState, nextAt: number | null): void {
    const [last] = this.#rows<{ n: number | null }>('SELECT MAX(n) AS n FROM attempts WHERE delivery = ?', delivery.seq);
    this.#sql.exec(
      'INSERT INTO attempts (delivery, n, at, ms, status, fault) VALUES (?, ?, ?, ?, ?, ?)',
      delivery.seq,
      (last?.n ?? 0) + 1,
      attempt.at,
      attempt.ms,
      attempt.status,
      attempt.fault,
    );
    this.#sql.exec('UPDATE deliveries SET state = ?, tries = tries + 1, first_at = COALESCE(first_at, ?), next_at = ? WHERE seq = ?', state, attempt.at, nextAt, delivery.seq);
  }
  /** As if it were new, under its id and with its body. */
  again(seq: number, now: number): void {
    this.#sql.exec("UPDATE deliveries SET state = 'pending', tries = 0, first_at = NULL, next_at = ? WHERE seq = ?", now, seq);
  }
  /** Nothing more is sent to it of what waits. */
  failAll(endpoint: string): void {
    this.#sql.exec("UPDATE deliveries SET state = 'failed', next_at = NULL WHERE endpoint = ? AND state = 'pending'", endpoint);
  }
  page(endpoint: string | undefined, before: number, limit: number): DeliveryView[] {
    const rows =
      endpoint === undefined
        ? this.#rows<DeliveryRecord>('SELECT * FROM deliveries WHERE seq < ? ORDER BY seq DESC LIMIT ?', before, limit)
        : this.#rows<DeliveryRecord>('SELECT * FROM deliveries WHERE endpoint = ? AND seq < ? ORDER BY seq DESC LIMIT ?', endpoint, before, limit);
    return rows.map((row) => {
      const { seq, endpoint: to, id, type, goal, state, tries } = deliveryOf(row);
      const attempts = this.#rows<{ n: number; at: number; ms: number; status: number | null; fault: string | null }>(
        'SELECT n, at, ms, status, fault FROM attempts WHERE delivery = ? ORDER BY n',
        seq,
      );
      return { seq, endpoint: to, id, type, goal, state, tries, madeAt: row.made_at, nextAt: row.next_at, attempts };
    });
  }

  health(): (EndpointHealth & { version: number | null })[] {
    return this.#rows<{ name: string; failing_since: number | null; disabled_at: number | null; why: string | null; version: number | null }>(
      'SELECT * FROM endpoints ORDER BY name',
    ).map(({ name, failing_since, disabled_at, why, version }) => ({
      name,
      failingSince: failing_since,
      disabled: disabled_at === null ? null : { at: disabled_at, why: why as 'gone' | 'failing' },
      version,
    }));
  }
  failing(name: string, since: number): void {
    this.#sql.exec(
      'INSERT INTO endpoints (name, failing_since) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET failing_since = COALESCE(failing_since, excluded.failing_since)',
      name,
      since,
    );
  }
  healthy(name: string): void {
    this.#sql.exec('DELETE FROM endpoints WHERE name = ?', name);
  }
  disable(name: string, version: number, why: 'gone' | 'failing', at: number): void {
    this.#sql.exec(
      'INSERT INTO endpoints (name, failing_since, disabled_at, why, version) VALUES (?, ?, ?, ?, ?) ON CONFLICT (name) DO UPDATE SET disabled_at = excluded.disabled_at, why = excluded.why, version = excluded.version',
      name,
      at,
      at,
      why,
      version,
    );
  }

  /** When the next thing is due; null: nothing is. */
  nextAt(): number | null {
    const [delivery] = this.#rows<{ at: number | null }>("SELECT MIN(next_at) AS at FROM deliveries WHERE state = 'pending'");
    return delivery?.at ?? null;
  }

  /** What is done and from before that time, some at once. */
  forget(before: number, limit: number): void {
    const old = this.#rows<{ seq: number }>("SELECT seq FROM deliveries WHERE state <> 'pending' AND made_at < ? ORDER BY seq LIMIT ?", before, limit);
    for (const { seq } of old) {
      this.#sql.exec('DELETE FROM attempts WHERE delivery = ?', seq);
      this.#sql.exec('DELETE FROM deliveries WHERE seq = ?', seq);
    }
    this.#sql.exec('DELETE FROM happenings WHERE id IN (SELECT id FROM happenings WHERE at < ? LIMIT ?)', before, limit);
  }
}

function deliveryOf(row: DeliveryRecord): Delivery {
  const { seq, endpoint, id, type, goal, body, state, tries, first_at } = row;
  return { seq, endpoint, id, type, goal, body, state: state as DeliveryState, tries, firstAt: first_at };
}
