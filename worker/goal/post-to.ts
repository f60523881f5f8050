/** A message of one goal to another of its workspace. It comes from `goal:<id>`, which nobody signs in as. Never throws; the same id is the same message. */
import { type Refusal, refuse } from '../domain/refusals.ts';
import type { Env } from '../env.ts';
import { errorOf, log } from '../observe/log.ts';
import { jsonWithoutKeys } from '../observe/redactor.ts';
import { goalIdPattern } from './goal-id.ts';
import { goalStub } from './goal-stub.ts';

export interface Post {
  workspace: string;
  from: string;
  to: string;
  text: string;
  commandId: string;
}
export type Posted = { ok: true; message: number } | { ok: false; refusal: Refusal };

/** The workspace of both is one: a goal of another has no object under it, and is not found. */
export async function postTo(env: Pick<Env, 'GOALS'>, { workspace, from, to, text, commandId }: Post): Promise<Posted> {
  if (!goalIdPattern.test(to)) return { ok: false, refusal: refuse('not_found', { detail: `no goal ${to} in this workspace` }) };
  if (to === from)
    return { ok: false, refusal: refuse('invalid_transition', { detail: 'A goal posts to others; within itself it has its messages.', allowedNext: ['message.post'] }) };
  try {
    const answer = await goalStub(env, workspace, to).command({
      v: 1,
      workspace,
      goal: to,
      actor: { kind: 'token', principal: `goal:${from}`, scopes: ['goals:write'] },
      envelope: { type: 'message.post', commandId: `from:${from}:${commandId}`, expected: {}, payload: jsonWithoutKeys({ text }), dryRun: false },
    });
    if (answer.outcome === 'applied') return { ok: true, message: Number((answer.result as { message?: number } | null)?.message ?? 0) };
    return { ok: false, refusal: answer.outcome === 'rejected' ? answer.refusal : refuse('unavailable', { detail: answer.detail }) };
  } catch (error) {
    log('warn', 'goal', 'post.lost', { workspace, from, to, error: errorOf(error) });
    return { ok: false, refusal: refuse('unavailable', { detail: 'The other goal does not answer.' }) };
  }
}
