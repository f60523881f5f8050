/** For tests in workerd: a person at a browser, who signs up, reads their mail, and holds a cookie; and programs with tokens. */

import { readMailbox } from '../../auth/mail.ts';
import type { Env } from '../../env.ts';
import { checkedApp } from './conformity.ts';

export const origin = 'https://longhaul.example';
export const password = 'a long enough password';

/** An address that is not of this machine: nobody is signed in by the development sign-in. */
export const app = checkedApp;

export interface Sent {
  method?: string;
  body?: unknown;
  headers?: Record<string, string>;
}
export interface Answered<B> {
  status: number;
  headers: Headers;
  body: B;
}

export async function ask<B = Record<string, unknown>>(env: Env, path: string, { method, body, headers = {} }: Sent = {}): Promise<Answered<B>> {
  const payload = body === undefined ? undefined : JSON.stringify(body);
  const response = await app.fetch(
    new Request(`${origin}${path}`, {
      method: method ?? (payload === undefined ? 'GET' : 'POST'),
      headers: { ...(payload === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      redirect: 'manual',
      ...(payload === undefined ? {} : { body: payload }),
    }),
    env,
  );
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: (/^[{[]/.test(text) ? JSON.parse(text) : { text }) as B };
}

/** The newest mail to this address with that part in it. Mails leave after the answer, so it may still be on its way. */
export async function mailTo(env: Env, address: string, part: string): Promise<string> {
  for (let tries = 0; tries < 500; tries++) {
    const mail = (await readMailbox(env, 200)).find((each) => each.to === address && each.text.includes(part));
    if (mail) return mail.text;
    await scheduler.wait(10);
  }
  throw new Error(`no mail with ${part}`);
}

/** The path and query of the link in a mail. */
export function linkIn(text: string): string {
  const link = /https?:\/\/[^/\s]+(\/\S+)/.exec(text)?.[1];
  if (link === undefined) throw new Error('no link');
  return link;
}

export interface Browser {
  id: string;
  email: string;
  cookie: string;
  ask<B = Record<string, unknown>>(path: string, sent?: Sent): Promise<Answered<B>>;
}

export function cookieOf(headers: Headers): string {
  return headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0] ?? '')
    .join('; ');
}

export function browserWith(env: Env, id: string, email: string, cookie: string): Browser {
  return {
    id,
    email,
    cookie,
    ask: (path, { headers = {}, ...sent } = {}) => ask(env, path, { ...sent, headers: { cookie, origin, ...headers } }),
  };
}

export async function signIn(env: Env, email: string, secret = password): Promise<Browser> {
  const signedIn = await ask<{ user: { id: string } }>(env, '/auth/sign-in/email', { body: { email, password: secret }, headers: { origin } });
  if (signedIn.status !== 200) throw new Error(`sign-in: ${signedIn.status} ${JSON.stringify(signedIn.body)}`);
  return browserWith(env, signedIn.body.user.id, email, cookieOf(signedIn.headers));
}

/** Signs up, opens the link of the mail, signs in. */
export async function newPerson(env: Env, name: string): Promise<Browser> {
  const email = `${name.toLowerCase()}@people.example`;
  const signedUp = await ask(env, '/auth/sign-up/email', { body: { email, password, name }, headers: { origin } });
  if (signedUp.status !== 200) throw new Error(`sign-up: ${signedUp.status} ${JSON.stringify(signedUp.body)}`);
  await ask(env, linkIn(await mailTo(env, email, 'verify-email')));
  return signIn(env, email);
}

let commands = 0;
export const freshId = (name = 'c') => `${name}-${++commands}`;

export async function newWorkspace(owner: Browser, name: string): Promise<string> {
  const made = await owner.ask<{ result: { workspace: string } }>('/v1/workspaces', { body: { name, commandId: freshId('ws') } });
  if (made.status !== 201) throw new Error(`workspace: ${made.status} ${JSON.stringify(made.body)}`);
  return made.body.result.workspace;
}

export interface Applied {
  outcome: string;
  code?: string;
  result: Record<string, unknown>;
  secret?: string;
  link?: string;
  mailed?: boolean;
  replayed: boolean;
}

export function peopleCommand(browser: Browser, workspace: string, type: string, payload: unknown, more: object = {}): Promise<Answered<Applied>> {
  return browser.ask<Applied>(`/v1/workspaces/${workspace}/people/commands`, { body: { type, commandId: freshId(type), payload, ...more } });
}

/** Invites by mail, and accepts by the mail's link. */
export async function joins(admin: Browser, workspace: string, browser: Browser, role: string): Promise<void> {
  const invited = await peopleCommand(admin, workspace, 'member.invite', { email: browser.email, role });
  if (invited.status !== 201) throw new Error(`invite: ${invited.status} ${JSON.stringify(invited.body)}`);
  const accepted = await browser.ask('/v1/invitations/accept', { body: { secret: invited.body.link?.split('#')[1] } });
  if (accepted.status !== 200) throw new Error(`accept: ${accepted.status} ${JSON.stringify(accepted.body)}`);
}

export async function newToken(
  admin: Browser,
  workspace: string,
  scopes: readonly string[],
  more: object = {},
): Promise<{ id: string; secret: string; headers: Record<string, string> }> {
  const issued = await peopleCommand(admin, workspace, 'token.issue', { name: 'robot', scopes, ...more });
  const secret = issued.body.secret;
  if (issued.status !== 201 || secret === undefined) throw new Error(`token: ${issued.status} ${JSON.stringify(issued.body)}`);
  return { id: String(issued.body.result.token), secret, headers: { authorization: `Bearer ${secret}` } };
}
