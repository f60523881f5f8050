/**
 * An OpenAI-compatible server on loopback that is played by scripts: `POST /v1/chat/completions` (whole or streamed), `GET /v1/models`.
 * A request names its script as its model, else the default one is played. It records everything that reaches it.
 * For tests in another process: `GET /_seen?conversation=&model=`, `GET /_find?value=`, `POST /_reset`.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Answer, CompletionRequest, MessageAnswer, Script } from './script.ts';
import { findIn, type SeenRequest } from './seen.ts';
import { wrongWith } from './strict.ts';
import { conversationOf, turnOf } from './turn.ts';
import { events, promptTokens, wholeBody } from './wire.ts';

export interface ModelServerOptions {
  /** By name: what a request asks for as its model. */
  scripts?: Readonly<Record<string, Script>>;
  /** Played where the model is no name of a script. Without it such a request is a 404, as with a real server. */
  script?: Script;
  /** Name of the default in `/v1/models`. */
  model?: string;
  /** Default: a free one. */
  port?: number;
  /** Another bearer is answered 401. */
  key?: string | readonly string[];
  /** Tokens. A longer prompt is answered 400 `context_length_exceeded`. */
  window?: number;
  /** Refuse what hosted models refuse; default true. */
  strict?: boolean;
}

export interface ModelServer {
  /** With `/v1`: what goes into LONGHAUL_MODEL_URL. */
  readonly url: string;
  readonly origin: string;
  readonly seen: readonly SeenRequest[];
  /** Bodies of the chat completions, in order. */
  requests(): CompletionRequest[];
  /** Where a key or canary was sent, bearer aside. */
  find(value: string): string[];
  /** What a script threw: a test should end with none. */
  readonly faults: readonly string[];
  reset(): void;
  /** Plays another default from now on. */
  play(script: Script): void;
  close(): Promise<void>;
}

/** Bytes of a body that is still read. */
const BODY_LIMIT = 32 * 1024 * 1024;

