/** Signatures, checked with Node's own HMAC. */
import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { signedHeaders, signingKey } from './signature.ts';

const secret = (byte: number, length = 32) => `whsec_${Buffer.alloc(length, byte).toString('base64')}`;
const keyOf = (text: string) => {
  const key = signingKey(text);
  if (!key) throw new Error('unfit');
  return key;
};

it('carries one signature for each live key, over id, seconds and the exact body', async () => {
  const body = '{"type":"goal.completed","title":"完成"}';
  const headers = await signedHeaders({ id: 'msg_1', at: 1_800_000_000_999, body, keys: [keyOf(secret(1)), keyOf(secret(2))] });
  expect(headers['webhook-id']).toBe('msg_1');
  expect(headers['webhook-timestamp']).toBe('1800000000');
  const mac = (byte: number) => `v1,${createHmac('sha256', Buffer.alloc(32, byte)).update(`msg_1.1800000000.${body}`).digest('base64')}`;
  expect(headers['webhook-signature']).toBe(`${mac(1)} ${mac(2)}`);
});

it('takes whsec_ secrets of 24 to 64 bytes and nothing else', () => {
  for (const good of [secret(7, 24), secret(7, 64), ` ${secret(7)} `]) expect(signingKey(good), good).toBeInstanceOf(Uint8Array);
  for (const bad of [secret(7, 23), secret(7, 65), 'whsec_', 'whsec_%%%', 'plain text', secret(7).slice(6), `${secret(7)}=`]) expect(signingKey(bad), bad).toBeUndefined();
});
