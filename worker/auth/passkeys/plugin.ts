/**
 * Passkeys, as a plugin of better-auth: it asks who is signed in and makes the session; the ceremonies are SimpleWebAuthn's. The user is always verified (PIN, fingerprint), the passkey is one
 * that the browser can offer without being told whose (discoverable), and the answer must come from this origin. A challenge belongs to one ceremony in one browser and is used up by its first answer,
 * whatever that is.
 */
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import type { BetterAuthPlugin } from 'better-auth';
import { APIError, createAuthEndpoint, freshSessionMiddleware, sessionMiddleware } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import { z } from 'zod';
import { errorOf, log } from '../../observe/log.ts';
import { addPasskey, challengeMs, notePasskeyUse, openChallenge, passkeyById, passkeysAtMost, passkeysOf, removePasskey, takeChallenge } from './store.ts';

const cookieName = 'passkey';
const text = (max: number) => z.string().min(1).max(max);
/** What a browser sends; the library looks at the rest of it. */
const credential = z.looseObject({ id: text(1500), rawId: text(1500), type: z.literal('public-key'), response: z.looseObject({}) });
/** One answer for every reason: what is wrong with somebody else's passkey is nobody's business. */
const refused = () => new APIError('UNAUTHORIZED', { code: 'PASSKEY_REFUSED', message: 'This passkey does not open anything here.' });

