/** A Goal's object, as everything outside it calls it. */
import type { Env } from '../env.ts';
import { goalLocationHint, goalObjectName } from './goal-id.ts';
import type { GoalRpc } from './rpc.ts';

export type GoalStub = GoalRpc & { fetch(request: Request): Promise<Response> };

/** A fresh stub for each call: one whose object was reset is broken for good. */
export function goalStub(env: Pick<Env, 'GOALS'>, workspace: string, goal: string): GoalStub {
  const id = env.GOALS.idFromName(goalObjectName(workspace, goal));
  // The platform's own stub type maps every result through its serializer types, which recursive JSON does not survive.
  return env.GOALS.get(id, { locationHint: goalLocationHint }) as unknown as GoalStub;
}
