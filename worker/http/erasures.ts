/** Erasing a person, and what is left to show of erasures. A workspace is erased by a command about people (`workspace.erase`). */
import { z } from 'zod';
import { type Refusal, refuse } from '../domain/refusals.ts';
import { type Erasure, erasuresOf, readErasure } from '../workspace/erasing/erasures.ts';
import { erasePerson } from '../workspace/erasing/person.ts';
import { readJsonObject } from './body.ts';
import { nothing, parameters } from './parameters.ts';
import { problemResponse, schemaRefusal } from './problem.ts';
import { answer, type CallerCall } from './route.ts';

const view = ({ id, kind, subject, askedAt, receipt }: Erasure) => ({ id, kind, subject, askedAt, state: receipt ? 'done' : 'going_on', receipt });

export const erasureBody = z.strictObject({ email: z.string().min(1).max(254) });

async function erase(call: CallerCall, person: string): Promise<Response | Refusal> {
  const body = await readJsonObject(call.request);
  if (!body.ok) return body.refusal;
  const asked = erasureBody.safeParse(body.value);
  if (!asked.success) return schemaRefusal(asked.error);
  const given = await erasePerson(call.env, person, call.caller.principal, asked.data.email, Date.now());
  if (given.outcome === 'rejected') return given.refusal;
  if (given.outcome === 'unknown') return problemResponse(refuse('unavailable', { detail: given.detail }), { requestId: call.requestId, effect: 'unknown' });
  return answer({ outcome: 'applied', erasure: view(given.erasure) });
}

/** `POST /v1/me/erase`: `{email}`, one's own, repeated. */
export async function eraseMeRoute(call: CallerCall): Promise<Response | Refusal> {
  const { person } = call.caller;
  return person === null ? refuse('forbidden', { detail: 'Only a person who signed in with an account does this.' }) : erase(call, person.id);
}

/** `POST /v1/operator/people/{person}/erase`: for who runs the installation, on a person's behalf. */
export const erasePersonRoute = (call: CallerCall): Promise<Response | Refusal> => erase(call, call.params.person ?? '');

/** `GET /v1/erasures`: those that the caller asked for, with their receipts. */
export async function erasuresRoute(call: CallerCall): Promise<Response | Refusal> {
  const given = parameters(nothing, call.query);
  if (!given.ok) return given.refusal;
  return answer({ data: (await erasuresOf(call.env.DB, call.caller.principal)).map(view) });
}

/** `GET /v1/erasures/{erasure}`: for who asked for it, and for who runs the installation. */
export async function erasureRoute(call: CallerCall): Promise<Response | Refusal> {
  const given = parameters(nothing, call.query);
  if (!given.ok) return given.refusal;
  const found = await readErasure(call.env.DB, call.params.erasure ?? '');
  return found && (found.askedBy === call.caller.principal || call.caller.operator) ? answer(view(found)) : refuse('not_found');
}
