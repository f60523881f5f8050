/** Tokens of a workspace. They belong to it, not to who issued them: when that person leaves, they stay. */
import { makeSecret } from '../../auth/secret-text.ts';
import { type Refusal, refuse } from '../../domain/refusals.ts';
import type { PeoplePayload } from './catalogue.ts';
import { type Change, type Giver, giverHolds, sql } from './change.ts';

/** Live tokens of one workspace. Approximate: two that are issued at the same moment may both be let through. */
const tokensAtMost = 200;
const dayMs = 86_400_000;

export async function issueToken(db: D1Database, workspace: string, giver: Giver, payload: PeoplePayload<'token.issue'>, now: number): Promise<Change | Refusal> {
  const missing = payload.scopes.find((scope) => !giver.scopes.includes(scope));
  if (missing !== undefined) return refuse('scope_missing', { detail: 'A token gets no scope that its issuer does not hold.', current: { scope: missing } });
  const live = await db.prepare('SELECT count(*) AS n FROM tokens WHERE workspace_id = ? AND revoked_at IS NULL AND expires_at > ?').bind(workspace, now).first<{ n: number }>();
  if ((live?.n ?? 0) >= tokensAtMost) return refuse('limit_exceeded', { current: { limit: 'tokens', allowed: tokensAtMost } });
  const made = makeSecret('lht');
  const scopes = [...new Set(payload.scopes)].sort();
  const expiresAt = now + payload.expiresInDays * dayMs;
  const list = (value: readonly string[] | undefined) => (value === undefined ? null : JSON.stringify([...new Set(value)]));
  return {
    statements: [
      sql(
        'INSERT INTO tokens (id, workspace_id, name, hash, scopes, goals, addresses, issued_by, issued_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
        made.id,
        workspace,
        payload.name,
        made.hash,
        JSON.stringify(scopes),
        list(payload.goals),
        list(payload.addresses),
        giver.principal,
        now,
        expiresAt,
      ),
    ],
    holds: giverHolds(workspace, giver),
    before: null,
    after: { token: made.id, name: payload.name, scopes, goals: payload.goals ?? null, addresses: payload.addresses ?? null, expiresAt },
    once: { secret: made.text },
  };
}

export async function revokeToken(db: D1Database, workspace: string, giver: Giver, token: string, now: number): Promise<Change | Refusal> {
  const row = await db.prepare('SELECT name, revoked_at FROM tokens WHERE workspace_id = ? AND id = ?').bind(workspace, token).first<{ name: string; revoked_at: number | null }>();
  if (!row) return refuse('not_found');
  if (row.revoked_at !== null) return refuse('invalid_transition', { detail: 'It is revoked already.', current: { revokedAt: row.revoked_at } });
  return {
    statements: [sql('UPDATE tokens SET revoked_at = ?, revoked_by = ? WHERE workspace_id = ? AND id = ? AND revoked_at IS NULL', now, giver.principal, workspace, token)],
    holds: [sql('EXISTS (SELECT 1 FROM tokens WHERE workspace_id = ? AND id = ? AND revoked_at IS NOT NULL)', workspace, token), ...giverHolds(workspace, giver)],
    before: { token, name: row.name },
    after: { token, revokedAt: now },
  };
}
