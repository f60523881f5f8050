/** From a session's cookie to who it is and where they may go. */
import type { Env } from '../env.ts';
import type { Caller } from './caller.ts';
import { hasSessionCookie } from './cookie.ts';
import { membershipsOf } from './memberships.ts';
import { isOperator } from './settings.ts';

/** Null: no session, or one that ended. A session is looked up each time: signing out everywhere counts at once. */
export async function callerOfSession(env: Env, request: Request): Promise<Caller | null> {
  if (!hasSessionCookie(request)) return null;
  const { peopleAuth } = await import('./people-auth.ts');
  const found = await peopleAuth(env, request).api.getSession({ headers: request.headers });
  if (!found) return null;
  const { user, session } = found;
  return {
    principal: `person:${user.id}`,
    kind: 'person',
    credential: `session:${session.id}`,
    memberships: await membershipsOf(env.DB, user.id),
    goals: null,
    attempt: null,
    person: { id: user.id, name: user.name, email: user.email, emailVerified: user.emailVerified },
    operator: isOperator(env, user.email, user.emailVerified),
  };
}
