/** Signed links over HTTP: opening a decision as the person it is for, and the read-only page of a goal's progress for whoever has its link. What a link is: `worker/notify/core/links.ts`. */
import { z } from 'zod';
import { type Refusal, refuse } from '../domain/refusals.ts';
import { nameOf } from '../domain/values.ts';
import { sha256 } from '../goal/sha256.ts';
import { workspacePattern } from '../goal/goal-id.ts';
import type { ReadValues } from '../goal/rpc.ts';
import { askedOf } from '../notify/core/addresses.ts';
import { openLink, openProgress, readWorkspace } from '../workspace/client.ts';
import type { ProgressView } from '../workspace/core/progress.ts';
import { readJsonObject } from './body.ts';
import { withCommandId } from './commands.ts';
import { readGoal } from './goals.ts';
import { addressOf } from './identity.ts';
import { nothing, parameters } from './parameters.ts';
import { schemaRefusal } from './problem.ts';
import { type Progress, progressOf } from '../domain/views/progress.ts';
import { take } from './rate-limit.ts';
import { answer, type Call, type OpenCall } from './route.ts';

export const openedLink = z.strictObject({ link: z.string().min(1).max(2100), commandId: nameOf(200) });

/**
 * `POST /v1/workspaces/{workspace}/links/open`: where the decision is, and from here on the link is used. The decision itself is given as any other, by what the person may do. Refused, nothing is used.
 */
export async function openLinkRoute(call: Call): Promise<Response | Refusal> {
  const body = await readJsonObject(call.request);
  if (!body.ok) return body.refusal;
  const named = withCommandId(call.request, body.value);
  if (!named.ok) return named.refusal;
  const asked = openedLink.safeParse(named.value);
  if (!asked.success) return schemaRefusal(asked.error);
  const { env, workspace, member } = call;
  const request = { v: 1, workspace, text: asked.data.link, principal: member.principal, commandId: asked.data.commandId } as const;
  const judged = await openLink(env, request, false);
  if (judged.outcome === 'refused') return judged.refusal;
  const read = await readGoal(env, workspace, judged.goal, { what: 'needs' });
  // A goal that was erased asks for nothing.
  if (!read.ok) return read.refusal.code === 'unavailable' ? read.refusal : refuse('link_gone');
  const needs = read.value.value as unknown as ReadValues['needs'];
  const need = needs.find(({ key, ref }) => ref === judged.ref && askedOf(key, sha256) === judged.asked);
  if (!need) return refuse('link_gone', { current: { goal: judged.goal } });
  const used = await openLink(env, request, true);
  if (used.outcome === 'refused') return used.refusal;
  return answer({ goal: used.goal, ref: used.ref, act: need.act ?? null });
}

/** `GET /v1/workspaces/{workspace}/progress-links` */
export async function progressLinksRoute(call: Call): Promise<Response | Refusal> {
  const given = parameters(nothing, call.query);
  if (!given.ok) return given.refusal;
  const found = await readWorkspace(call.env, { v: 1, workspace: call.workspace, query: { what: 'progress_links' } });
  return found.outcome === 'refused' ? found.refusal : answer(found.value as unknown as { data: ProgressView[] });
}

/** `GET /v1/progress/{workspace}/{link}`: no credential is looked at. Altered, taken back, run out, of a goal that is gone: one answer. */
export async function progressRoute({ request, env, params }: OpenCall): Promise<Response | Refusal> {
  const { workspace = '', link = '' } = params;
  const taken = await take(env, 'hook', addressOf(request), Date.now());
  if (taken && !taken.ok) return taken.refusal;
  if (!workspacePattern.test(workspace) || link.length > 2100) return refuse('link_unknown');
  const judged = await openProgress(env, workspace, link);
  if (judged.outcome === 'refused') return judged.refusal;
  const read = await readGoal(env, workspace, judged.goal, { what: 'goal' });
  if (!read.ok) return read.refusal.code === 'unavailable' ? read.refusal : refuse('link_unknown');
  const { bar } = read.value.value as unknown as ReadValues['goal'];
  const shown: Progress = progressOf(bar, judged.until);
  return answer(shown, { headers: { 'referrer-policy': 'no-referrer' } });
}
