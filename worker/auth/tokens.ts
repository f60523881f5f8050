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

export async function callerOfToken(db: D1Database, text: string, address: string | null, now: number): Promise<Caller | null> {
  const read = readSecret('lht', text);
  if (!read) return null;
  const row = await db
    .prepare(
      `SELECT t.id, t.workspace_id, w.name AS workspace_name, t.scopes, t.goals, t.addresses, t.expires_at, t.last_used_at, t.revoked_at
       FROM tokens t LEFT JOIN workspaces w ON w.id = t.workspace_id WHERE t.hash = ?`,
    )
    .bind(read.hash)
    .first<Row>();
  if (!row || row.revoked_at !== null || row.expires_at <= now) return null;
  if (row.addresses !== null && !within(address, JSON.parse(row.addresses) as string[])) return null;
  if (row.last_used_at === null || row.last_used_at <= now - lastUsedEvery) await db.prepare('UPDATE tokens SET last_used_at = ? WHERE id = ?').bind(now, row.id).run();
  const given = new Set(JSON.parse(row.scopes) as string[]);
  const scopes: Scope[] = everyScope.filter((scope) => given.has(scope));
  return {
    principal: `token:${row.id}`,
    kind: 'token',
    credential: `token:${row.id}`,
    memberships: new Map([[row.workspace_id, { name: row.workspace_name ?? row.workspace_id, role: null, scopes }]]),
    goals: row.goals === null ? null : new Set(JSON.parse(row.goals) as string[]),
    person: null,
    operator: false,
  };
}
