/** Server-sent events of the API, over any number of broken connections: each frame once, resumed where it broke off. */
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { Lost, type Problem, Refused, type Schemas } from './index.ts';

export interface FollowOptions {
  url: string;
  token?: string;
  /** The id of the last frame that is known. */
  after?: number;
  signal?: AbortSignal;
  fetch?: typeof globalThis.fetch;
  /** Told when a connection was lost; it is tried again. */
  onLost?(error: unknown): void;
}

/** Milliseconds before a connection is tried again, at first and at most. */
const firstWait = 500;
const longestWait = 10_000;

/** Frames of one goal: a snapshot first, or what happened since `after`. Throws `Refused` where the API will not have it. */
export function followGoal(workspace: string, goal: string, options: FollowOptions): AsyncGenerator<Schemas['Frame']> {
  return follow<Schemas['Frame']>(`/v1/workspaces/${encodeURIComponent(workspace)}/goals/${encodeURIComponent(goal)}/stream`, options);
}

/** Frames of the lists of a workspace. */
export function followGoals(workspace: string, options: FollowOptions): AsyncGenerator<Schemas['GoalsFrame']> {
  return follow<Schemas['GoalsFrame']>(`/v1/workspaces/${encodeURIComponent(workspace)}/stream`, options);
}

async function* follow<F>(path: string, { url, token, after, signal, fetch = globalThis.fetch, onLost }: FollowOptions): AsyncGenerator<F> {
  let last = after;
  let wait = firstWait;
  while (!signal?.aborted) {
    try {
      const response = await fetch(`${url.replace(/\/$/, '')}${path}`, {
        headers: {
          accept: 'text/event-stream',
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(last === undefined ? {} : { 'last-event-id': String(last) }),
        },
        ...(signal ? { signal } : {}),
      });
      if (!response.ok || !response.body) throw await refusalOf(response);
      const events = (response.body as ReadableStream<Uint8Array<ArrayBuffer>>).pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
      for await (const { id, data } of events as unknown as AsyncIterable<{ id?: string; data: string }>) {
        wait = firstWait;
        yield JSON.parse(data) as F;
        if (id !== undefined) last = Number(id);
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (error instanceof Refused && !error.problem.retryable) throw error;
      onLost?.(error);
    }
    await pause(wait, signal);
    wait = Math.min(longestWait, wait * 2);
  }
}

async function refusalOf(response: Response): Promise<Error> {
  const problem = (await response.json().catch(() => null)) as Problem | null;
  return problem && typeof problem.code === 'string' ? new Refused(response.status, problem) : new Lost(`an answer that is none of the API: ${response.status}`);
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done);
  });
}
