/** Passkeys with an authenticator of software: what opens, and everything that must not. */
import { applyD1Migrations } from 'cloudflare:test';
import { env as bindings } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Env } from '../../env.ts';
import { type Answered, ask, type Browser, browserWith, cookieOf, newPerson, origin } from '../../http/testing/people.ts';
import { passkeysAtMost } from './store.ts';
import { Authenticator, type Wrong } from './testing/authenticator.ts';

const env = bindings as unknown as Env & { MIGRATIONS: Parameters<typeof applyD1Migrations>[1] };
let ann: Browser;
let bert: Browser;
beforeAll(async () => {
  await applyD1Migrations(env.DB, env.MIGRATIONS);
  ann = await newPerson(env, 'Ann');
  bert = await newPerson(env, 'Bert');
}, 60_000);

type Body = Record<string, unknown> & { code?: string; challenge: string };
const post = (path: string, body: unknown, cookie = '') => ask<Body>(env, `/auth/passkey/${path}`, { body, headers: { origin, ...(cookie === '' ? {} : { cookie }) } });
/** What a browser sends along: its session, and the ceremony that it has begun. */
const along = (browser: Browser | null, begun: Answered<Body>) => [browser?.cookie, cookieOf(begun.headers)].filter(Boolean).join('; ');

async function added(person: Browser, key: Authenticator, wrong: Wrong = {}, name = 'My key'): Promise<Answered<Body>> {
  const begun = await post('add-options', {}, person.cookie);
  expect(begun.status, JSON.stringify(begun.body)).toBe(200);
  return post('add', { name, response: await key.create(begun.body.challenge, origin, wrong) }, along(person, begun));
}
async function signedIn(person: Browser, key: Authenticator, wrong: Wrong = {}): Promise<Answered<Body>> {
  const begun = await post('sign-in-options', {});
  return post('sign-in', { response: await key.get(begun.body.challenge, origin, person.id, wrong) }, along(null, begun));
}
const passkey = async (person: Browser) => {
  const key = await Authenticator.make();
  expect((await added(person, key)).status).toBe(200);
  return key;
};
/** No session came of it. */
const refused = (answer: Answered<Body>, code = 'PASSKEY_REFUSED') => {
  expect([answer.status, answer.body.code]).toEqual([401, code]);
  expect(answer.headers.getSetCookie().filter((each) => each.includes('session_token'))).toEqual([]);
};

