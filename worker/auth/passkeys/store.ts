/** Passkeys of people in D1, and the challenges that are open. */
import type { AuthenticatorTransportFuture } from '@simplewebauthn/server';

/** Of one person. Approximate: two that are added at the same moment may both be let through. */
export const passkeysAtMost = 20;
/** Milliseconds that a ceremony has, from its challenge to its answer. */
export const challengeMs = 5 * 60_000;

export interface Passkey {
  /** The credential's id, base64url. */
  id: string;
  personId: string;
  name: string;
  /** COSE, base64url. */
  publicKey: string;
  counter: number;
  transports: AuthenticatorTransportFuture[];
  createdAt: number;
  lastUsedAt: number | null;
}

interface Row {
  id: string;
  person_id: string;
  name: string;
  public_key: string;
  counter: number;
  transports: string;
  created_at: number;
  last_used_at: number | null;
}
const passkeyOf = (row: Row): Passkey => ({
  id: row.id,
  personId: row.person_id,
  name: row.name,
  publicKey: row.public_key,
  counter: row.counter,
  transports: JSON.parse(row.transports) as AuthenticatorTransportFuture[],
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
});

export async function passkeysOf(db: D1Database, person: string): Promise<Passkey[]> {
  const { results } = await db.prepare('SELECT * FROM person_passkey WHERE person_id = ? ORDER BY created_at DESC, id').bind(person).all<Row>();
  return results.map(passkeyOf);
}

export async function passkeyById(db: D1Database, id: string): Promise<Passkey | null> {
  const row = await db.prepare('SELECT * FROM person_passkey WHERE id = ?').bind(id).first<Row>();
  return row && passkeyOf(row);
}

/** False: that credential is registered already, by whomever. */
export async function addPasskey(db: D1Database, passkey: Omit<Passkey, 'lastUsedAt'>): Promise<boolean> {
  const { meta } = await db
    .prepare('INSERT INTO person_passkey (id, person_id, name, public_key, counter, transports, created_at) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING')
    .bind(passkey.id, passkey.personId, passkey.name, passkey.publicKey, passkey.counter, JSON.stringify(passkey.transports), passkey.createdAt)
    .run();
  return meta.changes === 1;
}

/** False: it was used, or removed, while this use was looked at. So one counter value is used once, also by two at the same moment. */
export async function notePasskeyUse(db: D1Database, used: Passkey, counter: number, now: number): Promise<boolean> {
  const { meta } = await db.prepare('UPDATE person_passkey SET counter = ?, last_used_at = ? WHERE id = ? AND counter = ?').bind(counter, now, used.id, used.counter).run();
  return meta.changes === 1;
}

/** False: this person has no such passkey. */
export async function removePasskey(db: D1Database, person: string, id: string): Promise<boolean> {
  const { meta } = await db.prepare('DELETE FROM person_passkey WHERE person_id = ? AND id = ?').bind(person, id).run();
  return meta.changes === 1;
}

/** `ceremony`: what is under way, and in which browser (`in:<id>`, `add:<id>:<person>`). Challenges that nobody answered are cleared away with each new one. */
export async function openChallenge(db: D1Database, ceremony: string, challenge: string, now: number): Promise<void> {
  await db.batch([
    db.prepare('DELETE FROM person_challenge WHERE expires_at <= ?').bind(now),
    db.prepare('INSERT INTO person_challenge (ceremony, challenge, expires_at) VALUES (?, ?, ?)').bind(ceremony, challenge, now + challengeMs),
  ]);
}

/** The challenge of that ceremony, once: whoever comes second, or too late, finds none. */
export async function takeChallenge(db: D1Database, ceremony: string, now: number): Promise<string | null> {
  const row = await db.prepare('DELETE FROM person_challenge WHERE ceremony = ? RETURNING challenge, expires_at').bind(ceremony).first<{ challenge: string; expires_at: number }>();
  return row && row.expires_at > now ? row.challenge : null;
}
