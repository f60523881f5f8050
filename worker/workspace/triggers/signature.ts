/**
 * Whether a delivery was signed by who holds the secret: over the raw bytes, by WebCrypto, whose comparison takes the same time whatever is wrong. Each style says in its own
 * way which delivery it is, and all but GitHub's say when it was signed. Those of chats: `chat-signature.ts`.
 */
import { feishu, slack } from './chat-signature.ts';
import type { HookStyle } from '../core/triggers/definition.ts';

export type Verified =
  /** `body`: what it says, where that is not what was signed. `challenge`: it only asks for this to be sent back. */
  | { ok: true; delivery: string; body?: Uint8Array<ArrayBuffer>; challenge?: string }
  /** `missing`: a header that the style has. `malformed`: one that cannot be read. `old`: signed too long ago, or in the future. `wrong`: no signature fits any secret. `delivery_id`: no usable id. */
  | { ok: false; code: 'missing' | 'malformed' | 'old' | 'wrong' | 'delivery_id'; header: string };

export interface Signed {
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  body: Uint8Array<ArrayBuffer>;
}

type Bytes = Uint8Array<ArrayBuffer>;
const encoder = new TextEncoder();
const utf8 = (text: string): Bytes => encoder.encode(text) as Bytes;

/** A dot would let the id and the time of a Standard Webhook be cut in another place. */
const deliveryId = /^[A-Za-z0-9_-]{1,100}$/;
/** Signatures of one delivery that are tried. */
const tried = 10;

export async function verified(style: HookStyle, secrets: readonly string[], signed: Signed, toleranceMs: number, now: number): Promise<Verified> {
  switch (style) {
    case 'standard':
      return standard(secrets, signed, toleranceMs, now);
    case 'github':
      return github(secrets, signed);
    case 'stripe':
      return stripe(secrets, signed, toleranceMs, now);
    case 'slack':
      return slack(secrets, signed, toleranceMs, now);
    case 'feishu':
      return feishu(secrets, signed, toleranceMs, now);
    default:
      return style satisfies never;
  }
}

async function standard(secrets: readonly string[], { headers, body }: Signed, toleranceMs: number, now: number): Promise<Verified> {
  const [id, time, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => headers[name] ?? headers[name.replace('webhook-', 'svix-')]);
  if (id === undefined) return { ok: false, code: 'missing', header: 'webhook-id' };
  if (time === undefined) return { ok: false, code: 'missing', header: 'webhook-timestamp' };
  if (signatures === undefined) return { ok: false, code: 'missing', header: 'webhook-signature' };
  if (!deliveryId.test(id)) return { ok: false, code: 'delivery_id', header: 'webhook-id' };
  const late = timely(time, 'webhook-timestamp', toleranceMs, now);
  if (late) return late;
  const given = signatures.split(' ').flatMap((part) => (part.startsWith('v1,') ? [base64(part.slice(3))] : []));
  const keys = secrets.map((secret) => base64(secret.replace(/^whsec_/, '')) ?? utf8(secret));
  return (await fits(keys, given, joined(utf8(`${id}.${time}.`), body))) ? { ok: true, delivery: id } : { ok: false, code: 'wrong', header: 'webhook-signature' };
}

async function github(secrets: readonly string[], { headers, body }: Signed): Promise<Verified> {
  const signature = headers['x-hub-signature-256'];
  if (signature === undefined) return { ok: false, code: 'missing', header: 'x-hub-signature-256' };
  const id = headers['x-github-delivery'];
  if (id === undefined) return { ok: false, code: 'missing', header: 'x-github-delivery' };
  if (!deliveryId.test(id)) return { ok: false, code: 'delivery_id', header: 'x-github-delivery' };
  const given = signature.startsWith('sha256=') ? hex(signature.slice(7)) : undefined;
  if (!given) return { ok: false, code: 'malformed', header: 'x-hub-signature-256' };
  return (await fits(secrets.map(utf8), [given], body)) ? { ok: true, delivery: id } : { ok: false, code: 'wrong', header: 'x-hub-signature-256' };
}

async function stripe(secrets: readonly string[], { headers, body }: Signed, toleranceMs: number, now: number): Promise<Verified> {
  const header = 'stripe-signature';
  const signature = headers[header];
  if (signature === undefined) return { ok: false, code: 'missing', header };
  const parts = signature.split(',').map((part) => part.split('='));
  const time = parts.find(([name]) => name?.trim() === 't')?.[1];
  if (time === undefined) return { ok: false, code: 'malformed', header };
  const late = timely(time, header, toleranceMs, now);
  if (late) return late;
  const given = parts.flatMap(([name, value]) => (name?.trim() === 'v1' && value !== undefined ? [hex(value.trim())] : []));
  if (!(await fits(secrets.map(utf8), given, joined(utf8(`${time}.`), body)))) return { ok: false, code: 'wrong', header };
  // Only what is signed is believed, so the event's own id is read after it.
  const id = eventId(body);
  return id !== undefined && deliveryId.test(id) ? { ok: true, delivery: id } : { ok: false, code: 'delivery_id', header: 'id' };
}

function eventId(body: Bytes): string | undefined {
  try {
    const parsed: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(body));
    return parsed !== null && typeof parsed === 'object' && 'id' in parsed && typeof parsed.id === 'string' ? parsed.id : undefined;
  } catch {
    return undefined;
  }
}

function timely(text: string, header: string, toleranceMs: number, now: number): (Verified & { ok: false }) | undefined {
  if (!/^\d{1,12}$/.test(text)) return { ok: false, code: 'malformed', header };
  return Math.abs(now - Number(text) * 1000) > toleranceMs ? { ok: false, code: 'old', header } : undefined;
}

/** Whether any signature is that of any key. `verify` compares in constant time. */
async function fits(keys: readonly Bytes[], given: readonly (Bytes | undefined)[], content: Bytes): Promise<boolean> {
  const signatures = given.flatMap((each) => (each ? [each] : [])).slice(0, tried);
  for (const raw of keys) {
    if (raw.length === 0) continue;
    const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
    for (const signature of signatures) if (await crypto.subtle.verify('HMAC', key, signature, content)) return true;
  }
  return false;
}

function joined(head: Bytes, body: Bytes): Bytes {
  const all = new Uint8Array(head.length + body.length);
  all.set(head);
  all.set(body, head.length);
  return all;
}

function base64(text: string): Bytes | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text) || text.length % 4 === 1) return undefined;
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function hex(text: string): Bytes | undefined {
  return /^[0-9a-f]{64}$/i.test(text) ? Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)) : undefined;
}
