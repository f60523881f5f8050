/** Which workspaces a person belongs to, and whether a credential that opened a socket would still open it. */
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

/** Whether the credential may still read goals of the workspace. A session that was signed out, a member that was removed, a token that was revoked or ran out: no. */
export async function stillReads(db: D1Database, credential: Credential, workspace: string, now: number): Promise<boolean> {
  if (credential === 'development') return true;
  const [kind, id] = [credential.slice(0, credential.indexOf(':')), credential.slice(credential.indexOf(':') + 1)];
  if (kind === 'token') {
    const row = await db
      .prepare('SELECT scopes FROM tokens WHERE id = ? AND workspace_id = ? AND revoked_at IS NULL AND expires_at > ?')
      .bind(id, workspace, now)
      .first<{ scopes: string }>();
    return row !== null && (JSON.parse(row.scopes) as string[]).includes('goals:read');
  }
  const row = await db
    .prepare('SELECT m.role FROM person_session s JOIN members m ON m.person_id = s.userId WHERE s.id = ? AND s.expiresAt > ? AND m.workspace_id = ?')
    .bind(id, new Date(now).toISOString(), workspace)
    .first<{ role: Role }>();
  return row !== null && row.role in roleTable && roleTable[row.role].scopes.includes('goals:read');
}
