/** Signs deliveries as their senders do; with Node's own HMAC, so that what checks them is not checked by itself. */
import { createHmac } from 'node:crypto';

export function standardHeaders(secret: string, id: string, body: string, at: number): Record<string, string> {
  const time = String(Math.floor(at / 1000));
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': time,
    'webhook-signature': `v1,${createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64')}`,
  };
}

export function githubHeaders(secret: string, id: string, body: string): Record<string, string> {
  return { 'x-github-delivery': id, 'x-github-event': 'push', 'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}` };
}

export function stripeHeaders(secret: string, body: string, at: number): Record<string, string> {
  const time = String(Math.floor(at / 1000));
  return { 'stripe-signature': `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}` };
}
