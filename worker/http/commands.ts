/** The command routes: they parse the envelope, say who asks, and put the Goal's answer into HTTP. They decide nothing. */
import { z } from 'zod';
import { catalogue, type Envelope, type Expected, envelope, type Givers } from '../domain/commands.ts';
import { type Refusal, refuse } from '../domain/refusals.ts';
import { type Artifact, artifact, type Json } from '../domain/values.ts';
import type { Env } from '../env.ts';
import { fileKey } from '../goal/file-key.ts';
import { goalIdOf } from '../goal/goal-id.ts';
import type { CommandAnswer } from '../goal/rpc.ts';
import { readJsonObject } from './body.ts';
import { giveCommand } from './goals.ts';
import { actorOf } from './identity.ts';
import { bad, good, type Outcome } from './outcome.ts';
import { problemResponse, schemaRefusal } from './problem.ts';
import { answer, type Call } from './route.ts';

type Body = { [key: string]: Json };

const creations: ReadonlySet<string> = new Set(['goal.create', 'goal.propose']);

const wrong = (pointer: string, code: string, detail: string) => refuse('schema_invalid', { errors: [{ pointer, code, detail }] });

/** The command id: from the body, or from `Idempotency-Key`. Both may be given when they are the same. */
export function withCommandId(request: Request, body: Body): Outcome<Body> {
  const header = request.headers.get('idempotency-key');
  if (body.commandId === undefined)
    return header === null ? bad(wrong('/commandId', 'required', 'Send `commandId`, or the header Idempotency-Key.')) : good({ ...body, commandId: header });
  if (header !== null && header !== body.commandId) return bad(wrong('/commandId', 'mismatch', 'Idempotency-Key names another command id.'));
  return good(body);
}

/**
 * `If-Match` takes the tag that reads of a goal (`"g2.p1.s45"`) and of an item (`"i4.s45"`) give. Of it counts what the command's catalogue entry expects;
 * `s` is never compared. What the body expects goes before.
 */
function withIfMatch(request: Request, parsed: Envelope): Outcome<Envelope> {
  const header = request.headers.get('if-match');
  if (header === null || header === '*') return good(parsed);
  const tag = /^"((?:[gpis]\d{1,15})(?:\.[gpis]\d{1,15})*)"$/.exec(header.trim())?.[1];
  if (tag === undefined) return bad(wrong('', 'if_match', 'If-Match takes one tag as a read gave it.'));
  const found: Expected = {};
  for (const part of tag.split('.')) {
    const value = Number(part.slice(1));
    if (part.startsWith('g')) found.goalVersion = value;
    else if (part.startsWith('p')) found.planRevision = value;
    else if (part.startsWith('i')) found.itemVersion = value;
  }
  const expects = catalogue[parsed.type].expects ?? [];
  const fitting = Object.fromEntries(expects.flatMap((key) => (found[key] === undefined ? [] : [[key, found[key]]])));
  return good({ ...parsed, expected: { ...fitting, ...parsed.expected } });
}

/** The payload is JSON, as the body was parsed as that, and the catalogue checks it where the command is decided: once is enough. */
const outer = envelope.extend({ payload: (z.unknown() as z.ZodType<Json>).default({}) });

export function envelopeOf(request: Request, body: Body): Outcome<Envelope> {
  const named = withCommandId(request, body);
  if (!named.ok) return named;
  const parsed = outer.safeParse(named.value);
  return parsed.success ? withIfMatch(request, parsed.data) : bad(schemaRefusal(parsed.error));
}

/** An entity tag of a Goal's versions. */
export function goalTag(goalVersion: number, planRevision: number, seq: number): string {
  return `"g${goalVersion}.p${planRevision}.s${seq}"`;
}

export function answerOf(given: CommandAnswer, goal: string, asked: Pick<Call, 'requestId'>, status = 200, headers: Record<string, string> = {}): Response {
  switch (given.outcome) {
    case 'applied': {
      const { outcome, ...rest } = given;
      return answer(
        { outcome, goal, ...rest },
        { status: given.replayed || given.dryRun ? 200 : status, headers: { etag: goalTag(given.goalVersion, given.planRevision, given.seq), ...headers } },
      );
    }
    case 'rejected':
      return problemResponse(given.refusal, { requestId: asked.requestId });
    case 'unknown':
      return problemResponse(refuse('unavailable', { detail: given.detail }), { requestId: asked.requestId, effect: 'unknown' });
    default:
      return given satisfies never;
  }
}

