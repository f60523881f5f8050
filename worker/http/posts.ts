/** `POST .../goals/{goal}/posts`: this goal says something to another of its workspace. */
import { z } from 'zod';
import { type Refusal, refuse } from '../domain/refusals.ts';
import { nameOf } from '../domain/values.ts';
import { goalIdPattern } from '../goal/goal-id.ts';
import { postTo } from '../goal/post-to.ts';
import { readJsonObject } from './body.ts';
import { withCommandId } from './commands.ts';
import { readGoal } from './goals.ts';
import { schemaRefusal } from './problem.ts';
import { answer, type Call } from './route.ts';

export const goalPost = z.strictObject({ to: z.string().regex(goalIdPattern), text: z.string().min(1).max(32_000), commandId: nameOf(200) });

/** For a token of single goals others do not exist, so it posts among its own. The message names who asked for it in its id, and the goal as its source. */
export async function goalPostRoute(call: Call): Promise<Response | Refusal> {
  const body = await readJsonObject(call.request);
  if (!body.ok) return body.refusal;
  const named = withCommandId(call.request, body.value);
  if (!named.ok) return named.refusal;
  const asked = goalPost.safeParse(named.value);
  if (!asked.success) return schemaRefusal(asked.error);
  const { env, workspace, member, params } = call;
  const from = params.goal ?? '';
  const { to, text, commandId } = asked.data;
  if (member.goals !== null && !member.goals.has(to)) return refuse('not_found');
  const there = await readGoal(env, workspace, from, { what: 'next' });
  if (!there.ok) return there.refusal;
  const posted = await postTo(env, { workspace, from, to, text, commandId: `${member.principal}/${commandId}` });
  return posted.ok ? answer({ goal: to, message: posted.message, source: `goal:${from}` }, { status: 201 }) : posted.refusal;
}
