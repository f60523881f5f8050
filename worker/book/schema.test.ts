import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { generateSQLiteDrizzleJson, generateSQLiteMigration } from 'drizzle-kit/api';
import { expect, test } from 'vitest';
import * as people from '../auth/schema.ts';
import * as schema from './schema.ts';

/** What SQLite understood of the statements, in an order of its own. */
function shapeOf(statements: string[]): unknown {
  const db = new DatabaseSync(':memory:');
  for (const statement of statements) db.exec(statement);
  const tables = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").all() as { name: string }[];
  return tables.map(({ name }) => ({
    name,
    columns: db.prepare(`PRAGMA table_info("${name}")`).all(),
    indexes: (db.prepare(`PRAGMA index_list("${name}")`).all() as { name: string; unique: number }[])
      .map((index) => ({ name: index.name, unique: index.unique, columns: db.prepare(`PRAGMA index_info("${index.name}")`).all() }))
      .sort((a, b) => a.name.localeCompare(b.name)),
  }));
}

test('the migrations make exactly the tables of the schema', async () => {
  const folder = join(import.meta.dirname, '../../migrations');
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort();
  const migrated = files.flatMap((name) => readFileSync(join(folder, name), 'utf8').split('--> statement-breakpoint'));
  const wanted = await generateSQLiteMigration(await generateSQLiteDrizzleJson({}), await generateSQLiteDrizzleJson({ ...schema, ...people }));
  expect(shapeOf(migrated)).toEqual(shapeOf(wanted));
});

test('every row of every table of the book belongs to a workspace and a goal', () => {
  for (const table of Object.values(schema)) expect(Object.keys(table)).toEqual(expect.arrayContaining(['workspaceId', 'goalId']));
});
