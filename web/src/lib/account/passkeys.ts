/** Passkeys in the browser: the ceremonies between it and the host. What goes wrong is a code, as everywhere. */
import type { PublicKeyCredentialCreationOptionsJSON, PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';
import { type Asked, ask } from './account.ts';

export interface Passkey {
  id: string;
  name: string;
  createdAt: number;
  lastUsedAt: number | null;
}

export const listPasskeys = () => ask<{ data: Passkey[] }>('/auth/passkey/list');
export const removePasskey = (id: string) => ask('/auth/passkey/remove', { id });

/** A browser knows passkeys on https and on `localhost` alone. */
export const knowsPasskeys = (): boolean => typeof window !== 'undefined' && window.isSecureContext && 'PublicKeyCredential' in window && !/^[\d.]+$|^\[/.test(location.hostname);

export async function addPasskey(name: string): Promise<Asked<unknown>> {
  const options = await ask<PublicKeyCredentialCreationOptionsJSON>('/auth/passkey/add-options', {});
  if (!options.ok) return options;
  return answered(async () => {
    const { startRegistration } = await import('@simplewebauthn/browser');
    return ask('/auth/passkey/add', { name, response: await startRegistration({ optionsJSON: options.value }) });
  });
}

export async function signInWithPasskey(): Promise<Asked<unknown>> {
  const options = await ask<PublicKeyCredentialRequestOptionsJSON>('/auth/passkey/sign-in-options', {});
  if (!options.ok) return options;
  return answered(async () => {
    const { startAuthentication } = await import('@simplewebauthn/browser');
    return ask('/auth/passkey/sign-in', { response: await startAuthentication({ optionsJSON: options.value }) });
  });
}

/** The browser throws where the person turned away, or where it has no passkey for this place: it does not say which. */
async function answered(work: () => Promise<Asked<unknown>>): Promise<Asked<unknown>> {
  try {
    return await work();
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    return { ok: false, code: name === 'InvalidStateError' ? 'PASSKEY_HERE_ALREADY' : 'PASSKEY_NOT_GIVEN' };
  }
}
