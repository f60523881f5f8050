/**
 * Small texts that this installation signs and later believes: `<body>.<mac>`, both base64url. Nothing is kept of them; what they say has to bound how long they are worth something.
 * Each purpose has a key of its own, derived from LONGHAUL_AUTH_SECRET: a text of one purpose is none of another. Another secret ends all of them.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Json } from '../domain/values.ts';

const mac = (secret: string, purpose: string, body: string): Buffer =>
  createHmac('sha256', createHmac('sha256', secret).update(`longhaul ${purpose} v1`).digest())
    .update(body)
    .digest();

/** The same value gives the same text. */
export function signText(secret: string, purpose: string, value: Json): string {
  const body = Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${body}.${mac(secret, purpose, body).toString('base64url')}`;
}

/** Undefined: not signed here for that purpose, or altered. */
export function readSignedText(secret: string, purpose: string, text: string): Json | undefined {
  const [, body = '', given = ''] = /^([A-Za-z0-9_-]{1,2000})\.([A-Za-z0-9_-]{43})$/.exec(text) ?? [];
  if (body === '') return undefined;
  const sum = mac(secret, purpose, body);
  // Compared as text too: the last character of base64 has bits that count for nothing.
  if (sum.toString('base64url') !== given || !timingSafeEqual(sum, Buffer.from(given, 'base64url'))) return undefined;
  return JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as Json;
}
