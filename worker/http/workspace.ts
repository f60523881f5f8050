/** The routes of the workspace itself: commands on its settings, and what people read of it. They decide nothing, and no route opens a secret. */
import { z } from 'zod';
import { type Refusal, refuse } from '../domain/refusals.ts';
import type { Json } from '../domain/values.ts';
import { commandWorkspace, readWorkspace } from '../workspace/client.ts';
import { workspaceEnvelope } from '../workspace/core/catalogue.ts';
import type { WorkspaceReadQuery } from '../workspace/rpc.ts';
import { readJsonObject } from './body.ts';
import { withCommandId } from './commands.ts';
import { actorOf, addressOf } from './identity.ts';
import { nothing, parameters, usageRead } from './parameters.ts';
import { problemResponse, schemaRefusal } from './problem.ts';
import { answer, type Call } from './route.ts';

type Handler = (call: Call) => Promise<Response | Refusal>;

/** The payload is JSON, as the body was parsed as that, and the catalogue checks it where the command is decided: once is enough. */
const outer = workspaceEnvelope.extend({ payload: (z.unknown() as z.ZodType<Json>).default({}) });

/** `POST /v1/workspaces/{workspace}/commands` */
export const workspaceCommandRoute: Handler = async (call) => {
  const body = await readJsonObject(call.request);
  if (!body.ok) return body.refusal;
  const named = withCommandId(call.request, body.value);
  if (!named.ok) return named.refusal;
  const parsed = outer.safeParse(named.value);
  if (!parsed.success) return schemaRefusal(parsed.error);
  const given = await commandWorkspace(call.env, { v: 1, workspace: call.workspace, actor: actorOf(call.member), envelope: parsed.data, from: addressOf(call.request) });
  switch (given.outcome) {
    case 'applied':
      return answer(given);
    case 'rejected':
      return given.refusal;
    case 'unknown':
      return problemResponse(refuse('unavailable', { detail: given.detail }), { requestId: call.requestId, effect: 'unknown' });
    default:
      return given satisfies never;
  }
};

async function read<T>(call: Call, query: WorkspaceReadQuery, shown: (value: T) => unknown = (value) => value): Promise<Response | Refusal> {
  const found = await readWorkspace(call.env, { v: 1, workspace: call.workspace, query });
  return found.outcome === 'found' ? answer(shown(found.value as T)) : found.refusal;
}

function plain(query: WorkspaceReadQuery): Handler {
  return async (call) => {
    const given = parameters(nothing, call.query);
    return given.ok ? read(call, query) : given.refusal;
  };
}

export const settingsRoute = plain({ what: 'settings' });
export const secretsRoute = plain({ what: 'secrets' });

export const usageRoute: Handler = async (call) => {
  const given = parameters(usageRead, call.query);
  return given.ok ? read(call, { what: 'usage', days: given.value.days }) : given.refusal;
};