export async function startModelServer(options: ModelServerOptions = {}): Promise<ModelServer> {
  const desk = new Desk(options);
  const server = createServer((request, response) => {
    desk.answer(request, response).catch((error: unknown) => {
      // Whoever died while their request came in has no fault to answer for.
      if (request.errored !== null && !request.complete) return;
      desk.faults.push(String(error));
      if (!response.headersSent) fail(response, 500, { message: 'the script failed' });
      else response.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `${origin}/v1`,
    origin,
    seen: desk.seen,
    faults: desk.faults,
    requests: () => desk.seen.filter((seen) => seen.script !== undefined).map((seen) => JSON.parse(seen.body) as CompletionRequest),
    find: (value) => findIn(desk.seen, value),
    reset: () => desk.reset(),
    play: (script) => {
      desk.script = script;
    },
    close: () => stop(server),
  };
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

class Desk {
  readonly seen: SeenRequest[] = [];
  readonly faults: string[] = [];
  script: Script | undefined;
  readonly #options: ModelServerOptions;
  readonly #before = new Map<string, number>();
  readonly #memory = new Map<string, Record<string, unknown>>();

  constructor(options: ModelServerOptions) {
    this.#options = options;
    this.script = options.script;
  }

  reset(): void {
    this.seen.length = 0;
    this.faults.length = 0;
    this.#before.clear();
    this.#memory.clear();
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    if (url.pathname.startsWith('/_')) return this.#own(request, url, response);
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const seen: SeenRequest = { at: Date.now(), method: request.method ?? '', path: request.url ?? '', headers, body: await read(request) };
    this.seen.push(seen);
    response.on('close', () => {
      seen.status = response.statusCode;
      if (!response.writableFinished) seen.aborted = true;
    });
    const keys = this.#options.key;
    if (keys !== undefined && ![keys].flat().some((key) => headers.authorization === `Bearer ${key}`))
      return fail(response, 401, { message: 'Incorrect API key provided.', type: 'invalid_request_error', code: 'invalid_api_key' });
    if (url.pathname === '/v1/models' && request.method === 'GET') return json(response, 200, { object: 'list', data: this.#models() });
    if (url.pathname !== '/v1/chat/completions' || request.method !== 'POST') return fail(response, 404, { message: `Unknown request URL: ${request.method} ${url.pathname}` });
    await this.#complete(seen, headers, response);
  }

  #models() {
    const named = Object.keys(this.#options.scripts ?? {});
    const names = this.script ? [this.#options.model ?? 'scripted', ...named] : named;
    return names.map((id) => ({
      id,
      object: 'model',
      created: 0,
      owned_by: 'longhaul-tests',
      ...(this.#options.window === undefined ? {} : { max_model_len: this.#options.window }),
    }));
  }

  async #complete(seen: SeenRequest, headers: Record<string, string>, response: ServerResponse): Promise<void> {
    let request: CompletionRequest;
    try {
      request = JSON.parse(seen.body) as CompletionRequest;
    } catch {
      seen.answer = 'refused';
      return fail(response, 400, { message: 'We could not parse the JSON body of your request.', type: 'invalid_request_error' });
    }
    const wrong = this.#options.strict === false ? undefined : wrongWith(request);
    if (wrong !== undefined) {
      seen.answer = 'refused';
      this.faults.push(wrong);
      return fail(response, 400, { message: wrong, type: 'invalid_request_error' });
    }
    const window = this.#options.window;
    if (window !== undefined && promptTokens(request) + (request.max_tokens ?? 0) > window) {
      seen.answer = 'refused';
      return fail(response, 400, {
        message: `This model's maximum context length is ${window} tokens. However, your messages resulted in ${promptTokens(request)} tokens.`,
        type: 'invalid_request_error',
        code: 'context_length_exceeded',
      });
    }
    const named = this.#options.scripts?.[request.model];
    const script = named ?? this.script;
    if (!script) return fail(response, 404, { message: `The model '${request.model}' does not exist`, type: 'invalid_request_error', code: 'model_not_found' });
    const conversation = conversationOf(request, headers);
    const before = this.#before.get(conversation) ?? 0;
    this.#before.set(conversation, before + 1);
    seen.conversation = conversation;
    seen.script = named ? request.model : 'default';
    const turn = turnOf(request, headers, {
      script: seen.script,
      conversation,
      before,
      memory: this.#kept(`c:${conversation}`),
      shared: this.#kept(`k:${seen.script}:${headers.authorization ?? ''}`),
    });
    const answer = await script(turn);
    seen.answer = answer.kind;
    await send(request, answer, response);
  }

  #kept(name: string): Record<string, unknown> {
    const kept = this.#memory.get(name) ?? {};
    this.#memory.set(name, kept);
    return kept;
  }

  #own(request: IncomingMessage, url: URL, response: ServerResponse): void {
    request.resume();
    if (request.method === 'POST' && url.pathname === '/_reset') {
      this.reset();
      return json(response, 200, {});
    }
    if (url.pathname === '/_find') return json(response, 200, findIn(this.seen, url.searchParams.get('value') ?? ''));
    if (url.pathname === '/_seen') {
      const conversation = url.searchParams.get('conversation');
      const model = url.searchParams.get('model');
      const seen = this.seen.filter((one) => (conversation === null || one.conversation === conversation) && (model === null || one.script === model));
      return json(response, 200, { seen, faults: this.faults });
    }
    return fail(response, 404, { message: 'not found' });
  }
}

async function read(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > BODY_LIMIT) throw new Error('a request beyond 32 MB');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function json(response: ServerResponse, status: number, value: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(value));
}

function fail(response: ServerResponse, status: number, error: { message: string; type?: string; code?: string }, headers: Record<string, string> = {}): void {
  json(response, status, { error: { type: 'server_error', code: null, ...error } }, headers);
}

async function send(request: CompletionRequest, answer: Answer, response: ServerResponse): Promise<void> {
  switch (answer.kind) {
    case 'message':
      return request.stream === true ? await stream(request, answer, response) : await whole(request, answer, response);
    case 'error':
      return fail(
        response,
        answer.status,
        { message: answer.message, ...(answer.type ? { type: answer.type } : {}), ...(answer.code ? { code: answer.code } : {}) },
        { ...(answer.retryAfter === undefined ? {} : { 'retry-after': String(answer.retryAfter) }), ...answer.headers },
      );
    case 'hang':
      if (answer.headers === true) {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.flushHeaders();
      }
      return;
    case 'reset':
      response.socket?.resetAndDestroy();
      return;
    case 'raw':
      response.writeHead(answer.status, answer.headers ?? {});
      response.end(answer.body);
  }
}

async function whole(request: CompletionRequest, answer: MessageAnswer, response: ServerResponse): Promise<void> {
  await answer.between?.();
  const body = wholeBody(request, answer);
  response.writeHead(200, { 'content-type': 'application/json', ...(answer.drop ? { 'content-length': String(Buffer.byteLength(body)) } : {}) });
  if (!answer.drop) return void response.end(body);
  response.write(body.slice(0, Math.floor(body.length / 2)), () => response.destroy());
}

/** Until the caller has taken what was written, or is gone. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const over = () => {
      response.off('drain', over).off('close', over);
      resolve();
    };
    response.on('drain', over).on('close', over);
  });
}

async function stream(request: CompletionRequest, answer: MessageAnswer, response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  response.flushHeaders();
  for (const event of events(request, answer)) {
    await answer.between?.();
    if (response.destroyed) return;
    if (!response.write(event)) await drained(response);
  }
  if (answer.drop && answer.drop.quiet !== true) setImmediate(() => response.destroy());
  else response.end();
}
