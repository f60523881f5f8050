/**
 * D1's tables of people: who they are, which workspaces they belong to, and the tokens of workspaces. They are not in a Goal's or a workspace's object because a credential must be
 * looked up before any workspace is known. `migrations/*.sql` is written from this file and `worker/book/schema.ts`. The SQL that uses them is in this folder and in `worker/workspace/people/`.
 *
 * Times are milliseconds since the epoch, but for the four tables that better-auth keeps: there they are texts in ISO 8601, and the columns bear the library's names.
 */
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

export const person = sqliteTable('person', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  email: text('email').notNull().unique(),
  emailVerified: integer('emailVerified').notNull(),
  image: text('image'),
  createdAt: text('createdAt').notNull(),
  updatedAt: text('updatedAt').notNull(),
});

export const personSession = sqliteTable(
  'person_session',
  {
    id: text('id').primaryKey(),
    expiresAt: text('expiresAt').notNull(),
    token: text('token').notNull().unique(),
    createdAt: text('createdAt').notNull(),
    updatedAt: text('updatedAt').notNull(),
    ipAddress: text('ipAddress'),
    userAgent: text('userAgent'),
    userId: text('userId').notNull(),
  },
  (table) => [index('person_session_of_person').on(table.userId)],
);

/** A way to sign in: a password (its hash), or an account elsewhere. */
export const personAccount = sqliteTable(
  'person_account',
  {
    id: text('id').primaryKey(),
    accountId: text('accountId').notNull(),
    providerId: text('providerId').notNull(),
    userId: text('userId').notNull(),
    accessToken: text('accessToken'),
    refreshToken: text('refreshToken'),
    idToken: text('idToken'),
    accessTokenExpiresAt: text('accessTokenExpiresAt'),
    refreshTokenExpiresAt: text('refreshTokenExpiresAt'),
    scope: text('scope'),
    password: text('password'),
    createdAt: text('createdAt').notNull(),
    updatedAt: text('updatedAt').notNull(),
  },
  (table) => [index('person_account_of_person').on(table.userId), uniqueIndex('person_account_elsewhere').on(table.providerId, table.accountId)],
);

/** Passkeys. `id`: of the credential, base64url; `public_key`: COSE, base64url; `counter`: what the authenticator counted last. */
export const personPasskey = sqliteTable(
  'person_passkey',
  {
    id: text('id').primaryKey(),
    personId: text('person_id').notNull(),
    name: text('name').notNull(),
    publicKey: text('public_key').notNull(),
    counter: integer('counter').notNull(),
    transports: text('transports').notNull(),
    createdAt: integer('created_at').notNull(),
    lastUsedAt: integer('last_used_at'),
  },
  (table) => [index('person_passkey_of_person').on(table.personId)],
);

/** Challenges of passkeys that nobody answered yet. */
export const personChallenge = sqliteTable(
  'person_challenge',
  { ceremony: text('ceremony').primaryKey(), challenge: text('challenge').notNull(), expiresAt: integer('expires_at').notNull() },
  (table) => [index('person_challenge_by_end').on(table.expiresAt)],
);

/** What a mail's link proves, until it runs out. */
export const personVerification = sqliteTable(
  'person_verification',
  {
    id: text('id').primaryKey(),
    identifier: text('identifier').notNull(),
    value: text('value').notNull(),
    expiresAt: text('expiresAt').notNull(),
    createdAt: text('createdAt').notNull(),
    updatedAt: text('updatedAt').notNull(),
  },
  (table) => [index('person_verification_by_identifier').on(table.identifier)],
);

export const workspaces = sqliteTable('workspaces', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  createdAt: integer('created_at').notNull(),
  createdBy: text('created_by').notNull(),
});

export const members = sqliteTable(
  'members',
  {
    workspaceId: text('workspace_id').notNull(),
    personId: text('person_id').notNull(),
    role: text('role').notNull(),
    since: integer('since').notNull(),
    /** What they are written of: a JSON list of kinds of notices. Null: they chose nothing. */
    mail: text('mail'),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.personId] }), index('members_by_person').on(table.personId)],
);

