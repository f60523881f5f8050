/**
 * Secrets that are shown once: `lht_<id>_<secret><checksum>` for tokens, `lhi_...` for invitations. The prefix lets scanners find one that leaked, the checksum lets a mistyped one be told
 * from an unknown one without asking anybody. Only the hash is kept.
 */
import { createHash, randomBytes } from 'node:crypto';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const idLength = 12;
/** 160 bits: a plain hash of it cannot be guessed back. */
const secretLength = 32;
const checksumLength = 6;

export type SecretKind = 'lht' | 'lhi';

function random(length: number): string {
  // 32 divides 256: every character is equally likely.
  return [...randomBytes(length)].map((byte) => alphabet[byte & 31]).join('');
}

function checksum(text: string): string {
  const digest = createHash('sha256').update(`longhaul:${text}`).digest();
  return [...digest.subarray(0, checksumLength)].map((byte) => alphabet[byte & 31]).join('');
}

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

export interface SecretText {
  /** May be shown: it names the token and opens nothing. */
  id: string;
  text: string;
  hash: string;
}

export function makeSecret(kind: SecretKind): SecretText {
  const id = random(idLength);
  const body = `${kind}_${id}_${random(secretLength)}`;
  const text = `${body}${checksum(body)}`;
  return { id, text, hash: hashOf(text) };
}

const form = new RegExp(`^([a-z]{3})_([${alphabet}]{${idLength}})_[${alphabet}]{${secretLength + checksumLength}}$`);

/** Null: no such secret can exist. */
export function readSecret(kind: SecretKind, text: string): { id: string; hash: string } | null {
  const found = form.exec(text);
  if (!found || found[1] !== kind) return null;
  const body = text.slice(0, -checksumLength);
  return checksum(body) === text.slice(-checksumLength) ? { id: found[2] as string, hash: hashOf(text) } : null;
}
