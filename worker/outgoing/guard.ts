/**
 * The one way out: tools, MCP servers, model providers, webhooks and probes send through here and nowhere else. An address is judged before each hop,
 * bodies are counted while they stream, and everything has an end in time.
 */
import { type Refusal, refuse } from '../domain/refusals.ts';
import { type AddressFault, judgeAddress, type OutgoingRules } from './address.ts';

export interface OutgoingLimits {
  /** Bytes of an answer's body, as it arrives unpacked. */
  maxBytes?: number;
  /** Milliseconds until the whole answer, body included, must be there. */
  timeoutMs?: number;
  /** Hops after the first address. */
  redirects?: number;
  /** What sends; tests hand in their own. */
  send?: typeof fetch;
}

export const OUTGOING_BYTES = 16 * 1024 * 1024;
export const OUTGOING_TIMEOUT = 60_000;
export const OUTGOING_REDIRECTS = 5;

/** Headers that go along when a redirect leads to another host. Keys travel in headers of many names, so the list says what may, not what may not. */
const harmless = new Set(['accept', 'accept-language', 'content-type', 'user-agent']);
/** Set by the platform or by a proxy; nobody here makes them up. */
const notOurs = /^(host|connection|content-length|transfer-encoding|upgrade|via|forwarded|x-forwarded-.*|x-real-ip|cf-.*|proxy-.*)$/i;

/** Thrown where a `fetch` is expected; `refusal` is what an agent or a person is told. Nothing was sent to the place it names. */
export class OutgoingRefused extends Error {
  readonly refusal: Refusal;
  readonly fault: AddressFault | 'too_large' | 'too_slow' | 'too_many_redirects' | 'body_not_repeatable';
  /** Whether something of the request went out, be it to another address. */
  readonly sent: boolean;
  constructor(fault: OutgoingRefused['fault'], detail: string, place: string) {
    super(`${fault}: ${detail}`);
    this.name = 'OutgoingRefused';
    this.fault = fault;
    this.sent = place !== '/url' || ['too_large', 'too_slow', 'too_many_redirects', 'body_not_repeatable'].includes(fault);
    this.refusal = refuse('address_refused', { detail: `${fault}: ${detail}`, errors: [{ pointer: place, code: fault, detail }] });
  }
}

/** The refusal of an address, before anything depends on it: for settings, and for tools that want to say where it stands (`place`, a JSON pointer). */
export function addressRefusal(policy: OutgoingRules, url: string, place = '/url'): Refusal | undefined {
  const judged = judgeAddress(url, policy);
  return judged.ok ? undefined : new OutgoingRefused(judged.fault, judged.detail, place).refusal;
}

/** The policy with these addresses admitted: the workspace itself set them, so they need not be on its list as well. */
export function admit(policy: OutgoingRules, ...urls: string[]): OutgoingRules {
  const hosts = urls
    .flatMap((url) => (URL.canParse(url) ? [new URL(url)] : []))
    .map(({ hostname, port, protocol }) => `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`);
  return { ...policy, admitted: [...policy.admitted, ...hosts] };
}

/** A `fetch` for libraries that take one. */
export function fetchUnder(policy: OutgoingRules, limits: OutgoingLimits = {}): typeof fetch {
  return (input, init) => guardedFetch(policy, input, init, limits);
}

/**
 * As `fetch`, under the policy. Throws `OutgoingRefused` (nothing went to the address it names), the abort reason of `init.signal`, or what `fetch` throws.
 * With `redirect: 'manual'` a redirect is the answer; otherwise each hop is judged anew, and what could be a key stays behind when the host changes.
 * Reading the body fails with `OutgoingRefused` past its size or time.
 */
