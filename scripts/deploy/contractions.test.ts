import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { inRoot } from '../repository.ts';
import { contractionsOf } from './contractions.ts';

describe('what a migration takes away', () => {
  it.each([
    ['CREATE TABLE a (x INTEGER NOT NULL); CREATE UNIQUE INDEX a_x ON a (x);', []],
    ['CREATE TABLE `a` (`x` integer);\n--> statement-breakpoint\nCREATE UNIQUE INDEX `a_x` ON `a` (`x`);', []],
    ['ALTER TABLE a ADD y TEXT; CREATE INDEX a_y ON a (y);', []],
    ["ALTER TABLE a ADD COLUMN y TEXT NOT NULL DEFAULT '';", []],
    ['-- DROP TABLE a', []],
    ['DROP TABLE IF EXISTS `a`;', ['drops the table a']],
    ['ALTER TABLE `a` DROP COLUMN `x`;', ['drops the column x']],
    ['ALTER TABLE a RENAME COLUMN x TO y;', ['renames the column x']],
    ['ALTER TABLE a RENAME TO b;', ['renames the table a']],
    ['ALTER TABLE `a` ADD `y` text NOT NULL;', ['adds, without a default, the column y']],
    ['CREATE UNIQUE INDEX a_x ON a (x);', ['makes unique by a_x']],
  ])('%s', (sql, expected) => expect(contractionsOf(sql)).toEqual(expected));

  /** Of before the first release: no code ran that they could hurt. */
  const early = new Set(['0005_audit_chain.sql']);

  it('is nothing, in every migration of this repository: an upgrade never needs a stop', () => {
    const names = readdirSync(inRoot('migrations')).filter((name) => name.endsWith('.sql'));
    expect(names.length).toBeGreaterThan(3);
    for (const name of names.filter((each) => !early.has(each))) expect(contractionsOf(readFileSync(inRoot(`migrations/${name}`), 'utf8')), name).toEqual([]);
  });
});
