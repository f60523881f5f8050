import { auditSchema } from './audit/audit-store.ts';
import { watchersSchema } from './watchers.ts';
import { quotaSchema } from './quotas/quota-store.ts';
import { triggerSchema, wakeSchema } from './triggers/trigger-store.ts';
import { linksSchema } from './links.ts';

/** Tables of one workspace's object. Each entry of the list is one migration; an entry that was released is never changed. */
export const schema: readonly (readonly string[])[] = [
  [
    'CREATE TABLE head (one INTEGER PRIMARY KEY CHECK (one = 1), version INTEGER NOT NULL)',
    'CREATE TABLE settings (kind TEXT NOT NULL, name TEXT NOT NULL, version INTEGER NOT NULL, at INTEGER NOT NULL, by TEXT NOT NULL, data TEXT NOT NULL, PRIMARY KEY (kind, name)) WITHOUT ROWID',
    // Values of secrets, each sealed for its name and version.
    'CREATE TABLE sealed (name TEXT PRIMARY KEY, version INTEGER NOT NULL, iv BLOB NOT NULL, data BLOB NOT NULL) WITHOUT ROWID',
    'CREATE TABLE data_key (one INTEGER PRIMARY KEY CHECK (one = 1), master_version INTEGER NOT NULL, iv BLOB NOT NULL, data BLOB NOT NULL)',
    'CREATE TABLE commands (principal TEXT NOT NULL, command_id TEXT NOT NULL, body_digest TEXT NOT NULL, version INTEGER NOT NULL, PRIMARY KEY (command_id, principal)) WITHOUT ROWID',
    'CREATE TABLE audit (seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, principal TEXT NOT NULL, type TEXT NOT NULL, name TEXT NOT NULL, reason TEXT, detail TEXT NOT NULL)',
    'CREATE TABLE grants (goal TEXT NOT NULL, round TEXT NOT NULL, fence INTEGER NOT NULL, currency TEXT NOT NULL, tokens INTEGER NOT NULL, money INTEGER NOT NULL, day INTEGER NOT NULL, at INTEGER NOT NULL, settled INTEGER NOT NULL, used_tokens INTEGER NOT NULL, used_money INTEGER NOT NULL, held_until INTEGER NOT NULL, PRIMARY KEY (goal, round, fence)) WITHOUT ROWID',
    'CREATE INDEX grants_open ON grants (day, currency) WHERE settled = 0',
    'CREATE INDEX grants_at ON grants (at)',
    'CREATE TABLE usage (day INTEGER NOT NULL, currency TEXT NOT NULL, goal TEXT NOT NULL, tokens INTEGER NOT NULL, money INTEGER NOT NULL, rounds INTEGER NOT NULL, PRIMARY KEY (day, currency, goal)) WITHOUT ROWID',
    'CREATE TABLE usage_days (day INTEGER NOT NULL, currency TEXT NOT NULL, tokens INTEGER NOT NULL, money INTEGER NOT NULL, rounds INTEGER NOT NULL, PRIMARY KEY (day, currency)) WITHOUT ROWID',
    // Goals to be rung.
    'CREATE TABLE waiting (goal TEXT PRIMARY KEY, since INTEGER NOT NULL, until TEXT NOT NULL) WITHOUT ROWID',
  ],
  // A goal can wait for several things.
  ['DROP TABLE waiting', 'CREATE TABLE waiting (goal TEXT NOT NULL, until TEXT NOT NULL, since INTEGER NOT NULL, PRIMARY KEY (goal, until)) WITHOUT ROWID'],
  // The audit as a chain: `WorkspaceStore` moves the rows of the table before into it.
  auditSchema,
  [
    // Versions of templates, written once.
    'CREATE TABLE template_versions (name TEXT NOT NULL, version INTEGER NOT NULL, digest TEXT NOT NULL, at INTEGER NOT NULL, by TEXT NOT NULL, data TEXT NOT NULL, PRIMARY KEY (name, version))',
    'CREATE TABLE template_confirmations (name TEXT NOT NULL, version INTEGER NOT NULL, at INTEGER NOT NULL, by TEXT NOT NULL, PRIMARY KEY (name, version)) WITHOUT ROWID',
  ],
  watchersSchema,
  // The last test of each connection; `at` is there to forget the oldest by.
  ['CREATE TABLE connections (id TEXT PRIMARY KEY, at INTEGER NOT NULL, data TEXT NOT NULL) WITHOUT ROWID'],
  // Which word of what a round used is the later one.
  ['ALTER TABLE grants ADD COLUMN as_of INTEGER NOT NULL DEFAULT 0'],
  quotaSchema,
  // The workspace is being erased, or was: what is left of it.
  ['CREATE TABLE erased (one INTEGER PRIMARY KEY CHECK (one = 1), data TEXT NOT NULL)'],
  triggerSchema,
  ['ALTER TABLE commands ADD COLUMN result TEXT'],
  // When a secret was last opened, of the value that was last put.
  ['CREATE TABLE secret_uses (name TEXT PRIMARY KEY, version INTEGER NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID'],
  wakeSchema,
  linksSchema,
];
