/** One try of one delivery: signed now, sent through the outgoing guard, judged by what came back. Never throws; says nothing of keys or of the answer's text. */
import type { Env } from '../env.ts';
import { admit, guardedFetch, OutgoingRefused } from '../outgoing/guard.ts';
import { type OutgoingSettings, outgoingRules } from '../outgoing/policy.ts';
import type { OpenedWebhook } from '../workspace/rpc.ts';
import { judgeAnswer, type Judged } from './core/retries.ts';
import { signedHeaders, signingKey } from './core/signature.ts';
import type { Delivery } from './outbox-store.ts';

/** Milliseconds that a receiver has to answer. */
const answerMs = 15_000;
/** Bytes of its answer, which nobody reads. */
const answerBytes = 64 * 1024;

export interface Tried {
  judged: Judged;
  status: number | null;
}

export async function sendDelivery(env: Env, policy: OutgoingSettings, outlet: OpenedWebhook, { id, body }: Delivery, at: number, send: typeof fetch | undefined): Promise<Tried> {
  const again = (fault: string): Tried => ({ judged: { is: 'again', fault }, status: null });
  if (outlet.refusal) return again(outlet.refusal.code);
  const keys = outlet.secrets.map(signingKey).filter((key) => key !== undefined);
  if (keys.length < outlet.secrets.length) return again('signing_key_unfit');
  const { url } = outlet.webhook;
  try {
    const headers = { 'content-type': 'application/json', 'user-agent': 'Longhaul-Webhooks/1', ...(await signedHeaders({ id, at, body, keys })) };
    const limits = { timeoutMs: answerMs, maxBytes: answerBytes, ...(send ? { send } : {}) };
    const response = await guardedFetch(admit(outgoingRules(env, policy), url), url, { method: 'POST', headers, body, redirect: 'manual' }, limits);
    const { status } = response;
    await response.body?.cancel().catch(() => {});
    return { judged: judgeAnswer(status, response.headers.get('retry-after'), at), status };
  } catch (error) {
    return again(error instanceof OutgoingRefused ? error.fault : 'network');
  }
}
