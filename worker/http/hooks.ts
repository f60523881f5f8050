/** Webhooks in: the raw bytes go to the workspace, which knows whose signature they must bear. Answered as soon as the delivery is kept. */
import { type Refusal, refuse } from '../domain/refusals.ts';
import { workspacePattern } from '../goal/goal-id.ts';
import { receive } from '../workspace/client.ts';
import { readBytes } from './body.ts';
import { addressOf } from './identity.ts';
import { take } from './rate-limit.ts';
import { answer, type OpenCall } from './route.ts';

/** A delivery is kept with its body for some days. */
const maxDeliveryBytes = 512_000;
/** Headers of one delivery that are looked at, and characters of each. */
const headersAtMost = 100;
const headerCharacters = 4000;

/**
 * `POST /hooks/{workspace}/{hook}`: 202 for a delivery that is new, 200 for one that came before, with what became of it. Whoever does not know the address is told that there is none; whoever knows
 * it and cannot sign is told what is wrong with the signature.
 */
export async function hookRoute({ request, env, params }: OpenCall): Promise<Response | Refusal> {
  const { workspace = '', hook = '' } = params;
  if (!workspacePattern.test(workspace) || !/^[0-9a-f]{32}$/.test(hook)) return refuse('not_found');
  const taken = await take(env, 'hook', addressOf(request), Date.now());
  if (taken && !taken.ok) return taken.refusal;
  const body = await readBytes(request, maxDeliveryBytes);
  if (!body.ok) return body.refusal;
  const headers = Object.fromEntries([...request.headers].slice(0, headersAtMost).map(([name, value]) => [name.toLowerCase(), value.slice(0, headerCharacters)]));
  const received = await receive(env, { v: 1, workspace, hook, headers, body: body.value });
  if (received.outcome === 'refused') return received.refusal;
  if (received.outcome === 'challenged') return answer({ challenge: received.challenge });
  const { delivery, state, round, roundState, goal, repeated } = received;
  return answer({ delivery, state, round, roundState, goal, repeated }, { status: repeated ? 200 : 202 });
}
