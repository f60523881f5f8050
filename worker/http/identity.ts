/** Who is calling. The answer comes from the credential alone, never from a body, and says which workspaces exist for that caller. */
import { attemptTokenPrefix, callerOfAttemptToken } from '../auth/attempt-tokens.ts';
import type { Caller, Credential, SignedIn } from '../auth/caller.ts';
import { callerOfSession } from '../auth/sessions.ts';
import { callerOfToken } from '../auth/tokens.ts';
import type { Actor, Scope } from '../domain/context.ts';
import { type Refusal, refuse } from '../domain/refusals.ts';
import type { Role } from '../domain/roles.ts';
import type { PrincipalId } from '../domain/values.ts';
import type { AttemptGrant } from '../domain/work/attempt-grant.ts';
import type { Env } from '../env.ts';
import { errorOf, log } from '../observe/log.ts';
import { developmentCaller } from './development-identity.ts';

/** A caller in one workspace. */
export interface Member {
  principal: PrincipalId;
  kind: 'person' | 'token';
  credential: Credential;
  scopes: readonly Scope[];
  /** Null for a token. */
  role: Role | null;
  person: SignedIn | null;
  /** Set for a token that is limited to goals: others are not there for it. */
  goals: ReadonlySet<string> | null;
  /** Set for the token of one Attempt. */
  attempt: AttemptGrant | null;
}

/** Of a caller that no way of signing in knows; the same for every reason, so that a stolen credential says nothing about why it does not work. */
const unknownCaller = () => refuse('unauthenticated');

export async function identify(request: Request, env: Env): Promise<Caller | Refusal> {
  const authorization = request.headers.get('authorization');
  try {
    // Whoever sends a token means to be that token: nothing else is tried instead.
    if (authorization !== null) {
      const text = /^bearer +(\S+)$/i.exec(authorization)?.[1];
      const [address, now] = [addressOf(request), Date.now()];
      if (text?.startsWith(attemptTokenPrefix)) return (await callerOfAttemptToken(env, text, address, now)) ?? unknownCaller();
      return (text === undefined ? null : await callerOfToken(env.DB, text, address, now)) ?? unknownCaller();
    }
    const person = await callerOfSession(env, request);
    if (person) return cookieMayAct(request) ? person : refuse('forbidden', { detail: 'A change with a session must come from a page of this origin.' });
  } catch (error) {
    log('error', 'http', 'identity.away', { error: errorOf(error) });
    return refuse('unavailable', { detail: 'Who you are cannot be looked up now.' });
  }
  // Decided at build time: in a production build what it guards is not even in the bundle.
  if (__LONGHAUL_DEV__) {
    const caller = developmentCaller(request, env);
    if (caller) return caller;
  }
  return unknownCaller();
}

/** The caller as a member of the workspace; null where they are none. */
export function memberOf(caller: Caller, workspace: string): Member | null {
  const membership = caller.memberships.get(workspace);
  if (!membership) return null;
  const { principal, kind, credential, person, goals, attempt } = caller;
  return { principal, kind, credential, person, goals, attempt, scopes: membership.scopes, role: membership.role };
}

export function actorOf(member: Member): Actor {
  if (member.attempt) return { kind: 'attempt', principal: member.principal, ...member.attempt };
  return { kind: member.kind, principal: member.principal, scopes: member.scopes };
}

/** As the platform saw it; no header that the caller writes. */
export function addressOf(request: Request): string | null {
  return request.headers.get('cf-connecting-ip');
}

/**
 * A browser sends along what signs its user in, whatever page asked. So what changes something, and every socket, must come from this origin:
 * an `Origin` of another one is refused, and so is a request that the browser itself marks as cross-site. Programs send neither.
 */
export function foreignOrigin(request: Request): boolean {
  const site = request.headers.get('sec-fetch-site');
  if (site !== null && site !== 'same-origin' && site !== 'none') return true;
  const origin = request.headers.get('origin');
  return origin !== null && origin !== new URL(request.url).origin;
}

/** With a cookie, not saying where one comes from is not enough: every browser says it for a change and for a socket. */
function cookieMayAct(request: Request): boolean {
  const reads = (request.method === 'GET' || request.method === 'HEAD') && request.headers.get('upgrade') === null;
  return reads || request.headers.get('origin') === new URL(request.url).origin || request.headers.get('sec-fetch-site') === 'same-origin';
}