/** Files a command names must be stored already: their bytes are not in the record, and a name without bytes would be found out too late. */
async function missingFiles(env: Env, workspace: string, goal: string, parsed: Envelope): Promise<Refusal | undefined> {
  const payload = parsed.payload;
  if (payload === null || typeof payload !== 'object' || Array.isArray(payload)) return undefined;
  const named: { pointer: string; value: Json | undefined }[] =
    parsed.type === 'artifact.put'
      ? [{ pointer: '/payload/artifact', value: payload.artifact }]
      : parsed.type === 'submission.submit' && Array.isArray(payload.artifacts)
        ? payload.artifacts.map((value, at) => ({ pointer: `/payload/artifacts/${at}`, value }))
        : [];
  const files = named.flatMap(({ pointer, value }): { pointer: string; file: Artifact }[] => {
    const parsedFile = artifact.safeParse(value);
    return parsedFile.success ? [{ pointer, file: parsedFile.data }] : [];
  });
  if (files.length > 200) return undefined;
  const errors = (
    await Promise.all(
      files.map(async ({ pointer, file }) => {
        const stored = await env.FILES.head(fileKey(workspace, goal, file.digest));
        return stored === null
          ? [{ pointer, code: 'not_stored' }]
          : stored.size !== file.size
            ? [{ pointer: `${pointer}/size`, code: 'size_mismatch', detail: `${stored.size} bytes are stored` }]
            : [];
      }),
    )
  ).flat();
  return errors.length === 0 ? undefined : refuse('evidence_missing', { errors });
}

/** Who lacks the scope of a command hears that first, whatever else is wrong with it. The Goal asks again. */
function barred(call: Call, type: Envelope['type']): Refusal | null {
  const { by }: { by: Givers } = catalogue[type];
  if (call.member.attempt) return by.attempt ? null : refuse('forbidden', { detail: 'This token is for one attempt.' });
  if (by.scope === undefined) return refuse('forbidden', { detail: by.lanes ? `only rounds of: ${by.lanes.join(', ')}` : 'only the host gives this command' });
  return call.member.scopes.includes(by.scope) ? null : refuse('scope_missing', { detail: by.scope, current: { scope: by.scope } });
}

async function give(call: Call, goal: string, parsed: Envelope, created?: { headers: Record<string, string> }): Promise<Response | Refusal> {
  const refused = barred(call, parsed.type);
  if (refused) return refused;
  let missing: Refusal | undefined;
  try {
    missing = await missingFiles(call.env, call.workspace, goal, parsed);
  } catch {
    return refuse('unavailable', { detail: 'The store of files does not answer.' });
  }
  if (missing) return missing;
  const given = await giveCommand(call.env, { v: 1, workspace: call.workspace, goal, actor: actorOf(call.member), envelope: parsed, tellNext: true });
  return answerOf(given, goal, call, created ? 201 : 200, created?.headers);
}

/** The body of the request as an envelope, after `shape` has completed it. */
async function received(request: Request, shape: (body: Body) => Body): Promise<Outcome<Envelope>> {
  const body = await readJsonObject(request);
  return body.ok ? envelopeOf(request, shape(body.value)) : body;
}

/** `POST .../goals/{goal}/commands` */
export async function commandRoute(call: Call): Promise<Response | Refusal> {
  const parsed = await received(call.request, (body) => body);
  if (!parsed.ok) return parsed.refusal;
  // Here the id is already chosen; a goal is made where its id is derived from the command.
  if (creations.has(parsed.value.type)) return refuse('invalid_transition', { detail: `Send ${parsed.value.type} to the collection of goals.` });
  return give(call, call.params.goal ?? '', parsed.value);
}

/** `POST .../goals/{goal}/pause` and its like: the payload is empty, the body may hold `expected`, `reason`, `commandId`, `dryRun`. */
export function aliasRoute(type: 'goal.pause' | 'goal.resume' | 'goal.cancel' | 'goal.confirm'): (call: Call) => Promise<Response | Refusal> {
  return async (call) => {
    const parsed = await received(call.request, (body) => ({ ...body, type }));
    return parsed.ok ? give(call, call.params.goal ?? '', parsed.value) : parsed.refusal;
  };
}

/** `POST .../goals`: an envelope of `goal.create` or `goal.propose`, or its payload alone under an `Idempotency-Key`. The same command id again is the same goal. */
export async function createRoute(call: Call): Promise<Response | Refusal> {
  const parsed = await received(call.request, (body) => (typeof body.type === 'string' ? body : { type: 'sentence' in body ? 'goal.propose' : 'goal.create', payload: body }));
  if (!parsed.ok) return parsed.refusal;
  if (!creations.has(parsed.value.type)) return wrong('/type', 'invalid_value', 'goal.create or goal.propose');
  const goal = goalIdOf(call.workspace, [call.member.principal, parsed.value.commandId]);
  return give(call, goal, parsed.value, { headers: { location: `/v1/workspaces/${call.workspace}/goals/${goal}` } });
}
