/**
 * Events of chats: Slack's Events API and Feishu's (Lark's) event subscription. Each asks once, when its address is set up, for a challenge to be sent back. What a person said stands in
 * `data.chat` whatever the chat: `{user, room, text}`, each null where the event is about something else.
 */
import { createDecipheriv, createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Signed, Verified } from './signature.ts';

type Bytes = Uint8Array<ArrayBuffer>;
type Fields = Record<string, unknown>;

const eventId = /^[A-Za-z0-9_-]{1,100}$/;
const fieldsOf = (value: unknown): Fields => (value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Fields) : {});
const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

function parsed(text: string): Fields {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    return {};
  }
}
const utf8 = (body: Uint8Array): string => new TextDecoder().decode(body);
const equal = (a: string, b: string): boolean => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));

function timely(text: string, header: string, toleranceMs: number, now: number): (Verified & { ok: false }) | undefined {
  if (!/^\d{1,12}$/.test(text)) return { ok: false, code: 'malformed', header };
  return Math.abs(now - Number(text) * 1000) > toleranceMs ? { ok: false, code: 'old', header } : undefined;
}

function taken(payload: Fields, id: unknown, challenge: string | null, chat: { user: string | null; room: string | null; text: string | null }): Verified {
  if (challenge !== null) return { ok: true, delivery: 'challenge', challenge };
  if (typeof id !== 'string' || !eventId.test(id)) return { ok: false, code: 'delivery_id', header: 'event_id' };
  return { ok: true, delivery: id, body: new TextEncoder().encode(JSON.stringify({ ...payload, chat })) as Bytes };
}

/** `v0=` and the hex of HMAC-SHA-256 over `v0:time:body`, under the signing secret of the app. */
export function slack(secrets: readonly string[], { headers, body }: Signed, toleranceMs: number, now: number): Verified {
  const [time, signature] = [headers['x-slack-request-timestamp'], headers['x-slack-signature']];
  if (time === undefined) return { ok: false, code: 'missing', header: 'x-slack-request-timestamp' };
  if (signature === undefined) return { ok: false, code: 'missing', header: 'x-slack-signature' };
  const late = timely(time, 'x-slack-request-timestamp', toleranceMs, now);
  if (late) return late;
  const fits = secrets.some((secret) => equal(signature, `v0=${createHmac('sha256', secret).update(`v0:${time}:`).update(body).digest('hex')}`));
  if (!fits) return { ok: false, code: 'wrong', header: 'x-slack-signature' };
  const payload = parsed(utf8(body));
  const event = fieldsOf(payload.event);
  // Three characters come escaped.
  const text = textOf(event.text)?.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&') ?? null;
  const challenge = payload.type === 'url_verification' ? textOf(payload.challenge) : null;
  return taken(payload, payload.event_id, challenge, { user: textOf(event.user), room: textOf(event.channel), text });
}

/**
 * Under the Encrypt Key of the app: the body is AES-256-CBC, and the hex of SHA-256 over time, nonce, key and body is the signature. A challenge bears no signature; that it opens under the key shows
 * who sent it.
 */
export function feishu(secrets: readonly string[], { headers, body }: Signed, toleranceMs: number, now: number): Verified {
  const sealed = textOf(parsed(utf8(body)).encrypt);
  if (sealed === null) return { ok: false, code: 'malformed', header: 'encrypt' };
  const opened = secrets.map((secret) => ({ secret, text: decrypted(secret, sealed) })).find(({ text }) => text !== undefined);
  if (opened?.text === undefined) return { ok: false, code: 'wrong', header: 'encrypt' };
  const payload = parsed(opened.text);
  if (payload.type === 'url_verification') return taken(payload, null, textOf(payload.challenge) ?? '', { user: null, room: null, text: null });
  const [time, nonce, signature] = ['x-lark-request-timestamp', 'x-lark-request-nonce', 'x-lark-signature'].map((name) => headers[name]);
  if (time === undefined) return { ok: false, code: 'missing', header: 'x-lark-request-timestamp' };
  if (nonce === undefined || signature === undefined) return { ok: false, code: 'missing', header: nonce === undefined ? 'x-lark-request-nonce' : 'x-lark-signature' };
  const late = timely(time, 'x-lark-request-timestamp', toleranceMs, now);
  if (late) return late;
  const sum = createHash('sha256').update(`${time}${nonce}${opened.secret}`).update(body).digest('hex');
  if (!equal(signature, sum)) return { ok: false, code: 'wrong', header: 'x-lark-signature' };
  const event = fieldsOf(payload.event);
  const message = fieldsOf(event.message);
  const content = textOf(message.content);
  const user = fieldsOf(fieldsOf(event.sender).sender_id);
  return taken(payload, fieldsOf(payload.header).event_id, null, {
    user: textOf(user.user_id) ?? textOf(user.open_id),
    room: textOf(message.chat_id),
    text: content === null ? null : textOf(parsed(content).text),
  });
}

/** Undefined: not under this key, or no JSON. */
function decrypted(secret: string, sealed: string): string | undefined {
  try {
    const bytes = Buffer.from(sealed, 'base64');
    const cipher = createDecipheriv('aes-256-cbc', createHash('sha256').update(secret).digest(), bytes.subarray(0, 16));
    const text = Buffer.concat([cipher.update(bytes.subarray(16)), cipher.final()]).toString('utf8');
    JSON.parse(text);
    return text;
  } catch {
    // Another key, cut off, or altered: which of them is not told apart.
    return undefined;
  }
}
