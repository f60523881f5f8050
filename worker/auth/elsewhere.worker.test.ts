/** Signing in with an account at Google or GitHub: where one is sent, and what coming back opens. What they would answer is played here. */
import { applyD1Migrations } from 'cloudflare:test';
import { env as bindings } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Env } from '../env.ts';
import { ask, browserWith, cookieOf, newPerson, origin } from '../http/testing/people.ts';

const bound = bindings as unknown as Env & { MIGRATIONS: Parameters<typeof applyD1Migrations>[1] };
const keys = { LONGHAUL_GOOGLE_ID: 'google-id', LONGHAUL_GOOGLE_SECRET: 'google-secret', LONGHAUL_GITHUB_ID: 'github-id', LONGHAUL_GITHUB_SECRET: 'github-secret' };
const env = { ...bound, ...keys } as Env;
beforeAll(() => applyD1Migrations(bound.DB, bound.MIGRATIONS));
afterEach(() => vi.unstubAllGlobals());

const begin = (provider: string, at: Env = env, callbackURL = '/sign-in?entered=1&to=%2Fgoals') =>
  ask<{ url: string; redirect: boolean; code?: string }>(at, '/auth/sign-in/social', {
    body: { provider, callbackURL, errorCallbackURL: '/sign-in', disableRedirect: true },
    headers: { origin },
  });

/** GitHub, as far as it is asked: the code, who that is, and their addresses. */
function github(person: { id: number; email: string; verified: boolean }) {
  const asked: { url: string; body: string }[] = [];
  vi.stubGlobal('fetch', async (input: RequestInfo | URL, init?: RequestInit) => {
    const request = new Request(input, init);
    asked.push({ url: request.url, body: await request.clone().text() });
    if (request.url === 'https://github.com/login/oauth/access_token') return Response.json({ access_token: 'gho_token', token_type: 'bearer', scope: 'user:email' });
    if (request.url === 'https://api.github.com/user') return Response.json({ id: person.id, login: 'octo', name: 'Octo', email: null, avatar_url: '' });
    if (request.url === 'https://api.github.com/user/emails') return Response.json([{ email: person.email, primary: true, verified: person.verified }]);
    throw new Error(`unexpected ${request.url}`);
  });
  return asked;
}

async function back(person: { id: number; email: string; verified: boolean }, at: Env = env, change: (state: string) => string = (state) => state, keep = true) {
  const begun = await begin('github', at);
  const asked = github(person);
  const state = change(new URL(begun.body.url).searchParams.get('state') ?? '');
  const answered = await ask(at, `/auth/callback/github?code=the-code&state=${encodeURIComponent(state)}`, keep ? { headers: { cookie: cookieOf(begun.headers) } } : {});
  const location = answered.headers.get('location') ?? '';
  const session = answered.headers.getSetCookie().filter((each) => each.includes('session_token='));
  return { begun, asked, answered, location, session };
}

describe('the ways there are', () => {
  it('are those whose keys are set', async () => {
    expect((await ask(bound, '/auth/ways')).body).toEqual({ password: true, passkey: true, accounts: [], signUp: 'open' });
    expect((await ask(env, '/auth/ways')).body).toMatchObject({ accounts: ['google', 'github'] });
    expect((await ask({ ...bound, LONGHAUL_GITHUB_ID: 'i', LONGHAUL_GITHUB_SECRET: 's', LONGHAUL_SIGN_UP: 'invited' } as Env, '/auth/ways')).body).toMatchObject({
      accounts: ['github'],
      signUp: 'invited',
    });
    expect((await begin('github', bound)).status).toBeGreaterThanOrEqual(400);
  });

  it.each([
    ['google', 'https://accounts.google.com/o/oauth2/v2/auth', 'google-id'],
    ['github', 'https://github.com/login/oauth/authorize', 'github-id'],
  ])('lead to %s with a state and a PKCE challenge, and back to this origin', async (provider, place, client) => {
    const { status, body } = await begin(provider);
    const url = new URL(body.url);
    expect([status, `${url.origin}${url.pathname}`]).toEqual([200, place]);
    const { searchParams: given } = url;
    expect([given.get('client_id'), given.get('redirect_uri'), given.get('response_type'), given.get('code_challenge_method')]).toEqual([
      client,
      `${origin}/auth/callback/${provider}`,
      'code',
      'S256',
    ]);
    expect(given.get('state')?.length).toBeGreaterThan(20);
    expect(given.get('code_challenge')?.length).toBe(43);
    expect(body.url).not.toContain('secret');
    expect((await begin(provider)).body.url).not.toBe(body.url);
  });

  it('lead to no other site afterwards', async () => expect((await begin('github', env, 'https://evil.example/')).status).toBe(403));
});

describe('coming back', () => {
  it('opens a session for the person of a confirmed address, the same one each time', async () => {
    const octo = { id: 7, email: 'octo@people.example', verified: true };
    const first = await back(octo);
    expect([first.answered.status, first.location]).toEqual([302, '/sign-in?entered=1&to=%2Fgoals']);
    expect(first.asked[0]?.body).toContain('code_verifier=');
    expect(first.session).toHaveLength(1);
    for (const part of ['HttpOnly', 'Secure', 'SameSite=Lax']) expect(first.session[0]).toContain(part);
    vi.unstubAllGlobals();
    const me = await browserWith(env, '', octo.email, cookieOf(first.answered.headers)).ask('/v1/me');
    expect(me.body).toMatchObject({ email: octo.email, emailVerified: true });
    const second = await back(octo);
    vi.unstubAllGlobals();
    expect((await browserWith(env, '', octo.email, cookieOf(second.answered.headers)).ask('/v1/me')).body.principal).toBe(me.body.principal);
    // What they gave us to ask them with is sealed.
    const { results } = await env.DB.prepare('SELECT accessToken FROM person_account').all<{ accessToken: string | null }>();
    expect(JSON.stringify(results)).not.toContain('gho_token');
  });

  it('opens nothing with another state, in another browser, twice, or where only the invited sign up', async () => {
    const stranger = { id: 8, email: 'stranger@people.example', verified: true };
    const wrong = [
      await back(stranger, env, (state) => `${state}x`),
      await back(stranger, env, (state) => state, false),
      await back(stranger, { ...env, LONGHAUL_SIGN_UP: 'invited' } as Env),
    ];
    for (const { location, session } of wrong) expect([session, location.includes('error=')]).toEqual([[], true]);
    const once = await back(stranger);
    expect(once.session).toHaveLength(1);
    const state = new URL(once.begun.body.url).searchParams.get('state') ?? '';
    const again = await ask(env, `/auth/callback/github?code=the-code&state=${encodeURIComponent(state)}`, { headers: { cookie: cookieOf(once.begun.headers) } });
    expect(again.headers.getSetCookie().filter((each) => each.includes('session_token='))).toEqual([]);
  });

  it('takes over no account by an address that is not confirmed there', async () => {
    const ann = await newPerson(bound, 'Ann');
    const { session, location } = await back({ id: 9, email: ann.email, verified: false });
    expect([session, location.includes('error=')]).toEqual([[], true]);
  });
});
