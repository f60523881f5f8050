/** D1 in memory: the real migrations and the real statements on SQLite. One per thread; histories tell their rows apart by workspace. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';

type Cell = string | number | null;

export interface Bound {
  statement: StatementSync;
  params: Cell[];
}

const folder = join(import.meta.dirname, '../../migrations');

export class Database {
  readonly #db = new DatabaseSync(':memory:');
  readonly #prepared = new Map<string, StatementSync>();
  readonly #tables: string[];

  constructor() {
    for (const file of readdirSync(folder)
      .filter((name) => name.endsWith('.sql'))
      .sort())
      this.#db.exec(readFileSync(join(folder, file), 'utf8').replaceAll('--> statement-breakpoint', ''));
    // Those of the book: tables of people and what else belongs to no one workspace are not played.
    const rows = this.#db
      .prepare(
        `SELECT m.name FROM sqlite_master m WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' AND EXISTS (SELECT 1 FROM pragma_table_info(m.name) c WHERE c.name = 'workspace_id')
AND EXISTS (SELECT 1 FROM pragma_table_info(m.name) c WHERE c.name = 'goal_id')`,
      )
      .all();
    this.#tables = rows.map((row) => String(row.name));
  }

  bound(sql: string, params: Cell[]): Bound {
    let statement = this.#prepared.get(sql);
    if (!statement) {
      statement = this.#db.prepare(sql);
      this.#prepared.set(sql, statement);
    }
    return { statement, params };
  }

  /** All of it or nothing. */
  batch(list: readonly Bound[]): void {
    this.#db.exec('BEGIN');
    try {
      for (const { statement, params } of list) statement.run(...params);
      this.#db.exec('COMMIT');
    } catch (error) {
      this.#db.exec('ROLLBACK');
      throw error;
    }
  }

  /** Every row of a workspace, by table, in an order of its own. */
  dump(workspace: string): Record<string, string[]> {
    const found: Record<string, string[]> = {};
    for (const table of this.#tables) {
      const rows = this.bound(`SELECT * FROM "${table}" WHERE "workspace_id" = ?1`, [workspace]).statement.all(workspace);
      if (rows.length > 0) found[table] = rows.map((row) => JSON.stringify(row)).sort();
    }
    return found;
  }

  hasGoal(workspace: string, goal: string): boolean {
    return this.bound('SELECT 1 FROM "goals" WHERE "workspace_id" = ?1 AND "goal_id" = ?2', [workspace, goal]).statement.get(workspace, goal) !== undefined;
  }

  clear(workspace: string): void {
    for (const table of this.#tables) this.bound(`DELETE FROM "${table}" WHERE "workspace_id" = ?1`, [workspace]).statement.run(workspace);
  }
}

/** The part of D1 that the book uses. `deliver` is the way there: it applies the batch, or not, and answers, or not. */
export function d1Face(database: Database, deliver: (batch: readonly Bound[]) => Promise<void>): D1Database {
  const face = {
    prepare: (sql: string) => ({
      bind: (...params: Cell[]) => {
        const bound = database.bound(sql, params);
        return { ...bound, all: async () => ({ results: bound.statement.all(...params) }) };
      },
    }),
    batch: (list: Bound[]) => deliver(list),
  };
  return face as unknown as D1Database;
}
