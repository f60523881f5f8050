/** The HTTP the console speaks: lists, one goal, and commands. Every failure is a value with a code; nothing is thrown. */
import type { CommandType, Expected, GoalBar, Json } from './types.ts';

/** In development the one workspace; the address will carry it once there are several. */
export const workspace = 'local';
export const goalPath = (goal: string): string => `/v1/workspaces/${workspace}/goals/${encodeURIComponent(goal)}`;
export const artifactPath = (goal: string, digest: string): string => `${goalPath(goal)}/artifacts/${digest}`;

/** RFC 9457, as the API sends it. `effect` says whether anything was changed. */
export interface Problem {
  status: number;
  code: string;
  effect: 'none' | 'applied' | 'unknown';
  requestId?: string;
  errors?: { pointer: string; code: string }[];
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
  milestones: { key: string; count: number; target: number | null }[];
  accepted: number;
  requiredItems: number;
}

async function ask(path: string, init?: RequestInit): Promise<Answer<Json>> {
  let response: Response;
  try {
    response = await fetch(path, { ...init, headers: { accept: 'application/json', ...(init?.body ? { 'content-type': 'application/json' } : {}) } });
  } catch {
    // Whether a command arrived is not known when the connection breaks.
    return { ok: false, problem: { status: 0, code: 'unreachable', effect: init?.method === 'POST' ? 'unknown' : 'none' } };
  }
  const body = (await response.json().catch(() => null)) as Record<string, Json> | null;
  if (response.ok && body !== null) return { ok: true, value: body };
  return {
    ok: false,
    problem: {
      status: response.status,
      code: typeof body?.code === 'string' ? body.code : 'unexpected',
      effect: body?.effect === 'applied' || body?.effect === 'unknown' ? body.effect : response.status >= 500 && init?.method === 'POST' ? 'unknown' : 'none',
      requestId: typeof body?.requestId === 'string' ? body.requestId : undefined,
      errors: Array.isArray(body?.errors) ? (body.errors as { pointer: string; code: string }[]) : undefined,
    },
  };
}

export function readGoal(goal: string): Promise<Answer<Json>> {
  return ask(goalPath(goal));
}

/** The newest goals; `truncated` when there are more. */
export async function listGoals(): Promise<Answer<{ goals: GoalSummary[]; truncated: boolean }>> {
  const answer = await ask(`/v1/workspaces/${workspace}/goals?limit=200`);
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
}

export function sendCommand(goal: string, request: CommandRequest): Promise<Answer<Json>> {
  return ask(`${goalPath(goal)}/commands`, { method: 'POST', body: JSON.stringify({ expected: {}, payload: {}, ...request }) });
}
