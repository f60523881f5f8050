/** `/auth`: signing up, in and out. better-auth answers, in its own form (`{code, message}`); what it could do beside this list is not reachable. */
import { providersOf } from '../auth/settings.ts';
import { type Refusal, refuse } from '../domain/refusals.ts';
import { readBytes } from './body.ts';
import { addressOf } from './identity.ts';
import { problemResponse } from './problem.ts';
import { mailboxKey, take } from './rate-limit.ts';
import { answer, type OpenCall, type OpenRoute } from './route.ts';

/** Bytes of a form that signs somebody in. */
const maxAuthBytes = 16_000;

async function authRoute({ request, env, requestId }: OpenCall): Promise<Response | Refusal> {
  const body = await readBytes(request, maxAuthBytes);
  if (!body.ok) return body.refusal;
  if (request.method === 'POST') {
    // Guessing at passwords, and filling somebody's mailbox, by address and by who is meant.
    const now = Date.now();
    for (const taken of [await take(env, 'sign_in', addressOf(request), now), await take(env, 'mailbox', mailboxOf(body.value), now)])
      if (taken && !taken.ok) return problemResponse(taken.refusal, { requestId, headers: taken.headers });
  }
  try {
    const { peopleAuth } = await import('../auth/people-auth.ts');
    const asked = new Request(request.url, { method: request.method, headers: request.headers, ...(body.value.byteLength === 0 ? {} : { body: body.value }) });
    const given = await peopleAuth(env, request).handler(asked);
    const answered = new Response(given.body, given);
    answered.headers.set('cache-control', 'no-store');
    return answered;
  } catch {
    // Neither the text of a password nor of a link may get into a log.
    return refuse('unavailable', { detail: 'Signing in does not work now.' });
  }
}

/** Of whom a form is about. */
function mailboxOf(body: Uint8Array): string | null {
  try {
    const parsed: unknown = JSON.parse(new TextDecoder().decode(body));
    const email = parsed !== null && typeof parsed === 'object' ? (parsed as { email?: unknown }).email : undefined;
    return typeof email === 'string' ? mailboxKey(email) : null;
  } catch {
    return null;
  }
}

const routes: readonly (readonly ['GET' | 'POST', string, string])[] = [
  ['POST', 'sign-up/email', 'Sign up with e-mail and password; a mail confirms the address'],
  ['POST', 'sign-in/email', 'Sign in with e-mail and password'],
  ['POST', 'sign-in/social', 'Begin to sign in with an account elsewhere'],
  ['GET', 'callback/:provider', 'Back from there'],
  ['GET', 'error', 'What went wrong there'],
  ['POST', 'sign-out', 'Sign out'],
  ['GET', 'get-session', 'The session of the cookie'],
  ['GET', 'list-sessions', 'Where one is signed in'],
  ['POST', 'revoke-session', 'Sign out there'],
  ['POST', 'revoke-other-sessions', 'Sign out everywhere else'],
  ['POST', 'revoke-sessions', 'Sign out everywhere'],
  ['POST', 'send-verification-email', 'Send the mail that confirms the address again'],
  ['GET', 'verify-email', 'The link of that mail'],
  ['POST', 'request-password-reset', 'Ask for a mail to set a new password'],
  ['GET', 'reset-password/:token', 'The link of that mail'],
  ['POST', 'reset-password', 'Set a new password; signs out everywhere'],
  ['POST', 'change-password', 'Change the password, knowing the old one'],
  ['POST', 'update-user', 'Change the own name'],
  ['POST', 'passkey/add-options', 'Begin to add a passkey; needs a session of the last day'],
  ['POST', 'passkey/add', 'Add the passkey that the browser made'],
  ['GET', 'passkey/list', 'The own passkeys: names, when made and last used'],
  ['POST', 'passkey/remove', 'Remove one of the own passkeys'],
  ['POST', 'passkey/sign-in-options', 'Begin to sign in with a passkey'],
  ['POST', 'passkey/sign-in', 'Sign in with the passkey that the browser offers'],
];

/** `GET /auth/ways`: what the page that signs in can offer. It says nothing of anybody. */
async function waysRoute({ env }: OpenCall): Promise<Response> {
  return answer({ password: true, passkey: true, accounts: Object.keys(providersOf(env)), signUp: env.LONGHAUL_SIGN_UP === 'invited' ? 'invited' : 'open' });
}

export const authRoutes: readonly OpenRoute[] = [
  { method: 'GET', path: '/auth/ways', may: 'anyone', summary: 'Which ways to sign in there are', handle: waysRoute },
  ...routes.map(([method, path, summary]): OpenRoute => ({ method, path: `/auth/${path}`, may: 'anyone', summary, handle: authRoute })),
];