export function passkeys({ db, origin }: { db: D1Database; origin: string }) {
  const rpID = new URL(origin).hostname;
  /** The ceremony's id is in a signed cookie of this browser, so that nobody can have another browser answer their challenge. */
  const begin = async (ctx: Ceremony, ceremony: (id: string) => string, challenge: string): Promise<void> => {
    const id = crypto.randomUUID();
    await openChallenge(db, ceremony(id), challenge, Date.now());
    const cookie = ctx.context.createAuthCookie(cookieName, { maxAge: challengeMs / 1000 });
    await ctx.setSignedCookie(cookie.name, id, ctx.context.secret, cookie.attributes);
  };
  const end = async (ctx: Ceremony, ceremony: (id: string) => string): Promise<string> => {
    const cookie = ctx.context.createAuthCookie(cookieName, { maxAge: 0 });
    const id = await ctx.getSignedCookie(cookie.name, ctx.context.secret);
    ctx.setCookie(cookie.name, '', cookie.attributes);
    const challenge = id ? await takeChallenge(db, ceremony(id), Date.now()) : null;
    if (challenge === null) throw new APIError('UNAUTHORIZED', { code: 'PASSKEY_AGAIN', message: 'This took too long, or was answered already. Begin again.' });
    return challenge;
  };
  const known = { expectedOrigin: origin, expectedRPID: rpID, requireUserVerification: true };

  return {
    id: 'passkeys',
    endpoints: {
      passkeyAddOptions: createAuthEndpoint('/passkey/add-options', { method: 'POST', use: [freshSessionMiddleware] }, async (ctx) => {
        const { user } = ctx.context.session;
        const has = await passkeysOf(db, user.id);
        if (has.length >= passkeysAtMost) throw new APIError('FORBIDDEN', { code: 'PASSKEY_LIMIT', message: `At most ${passkeysAtMost} passkeys.` });
        const options = await generateRegistrationOptions({
          rpName: 'Longhaul',
          rpID,
          userID: new Uint8Array(Buffer.from(user.id)),
          userName: user.email,
          userDisplayName: user.name,
          attestationType: 'none',
          excludeCredentials: has.map(({ id, transports }) => ({ id, transports })),
          authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        });
        await begin(ctx, (id) => `add:${id}:${user.id}`, options.challenge);
        return ctx.json(options);
      }),

      passkeyAdd: createAuthEndpoint(
        '/passkey/add',
        { method: 'POST', use: [freshSessionMiddleware], body: z.strictObject({ name: text(60), response: credential }) },
        async (ctx) => {
          const { user } = ctx.context.session;
          const challenge = await end(ctx, (id) => `add:${id}:${user.id}`);
          const verified = await proven(() =>
            verifyRegistrationResponse({ ...known, response: ctx.body.response as unknown as RegistrationResponseJSON, expectedChallenge: challenge }),
          );
          if (!verified?.verified) throw refused();
          const { id, publicKey, counter, transports } = verified.registrationInfo.credential;
          const passkey = {
            id,
            personId: user.id,
            name: ctx.body.name.trim(),
            publicKey: Buffer.from(publicKey).toString('base64url'),
            counter,
            transports: transports ?? [],
            createdAt: Date.now(),
          };
          if (!(await addPasskey(db, passkey))) throw refused();
          return ctx.json({ id });
        },
      ),

      passkeyList: createAuthEndpoint('/passkey/list', { method: 'GET', use: [sessionMiddleware] }, async (ctx) => {
        const own = await passkeysOf(db, ctx.context.session.user.id);
        return ctx.json({ data: own.map(({ id, name, createdAt, lastUsedAt }) => ({ id, name, createdAt, lastUsedAt })) });
      }),

      passkeyRemove: createAuthEndpoint('/passkey/remove', { method: 'POST', use: [freshSessionMiddleware], body: z.strictObject({ id: text(1500) }) }, async (ctx) => {
        if (!(await removePasskey(db, ctx.context.session.user.id, ctx.body.id))) throw new APIError('NOT_FOUND', { code: 'NOT_FOUND', message: 'There is no such passkey.' });
        return ctx.json({ status: true });
      }),

      passkeySignInOptions: createAuthEndpoint('/passkey/sign-in-options', { method: 'POST' }, async (ctx) => {
        // No list of credentials: it would tell who has an account. The browser offers what it has for this place.
        const options = await generateAuthenticationOptions({ rpID, userVerification: 'required' });
        await begin(ctx, (id) => `in:${id}`, options.challenge);
        return ctx.json(options);
      }),

      passkeySignIn: createAuthEndpoint('/passkey/sign-in', { method: 'POST', body: z.strictObject({ response: credential }) }, async (ctx) => {
        const challenge = await end(ctx, (id) => `in:${id}`);
        const response = ctx.body.response as unknown as AuthenticationResponseJSON;
        const passkey = await passkeyById(db, response.id);
        if (!passkey) throw refused();
        const { userHandle } = response.response;
        if (userHandle !== undefined && Buffer.from(userHandle, 'base64url').toString() !== passkey.personId) throw refused();
        const verified = await proven(() =>
          verifyAuthenticationResponse({
            ...known,
            response,
            expectedChallenge: challenge,
            credential: { id: passkey.id, publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')), counter: passkey.counter, transports: passkey.transports },
          }),
        );
        if (!verified?.verified) throw refused();
        const user = await ctx.context.internalAdapter.findUserById(passkey.personId);
        if (!user?.emailVerified) throw refused();
        if (!(await notePasskeyUse(db, passkey, verified.authenticationInfo.newCounter, Date.now()))) throw refused();
        const session = await ctx.context.internalAdapter.createSession(user.id, false);
        await setSessionCookie(ctx, { session, user });
        return ctx.json({ user: { id: user.id, name: user.name, email: user.email } });
      }),
    },
  } satisfies BetterAuthPlugin;
}

/** The context of an endpoint, as far as a ceremony needs it. */
interface Ceremony {
  context: { createAuthCookie(name: string, attributes: { maxAge: number }): { name: string; attributes: object }; secret: string };
  setSignedCookie(name: string, value: string, secret: string, attributes: object): Promise<unknown>;
  getSignedCookie(name: string, secret: string): Promise<string | null | undefined | false>;
  setCookie(name: string, value: string, attributes: object): unknown;
}

/** The library throws for what does not fit: another origin, challenge, signature or counter. What it says stays here. */
async function proven<T>(verify: () => Promise<T>): Promise<T | null> {
  try {
    return await verify();
  } catch (error) {
    log('warn', 'auth', 'passkey.refused', { error: errorOf(error) });
    return null;
  }
}
