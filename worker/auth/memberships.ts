/** Which workspaces a person belongs to, and what a credential that opened a socket is worth now. */
import { type Role, roleTable } from '../domain/roles.ts';
import type { Credential, Membership } from './caller.ts';

export async function membershipsOf(db: D1Database, person: string): Promise<Map<string, Membership>> {
  const { results } = await db
    .prepare('SELECT m.workspace_id AS id, m.role, w.name FROM members m LEFT JOIN workspaces w ON w.id = m.workspace_id WHERE m.person_id = ? ORDER BY m.since, m.workspace_id')
    .bind(person)
    .all<{ id: string; role: Role; name: string | null }>();
  // A role that this version does not know opens nothing.
  return new Map(results.flatMap(({ id, role, name }) => (role in roleTable ? [[id, { name: name ?? id, role, scopes: roleTable[role].scopes }] as const] : [])));
}

/** What a credential that opened a socket is worth now. `ended`: the session was signed out, the token was revoked or ran out. `barred`: it is good, and goals of this workspace are not for it. */
export type Standing = 'reads' | 'ended' | 'barred';

export async function standingOf(db: D1Database, credential: Credential, workspace: string, now: number): Promise<Standing> {
  if (credential === 'development') return 'reads';
  const [kind, id] = [credential.slice(0, credential.indexOf(':')), credential.slice(credential.indexOf(':') + 1)];
  if (kind === 'token') {
    const row = await db
      .prepare('SELECT scopes FROM tokens WHERE id = ? AND workspace_id = ? AND revoked_at IS NULL AND expires_at > ?')
      .bind(id, workspace, now)
      .first<{ scopes: string }>();
    if (!row) return 'ended';
    return (JSON.parse(row.scopes) as string[]).includes('goals:read') ? 'reads' : 'barred';
  }
  const row = await db
    .prepare('SELECT m.role FROM person_session s LEFT JOIN members m ON m.person_id = s.userId AND m.workspace_id = ? WHERE s.id = ? AND s.expiresAt > ?')
    .bind(workspace, id, new Date(now).toISOString())
    .first<{ role: Role | null }>();
  if (!row) return 'ended';
  return row.role !== null && row.role in roleTable && roleTable[row.role].scopes.includes('goals:read') ? 'reads' : 'barred';
}
