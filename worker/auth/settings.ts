/** What an installation must be told before it answers anybody, and what it may be told. */
import type { Env } from '../env.ts';
import { developmentOrigin, developmentSecret } from './development-settings.ts';
import { masterKeyName, masterKeysOf } from '../workspace/sealing/master-keys.ts';

/** Without one of these a production build refuses every request. */
const required = ['LONGHAUL_URL', 'LONGHAUL_AUTH_SECRET', 'LONGHAUL_MAIL_URL', 'LONGHAUL_MAIL_KEY', 'LONGHAUL_MAIL_FROM'] as const satisfies (keyof Env)[];

/** Characters of the secret that signs cookies and links. */
const secretChars = 32;

/** Names of what is missing or cannot be meant; never a value. */
export function missingSettings(env: Env): string[] {
  // Cloudflare's binding stands for the mail service.
  const needed = env.MAIL && !env.LONGHAUL_MAIL_URL ? required.filter((name) => name !== 'LONGHAUL_MAIL_URL' && name !== 'LONGHAUL_MAIL_KEY') : required;
  const names: string[] = needed.filter((name) => {
    const value = env[name];
    if (typeof value !== 'string' || value === '') return true;
    if (name === 'LONGHAUL_AUTH_SECRET') return value.length < secretChars;
    if (name === 'LONGHAUL_URL') return !isOrigin(value);
    return name === 'LONGHAUL_MAIL_URL' && !value.startsWith('https://');
  });
  const { current, broken } = masterKeysOf(env);
  return [...names, ...broken, ...(current === null && broken.length === 0 ? [masterKeyName(1)] : [])];
}

function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && url.protocol === 'https:' && (text === url.origin || text === `${url.origin}/`);
}

/** Where people reach this installation. */
export function publicOrigin(env: Env, request: Request): string {
  if (__LONGHAUL_DEV__) return developmentOrigin(env, request);
  return new URL(env.LONGHAUL_URL ?? '').origin;
}

export function authSecret(env: Env): string {
  if (__LONGHAUL_DEV__) return developmentSecret(env);
  return env.LONGHAUL_AUTH_SECRET ?? '';
}

/** Accounts elsewhere that people may sign in with: those whose id and secret are set. */
export function providersOf(env: Env): { google?: { clientId: string; clientSecret: string }; github?: { clientId: string; clientSecret: string } } {
  const both = (clientId?: string, clientSecret?: string) => (clientId && clientSecret ? { clientId, clientSecret } : undefined);
  const google = both(env.LONGHAUL_GOOGLE_ID, env.LONGHAUL_GOOGLE_SECRET);
  const github = both(env.LONGHAUL_GITHUB_ID, env.LONGHAUL_GITHUB_SECRET);
  return { ...(google ? { google } : {}), ...(github ? { github } : {}) };
}

/** Whether this verified address runs the installation. */
export function isOperator(env: Env, email: string, verified: boolean): boolean {
  if (!verified) return false;
  return (env.LONGHAUL_OPERATORS ?? '')
    .split(',')
    .map((each) => each.trim().toLowerCase())
    .filter((each) => each !== '')
    .includes(email.toLowerCase());
}
