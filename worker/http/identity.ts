/** Who is calling. The answer comes from the credential alone, never from a body, and says which workspaces exist for that caller. */
import type { Actor, Scope } from '../domain/context.ts';
import { type Refusal, refuse } from '../domain/refusals.ts';
import type { PrincipalId } from '../domain/values.ts';
import type { Env } from '../env.ts';
import { developmentMember } from './development-identity.ts';

export interface Member {
  principal: PrincipalId;
  kind: 'person' | 'token';
  scopes: readonly Scope[];
  workspaces: ReadonlySet<string>;
  /** How the caller was recognized, for the log. */
  via: string;
}

export function identify(request: Request, env: Env): Member | Refusal {
  // Decided at build time: in a production build what it guards is not even in the bundle.
  if (__LONGHAUL_DEV__) {
    const member = developmentMember(request, env);
    if (member) return member;
  }
  return refuse('unauthenticated');
}

export function actorOf(member: Member): Actor {
  return { kind: member.kind, principal: member.principal, scopes: member.scopes };
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
