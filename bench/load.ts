/**
 * A load generator that costs little beside what it measures: keep-alive connections, one request in flight on each, requests as prepared text.
 * (Node's own HTTP client takes about as long for a request as the server under test does.)
 */
import { connect, type Socket } from 'node:net';

export interface Prepared {
  path: string;
  body: string;
}

export interface Answer {
  status: number;
  body: string;
}

/** The server closed it before anything of an answer came. */
class Closed extends Error {}

/**
 * One keep-alive connection. It understands what the runtime answers: `content-length` or chunks. A server may close one that is idle at any time, also just as a
 * request is on its way: then the same request goes out once more on a new one. Commands have ids, so that this gives them once.
 */
export class Connection {
  readonly #url: URL;
  #socket: Socket | undefined;
  #received = '';
  /** Answers that came over this socket. */
  #answers = 0;
  #waiting: { resolve(answer: Answer): void; reject(error: Error): void } | undefined;

  private constructor(url: URL) {
    this.#url = url;
  }

  static async open(url: URL): Promise<Connection> {
    const connection = new Connection(url);
    await connection.#connect();
    return connection;
  }

  #connect(): Promise<Socket> {
    return new Promise((resolve, reject) => {
      const socket = connect(Number(this.#url.port), this.#url.hostname, () => {
        this.#socket = socket;
        this.#received = '';
        this.#answers = 0;
        resolve(socket);
      });
      // Latin 1 keeps one character a byte, so that lengths are right; what is read out of an answer here is ASCII.
      socket.setEncoding('latin1');
      socket.setNoDelay(true);
      socket.on('data', (text: string) => {
        this.#received += text;
        this.#settle();
      });
      const ended = (error?: Error) => {
        reject(error ?? new Error('no connection'));
        if (this.#socket !== socket) return;
        this.#socket = undefined;
        this.#waiting?.reject(this.#received === '' ? new Closed(error?.message ?? 'the connection was closed') : new Error('the connection was closed within an answer'));
        this.#waiting = undefined;
      };
      socket.on('end', () => ended());
      socket.on('error', ended);
      socket.on('close', () => ended());
    });
  }

  post({ path, body }: Prepared): Promise<Answer> {
    return this.#send(`POST ${path} HTTP/1.1\r\nHost: ${this.#url.host}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }

  get(path: string): Promise<Answer> {
    return this.#send(`GET ${path} HTTP/1.1\r\nHost: ${this.#url.host}\r\n\r\n`);
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  async #send(text: string): Promise<Answer> {
    const idle = this.#socket !== undefined && this.#answers > 0;
    try {
      return await this.#ask(this.#socket ?? (await this.#connect()), text);
    } catch (error) {
      if (!idle || !(error instanceof Closed)) throw error;
      return this.#ask(await this.#connect(), text);
    }
  }

  #ask(socket: Socket, text: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      socket.write(text);
    });
  }

  #settle(): void {
    const head = this.#received.indexOf('\r\n\r\n');
    if (head < 0) return;
    const headers = this.#received.slice(0, head);
    const start = head + 4;
    const length = /\r\ncontent-length: *(\d+)/i.exec(headers)?.[1];
    let body: string;
    let end: number;
    if (length !== undefined) {
      end = start + Number(length);
      if (this.#received.length < end) return;
      body = this.#received.slice(start, end);
    } else {
      const whole = unchunked(this.#received, start);
      if (!whole) return;
      ({ body, end } = whole);
    }
    this.#received = this.#received.slice(end);
    const waiting = this.#waiting;
    this.#waiting = undefined;
    this.#answers++;
    waiting?.resolve({ status: Number(headers.slice(9, 12)), body });
  }
}

function unchunked(text: string, start: number): { body: string; end: number } | undefined {
  let body = '';
  for (let at = start; ; ) {
    const line = text.indexOf('\r\n', at);
    if (line < 0) return undefined;
    const size = Number.parseInt(text.slice(at, line), 16);
    const next = line + 2 + size + 2;
    if (text.length < next) return undefined;
    if (size === 0) return { body, end: next };
    body += text.slice(line + 2, line + 2 + size);
    at = next;
  }
}

export async function openConnections(url: URL, count: number): Promise<Connection[]> {
  return Promise.all(Array.from({ length: count }, () => Connection.open(url)));
}

export interface Load {
  /** Answered in the time, per second. */
  perSecond: number;
  count: number;
  /** Milliseconds from sending to the answer. */
  p50: number;
  p99: number;
}

/** Milliseconds. An answer that takes longer is not coming. */
const patienceMs = 30_000;

/** Keeps every connection busy for `ms`. An answer that is not 2xx is an error: a benchmark of refusals measures nothing. */
export async function drive(connections: readonly Connection[], ms: number, next: () => Prepared, onAnswer: (answer: Answer, at: number) => void = () => {}): Promise<Load> {
  const began = performance.now();
  const until = began + ms;
  const times: number[] = [];
  const work = Promise.all(
    connections.map(async (connection) => {
      for (let sent = performance.now(); sent < until; ) {
        const answer = await connection.post(next());
        const now = performance.now();
        if (answer.status < 200 || answer.status > 299) throw new Error(`${answer.status}: ${answer.body.slice(0, 500)}`);
        times.push(now - sent);
        onAnswer(answer, now);
        sent = now;
      }
    }),
  );
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`of the requests in flight one was not answered within ${patienceMs} ms; ${times.length} were`)), ms + patienceMs);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
  const seconds = (performance.now() - began) / 1000;
  times.sort((a, b) => a - b);
  return { perSecond: times.length / seconds, count: times.length, p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
}

/** Of sorted numbers. */
export function quantile(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

export const rounded = (value: number, digits = 2): number => Number(value.toFixed(digits));
