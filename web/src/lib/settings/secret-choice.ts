/** A secret of the workspace that a setting names: one that is there, or one that is put with the setting. Its value is written and never read. */
import type { SecretName, WorkspaceRequest } from '../api/workspace.ts';

export interface SecretChoice {
  /** Of one that is there; `new`: it is put first. */
  name: string;
  isNew: boolean;
  newName: string;
  value: string;
}
export const choiceOf = (name: string): SecretChoice => ({ name, isNew: false, newName: '', value: '' });
export const chosenName = (choice: SecretChoice): string => (choice.isNew ? choice.newName.trim() : choice.name);

/** The server's shortest secret. */
const shortest = 6;
export type SecretWrong = 'required' | 'name' | 'taken' | 'value';
export function wrongWithSecret(choice: SecretChoice, secrets: readonly SecretName[]): SecretWrong | null {
  if (!choice.isNew) return choice.name === '' ? 'required' : null;
  const name = choice.newName.trim();
  if (!/^[a-z0-9][a-z0-9_-]{0,63}$/.test(name)) return 'name';
  if (secrets.some((secret) => secret.name === name)) return 'taken';
  return choice.value.trim().length < shortest ? 'value' : null;
}

/** A key of Standard Webhooks: `whsec_` and the base64 of 32 random bytes. */
export function makeSigningKey(): string {
  return `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))}`;
}

/** What puts its value; given before the setting that names it. */
export const putSecret = (choice: SecretChoice): WorkspaceRequest => ({
  type: 'secret.put',
  expected: { version: 0 },
  payload: { name: choice.newName.trim(), value: choice.value.trim() },
});
