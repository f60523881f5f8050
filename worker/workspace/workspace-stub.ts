/** A workspace's object, as everything outside it calls it. */
import type { Env } from '../env.ts';
import { goalLocationHint } from '../goal/goal-id.ts';
import type { WorkspaceRpc } from './rpc.ts';

export type WorkspaceStub = WorkspaceRpc & { fetch(request: Request): Promise<Response> };

/** A fresh stub for each call: one whose object was reset is broken for good. */
export function workspaceStub(env: Pick<Env, 'WORKSPACES'>, workspace: string): WorkspaceStub {
  // The platform's own stub type maps every result through its serializer types, which recursive JSON does not survive.
  return env.WORKSPACES.get(env.WORKSPACES.idFromName(workspace), { locationHint: goalLocationHint }) as unknown as WorkspaceStub;
}
