/** A thin client of /v1 for one workspace: plain HTTP, nothing that any other caller could not do. */
import { createHash } from 'node:crypto';
import type { RecordRow, SampleClient } from '../samples/sample.ts';
import type { Artifact, Json } from '../worker/domain/values.ts';
import type { EventView, GoalBar, ItemView } from '../worker/domain/views/types.ts';

/** An answer that is not 2xx. `code` is the refusal's, or `http_<status>`. */
export class Refused extends Error {
  readonly status: number;
  readonly code: string;
  readonly problem: unknown;
  constructor(status: number, code: string, problem: unknown, what: string) {
    super(`${what}: ${code}${detailOf(problem)}`);
    this.status = status;
    this.code = code;
    this.problem = problem;
  }
}

function detailOf(problem: unknown): string {
  if (problem === null || typeof problem !== 'object') return '';
  const detail = 'detail' in problem && typeof problem.detail === 'string' ? ` - ${problem.detail}` : '';
  const errors = 'errors' in problem && Array.isArray(problem.errors) ? ` ${JSON.stringify(problem.errors).slice(0, 2000)}` : '';
  const todo = 'todo' in problem && typeof problem.todo === 'string' && !detail.includes(problem.todo) ? ` (${problem.todo})` : '';
  return detail + errors + todo;
}

/** Nobody answered: the Worker is down or cut the connection. What was sent may or may not have been applied. */
export class Unreachable extends Error {}

/** Reads a body. A connection that breaks off in it leaves the answer as unknown as none. */
async function whole<T>(what: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw new Unreachable(`${what}: ${String(error)}`);
  }
}

export interface Applied {
  outcome: 'applied';
  goal: string;
  seq: number;
  replayed: boolean;
  result: Json;
}

export interface CommandBody {
  type: string;
  commandId: string;
  payload?: unknown;
  expected?: Record<string, number>;
  reason?: string;
}

export class Client {
  readonly #base: string;
  constructor(url: string, workspace: string) {
    this.#base = `${url}/v1/workspaces/${workspace}`;
  }

  async #send(method: string, path: string, init: { body?: BodyInit; headers?: Record<string, string>; timeoutMs?: number } = {}): Promise<Response> {
    let response: Response;
    try {
      response = await fetch(`${this.#base}${path}`, {
        method,
        ...(init.body === undefined ? {} : { body: init.body }),
        headers: init.headers ?? {},
        signal: AbortSignal.timeout(init.timeoutMs ?? 60_000),
      });
    } catch (error) {
      throw new Unreachable(`${method} ${path}: ${String(error instanceof Error ? (error.cause ?? error) : error)}`);
    }
    if (response.ok) return response;
    const text = await response.text().catch(() => '');
    let problem: unknown = text.slice(0, 500);
    try {
      problem = JSON.parse(text);
    } catch {
      // Not a problem document: kept as text.
    }
    const code = problem !== null && typeof problem === 'object' && 'code' in problem && typeof problem.code === 'string' ? problem.code : `http_${response.status}`;
    throw new Refused(response.status, code, problem, `${method} ${path}`);
  }

  async get(path: string, timeoutMs?: number): Promise<unknown> {
    const response = await this.#send('GET', path, timeoutMs === undefined ? {} : { timeoutMs });
    return await whole(`GET ${path}`, () => response.json());
  }

  async #command(path: string, body: CommandBody): Promise<Applied> {
    const response = await this.#send('POST', path, { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });
    return (await whole(`POST ${path}`, () => response.json())) as Applied;
  }

  /** The same command id is the same goal. */
  create(commandId: string, payload: unknown): Promise<Applied> {
    return this.#command('/goals', { type: 'goal.create', commandId, payload });
  }

  command(goal: string, body: CommandBody): Promise<Applied> {
    return this.#command(`/goals/${goal}/commands`, body);
  }

  async putFile(goal: string, path: string, bytes: Uint8Array, type: string, key: string): Promise<void> {
    const digest = createHash('sha256').update(bytes).digest('base64');
    const response = await this.#send('PUT', `/goals/${goal}/files/${path.split('/').map(encodeURIComponent).join('/')}`, {
      body: new Uint8Array(bytes),
      headers: { 'content-type': type, 'content-digest': `sha-256=:${digest}:`, 'idempotency-key': key },
    });
    await whole(`PUT ${path}`, () => response.arrayBuffer());
  }

  async bar(goal: string): Promise<GoalBar> {
    return ((await this.get(`/goals/${goal}`)) as { bar: GoalBar }).bar;
  }

  /** Waits up to `waitSeconds` (at most 20) for events after `after`. */
  async events(goal: string, after: number, waitSeconds: number): Promise<{ data: EventView[]; nextCursor: string | null; seq: number }> {
    return (await this.get(`/goals/${goal}/events?after=${after}&limit=1000&wait=${waitSeconds}`, (waitSeconds + 30) * 1000)) as {
      data: EventView[];
      nextCursor: string | null;
      seq: number;
    };
  }

  async item(goal: string, key: string): Promise<ItemView> {
    return (await this.get(`/goals/${goal}/items/${key}`)) as ItemView;
  }

  async bytes(goal: string, digest: string): Promise<Uint8Array> {
    const response = await this.#send('GET', `/goals/${goal}/artifacts/${digest}`);
    return new Uint8Array(await whole(`GET artifact ${digest}`, () => response.arrayBuffer()));
  }

  /** Reads of one goal in the form that samples take. */
  sample(goal: string): SampleClient {
    const optional = async (path: string): Promise<Record<string, Json> | undefined> => {
      try {
        return (await this.get(path)) as Record<string, Json>;
      } catch (error) {
        if (error instanceof Refused && error.status === 404) return undefined;
        throw error;
      }
    };
    return {
      goal,
      bar: () => this.bar(goal),
      rows: async (kind, options = {}) => {
        const rows: RecordRow[] = [];
        let cursor: string | null = null;
        do {
          const query = new URLSearchParams({
            kind,
            limit: '200',
            ...(options.prefix === undefined ? {} : { prefix: options.prefix }),
            ...(options.item === undefined ? {} : { item: options.item }),
            ...(cursor === null ? {} : { cursor }),
          });
          const page = (await this.get(`/goals/${goal}/record?${query}`)) as { data: RecordRow[]; nextCursor: string | null };
          rows.push(...page.data);
          cursor = page.nextCursor;
        } while (cursor !== null);
        return rows;
      },
      body: async (digest) => (await optional(`/goals/${goal}/body/${digest}`))?.value,
      fact: async (key) => {
        const fact = (await optional(`/goals/${goal}/facts/${key.split('/').map(encodeURIComponent).join('/')}`))?.fact;
        return fact !== null && typeof fact === 'object' && !Array.isArray(fact) ? fact.value : undefined;
      },
      accepted: (item) => this.accepted(goal, item),
      bytes: (digest) => this.bytes(goal, digest),
    };
  }

  /** Artifacts of the submission whose acceptance is live. */
  async accepted(goal: string, item: string): Promise<Artifact[]> {
    let view: ItemView;
    try {
      view = await this.item(goal, item);
    } catch (error) {
      if (error instanceof Refused && error.status === 404) return [];
      throw error;
    }
    return view.submissions.findLast((submission) => submission.verdicts.some((verdict) => verdict.verdict === 'accepted' && verdict.live))?.artifacts ?? [];
  }
}
