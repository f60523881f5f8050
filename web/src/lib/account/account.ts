/** What the console asks about people: signing in and out, who one is, members and tokens. Every failure is a code. */
import type { Role } from '../../../../worker/domain/roles.ts';
import type { Scope } from '../../../../worker/domain/context.ts';

export type { Role, Scope };
export const roleNames: readonly Role[] = ['owner', 'admin', 'operator', 'reviewer', 'viewer'];

export type Asked<T> = { ok: true; value: T } | { ok: false; code: string };

export interface Me {
  principal: string;
  name?: string;
  email?: string;
  workspaces: { id: string; name: string; role: Role | null; scopes: Scope[] }[];
}
export interface Member {
  id: string;
  name: string;
  email?: string;
  role: Role;
  since: number;
}
export interface Invitation {
  id: string;
  email: string;
  role: Role;
  expiresAt: number;
}
export interface Token {
  id: string;
  prefix: string;
  name: string;
  scopes: Scope[];
  expiresAt: number;
  lastUsedAt: number | null;
  state: 'live' | 'expired' | 'revoked';
}

export async function ask<T>(path: string, body?: unknown): Promise<Asked<T>> {
  try {
    const init = body === undefined ? {} : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const response = await fetch(path, init);
    const answer = (await response.json().catch(() => null)) as (T & { code?: string }) | null;
    if (response.ok) return { ok: true, value: answer as T };
    return { ok: false, code: answer?.code ?? (response.status === 429 ? 'rate_limited' : 'unexpected') };
  } catch {
    return { ok: false, code: 'unreachable' };
  }
}

export const me = () => ask<Me>('/v1/me');
/** Accounts elsewhere that one may sign in with. */
export type Account = 'google' | 'github';
export const waysToSignIn = () => ask<{ accounts: Account[]; signUp: 'open' | 'invited' }>('/auth/ways');
/** Answers with the address there. A failure comes back to the page that signs in, too. */
export const beginElsewhere = (provider: Account, callbackURL: string) =>
  ask<{ url: string }>('/auth/sign-in/social', { provider, callbackURL, errorCallbackURL: '/sign-in', disableRedirect: true });
export const signIn = (email: string, password: string) => ask('/auth/sign-in/email', { email, password });
export const signUp = (name: string, email: string, password: string) => ask('/auth/sign-up/email', { name, email, password, callbackURL: '/sign-in?confirmed=1' });
export const forgot = (email: string) => ask('/auth/request-password-reset', { email, redirectTo: '/reset-password' });
export const reset = (token: string, newPassword: string) => ask('/auth/reset-password', { token, newPassword });
export const signOut = () => ask('/auth/sign-out', {});
export const signOutEverywhere = () => ask('/auth/revoke-sessions', {});
export const accept = (secret: string) => ask<{ result: { workspace: string } }>('/v1/invitations/accept', { secret });
/** Pressing again after a lost answer is the same command: the caller keeps the id. */
export const makeWorkspace = (name: string, commandId: string) => ask<{ result: { workspace: string } }>('/v1/workspaces', { name, commandId });

const at = (workspace: string) => `/v1/workspaces/${encodeURIComponent(workspace)}`;
export const listMembers = (workspace: string) => ask<{ data: Member[] }>(`${at(workspace)}/members`);
export const listInvitations = (workspace: string) => ask<{ data: Invitation[] }>(`${at(workspace)}/invitations`);
export const listTokens = (workspace: string) => ask<{ data: Token[] }>(`${at(workspace)}/tokens`);
export const command = (workspace: string, type: string, payload: unknown) =>
  ask<{ secret?: string; link?: string; mailed?: boolean; replayed: boolean }>(`${at(workspace)}/people/commands`, { type, commandId: crypto.randomUUID(), payload });