/** `hash`: SHA-256 (hex) of what the mail's link carries. */
export const invitations = sqliteTable(
  'invitations',
  {
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id').notNull(),
    email: text('email').notNull(),
    role: text('role').notNull(),
    hash: text('hash').notNull().unique(),
    invitedBy: text('invited_by').notNull(),
    createdAt: integer('created_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
    acceptedAt: integer('accepted_at'),
    acceptedBy: text('accepted_by'),
    revokedAt: integer('revoked_at'),
  },
  (table) => [index('invitations_of_workspace').on(table.workspaceId, table.createdAt)],
);

/** Tokens of workspaces. `hash`: SHA-256 (hex) of the whole token; the token itself is nowhere. `scopes`, `goals`, `addresses`: JSON lists; null: no limit of that kind. */
export const tokens = sqliteTable(
  'tokens',
  {
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id').notNull(),
    name: text('name').notNull(),
    hash: text('hash').notNull().unique(),
    scopes: text('scopes').notNull(),
    goals: text('goals'),
    addresses: text('addresses'),
    issuedBy: text('issued_by').notNull(),
    issuedAt: integer('issued_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
    /** To the minute. */
    lastUsedAt: integer('last_used_at'),
    revokedAt: integer('revoked_at'),
    revokedBy: text('revoked_by'),
  },
  (table) => [index('tokens_of_workspace').on(table.workspaceId, table.issuedAt)],
);

/**
 * Every change of people and tokens, appended in the same batch as the change: who, by which command, from where, what was before and after. It also answers a command id that comes again.
 * `held` is the guard of that batch: where the change was decided on something that is no longer so, its expression is null, and the whole batch fails.
 */
export const peopleLog = sqliteTable(
  'people_log',
  {
    workspaceId: text('workspace_id').notNull(),
    principal: text('principal').notNull(),
    commandId: text('command_id').notNull(),
    type: text('type').notNull(),
    bodyDigest: text('body_digest').notNull(),
    at: integer('at').notNull(),
    address: text('address'),
    before: text('before'),
    after: text('after'),
    reason: text('reason'),
    held: integer('held').notNull(),
    /** From 1, within its workspace, without a gap: in this order the workspace's object takes the entries into the audit's chain. */
    number: integer('number').notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.principal, table.commandId] }),
    index('people_log_by_time').on(table.workspaceId, table.at),
    uniqueIndex('people_log_in_order').on(table.workspaceId, table.number),
  ],
);

/** Erasures of workspaces and persons: begun, and done with a receipt. Ids alone. `progress`, `receipt`: JSON. */
export const erasures = sqliteTable(
  'erasures',
  {
    id: text('id').primaryKey(),
    kind: text('kind').notNull(),
    subject: text('subject').notNull(),
    askedBy: text('asked_by').notNull(),
    askedAt: integer('asked_at').notNull(),
    progress: text('progress').notNull(),
    doneAt: integer('done_at'),
    receipt: text('receipt'),
  },
  (table) => [index('erasures_by_asker').on(table.askedBy, table.askedAt), index('erasures_unfinished').on(table.doneAt, table.askedAt)],
);

/** The head of each workspace's audit, as its object last said: a chain that was cut or made anew in the object does not fit it. */
export const auditHeads = sqliteTable('audit_heads', {
  workspaceId: text('workspace_id').primaryKey(),
  seq: integer('seq').notNull(),
  digest: text('digest').notNull(),
  at: integer('at').notNull(),
});

/** When a workspace wants its triggers to be looked after, as its object last said: the sweep finds an alarm that was lost. A higher `number` is a later word. Workspaces without triggers have no row. */
export const workspaceWakes = sqliteTable(
  'workspace_wakes',
  { workspaceId: text('workspace_id').primaryKey(), number: integer('number').notNull(), wakeAt: integer('wake_at').notNull() },
  (table) => [index('workspace_wakes_by_time').on(table.wakeAt)],
);
