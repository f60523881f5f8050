/** What people read of triggers, and trying one out. Commands go to the workspace's own; the rules are those of `worker/workspace/core/triggers/`. */
import { z } from 'zod';
import { type Refusal, refuse } from '../domain/refusals.ts';
import { type Json, json, slug } from '../domain/values.ts';
import { readWorkspace } from '../workspace/client.ts';
import { triggerDefinition } from '../workspace/core/triggers/definition.ts';
import type { WorkspaceReadQuery } from '../workspace/rpc.ts';
import { readJsonObject } from './body.ts';
import { nothing, parameters, triggerEntries } from './parameters.ts';
import { schemaRefusal } from './problem.ts';
import { answer, type Call } from './route.ts';

type Handler = (call: Call) => Promise<Response | Refusal>;

async function read(call: Call, query: WorkspaceReadQuery, shown: (value: Json) => unknown = (value) => value): Promise<Response | Refusal> {
  const found = await readWorkspace(call.env, { v: 1, workspace: call.workspace, query });
  return found.outcome === 'found' ? answer(shown(found.value)) : found.refusal;
}

const named =
  (make: (name: string) => WorkspaceReadQuery): Handler =>
  async (call) => {
    const given = parameters(nothing, call.query);
    if (!given.ok) return given.refusal;
    const name = slug.safeParse(call.params.name);
    return name.success ? read(call, make(name.data)) : refuse('not_found');
  };

export const triggersRoute: Handler = async (call) => {
  const given = parameters(nothing, call.query);
  return given.ok ? read(call, { what: 'triggers' }) : given.refusal;
};
export const triggerRoute = named((name) => ({ what: 'trigger', name }));

export const businessRoundRoute: Handler = async (call) => {
  const given = parameters(nothing, call.query);
  return given.ok ? read(call, { what: 'business_round', round: call.params.round ?? '' }) : given.refusal;
};

/** Newest first. */
function page(what: 'business_rounds' | 'deliveries'): Handler {
  return async (call) => {
    const given = parameters(triggerEntries, call.query);
    if (!given.ok) return given.refusal;
    const name = slug.safeParse(call.params.name);
    if (!name.success) return refuse('not_found');
    const { cursor, limit } = given.value;
    return read(call, { what, name: name.data, limit: limit + 1, ...(cursor === undefined ? {} : { before: cursor }) }, (value) => {
      const entries = value as unknown as { seq: number }[];
      return { data: entries.slice(0, limit), nextCursor: entries.length > limit ? String(entries[limit - 1]?.seq) : null };
    });
  };
}
export const businessRoundsRoute = page('business_rounds');
export const deliveriesRoute = page('deliveries');

export const triggerTrial = z.strictObject({ definition: triggerDefinition, data: json.default(null), headers: z.record(z.string(), z.string().max(4000)).default({}) });

/** `POST .../trigger-tests`: `{definition, data?, headers?}`. */
export const testTriggerRoute: Handler = async (call) => {
  const body = await readJsonObject(call.request);
  if (!body.ok) return body.refusal;
  const parsed = triggerTrial.safeParse(body.value);
  return parsed.success ? read(call, { what: 'trigger_test', ...parsed.data }) : schemaRefusal(parsed.error);
};
