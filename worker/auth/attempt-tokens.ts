/**
 * `Authorization: Bearer lha_...`: the token of one Attempt, for an agent outside that works at it. It is signed and kept nowhere: it acts for the principal that holds the item, while that
 * principal itself may still do such work, and what it may do and until when is the Goal's to say (`domain/work/attempt-grant.ts`). Asking for it again gives the same text.
 */
import { z } from 'zod';
import type { Scope } from '../domain/context.ts';
import { type Role, roleTable } from '../domain/roles.ts';
import { type PrincipalId, principalId, slug } from '../domain/values.ts';
import type { AttemptGrant } from '../domain/work/attempt-grant.ts';
import type { Env } from '../env.ts';
import { goalIdPattern, workspacePattern } from '../goal/goal-id.ts';
import type { Caller } from './caller.ts';
import { authSecret } from './settings.ts';
import { developmentPrincipal } from './development-settings.ts';
import { readSignedText, signText } from './signed-text.ts';
import { tokenRow } from './tokens.ts';

export const attemptTokenPrefix = 'lha_';
const purpose = 'attempt token';
const needed: Scope = 'work:submit';

export interface AttemptTokenOf extends AttemptGrant {
  workspace: string;
  goal: string;
  holder: PrincipalId;
}

const said = z.tuple([z.string().regex(workspacePattern), z.string().regex(goalIdPattern), slug, z.string().min(1).max(200), z.int(), principalId]);

export function attemptTokenText(env: Env, { workspace, goal, item, attempt, fence, holder }: AttemptTokenOf): string {
  return `${attemptTokenPrefix}${signText(authSecret(env), purpose, [workspace, goal, item, attempt, fence, holder])}`;
}

/** Null: not one of ours, or who holds the item may no longer do such work here. Whether the Attempt is still theirs is asked with each thing that they do. */
export async function callerOfAttemptToken(env: Env, text: string, address: string | null, now: number): Promise<Caller | null> {
  const read = said.safeParse(readSignedText(authSecret(env), purpose, text.slice(attemptTokenPrefix.length)));
  if (!read.success) return null;
  const [workspace, goal, item, attempt, fence, holder] = read.data;
  const name = await standingOf(env.DB, { workspace, goal, holder }, address, now);
  if (name === null) return null;
  return {
    principal: holder,
    kind: 'token',
    credential: `attempt:${attempt}`,
    // No scope: only what says that it is open to the token of an Attempt is open to it.
    memberships: new Map([[workspace, { name, role: null, scopes: [] }]]),
    goals: new Set([goal]),
    attempt: { item, attempt, fence },
    person: null,
    operator: false,
  };
}

/** The workspace's name, where the holder may still submit there. A token's limits on goals and addresses are also those of what was made from it. */
async function standingOf(db: D1Database, of: Pick<AttemptTokenOf, 'workspace' | 'goal' | 'holder'>, address: string | null, now: number): Promise<string | null> {
  const { workspace, goal, holder } = of;
  if (holder.startsWith('token:')) {
    const row = await tokenRow(db, { id: holder.slice('token:'.length) }, address, now);
    if (!row || row.workspace !== workspace || !row.scopes.includes(needed) || (row.goals !== null && !row.goals.has(goal))) return null;
    return row.name;
  }
  // The sign-in of a development build is known to no table.
  if (__LONGHAUL_DEV__) {
    if (holder === developmentPrincipal) return workspace;
  }
  if (!holder.startsWith('person:')) return null;
  const row = await db
    .prepare('SELECT m.role, w.name FROM members m LEFT JOIN workspaces w ON w.id = m.workspace_id WHERE m.workspace_id = ? AND m.person_id = ?')
    .bind(workspace, holder.slice('person:'.length))
    .first<{ role: Role; name: string | null }>();
  return row !== null && row.role in roleTable && roleTable[row.role].scopes.includes(needed) ? (row.name ?? workspace) : null;
}
