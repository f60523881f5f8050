/**
 * Sending what changes something outside. The permit is checked immediately before the send and the send is broken off at its timeout.
 * What is not a clear answer is `unknown`, never `failed`: a timeout says nothing about the other side. The outcome is settled on record,
 * late if need be; when even that cannot be delivered, the host sets the effect to `unknown` at its horizon.
 */
import { type Refusal, refuse } from '../domain/refusals.ts';
import type { Json } from '../domain/values.ts';
import type { OutgoingRules } from '../outgoing/address.ts';
import { admit, guardedFetch, OutgoingRefused } from '../outgoing/guard.ts';
import { plain } from './answers.ts';
import { cleanJson } from './clean.ts';
import { parseJson } from './json/parse.ts';
import type { ToolAnswer, ToolEnv } from './tool.ts';

/** Characters of an answer's body that are kept. */
export const ANSWER_LIMIT = 64 * 1024;
/** Bytes of an answer's body that are read at all. */
export const ANSWER_BYTES = 4 * 1024 * 1024;

/** A call of one of the installation's own services: its address is the installation's choice, so it is on no workspace's list. */
export async function sendOutside(env: ToolEnv, url: string, body: Json): Promise<ToolAnswer> {
  const rules = await env.world.rules();
  if ('refused' in rules) return unsent(env, rules);
  return sendEffect(env, admit(rules, url), url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
}

/** Sends once under the permit, with its key, and settles what came of it. A redirect is not followed: whether the first address did something is not known then. */
export async function sendEffect(
  env: ToolEnv,
  rules: OutgoingRules,
  url: string,
  request: { method: string; headers: Record<string, string>; body?: string | Uint8Array<ArrayBuffer> },
): Promise<ToolAnswer> {
  const { permit } = env;
  if (!permit) return { ok: false, refusal: refuse('forbidden', { detail: 'there is no permit for this call' }) };
  const late = permitOver(env);
  if (late) return unsent(env, late);
  let outcome: Outcome;
  let result: { [key: string]: Json };
  try {
    const headers = { ...request.headers, 'idempotency-key': permit.key };
    const response = await guardedFetch(
      rules,
      url,
      { ...request, headers, redirect: 'manual' },
      { timeoutMs: permit.timeout, maxBytes: ANSWER_BYTES, ...(env.world.send ? { send: env.world.send } : {}) },
    );
    outcome = outcomeOf(response.status);
    result = { status: response.status, body: await bodyOf(response) };
  } catch (error) {
    if (error instanceof OutgoingRefused && !error.sent) return unsent(env, error.refusal);
    outcome = 'unknown';
    result = { error: messageOf(error) };
  }
  return settled(env, outcome, result);
}

export type Outcome = 'succeeded' | 'failed' | 'unknown';

/** Nothing was sent, so the outcome is known; the effect says so. */
export async function unsent(env: ToolEnv, refusal: Refusal): Promise<ToolAnswer> {
  await settle(env, 'failed', { why: `${refusal.code}: ${refusal.detail ?? ''}`.slice(0, 500), sent: false });
  return { ok: false, refusal };
}

/** The permit's times are durations from the authorization; `permittedAt` is when this round received it. */
export function permitOver(env: ToolEnv): Refusal | undefined {
  if (!env.permit || Date.now() - (env.permittedAt ?? 0) <= env.permit.sendWithin) return undefined;
  return refuse('unavailable', { detail: 'the permit ran out before the send; nothing was sent' });
}

/** Puts the outcome on record, and gives the agent the answer that goes with it. */
export async function settled(env: ToolEnv, outcome: Outcome, result: { [key: string]: Json }): Promise<ToolAnswer> {
  const onRecord = await settle(env, outcome, result);
  const value = plain({ effect: env.permit?.effect ?? null, outcome, ...result, settled: onRecord });
  const status = typeof result.status === 'number' ? `: HTTP ${result.status}` : '';
  if (outcome === 'succeeded') return { ok: true, value, summary: `${outcome}${status}` };
  if (outcome === 'failed') return { ok: false, refusal: refuse('unavailable', { detail: `refused outside${status}`, current: value }) };
  return { ok: false, refusal: refuse('effect_unknown', { detail: 'whether it happened outside is not known; it is reconciled before anything repeats it', current: value }) };
}

/** What an HTTP status says about whether it happened. */
function outcomeOf(status: number): Outcome {
  if (status >= 200 && status < 300) return 'succeeded';
  return status >= 400 && status < 500 && ![408, 409, 425, 429].includes(status) ? 'failed' : 'unknown';
}

/** Digits that a double cannot keep stay text: an id outside is not rounded on its way into the record. A body that ends badly does not take the status with it. */
export async function bodyOf(response: Response): Promise<Json> {
  let text: string;
  try {
    text = (await response.text()).slice(0, ANSWER_LIMIT);
  } catch (error) {
    return { unread: messageOf(error) };
  }
  const parsed = parseJson(text, 'answer');
  return cleanJson('refusal' in parsed ? text : parsed.value).value;
}

export function messageOf(error: unknown): string {
  return (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, 500);
}

async function settle(env: ToolEnv, outcome: Outcome, result: Json): Promise<boolean> {
  if (!env.permit) return false;
  const answer = await env.command('effect.settle', { effect: env.permit.effect, nonce: env.permit.nonce, outcome, result });
  return answer.ok;
}
