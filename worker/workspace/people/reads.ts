/** Who belongs to a workspace, what is open for others, and what was changed. Every question names the workspace. */
import type { Scope } from '../../domain/context.ts';
import type { Role } from '../../domain/roles.ts';
import type { Json } from '../../domain/values.ts';

/** Rows of one answer. The limits on members, invitations and tokens keep live ones under it. */
const rowsAtMost = 500;

const namesAtMost = 2000;

export interface MemberView {
  id: string;
  principal: string;
  name: string;
  /** For admins. */
  email?: string;
  role: Role;
  since: number;
}

export async function listMembers(db: D1Database, workspace: string, withEmail: boolean): Promise<MemberView[]> {
  const { results } = await db
    .prepare(
      'SELECT m.person_id, m.role, m.since, p.name, p.email FROM members m JOIN person p ON p.id = m.person_id WHERE m.workspace_id = ? ORDER BY m.since, m.person_id LIMIT ?',
    )
    .bind(workspace, rowsAtMost)
    .all<{ person_id: string; role: Role; since: number; name: string; email: string }>();
  return results.map((row) => ({
    id: row.person_id,
    principal: `person:${row.person_id}`,
    name: row.name,
    ...(withEmail ? { email: row.email } : {}),
    role: row.role,
    since: row.since,
  }));
}

/** Names by principal, for whoever reads goals: of members and those who were members and have an account, and of tokens. No address. */
export async function listNames(db: D1Database, workspace: string): Promise<{ principal: string; name: string }[]> {
  const { results } = await db
    .prepare(
      `SELECT 'person:' || p.id AS principal, p.name FROM person p WHERE p.id IN
       (SELECT person_id FROM members WHERE workspace_id = ?1 UNION SELECT substr(principal, 8) FROM people_log WHERE workspace_id = ?1 AND principal LIKE 'person:%')
       UNION ALL SELECT 'token:' || id, name FROM tokens WHERE workspace_id = ?1 ORDER BY 1 LIMIT ?2`,
    )
    .bind(workspace, namesAtMost)
    .all<{ principal: string; name: string }>();
  return results;
}

export interface InvitationView {
  id: string;
  email: string;
  role: Role;
  invitedBy: string;
  createdAt: number;
  expiresAt: number;
}

/** Those that can still be accepted, newest first. */
export async function listInvitations(db: D1Database, workspace: string, now: number): Promise<InvitationView[]> {
  const { results } = await db
    .prepare(
      `SELECT id, email, role, invited_by AS invitedBy, created_at AS createdAt, expires_at AS expiresAt FROM invitations
       WHERE workspace_id = ? AND accepted_at IS NULL AND revoked_at IS NULL AND expires_at > ? ORDER BY created_at DESC, id LIMIT ?`,
    )
    .bind(workspace, now, rowsAtMost)
    .all<InvitationView>();
  return results;
}

export interface TokenView {
  id: string;
  /** How it begins. */
  prefix: string;
  name: string;
  scopes: Scope[];
  goals: string[] | null;
  addresses: string[] | null;
  issuedBy: string;
  issuedAt: number;
  expiresAt: number;
  lastUsedAt: number | null;
  revokedAt: number | null;
  state: 'live' | 'expired' | 'revoked';
}

/** Newest first, the revoked and expired ones among them. Nothing of it opens anything. */
export async function listTokens(db: D1Database, workspace: string, now: number): Promise<TokenView[]> {
  const { results } = await db
    .prepare(
      `SELECT id, name, scopes, goals, addresses, issued_by, issued_at, expires_at, last_used_at, revoked_at FROM tokens
       WHERE workspace_id = ? ORDER BY issued_at DESC, id LIMIT ?`,
    )
    .bind(workspace, rowsAtMost)
    .all<{
      id: string;
      name: string;
      scopes: string;
      goals: string | null;
      addresses: string | null;
      issued_by: string;
      issued_at: number;
      expires_at: number;
      last_used_at: number | null;
      revoked_at: number | null;
    }>();
  return results.map((row) => ({
    id: row.id,
    prefix: `lht_${row.id}`,
    name: row.name,
    scopes: JSON.parse(row.scopes) as Scope[],
    goals: row.goals === null ? null : (JSON.parse(row.goals) as string[]),
    addresses: row.addresses === null ? null : (JSON.parse(row.addresses) as string[]),
    issuedBy: row.issued_by,
    issuedAt: row.issued_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    revokedAt: row.revoked_at,
    state: row.revoked_at !== null ? 'revoked' : row.expires_at <= now ? 'expired' : 'live',
  }));
}

export interface LogView {
  at: number;
  principal: string;
  commandId: string;
  type: string;
  address: string | null;
  reason: string | null;
  before: Json;
  after: Json;
}

/** Newest first; `before` is the cursor of the last one of the page before. */
export async function listPeopleLog(
  db: D1Database,
  workspace: string,
  limit: number,
  before?: { at: number; row: number },
): Promise<{ data: LogView[]; next: { at: number; row: number } | null }> {
  const { results } = await db
    .prepare(
      `SELECT rowid AS row, at, principal, command_id AS commandId, type, address, reason, before, after FROM people_log
       WHERE workspace_id = ? AND (at, rowid) < (?, ?) ORDER BY at DESC, rowid DESC LIMIT ?`,
    )
    .bind(workspace, before?.at ?? Number.MAX_SAFE_INTEGER, before?.row ?? Number.MAX_SAFE_INTEGER, limit + 1)
    .all<Omit<LogView, 'before' | 'after'> & { row: number; before: string | null; after: string | null }>();
  const page = results.slice(0, limit);
  const last = page.at(-1);
  return {
    data: page.map(({ row: _row, before, after, ...rest }) => ({
      ...rest,
      before: before === null ? null : (JSON.parse(before) as Json),
      after: after === null ? null : (JSON.parse(after) as Json),
    })),
    next: results.length > limit && last ? { at: last.at, row: last.row } : null,
  };
}
