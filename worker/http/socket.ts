/** The live views: a WebSocket that the Goal's object, or the workspace's, holds, so that it costs nothing while nothing happens. */
import { type Refusal, refuse } from '../domain/refusals.ts';
import { goalStub } from '../goal/goal-stub.ts';
import { workspaceStub } from '../workspace/workspace-stub.ts';
import { foreignOrigin } from './identity.ts';
import type { Call } from './route.ts';

/** What the object is told about a socket: who holds it by which credential, and from which `seq` on. It trusts this Worker, and this Worker alone can reach it. `brief`: it is this Worker's own, for the length of one request. */
export function socketRequest(call: Call, goal: string, after: number | undefined, brief = false): Request {
  const url = new URL('https://goal/socket');
  url.searchParams.set('workspace', call.workspace);
  url.searchParams.set('goal', goal);
  if (after !== undefined) url.searchParams.set('after', String(after));
  const { principal, credential } = call.member;
  return new Request(url, {
    headers: {
      upgrade: 'websocket',
      'x-longhaul-workspace': call.workspace,
      'x-longhaul-goal': goal,
      'x-longhaul-principal': principal,
      'x-longhaul-credential': credential,
      ...(brief ? { 'x-longhaul-brief': '1' } : {}),
    },
  });
}

/** `GET .../socket?after=`: without `after` a snapshot comes first, with it what happened since. */
export function socketRoute(call: Call): Promise<Response | Refusal> {
  const goal = call.params.goal ?? '';
  return opened(call, (after) => goalStub(call.env, call.workspace, goal).fetch(socketRequest(call, goal, after)));
}

/** `GET /v1/workspaces/{workspace}/socket?after=`: the lists of the workspace. */
export function goalsSocketRoute(call: Call): Promise<Response | Refusal> {
  return opened(call, (after) => workspaceStub(call.env, call.workspace).fetch(socketRequest(call, '', after)));
}

async function opened(call: Call, open: (after: number | undefined) => Promise<Response>): Promise<Response | Refusal> {
  if (call.request.headers.get('upgrade')?.toLowerCase() !== 'websocket')
    return refuse('schema_invalid', { errors: [{ pointer: '', code: 'upgrade_required', detail: 'This address speaks WebSocket.' }] });
  if (foreignOrigin(call.request)) return refuse('forbidden', { detail: 'Another site may not open this socket.' });
  const after = call.query.get('after');
  if (after !== null && !/^\d{1,15}$/.test(after)) return refuse('schema_invalid', { errors: [{ pointer: '/query/after', code: 'invalid_format' }] });
  try {
    return await open(after === null ? undefined : Number(after));
  } catch {
    return refuse('unavailable');
  }
}
