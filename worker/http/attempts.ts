/** What an agent outside works with: the assignment that its Attempt starts from, and the token that it does it under. */
import { z } from 'zod';
import { attemptTokenText } from '../auth/attempt-tokens.ts';
import { type Refusal, refuse } from '../domain/refusals.ts';
import { slug } from '../domain/values.ts';
import type { ReadValues } from '../goal/rpc.ts';
import { peopleChanged } from '../workspace/client.ts';
import { commit } from '../workspace/people/change.ts';
import { readJsonObject } from './body.ts';
import { readGoal } from './goals.ts';
import { addressOf } from './identity.ts';
import { nothing, parameters } from './parameters.ts';
import { schemaRefusal } from './problem.ts';
import { answer, type Call } from './route.ts';

export const attemptTokenBody = z.strictObject({ fence: z.int() });

/** `GET .../items/{key}/assignment`: who holds it, under which fence and until when, and what the work starts from. */
export async function assignmentRoute(call: Call): Promise<Response | Refusal> {
  const given = parameters(nothing, call.query);
  if (!given.ok) return given.refusal;
  const key = slug.safeParse(call.params.key);
  if (!key.success) return refuse('not_found');
  const found = await readGoal(call.env, call.workspace, call.params.goal ?? '', { what: 'assignment', item: key.data }, call.member.attempt);
  return found.ok ? answer(found.value.value) : found.refusal;
}

/**
 * `POST .../items/{key}/token`: for who holds the item, a token that may act for exactly this Attempt under exactly this fence. Nothing is kept but the entry in the log; asking again
 * gives the same text.
 */
export async function attemptTokenRoute(call: Call): Promise<Response | Refusal> {
  const key = slug.safeParse(call.params.key);
  if (!key.success) return refuse('not_found');
  const body = await readJsonObject(call.request);
  if (!body.ok) return body.refusal;
  const asked = attemptTokenBody.safeParse(body.value);
  if (!asked.success) return schemaRefusal(asked.error);
  const goal = call.params.goal ?? '';
  const { principal } = call.member;
  const found = await readGoal(call.env, call.workspace, goal, { what: 'attempt_grant', item: key.data, principal, fence: asked.data.fence });
  if (!found.ok) return found.refusal;
  const { until, ...grant } = found.value.value as unknown as ReadValues['attempt_grant'];
  const about = { goal, ...grant };
  const logged = await commit(
    call.env.DB,
    {
      workspace: call.workspace,
      principal,
      commandId: `attempt.token:${goal}:${grant.attempt}:${grant.fence}`,
      type: 'attempt.token',
      body: about,
      address: addressOf(call.request),
    },
    { statements: [], holds: [], before: null, after: about },
    Date.now(),
  );
  if (logged.outcome === 'rejected') return logged.refusal;
  if (logged.outcome === 'unknown') return refuse('unavailable', { detail: 'The log of the workspace does not answer. No token was issued.' });
  if (!logged.replayed) await peopleChanged(call.env, call.workspace);
  const token = attemptTokenText(call.env, { workspace: call.workspace, goal, holder: principal, ...grant });
  return answer({ token, ...about, holder: principal, leaseUntil: until }, { status: logged.replayed ? 200 : 201 });
}
