/** The Goal's object as the routes see it. What an object throws becomes a refusal or `unknown` here and nowhere else. */
import { refuse } from '../domain/refusals.ts';
import type { Json } from '../domain/values.ts';
import type { AttemptGrant } from '../domain/work/attempt-grant.ts';
import type { Env } from '../env.ts';
import { goalStub } from '../goal/goal-stub.ts';
import type { CommandAnswer, CommandRequest, ReadAnswer, ReadQuery } from '../goal/rpc.ts';
import { errorOf, log } from '../observe/log.ts';
import { jsonWithoutKeys, withoutKeys } from '../observe/redactor.ts';
import { bad, good, type Outcome } from './outcome.ts';

/** Reads may be repeated, and a command is one command however often it is sent; an overloaded object is not asked again. */
function mayRepeat(error: unknown): boolean {
  return !(error !== null && typeof error === 'object' && 'overloaded' in error && error.overloaded === true);
}

async function twice<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!mayRepeat(error)) throw error;
    return await work();
  }
}

/** Never throws: where no answer came back, the outcome is `unknown` and the same command id may be sent again. */
/** Keys that are known by their shape do not get into a record: somebody who pastes one into a message or a contract finds a marker there. */
function withoutPastedKeys(request: CommandRequest): CommandRequest {
  const { payload, reason } = request.envelope;
  return { ...request, envelope: { ...request.envelope, payload: jsonWithoutKeys(payload), ...(reason === undefined ? {} : { reason: withoutKeys(reason) }) } };
}

export async function giveCommand(env: Env, given: CommandRequest): Promise<CommandAnswer> {
  const request = withoutPastedKeys(given);
  try {
    const answer = await twice(() => goalStub(env, request.workspace, request.goal).command(request));
    // What else moved with it is not the business of whoever works at one Attempt.
    return request.actor.kind === 'attempt' && answer.outcome === 'applied' ? { ...answer, events: [] } : answer;
  } catch (error) {
    log('error', 'http', 'answer.lost', {
      workspace: request.workspace,
      goal: request.goal,
      command: request.envelope.type,
      commandId: request.envelope.commandId,
      error: errorOf(error),
    });
    return { outcome: 'unknown', detail: 'The answer was lost. Send the same command id again to learn what became of it.' };
  }
}

/** `as`: the Attempt whose token asks; it reads what that may. */
export async function readGoal(env: Env, workspace: string, goal: string, query: ReadQuery, as: AttemptGrant | null = null): Promise<Outcome<{ seq: number; value: Json }>> {
  let found: ReadAnswer;
  try {
    found = await twice(() => goalStub(env, workspace, goal).read({ v: 1, workspace, goal, query, ...(as ? { as } : {}) }));
  } catch (error) {
    log('error', 'http', 'read.failed', { workspace, goal, what: query.what, error: errorOf(error) });
    return bad(refuse('unavailable'));
  }
  return found.outcome === 'found' ? good({ seq: found.seq, value: found.value }) : bad(found.refusal);
}
