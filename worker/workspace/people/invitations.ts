/** Invitations by e-mail. The link alone opens nothing: whoever accepts must be signed in with that address, and have proved that it is theirs. */
import { makeSecret, readSecret } from '../../auth/secret-text.ts';
import { type Refusal, refuse } from '../../domain/refusals.ts';
import type { Role } from '../../domain/roles.ts';
import type { PeoplePayload } from './catalogue.ts';
import { type Change, type Committed, commit, type Giver, giverHolds, sql } from './change.ts';
import { mayGive } from './members.ts';

const invitationsAtMost = 200;
const dayMs = 86_400_000;

export async function invite(db: D1Database, workspace: string, giver: Giver, payload: PeoplePayload<'member.invite'>, now: number): Promise<Change | Refusal> {
  const refused = mayGive(giver, payload.role);
  if (refused) return refused;
  const member = await db
    .prepare('SELECT m.role FROM members m JOIN person p ON p.id = m.person_id WHERE m.workspace_id = ? AND lower(p.email) = ?')
    .bind(workspace, payload.email)
    .first<{ role: Role }>();
  if (member) return refuse('invalid_transition', { detail: 'That address belongs to a member already.', current: { role: member.role } });
  const open = await db
    .prepare('SELECT count(*) AS n FROM invitations WHERE workspace_id = ? AND accepted_at IS NULL AND revoked_at IS NULL AND expires_at > ?')
    .bind(workspace, now)
    .first<{ n: number }>();
  if ((open?.n ?? 0) >= invitationsAtMost) return refuse('limit_exceeded', { current: { limit: 'invitations', allowed: invitationsAtMost } });
  const made = makeSecret('lhi');
  const expiresAt = now + payload.expiresInDays * dayMs;
  return {
    statements: [
      sql('UPDATE invitations SET revoked_at = ? WHERE workspace_id = ? AND email = ? AND accepted_at IS NULL AND revoked_at IS NULL', now, workspace, payload.email),
      sql(
        'INSERT INTO invitations (id, workspace_id, email, role, hash, invited_by, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
        made.id,
        workspace,
        payload.email,
        payload.role,
        made.hash,
        giver.principal,
        now,
        expiresAt,
      ),
    ],
    holds: giverHolds(workspace, giver),
    before: null,
    // The address is in the table of invitations, where it can be erased; the log names the invitation.
    after: { invitation: made.id, role: payload.role, expiresAt },
    once: { secret: made.text },
  };
}

export async function revokeInvitation(db: D1Database, workspace: string, giver: Giver, invitation: string, now: number): Promise<Change | Refusal> {
  const row = await db
    .prepare('SELECT role, accepted_at, revoked_at FROM invitations WHERE workspace_id = ? AND id = ?')
    .bind(workspace, invitation)
    .first<{ role: Role; accepted_at: number | null; revoked_at: number | null }>();
  if (!row) return refuse('not_found');
  if (row.accepted_at !== null) return refuse('invalid_transition', { detail: 'It was accepted: remove the member.', current: { acceptedAt: row.accepted_at } });
  if (row.revoked_at !== null) return refuse('invalid_transition', { detail: 'It was taken back already.', current: { revokedAt: row.revoked_at } });
  return {
    statements: [sql('UPDATE invitations SET revoked_at = ? WHERE workspace_id = ? AND id = ? AND accepted_at IS NULL', now, workspace, invitation)],
    holds: [sql('EXISTS (SELECT 1 FROM invitations WHERE workspace_id = ? AND id = ? AND revoked_at IS NOT NULL)', workspace, invitation), ...giverHolds(workspace, giver)],
    before: { invitation, role: row.role },
    after: { invitation, revokedAt: now },
  };
}

export interface Accepting {
  id: string;
  email: string;
  emailVerified: boolean;
}

/** May be repeated; a member who was removed does not come back by an old link. What the link does not open is `not_found`, for whatever reason. */
export async function acceptInvitation(db: D1Database, person: Accepting, secret: string, address: string | null, now: number): Promise<Committed> {
  const none: Committed = { outcome: 'rejected', refusal: refuse('not_found', { detail: 'No open invitation of that link is for this person.' }) };
  const read = readSecret('lhi', secret);
  if (!read) return none;
  const row = await db
    .prepare('SELECT id, workspace_id, email, role, expires_at, accepted_by, revoked_at FROM invitations WHERE hash = ?')
    .bind(read.hash)
    .first<{ id: string; workspace_id: string; email: string; role: Role; expires_at: number; accepted_by: string | null; revoked_at: number | null }>();
  if (!row || row.revoked_at !== null || row.email !== person.email.toLowerCase()) return none;
  if (row.accepted_by === null ? row.expires_at <= now : row.accepted_by !== person.id) return none;
  if (!person.emailVerified) return { outcome: 'rejected', refusal: refuse('forbidden', { detail: 'Confirm your e-mail address first.' }) };
  return commit(
    db,
    {
      workspace: row.workspace_id,
      principal: `person:${person.id}`,
      commandId: `accept:${row.id}`,
      type: 'invitation.accept',
      body: { invitation: row.id },
      address,
    },
    {
      statements: [
        sql('UPDATE invitations SET accepted_at = ?, accepted_by = ? WHERE id = ? AND accepted_at IS NULL AND revoked_at IS NULL', now, person.id, row.id),
        sql('INSERT INTO members (workspace_id, person_id, role, since) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING', row.workspace_id, person.id, row.role, now),
      ],
      holds: [sql('EXISTS (SELECT 1 FROM invitations WHERE id = ? AND accepted_by = ? AND revoked_at IS NULL)', row.id, person.id)],
      before: null,
      after: { workspace: row.workspace_id, member: person.id, role: row.role },
    },
    now,
  );
}
