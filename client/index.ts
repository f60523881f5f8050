/** A typed client of the Longhaul API. It knows the contract (`openapi.json`) and nothing else of Longhaul. */
import createFetchClient, { type Client as FetchClient } from 'openapi-fetch';
import type { components, paths } from './schema.d.ts';

export type Schemas = components['schemas'];
export type Problem = Schemas['Problem'];
export type { paths };
export type Client = FetchClient<paths>;

export interface ClientOptions {
  /** Where the installation is, e.g. `https://longhaul.example`. */
  url: string;
  /** A token of a workspace (`lht_...`). Without one only an installation in development answers, on its own machine. */
  token?: string;
  fetch?: typeof globalThis.fetch;
  /** Milliseconds after which an answer counts as lost. Default 60,000; streams are not held to it. */
  timeoutMs?: number;
}

/** Paths and bodies are checked by the types; `client.GET('/v1/workspaces/{workspace}/goals', {params: {path: {workspace}}})`. */
export function createClient({ url, token, fetch = globalThis.fetch, timeoutMs = 60_000 }: ClientOptions): Client {
  return createFetchClient<paths>({
    baseUrl: url.replace(/\/$/, ''),
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    fetch: (request: Request) => fetch(new Request(request, { signal: AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]) })),
  });
}

/** The API refused. `problem.code` is the contract; `problem.effect` says whether anything changed. */
export class Refused extends Error {
  readonly status: number;
  readonly problem: Problem;
  constructor(status: number, problem: Problem) {
    super(`${status} ${problem.code}: ${problem.detail}`);
    this.status = status;
    this.problem = problem;
  }
}

/** No answer, or one that is none: what was sent may or may not have been applied. The same command id may be sent again. */
export class Lost extends Error {}

/** The data of an answer. Throws `Refused`, or `Lost` where there was no answer. */
export async function answered<T>(asked: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  let given: Awaited<typeof asked>;
  try {
    given = await asked;
  } catch (error) {
    throw new Lost(error instanceof Error ? `${error.message}${error.cause === undefined ? '' : ` (${String(error.cause)})`}` : String(error));
  }
  const { data, error, response } = given;
  if (response.ok && data !== undefined) return data;
  if (isProblem(error)) throw error.effect === 'unknown' ? new Lost(`${error.detail} (request ${error.requestId})`) : new Refused(response.status, error);
  throw new Lost(`an answer that is none of the API: ${response.status}`);
}

function isProblem(value: unknown): value is Problem {
  return value !== null && typeof value === 'object' && 'code' in value && 'effect' in value && 'requestId' in value;
}