it('is added with a name, opens a session without anything being typed, shows when it was used, and is removed', async () => {
  const key = await Authenticator.make();
  const options = await post('add-options', {}, ann.cookie);
  expect(options.body).toMatchObject({
    rp: { id: 'longhaul.example' },
    attestation: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  expect((await added(ann, key, {}, 'Laptop')).body).toEqual({ id: key.id });
  const begun = await post('sign-in-options', {});
  // Whose passkeys there are is not told.
  expect(begun.body).toMatchObject({ rpId: 'longhaul.example', userVerification: 'required' });
  expect(begun.body.allowCredentials ?? []).toEqual([]);
  const opened = await signedIn(ann, key);
  expect([opened.status, opened.body]).toMatchObject([200, { user: { id: ann.id } }]);
  const session = opened.headers.getSetCookie().find((each) => each.includes('session_token')) ?? '';
  for (const part of ['__Secure-', 'HttpOnly', 'Secure', 'SameSite=Lax']) expect(session).toContain(part);
  const browser = browserWith(env, ann.id, ann.email, cookieOf(opened.headers));
  expect((await browser.ask('/v1/me')).body).toMatchObject({ principal: `person:${ann.id}` });
  const list = await browser.ask<{ data: object[] }>('/auth/passkey/list');
  expect(list.body.data).toEqual([{ id: key.id, name: 'Laptop', createdAt: expect.any(Number), lastUsedAt: expect.any(Number) }]);
  expect((await signedIn(ann, key)).status).toBe(200);

  // Another person removes nothing of hers, and sees none of it.
  expect((await bert.ask<{ data: object[] }>('/auth/passkey/list')).body.data).toEqual([]);
  expect((await post('remove', { id: key.id }, bert.cookie)).status).toBe(404);
  expect((await post('remove', { id: key.id }, ann.cookie)).status).toBe(200);
  refused(await signedIn(ann, key));
});

describe('signing in is refused', () => {
  it.each<[string, Wrong]>([
    ['for another origin', { origin: 'https://evil.example' }],
    ['for another place', { rpId: 'evil.example' }],
    ['without the person being verified', { unverified: true }],
    ['for another challenge', { challenge: Buffer.from('another challenge').toString('base64url') }],
    ['with an altered signature', { signature: 'altered' }],
    ['for a credential that nobody has', { id: 'bm9ib2R5' }],
    ['in the name of somebody else', { userHandle: 'somebody' }],
  ])('%s', async (_what, wrong) => {
    const key = await passkey(ann);
    refused(await signedIn(ann, key, wrong));
    expect((await signedIn(ann, key)).status).toBe(200);
  });

  it('with a counter that does not go on: the passkey was copied, or its answer is an old one', async () => {
    const key = await passkey(ann);
    expect((await signedIn(ann, key, { counter: 7 })).status).toBe(200);
    refused(await signedIn(ann, key, { counter: 7 }));
    refused(await signedIn(ann, key, { counter: 3 }));
    expect((await signedIn(ann, key, { counter: 8 })).status).toBe(200);
  });

  it('with an answer that came before, in another browser, or too late', async () => {
    const key = await passkey(ann);
    const begun = await post('sign-in-options', {});
    const response = await key.get(begun.body.challenge, origin, ann.id);
    refused(await post('sign-in', { response }), 'PASSKEY_AGAIN');
    const another = await post('sign-in-options', {});
    refused(await post('sign-in', { response }, along(null, another)));
    expect((await post('sign-in', { response }, along(null, begun))).status).toBe(200);
    refused(await post('sign-in', { response }, along(null, begun)), 'PASSKEY_AGAIN');
    const late = await post('sign-in-options', {});
    await env.DB.prepare('UPDATE person_challenge SET expires_at = ?').bind(Date.now()).run();
    refused(await post('sign-in', { response: await key.get(late.body.challenge, origin, ann.id) }, along(null, late)), 'PASSKEY_AGAIN');
    // A wrong answer uses the challenge up, too.
    const tried = await post('sign-in-options', {});
    refused(await post('sign-in', { response: await key.get(tried.body.challenge, origin, ann.id, { signature: 'altered' }) }, along(null, tried)));
    refused(await post('sign-in', { response: await key.get(tried.body.challenge, origin, ann.id) }, along(null, tried)), 'PASSKEY_AGAIN');
  });

  it('by one of two that use the same count at the same moment', async () => {
    const key = await passkey(ann);
    const [one, two] = [await post('sign-in-options', {}), await post('sign-in-options', {})];
    const answers = await Promise.all([
      post('sign-in', { response: await key.get(one.body.challenge, origin, ann.id, { counter: 5 }) }, along(null, one)),
      post('sign-in', { response: await key.get(two.body.challenge, origin, ann.id, { counter: 5 }) }, along(null, two)),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
  });
});

describe('adding is refused', () => {
  it.each<[string, Wrong]>([
    ['for another origin', { origin: 'https://evil.example' }],
    ['for another place', { rpId: 'evil.example' }],
    ['without the person being verified', { unverified: true }],
    ['for another challenge', { challenge: Buffer.from('another challenge').toString('base64url') }],
  ])('%s', async (_what, wrong) => refused(await added(bert, await Authenticator.make(), wrong)));

  it('without a session, with one that is older than a day, and under the challenge of somebody else', async () => {
    expect((await post('add-options', {})).status).toBe(401);
    const key = await Authenticator.make();
    const hers = await post('add-options', {}, ann.cookie);
    refused(await post('add', { name: 'x', response: await key.create(hers.body.challenge, origin) }, along(bert, hers)), 'PASSKEY_AGAIN');
    const cleo = await newPerson(env, 'Cleo');
    await env.DB.prepare('UPDATE person_session SET createdAt = ? WHERE userId = ?')
      .bind(new Date(Date.now() - 25 * 3_600_000).toISOString(), cleo.id)
      .run();
    expect(await post('add-options', {}, cleo.cookie)).toMatchObject({ status: 403, body: { code: 'SESSION_NOT_FRESH' } });
  });

  it('of one that is registered already, also by somebody else, and of too many', async () => {
    const key = await passkey(ann);
    refused(await added(bert, key));
    expect((await signedIn(ann, key)).status).toBe(200);
    for (let n = 0; n < passkeysAtMost; n++) await added(bert, await Authenticator.make());
    expect(await post('add-options', {}, bert.cookie)).toMatchObject({ status: 403, body: { code: 'PASSKEY_LIMIT' } });
  });
});
