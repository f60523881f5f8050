/**
 * The storage of one object, over SQLite in memory. What is written between two events of the loop is written together or not at all, as the platform does it: `begin` before an event, then
 * `commit`, or `rollback` where the process died first.
 */
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';

type Value = string | number | null | ArrayBuffer;

export class Disk {
  readonly #db = new DatabaseSync(':memory:');
  readonly #statements = new Map<string, StatementSync>();
  #depth = 0;
  /** The platform's alarm; milliseconds. */
  alarm: number | null = null;
  #alarmBefore: number | null = null;
  /** Something was written since `begin`. */
  dirty = false;

  begin(): void {
    this.#db.exec('BEGIN');
    this.#alarmBefore = this.alarm;
    this.dirty = false;
  }
  commit(): void {
    this.#db.exec('COMMIT');
  }
  rollback(): void {
    this.#db.exec('ROLLBACK');
    this.alarm = this.#alarmBefore;
  }

  all<T>(query: string, ...bindings: Value[]): T[] {
    const statement = this.#statements.get(query) ?? this.#db.prepare(query);
    this.#statements.set(query, statement);
    const rows = statement.all(...bindings.map((each) => (each instanceof ArrayBuffer ? new Uint8Array(each) : each) as SQLInputValue));
    for (const row of rows) for (const name in row) if (row[name] instanceof Uint8Array) row[name] = (row[name] as Uint8Array).slice().buffer as never;
    return rows as T[];
  }

  transaction<T>(work: () => T): T {
    this.dirty = true;
    const name = `s${++this.#depth}`;
    this.#db.exec(`SAVEPOINT ${name}`);
    try {
      const given = work();
      this.#db.exec(`RELEASE ${name}`);
      return given;
    } catch (error) {
      this.#db.exec(`ROLLBACK TO ${name}`);
      throw error;
    } finally {
      this.#depth--;
    }
  }

  /** As the classes of the Worker take it. */
  storage(): DurableObjectStorage {
    // A statement runs when it is given, not when its rows are read.
    const exec = (query: string, ...bindings: Value[]) => {
      const rows = this.#run(query, bindings);
      return { toArray: () => rows };
    };
    return { sql: { exec }, transactionSync: <T>(work: () => T) => this.transaction(work) } as unknown as DurableObjectStorage;
  }

  #run(query: string, bindings: Value[]): unknown[] {
    if (/^(CREATE|DROP|ALTER)/.test(query)) {
      this.#statements.clear();
      this.#db.exec(query);
      return [];
    }
    return this.all(query, ...bindings);
  }

  close(): void {
    this.#db.close();
  }
}
