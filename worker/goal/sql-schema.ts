/** Tables of one Goal's object. Each entry of the list is one migration; an entry that was released is never changed. */
export const schema: readonly (readonly string[])[] = [
  [
    'CREATE TABLE meta (one INTEGER PRIMARY KEY CHECK (one = 1), workspace TEXT NOT NULL, goal TEXT NOT NULL, erased INTEGER NOT NULL)',
    'CREATE TABLE commits (seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, principal TEXT NOT NULL, command_id TEXT NOT NULL, command_type TEXT NOT NULL, body_digest TEXT NOT NULL, events TEXT NOT NULL, answer TEXT NOT NULL)',
    'CREATE UNIQUE INDEX commits_command ON commits (command_id, principal)',
    // Answers of commands that changed nothing.
    'CREATE TABLE answers (principal TEXT NOT NULL, command_id TEXT NOT NULL, body_digest TEXT NOT NULL, answer TEXT NOT NULL, PRIMARY KEY (command_id, principal)) WITHOUT ROWID',
    'CREATE TABLE rows (kind TEXT NOT NULL, id TEXT NOT NULL, seq INTEGER NOT NULL, item TEXT, attempt TEXT, data TEXT NOT NULL, PRIMARY KEY (kind, id)) WITHOUT ROWID',
    'CREATE INDEX rows_seq ON rows (seq)',
    'CREATE INDEX rows_item ON rows (kind, item, id) WHERE item IS NOT NULL',
    'CREATE TABLE bodies (digest TEXT PRIMARY KEY, data TEXT NOT NULL) WITHOUT ROWID',
    'CREATE TABLE snapshot (one INTEGER PRIMARY KEY CHECK (one = 1), fold_version INTEGER NOT NULL, seq INTEGER NOT NULL, data TEXT NOT NULL)',
    'CREATE TABLE leases (round TEXT PRIMARY KEY, runner TEXT NOT NULL, fence INTEGER NOT NULL, until INTEGER NOT NULL) WITHOUT ROWID',
    'CREATE TABLE cursors (lane TEXT PRIMARY KEY, seq INTEGER NOT NULL, tries INTEGER NOT NULL, retry_at INTEGER NOT NULL, quarantined INTEGER NOT NULL) WITHOUT ROWID',
    // Texts over the size of one value, in order.
    'CREATE TABLE parts (owner TEXT NOT NULL, part INTEGER NOT NULL, data TEXT NOT NULL, PRIMARY KEY (owner, part))',
  ],
  // Parts of an archive that is being brought in.
  ['CREATE TABLE staged (batch TEXT NOT NULL, part INTEGER NOT NULL, name TEXT NOT NULL, data TEXT NOT NULL, PRIMARY KEY (batch, part))'],
];
