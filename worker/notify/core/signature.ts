/** Signatures of Standard Webhooks: HMAC-SHA-256 over `id.timestamp.body`, one for each live key, so that a receiver can change keys while deliveries go on. */

const encoder = new TextEncoder();

/** The key's bytes. Undefined: not `whsec_` and the base64 of 24 to 64 bytes. */
export function signingKey(secret: string): Uint8Array<ArrayBuffer> | undefined {
  const [, text = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret.trim()) ?? [];
  if (text === '' || text.length % 4 !== 0) return undefined;
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  return bytes.length >= 24 && bytes.length <= 64 ? bytes : undefined;
}

export interface Signing {
  id: string;
  /** Milliseconds since the epoch. */
  at: number;
  body: string;
  keys: readonly Uint8Array<ArrayBuffer>[];
}

export async function signedHeaders({ id, at, body, keys }: Signing): Promise<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>> {
  const time = String(Math.floor(at / 1000));
  const signatures = await Promise.all(
    keys.map(async (raw) => {
      const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
      const mac = new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(`${id}.${time}.${body}`)));
      return `v1,${btoa(String.fromCharCode(...mac))}`;
    }),
  );
  return { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signatures.join(' ') };
}
