/** The business round that a goal carries out, as its rounds reach it: a query and two commands of the workspace, in the name of who carries the round. */
import { type Refusal, refuse } from '../domain/refusals.ts';
import type { Json, PrincipalId } from '../domain/values.ts';
import type { Env } from '../env.ts';
import type { BusinessRoundDoor } from '../tools/tool.ts';
import { commandWorkspace, readWorkspace } from '../workspace/client.ts';

export function businessRound(env: Pick<Env, 'WORKSPACES'>, who: { workspace: string; goal: string; round: string; principal: PrincipalId }): BusinessRoundDoor {
  const { workspace, goal, round, principal } = who;
  return {
    async read() {
      const answer = await readWorkspace(env, { v: 1, workspace, query: { what: 'business_round', round } });
      if (answer.outcome === 'refused') return answer.refusal;
      // What it was fired with came from outside, and is in the goal's parameters where the trigger says so.
      const { known: _known, ...value } = answer.value as { known: Json; [key: string]: Json };
      return { value };
    },
    async give({ type, payload }, call) {
      const envelope = { type, commandId: `${goal}/${call}`.slice(0, 200), expected: {}, payload: { ...payload, round }, dryRun: false };
      const answer = await commandWorkspace(env, { v: 1, workspace, actor: { kind: 'token', principal, scopes: ['goals:write'] }, envelope });
      if (answer.outcome === 'applied') return { value: answer.result ?? null };
      return answer.outcome === 'unknown' ? refuse('unavailable', { detail: answer.detail }) : (answer as { refusal: Refusal }).refusal;
    },
  };
}
