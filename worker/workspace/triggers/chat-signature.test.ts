/** Events of chats: what is signed as the vendor documents is believed, and nothing else. */
import { createCipheriv, createHash, createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { verified } from './signature.ts';

const now = 1_531_420_618_000;
const bytes = (text: string) => new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>;
const tolerance = 300_000;

describe('slack', () => {
  const secret = '8f742231b10e8888abcd99yyyzzz85a5';
  const sign = (body: string, time = String(now / 1000), key = secret) => ({
    headers: { 'x-slack-request-timestamp': time, 'x-slack-signature': `v0=${createHmac('sha256', key).update(`v0:${time}:${body}`).digest('hex')}` },
    body: bytes(body),
  });
  const event = JSON.stringify({ type: 'event_callback', event_id: 'Ev08', event: { type: 'message', user: 'U1', channel: 'C1', text: 'a &lt;b&gt; &amp; c' } });
  const judge = (signed: ReturnType<typeof sign>) => verified('slack', ['other', secret], signed, tolerance, now);

  it('an event is taken under its id, with who said what', async () => {
    const checked = await judge(sign(event));
    expect(checked).toMatchObject({ ok: true, delivery: 'Ev08' });
    expect(JSON.parse(new TextDecoder().decode(checked.ok ? checked.body : undefined))).toMatchObject({ event_id: 'Ev08', chat: { user: 'U1', room: 'C1', text: 'a <b> & c' } });
  });
  it('a challenge is taken when it is signed', async () => {
    const body = JSON.stringify({ type: 'url_verification', token: 't', challenge: 'c0' });
    expect(await judge(sign(body))).toMatchObject({ ok: true, challenge: 'c0' });
    expect(await judge(sign(body, undefined, 'wrong'))).toMatchObject({ ok: false, code: 'wrong' });
  });
  it('what is altered, old, or unsigned is not', async () => {
    expect(await judge({ ...sign(event), body: bytes(event.replace('U1', 'U2')) })).toMatchObject({ ok: false, code: 'wrong', header: 'x-slack-signature' });
    expect(await judge(sign(event, String(now / 1000 - 301)))).toMatchObject({ ok: false, code: 'old' });
    expect(await judge({ headers: {}, body: bytes(event) } as never)).toMatchObject({ ok: false, code: 'missing' });
  });
});

describe('feishu', () => {
  const key = 'test key';
  const seal = (payload: object, under = key) => {
    const cipher = createCipheriv('aes-256-cbc', createHash('sha256').update(under).digest(), Buffer.alloc(16, 7));
    const sealed = Buffer.concat([Buffer.alloc(16, 7), cipher.update(JSON.stringify(payload)), cipher.final()]).toString('base64');
    return JSON.stringify({ encrypt: sealed });
  };
  const sign = (body: string, time = String(now / 1000)) => ({
    headers: {
      'x-lark-request-timestamp': time,
      'x-lark-request-nonce': 'n1',
      'x-lark-signature': createHash('sha256').update(`${time}n1${key}${body}`).digest('hex'),
    } as Record<string, string>,
    body: bytes(body),
  });
  const judge = (signed: ReturnType<typeof sign>) => verified('feishu', [key], signed, tolerance, now);
  const event = {
    schema: '2.0',
    header: { event_id: 'f7984f25108f8137722bb63cee927e66', event_type: 'im.message.receive_v1' },
    event: { sender: { sender_id: { open_id: 'ou_1' } }, message: { chat_id: 'oc_1', content: '{"text":"你好"}' } },
  };

  it('an event is opened and taken under its id, with who said what', async () => {
    const checked = await judge(sign(seal(event)));
    expect(checked).toMatchObject({ ok: true, delivery: 'f7984f25108f8137722bb63cee927e66' });
    expect(JSON.parse(new TextDecoder().decode(checked.ok ? checked.body : undefined))).toMatchObject({ chat: { user: 'ou_1', room: 'oc_1', text: '你好' } });
  });
  it('a challenge is taken when it opens under the key', async () => {
    const body = { challenge: 'c0', token: 't', type: 'url_verification' };
    expect(await judge({ headers: {}, body: bytes(seal(body)) })).toMatchObject({ ok: true, challenge: 'c0' });
    expect(await judge({ headers: {}, body: bytes(seal(body, 'other')) })).toMatchObject({ ok: false, code: 'wrong' });
    expect(await judge({ headers: {}, body: bytes(JSON.stringify(body)) })).toMatchObject({ ok: false, code: 'malformed' });
  });
  it('what is altered, old, or unsigned is not', async () => {
    const signed = sign(seal(event));
    expect(await judge({ ...signed, headers: { ...signed.headers, 'x-lark-request-nonce': 'n2' } })).toMatchObject({ ok: false, code: 'wrong', header: 'x-lark-signature' });
    expect(await judge(sign(seal(event), String(now / 1000 + 301)))).toMatchObject({ ok: false, code: 'old' });
    expect(await judge({ headers: {}, body: signed.body })).toMatchObject({ ok: false, code: 'missing' });
  });
});
