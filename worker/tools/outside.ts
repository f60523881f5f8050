/**
 * Sending what changes something outside. The permit is checked immediately before the send and the send is broken off at its timeout.
 * What is not a clear answer is `unknown`, never `failed`: a timeout says nothing about the other side. The outcome is settled on record,
 * late if need be; when even that cannot be delivered, the host sets the effect to `unknown` at its horizon.
 */
import { refuse } from '../domain/refusals.ts';
import type { Json } from '../domain/values.ts';
import { plain } from './answers.ts';
import { cleanJson } from './clean.ts';
import { parseJson } from './json/parse.ts';
import type { ToolAnswer, ToolEnv } from './tool.ts';

/** Characters of an answer's body that are kept. */
const ANSWER_LIMIT = 64 * 1024;

export async function sendOutside(env: ToolEnv, url: string, body: Json, send: typeof fetch = fetch): Promise<ToolAnswer> {
  const { permit } = env;
  if (!permit) return { ok: false, refusal: refuse('forbidden', { detail: 'there is no permit for this call' }) };
  // The permit's times are durations from the authorization; `permittedAt` is when this round received it.
  if (Date.now() - (env.permittedAt ?? 0) > permit.sendWithin) {
    // Nothing was sent, so the outcome is known.
    await settle(env, 'failed', { why: 'the permit ran out before the send' });
    return { ok: false, refusal: refuse('unavailable', { detail: 'the permit ran out before the send; nothing was sent' }) };
  }
  let outcome: 'succeeded' | 'failed' | 'unknown';
  let result: { [key: string]: Json };
  try {
    const response = await send(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': permit.key },
      body: JSON.stringify(body),
      redirect: 'manual',
      signal: AbortSignal.timeout(permit.timeout),
    });
    const text = (await response.text()).slice(0, ANSWER_LIMIT);
    outcome = response.ok
      ? 'succeeded'
      : response.status >= 400 && response.status < 500 && response.status !== 408 && response.status !== 409 && response.status !== 425 && response.status !== 429
        ? 'failed'
        : 'unknown';
    result = { status: response.status, body: bodyOf(text) };
  } catch (error) {
    outcome = 'unknown';
    result = { error: (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, 500) };
  }
  const settled = await settle(env, outcome, result);
  const value = plain({ effect: permit.effect, outcome, ...result, settled });
  if (outcome === 'succeeded') return { ok: true, value, summary: `${outcome}: HTTP ${result.status}` };
  if (outcome === 'failed') return { ok: false, refusal: refuse('unavailable', { detail: `refused outside: HTTP ${result.status}`, current: value }) };
  return { ok: false, refusal: refuse('effect_unknown', { detail: 'whether it happened outside is not known; it is reconciled before anything repeats it', current: value }) };
}

async function settle(env: ToolEnv, outcome: 'succeeded' | 'failed' | 'unknown', result: Json): Promise<boolean> {
  if (!env.permit) return false;
  const answer = await env.command('effect.settle', { effect: env.permit.effect, nonce: env.permit.nonce, outcome, result });
  return answer.ok;
}

/** Digits that a double cannot keep stay text: an id outside is not rounded on its way into the record. */
function bodyOf(text: string): Json {
  const parsed = parseJson(text, 'answer');
  return cleanJson('refusal' in parsed ? text : parsed.value).value;
}
