/** `Authorization: Bearer lht_...`: from the text of a token to what it may do. Mistyped, unknown, expired, revoked and used from elsewhere are one answer: null. */
import { scopes as everyScope, type Scope } from '../domain/context.ts';
import { within } from './addresses.ts';
import type { Caller } from './caller.ts';
import { readSecret } from './secret-text.ts';

/** How exactly the last use is kept, in milliseconds: one write a minute at most. */
const lastUsedEvery = 60_000;

interface Row {
  id: string;
  workspace_id: string;
  workspace_name: string | null;
  scopes: string;
  goals: string | null;
  addresses: string | null;
  expires_at: number;
  last_used_at: number | null;
  revoked_at: number | null;
}

export interface LiveToken {
  id: string;
  workspace: string;
  /** Of the workspace. */
  name: string;
  scopes: Scope[];
  goals: ReadonlySet<string> | null;
}

/** The token as it stands now, and its use noted; null where it opens nothing for somebody at that address. */
export async function tokenRow(db: D1Database, by: { hash: string } | { id: string }, address: string | null, now: number): Promise<LiveToken | null> {
  const [column, value] = 'hash' in by ? ['hash', by.hash] : ['id', by.id];
  const row = await db
    .prepare(
      `SELECT t.id, t.workspace_id, w.name AS workspace_name, t.scopes, t.goals, t.addresses, t.expires_at, t.last_used_at, t.revoked_at
       FROM tokens t LEFT JOIN workspaces w ON w.id = t.workspace_id WHERE t.${column} = ?`,
    )
    .bind(value)
    .first<Row>();
  if (!row || row.revoked_at !== null || row.expires_at <= now) return null;
  if (row.addresses !== null && !within(address, JSON.parse(row.addresses) as string[])) return null;
  if (row.last_used_at === null || row.last_used_at <= now - lastUsedEvery) await db.prepare('UPDATE tokens SET last_used_at = ? WHERE id = ?').bind(now, row.id).run();
  const given = new Set(JSON.parse(row.scopes) as string[]);
  return {
    id: row.id,
    workspace: row.workspace_id,
    name: row.workspace_name ?? row.workspace_id,
    scopes: everyScope.filter((scope) => given.has(scope)),
    goals: row.goals === null ? null : new Set(JSON.parse(row.goals) as string[]),
  };
}

export async function callerOfToken(db: D1Database, text: string, address: string | null, now: number): Promise<Caller | null> {
  const read = readSecret('lht', text);
  const token = read && (await tokenRow(db, { hash: read.hash }, address, now));
  if (!token) return null;
  const { id, workspace, name, scopes, goals } = token;
  return {
    principal: `token:${id}`,
    kind: 'token',
    credential: `token:${id}`,
    memberships: new Map([[workspace, { name, role: null, scopes }]]),
    goals,
    attempt: null,
    person: null,
    operator: false,
  };
}
