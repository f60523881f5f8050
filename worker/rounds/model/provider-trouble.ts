/** What can be wrong with a provider's answer, and what follows: try again, wait as it asks, make the request smaller, or stop and say so. */
import { APICallError } from 'ai';

export type Trouble =
  /** The round is over: nobody waits for the answer. */
  | { kind: 'stopped' }
  /** May pass by itself. `afterMs`: as the provider asks. */
  | { kind: 'passing'; detail: string; afterMs?: number }
  /** The request is larger than the model's window. */
  | { kind: 'too_large'; detail: string }
  /** Asking again the same way is useless: key, model name, request. */
  | { kind: 'final'; detail: string };

/** Longest wait that is taken from a provider, milliseconds; the host caps it too. */
export const RETRY_AFTER_CAP = 15 * 60_000;
const DETAIL = 500;

const tooLarge = /context.{0,20}(length|window|size|limit)|maximum.{0,20}tokens|too many (input )?tokens|prompt is too long|exceed.{0,40}(context|tokens)|input.{0,20}too long/i;

export function troubleOf(error: unknown): Trouble {
  if (APICallError.isInstance(error)) {
    const { statusCode: status } = error;
    const detail = said(`${status === undefined ? 'no answer' : `HTTP ${status}`}: ${error.message}`);
    const afterMs = retryAfter(error.responseHeaders ?? {});
    if (status === 413 || (status === 400 && tooLarge.test(`${error.message} ${error.responseBody ?? ''}`))) return { kind: 'too_large', detail };
    if (status === undefined || status === 408 || status === 409 || status === 425 || status === 429 || status >= 500)
      return { kind: 'passing', detail, ...(afterMs === undefined ? {} : { afterMs }) };
    // A body that could not be read comes with the status of success: it was cut on its way.
    if (status >= 200 && status < 300) return { kind: 'passing', detail };
    return { kind: 'final', detail };
  }
  const message = error instanceof Error ? error.message : messageOf(error);
  if (tooLarge.test(message)) return { kind: 'too_large', detail: said(message) };
  if (error instanceof Error && /^AI_(NoSuchModel|LoadAPIKey|LoadSetting|UnsupportedFunctionality|InvalidPrompt)Error$/.test(error.name))
    return { kind: 'final', detail: said(`${error.name}: ${message}`) };
  return { kind: 'passing', detail: said(message) };
}

/** Milliseconds from `retry-after-ms` or `retry-after` (seconds or a date); undefined where the provider asks for nothing that can be read. */
export function retryAfter(headers: Record<string, string>, now: number = Date.now()): number | undefined {
  const exact = Number(headers['retry-after-ms']);
  if (headers['retry-after-ms'] !== undefined && Number.isFinite(exact) && exact >= 0) return Math.min(exact, RETRY_AFTER_CAP);
  const text = headers['retry-after'];
  if (text === undefined) return undefined;
  const seconds = Number(text);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(text) - now;
  return Number.isFinite(ms) && ms >= 0 ? Math.min(ms, RETRY_AFTER_CAP) : undefined;
}

function messageOf(error: unknown): string {
  if (error !== null && typeof error === 'object' && 'message' in error && typeof error.message === 'string') return error.message;
  return typeof error === 'string' ? error : 'an unknown error';
}

function said(text: string): string {
  return text.slice(0, DETAIL);
}
