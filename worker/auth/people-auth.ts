/**
 * People's sessions, kept by better-auth in D1. It is asked for sessions and handed the routes that `/auth` lets through; roles, invitations and tokens are ours. Loaded when a request
 * brings a session's cookie or goes to `/auth`: a program with a token never pays for it.
 */
import { waitUntil } from 'cloudflare:workers';
import { betterAuth } from 'better-auth';
import type { Env } from '../env.ts';
import { log } from '../observe/log.ts';
import { sessionEnded } from '../workspace/client.ts';
import { cookiePrefix } from './cookie.ts';
import { mailerOf } from './mail.ts';
import { existsMail, resetMail, verificationMail } from './mails.ts';
import { passkeys } from './passkeys/plugin.ts';
import { authSecret, providersOf, publicOrigin } from './settings.ts';

const day = 86_400;

function make(env: Env, origin: string) {
  const mailer = mailerOf(env);
  const secure = origin.startsWith('https:');
  return betterAuth({
    appName: 'Longhaul',
    baseURL: origin,
    basePath: '/auth',
    secret: authSecret(env),
    database: env.DB,
    trustedOrigins: [origin],
    user: { modelName: 'person' },
    session: { modelName: 'person_session', expiresIn: 14 * day, updateAge: day, freshAge: day, cookieCache: { enabled: false } },
    account: { modelName: 'person_account', encryptOAuthTokens: true },
    verification: { modelName: 'person_verification' },
    emailAndPassword: {
      enabled: true,
      requireEmailVerification: true,
      minPasswordLength: 10,
      maxPasswordLength: 128,
      revokeSessionsOnPasswordReset: true,
      sendResetPassword: async ({ user, url }) => void (await mailer.send(resetMail(user.email, url))),
      onExistingUserSignUp: async ({ user }) => void (await mailer.send(existsMail(user.email, `${origin}/sign-in`))),
    },
    emailVerification: {
      sendOnSignUp: true,
      sendOnSignIn: true,
      autoSignInAfterVerification: false,
      expiresIn: day,
      sendVerificationEmail: async ({ user, url }) => void (await mailer.send(verificationMail(user.email, url))),
    },
    socialProviders: providersOf(env),
    plugins: [passkeys({ db: env.DB, origin })],
    // However it ended (signing out here or everywhere, a new password): its sockets do not wait for their renewal.
    databaseHooks: {
      session: { delete: { after: async (session) => waitUntil(sessionEnded(env, session.userId)) } },
      user: { create: { before: async (user) => ((await maySignUp(env, user.email)) ? undefined : false) } },
    },
    // Every request is counted before it gets here, by address and by person.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: { log: (level, message) => log(level === 'error' ? 'error' : 'warn', 'auth', 'better-auth', { message: message.slice(0, 200) }), level: 'error' },
    advanced: {
      cookiePrefix,
      useSecureCookies: secure,
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax', secure, path: '/' },
      ipAddress: { ipAddressHeaders: ['cf-connecting-ip'] },
      // Mails leave after the answer: how long it took must not tell whether an address is known.
      backgroundTasks: { handler: (task) => waitUntil(task) },
    },
  });
}

/** Where only the invited may sign up: whether somebody with this address is. */
async function maySignUp(env: Env, address: string): Promise<boolean> {
  if (env.LONGHAUL_SIGN_UP !== 'invited') return true;
  const row = await env.DB.prepare('SELECT 1 AS found FROM invitations WHERE email = ? AND accepted_at IS NULL AND revoked_at IS NULL AND expires_at > ? LIMIT 1')
    .bind(address.toLowerCase(), Date.now())
    .first();
  return row !== null;
}

type Auth = ReturnType<typeof make>;
const made = new WeakMap<Env, Map<string, Auth>>();

/** One per isolate and origin. */
export function peopleAuth(env: Env, request: Request): Auth {
  const origin = publicOrigin(env, request);
  const known = made.get(env) ?? new Map<string, Auth>();
  made.set(env, known);
  const auth = known.get(origin) ?? make(env, origin);
  known.set(origin, auth);
  return auth;
}
