/** Server-sent events: the frames of a socket, one message each, with `id` the `seq` of the frame. The object holds the socket and may sleep; this side holds the answer. */
import { type Refusal, refuse } from '../domain/refusals.ts';
import { goalStub } from '../goal/goal-stub.ts';
import { workspaceStub } from '../workspace/workspace-stub.ts';
import { parameters, resumeAt } from './parameters.ts';
import type { Call } from './route.ts';
import { socketRequest } from './socket.ts';

/** Milliseconds. A line now and then keeps what lies between from closing a quiet connection; the socket's ticket is good for five minutes. */
const keepAliveMs = 20_000;
const renewEvery = 6;
/** Milliseconds after which a client that lost the stream comes back. */
const retryMs = 1000;
/** Bytes that may wait for a slow reader. One that is further behind is let go, and resumes. */
const waitingBytes = 8_000_000;

/** `GET .../goals/{goal}/stream?after=`. `Last-Event-ID`, which a browser sends when it comes back, goes before. */
export function streamRoute(call: Call): Promise<Response | Refusal> {
  const goal = call.params.goal ?? '';
  return follow(call, (after) => goalStub(call.env, call.workspace, goal).fetch(socketRequest(call, goal, after)));
}

/** `GET /v1/workspaces/{workspace}/stream?after=` */
export function goalsStreamRoute(call: Call): Promise<Response | Refusal> {
  return follow(call, (after) => workspaceStub(call.env, call.workspace).fetch(socketRequest(call, '', after)));
}

async function follow(call: Call, open: (after: number | undefined) => Promise<Response>): Promise<Response | Refusal> {
  const given = parameters(resumeAt, call.query);
  if (!given.ok) return given.refusal;
  const last = call.request.headers.get('last-event-id');
  if (last !== null && last !== '' && !/^\d{1,15}$/.test(last))
    return refuse('schema_invalid', { errors: [{ pointer: '', code: 'last_event_id', detail: 'the id of an event of this stream' }] });
  const socket = await open(last ? Number(last) : given.value.after).then(
    (response) => response.webSocket,
    () => null,
  );
  if (!socket) return refuse('unavailable');
  const stream = new FrameStream(socket);
  // Whether there is such a thing the first frame says, and a refusal must come before an answer.
  const first = await stream.first;
  if (first === 'not_found') return refuse('not_found');
  if (first === 'closed') return refuse('unavailable');
  return new Response(stream.readable, { headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store', 'x-accel-buffering': 'no' } });
}

class FrameStream {
  readonly readable: ReadableStream<Uint8Array>;
  readonly first: Promise<'frame' | 'not_found' | 'closed'>;
  readonly #socket: WebSocket;
  readonly #text = new TextEncoder();
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  #begun: (how: 'frame' | 'not_found' | 'closed') => void = () => {};

  constructor(socket: WebSocket) {
    this.#socket = socket;
    this.first = new Promise((resolve) => {
      this.#begun = resolve;
    });
    this.readable = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        cancel: () => this.#end('left'),
      },
      { highWaterMark: waitingBytes, size: (chunk) => chunk.byteLength },
    );
    this.#write(`retry: ${retryMs}\n\n`);
    socket.addEventListener('message', ({ data }) => this.#received(data));
    socket.addEventListener('close', ({ code }) => {
      this.#begun(code === 4004 ? 'not_found' : 'closed');
      this.#end('closed');
    });
    socket.addEventListener('error', () => {
      this.#begun('closed');
      this.#end('closed');
    });
    socket.accept();
    let beats = 0;
    this.#timer = setInterval(() => {
      this.#write(': \n\n');
      socket.send(++beats % renewEvery === 0 ? '{"kind":"renew"}' : '{"kind":"ping"}');
    }, keepAliveMs);
  }

  #received(data: unknown): void {
    if (typeof data !== 'string') return;
    const { kind, seq, code } = JSON.parse(data) as { kind: string; seq?: number; code?: string };
    if (kind === 'pong') return;
    this.#begun(kind === 'error' && code === 'not_found' ? 'not_found' : 'frame');
    this.#write(`${seq === undefined ? '' : `id: ${seq}\n`}data: ${data}\n\n`);
    if ((this.#controller?.desiredSize ?? 1) <= 0) this.#end('behind');
  }

  #write(text: string): void {
    this.#controller?.enqueue(this.#text.encode(text));
  }

  #end(why: 'left' | 'closed' | 'behind'): void {
    clearInterval(this.#timer);
    const controller = this.#controller;
    this.#controller = undefined;
    if (why !== 'left') controller?.close();
    if (why !== 'closed') this.#socket.close(1000, why);
  }
}
