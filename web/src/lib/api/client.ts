/** The HTTP the console speaks: lists, one goal, and commands. Every failure is a value with a code; nothing is thrown. */
import { chosenWorkspace, toSignIn } from '../account/chosen.ts';
import type { CommandType, Expected, GoalBar, Json } from './types.ts';

/** The one this browser looks at; another one is chosen on the page of the account. */
export const workspace = chosenWorkspace();
export const goalPath = (goal: string): string => `/v1/workspaces/${workspace}/goals/${encodeURIComponent(goal)}`;
/** Leads on to an address of the file that knows nobody. `view`: shown where it is an image or a text, else saved. */
export const artifactPath = (goal: string, digest: string, as: 'download' | 'view' = 'download'): string => `${goalPath(goal)}/artifacts/${digest}/link?as=${as}`;

/** RFC 9457, as the API sends it. `effect` says whether anything was changed. */
export interface Problem {
  status: number;
  code: string;
  effect: 'none' | 'applied' | 'unknown';
  requestId?: string;
  errors?: { pointer: string; code: string; detail?: string }[];
  detail?: string;
  /** What is current, as the refusal says. */
  current?: Json;
}
export type Answer<T> = { ok: true; value: T } | { ok: false; problem: Problem };

/** One row of the list of goals, as the book has it. */
export interface GoalSummary {
  goal: string;
  title: string;
  mode: GoalBar['mode'];
  status: GoalBar['status'];
  why: GoalBar['next']['why']['kind'];
  goalVersion: number;
  planRevision: number;
  /** How many things wait for a person. */
  needsYou: number;
  /** Milliseconds. */
  createdAt: number;
  updatedAt: number;
  /** Number of the last event that it reflects. */
  seq: number;
  milestones: { key: string; count: number; target: number | null }[];
  accepted: number;
  requiredItems: number;
}

export async function ask(path: string, init?: RequestInit): Promise<Answer<Json>> {
  let response: Response;
  try {
    response = await fetch(path, { ...init, headers: { accept: 'application/json', ...(init?.body ? { 'content-type': 'application/json' } : {}), ...init?.headers } });
  } catch {
    // Whether a command arrived is not known when the connection breaks.
    return { ok: false, problem: { status: 0, code: 'unreachable', effect: init?.method === 'POST' || init?.method === 'PUT' ? 'unknown' : 'none' } };
  }
  const body = (await response.json().catch(() => null)) as Record<string, Json> | null;
  if (response.ok && body !== null) return { ok: true, value: body };
  if (response.status === 401) toSignIn();
  return {
    ok: false,
    problem: {
      status: response.status,
      code: typeof body?.code === 'string' ? body.code : 'unexpected',
      effect: body?.effect === 'applied' || body?.effect === 'unknown' ? body.effect : response.status >= 500 && init?.method === 'POST' ? 'unknown' : 'none',
      requestId: typeof body?.requestId === 'string' ? body.requestId : undefined,
      errors: Array.isArray(body?.errors) ? (body.errors as unknown as NonNullable<Problem['errors']>) : undefined,
      detail: typeof body?.detail === 'string' ? body.detail : undefined,
      current: body?.current,
    },
  };
}

export function readGoal(goal: string): Promise<Answer<Json>> {
  return ask(goalPath(goal));
}

/** The newest goals, or the newest of those that wait for a person; `truncated` when there are more. */
export async function listGoals(only?: 'needsYou'): Promise<Answer<{ goals: GoalSummary[]; truncated: boolean }>> {
  const answer = await ask(`/v1/workspaces/${workspace}/goals?limit=200${only ? '&needsYou=true' : ''}`);
  if (!answer.ok) return answer;
  const page = answer.value as unknown as { data: GoalSummary[]; nextCursor: string | null };
  return { ok: true, value: { goals: page.data, truncated: page.nextCursor !== null } };
}

export interface CommandRequest {
  type: CommandType;
  /** One per decision of the person: pressing again after a lost answer is the same command. */
  commandId: string;
  expected?: Expected;
  payload?: Json;
  reason?: string;
  /** Says what would come of it, and changes nothing. */
  dryRun?: boolean;
}

export function sendCommand(goal: string, request: CommandRequest): Promise<Answer<Json>> {
  return ask(`${goalPath(goal)}/commands`, { method: 'POST', body: JSON.stringify({ expected: {}, payload: {}, ...request }) });
}

/** A new goal from a sentence. The same `commandId` again is the same goal. */
export async function proposeGoal(commandId: string, payload: Json): Promise<Answer<{ goal: string }>> {
  return (await ask(`/v1/workspaces/${workspace}/goals`, { method: 'POST', body: JSON.stringify({ type: 'goal.propose', commandId, payload }) })) as Answer<{ goal: string }>;
}

/** Stores the bytes of a file and names it as a source of the goal; answers with its digest. */
export async function putFile(goal: string, path: string, file: Blob): Promise<Answer<{ path: string; digest: string; size: number }>> {
  const bytes = await file.arrayBuffer();
  const digest = [...new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const answer = await ask(`${goalPath(goal)}/files/${path.split('/').map(encodeURIComponent).join('/')}`, {
    method: 'PUT',
    body: bytes,
    headers: { 'idempotency-key': `file:${path}:${digest}`, 'content-type': file.type || 'application/octet-stream' },
  });
  return answer.ok ? { ok: true, value: { path, digest, size: file.size } } : answer;
}