export async function guardedFetch(policy: OutgoingRules, input: RequestInfo | URL, init: RequestInit = {}, limits: OutgoingLimits = {}): Promise<Response> {
  const send = limits.send ?? fetch;
  const from = input instanceof Request ? input : undefined;
  let address = from ? from.url : String(input);
  let method = (init.method ?? from?.method ?? 'GET').toUpperCase();
  let headers = new Headers(init.headers ?? from?.headers);
  for (const name of [...headers.keys()]) if (notOurs.test(name)) headers.delete(name);
  let body: BodyInit | null | undefined = init.body ?? from?.body;
  const mode = init.redirect ?? (from ? from.redirect : 'follow');
  const clock = timer(limits.timeoutMs ?? OUTGOING_TIMEOUT, [init.signal, from?.signal]);
  let startedAtHome = false;
  try {
    for (let hop = 0; ; hop++) {
      const place = hop === 0 ? '/url' : `/redirects/${hop}`;
      const judged = judgeAddress(address, policy);
      if (!judged.ok) throw new OutgoingRefused(judged.fault, judged.detail, place);
      // Only what began on this machine may go on there: an outside answer never leads in.
      if (hop === 0) startedAtHome = judged.loopback;
      else if (judged.loopback && !startedAtHome) throw new OutgoingRefused('loopback', 'a redirect from outside leads to this machine', place);
      const response = await clock.race(
        send(judged.url.href, { method, headers, redirect: 'manual', signal: clock.signal, ...(body === null || body === undefined ? {} : { body }), ...streaming(body) }),
      );
      const location = response.headers.get('location');
      if (![301, 302, 303, 307, 308].includes(response.status) || location === null || mode === 'manual') return capped(response, limits.maxBytes ?? OUTGOING_BYTES, clock);
      await response.body?.cancel();
      if (mode === 'error' || hop >= (limits.redirects ?? OUTGOING_REDIRECTS)) throw new OutgoingRefused('too_many_redirects', `it answers with a redirect (${hop + 1})`, place);
      const next = absolute(location, judged.url);
      if (response.status === 303 || (method === 'POST' && (response.status === 301 || response.status === 302))) {
        if (method !== 'HEAD') method = 'GET';
        body = undefined;
        headers.delete('content-type');
      } else if (body instanceof ReadableStream) throw new OutgoingRefused('body_not_repeatable', 'a streamed body cannot be sent to another address', place);
      if (!URL.canParse(next) || new URL(next).origin !== judged.url.origin) headers = new Headers([...headers].filter(([name]) => harmless.has(name)));
      address = next;
    }
  } catch (error) {
    clock.stop();
    throw error;
  }
}

/** A relative address is resolved; an absolute one is judged as it is written. */
function absolute(location: string, base: URL): string {
  if (/^[a-z][a-z0-9+.-]*:/i.test(location)) return location;
  if (/^[/\\]{2}/.test(location)) return `${base.protocol}${location}`;
  return URL.canParse(location, base) ? new URL(location, base).href : location;
}

/** Node wants to be told that a stream is sent. */
function streaming(body: BodyInit | null | undefined): object {
  return body instanceof ReadableStream ? { duplex: 'half' } : {};
}

interface Clock {
  signal: AbortSignal;
  race<T>(work: Promise<T>): Promise<T>;
  stop(): void;
}

/** One end in time for a whole exchange. `stop` frees the timer. */
function timer(ms: number, outer: (AbortSignal | null | undefined)[]): Clock {
  const own = new AbortController();
  const late = setTimeout(() => own.abort(new OutgoingRefused('too_slow', `no whole answer within ${ms} ms`, '/url')), ms);
  const signal = AbortSignal.any([own.signal, ...outer.filter((each) => each !== null && each !== undefined)]);
  return {
    signal,
    async race(work) {
      try {
        return await work;
      } catch (error) {
        // Some runtimes throw their own error for an abort; the reason says more.
        throw signal.aborted ? signal.reason : error;
      }
    },
    stop: () => clearTimeout(late),
  };
}

/** Counts what arrives. The sender's own length is a reason to refuse at once, never one to trust. */
function capped(response: Response, maxBytes: number, clock: Clock): Response {
  const { body, status } = response;
  const tooLarge = () => new OutgoingRefused('too_large', `the answer is larger than ${maxBytes} bytes`, '/url');
  if (Number(response.headers.get('content-length') ?? 0) > maxBytes) {
    clock.stop();
    void body?.cancel().catch(() => {});
    throw tooLarge();
  }
  if (!body || status === 204 || status === 304) {
    clock.stop();
    return response;
  }
  const reader = body.getReader();
  let bytes = 0;
  const counted = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await untilAborted(reader.read(), clock.signal);
        if (done) {
          clock.stop();
          return controller.close();
        }
        bytes += value.byteLength;
        if (bytes > maxBytes) throw tooLarge();
        controller.enqueue(value);
      } catch (error) {
        clock.stop();
        void reader.cancel(error).catch(() => {});
        controller.error(clock.signal.aborted ? clock.signal.reason : error);
      }
    },
    async cancel(reason) {
      clock.stop();
      await reader.cancel(reason);
    },
  });
  const { statusText } = response;
  const headers = new Headers(response.headers);
  // What is read here is unpacked already.
  headers.delete('content-encoding');
  headers.delete('content-length');
  return new Response(counted, { status, statusText, headers });
}

function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) return Promise.reject(signal.reason);
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort);
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
