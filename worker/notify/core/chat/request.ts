/** One message as a request: the address, and the body's bytes; signed for those chats that know a signature. Pure but for WebCrypto. */
import type { ChatKind } from '../../../workspace/core/outlets.ts';
import { judgeAnswer, type Judged } from '../retries.ts';

const encoder = new TextEncoder();

async function mac(key: string, content: string): Promise<string> {
  const imported = await crypto.subtle.importKey('raw', encoder.encode(key), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  return btoa(String.fromCharCode(...new Uint8Array(await crypto.subtle.sign('HMAC', imported, encoder.encode(content)))));
}

/** Chats whose incoming webhooks can be told to take signed messages alone. */
export const signs = (kind: ChatKind): boolean => kind === 'feishu' || kind === 'dingtalk';

/** `at`: milliseconds, of this try. `secret`: of the signature; a chat that knows none is sent none. */
export async function chatRequest(
  kind: ChatKind,
  address: string,
  payload: Record<string, unknown>,
  secret: string | undefined,
  at: number,
): Promise<{ url: string; body: string }> {
  if (secret === undefined || !signs(kind)) return { url: address, body: JSON.stringify(payload) };
  if (kind === 'feishu') {
    const timestamp = String(Math.floor(at / 1000));
    // Time and secret are the key, and nothing is what is signed.
    return { url: address, body: JSON.stringify({ timestamp, sign: await mac(`${timestamp}\n${secret}`, ''), ...payload }) };
  }
  const url = new URL(address);
  url.searchParams.set('timestamp', String(at));
  url.searchParams.set('sign', await mac(secret, `${at}\n${secret}`));
  return { url: url.href, body: JSON.stringify(payload) };
}

/** Feishu, DingTalk and WeCom answer 200 whatever they made of it, and say in the body that they did not take it. */
export function judgeChatAnswer(kind: ChatKind, status: number, retryAfter: string | null, text: string, now: number): Judged {
  const judged = judgeAnswer(status, retryAfter, now);
  if (judged.is !== 'delivered' || (kind !== 'feishu' && kind !== 'dingtalk' && kind !== 'wecom')) return judged;
  const code = codeOf(text);
  return code === 0 ? judged : { is: 'again', fault: code === undefined ? 'answer_unreadable' : `code_${code}` };
}

function codeOf(text: string): number | undefined {
  try {
    const said: unknown = JSON.parse(text);
    if (said === null || typeof said !== 'object') return undefined;
    const { errcode, code, StatusCode } = said as Record<string, unknown>;
    const found = errcode ?? code ?? StatusCode;
    return typeof found === 'number' ? found : undefined;
  } catch {
    return undefined;
  }
}
