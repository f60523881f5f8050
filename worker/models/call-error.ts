/**
 * What a failed model call means. A provider's own words are kept short and without the key; the code says what to do.
 * One owner repeats calls: the model loop, by `Retries`. AI SDK's own repeating is off everywhere (`maxRetries: 0`).
 */
import { APICallError, InvalidResponseDataError, JSONParseError, NoOutputGeneratedError, StreamProviderError, TypeValidationError } from 'ai';
import { Redactor } from '../observe/redactor.ts';
import { OutgoingRefused } from '../outgoing/guard.ts';

/** Why a provider will not take this call as it is. */
export type CallRefusalCode =
  /** The key is missing, wrong, or withdrawn. */
  | 'key'
  /** The key may not use this model, or this region. */
  | 'permission'
  /** The account is out of money or over a daily or monthly quota: waiting minutes does not help. */
  | 'quota'
  /** No such model, or no such address. */
  | 'model'
  /** The prompt is longer than the window: compact it. */
  | 'too_long'
  /** The provider's own rules on content. */
  | 'content'
  /** The outgoing guard forbids the address. */
  | 'address'
  /** Anything else that the provider says is wrong with the request. */
  | 'request';

export type CallError =
  /** The same call may be made again. `limited`: the provider asks for fewer calls, so others of this workspace should wait as well. `afterMs`: as the provider asked. */
  | { kind: 'retry'; code: 'limited' | 'overloaded' | 'network' | 'cut' | 'timeout'; afterMs?: number; detail: string }
  | { kind: 'refused'; code: CallRefusalCode; afterMs?: number; detail: string }
  /** Nothing is known about it: a fault of this program, or of a provider's package. */
  | { kind: 'unknown'; detail: string };

/** Characters of what a provider said. */
const detailLength = 300;

/** Characters of an answer's body that are looked at. */
const bodyRead = 4000;

/** `secrets` are taken out of what the provider said: some quote the key they refuse. `now` is milliseconds, for a `Retry-After` that is a date. */
export function callError(error: unknown, now: number, secrets: readonly string[] = []): CallError {
  const named = classify(error, now);
  return { ...named, detail: clean(named.detail, secrets) };
}

function classify(error: unknown, now: number): CallError {
  const refused = guarded(error);
  if (refused) return ofGuard(refused);
  if (APICallError.isInstance(error)) return ofStatus(error.statusCode, says(error), headersOf(error), (error.responseBody ?? '').slice(0, bodyRead), now);
  if (StreamProviderError.isInstance(error)) return ofStream(error, now);
  if (InvalidResponseDataError.isInstance(error) || NoOutputGeneratedError.isInstance(error)) return { kind: 'retry', code: 'cut', detail: messageOf(error) };
  // Local servers put an error where a piece of the answer belongs, as a text alone.
  const put = TypeValidationError.isInstance(error) ? (error.value as { error?: unknown } | null)?.error : undefined;
  if (typeof put === 'string') return tooLong.test(put) ? { kind: 'refused', code: 'too_long', detail: put } : { kind: 'retry', code: 'overloaded', detail: put };
  if (JSONParseError.isInstance(error)) return { kind: 'retry', code: 'cut', detail: 'The answer could not be read.' };
  const name = error instanceof Error ? error.name : '';
  if (name === 'TimeoutError') return { kind: 'retry', code: 'timeout', detail: 'The provider did not answer in time.' };
  if (name === 'TypeError' && /json|unexpected|undefined|null|not a function/i.test(messageOf(error))) return { kind: 'unknown', detail: messageOf(error) };
  if (isNetwork(error)) return { kind: 'retry', code: 'network', detail: messageOf(error) };
  return { kind: 'unknown', detail: messageOf(error) };
}

function ofStatus(status: number | undefined, message: string, headers: Record<string, string>, body: string, now: number): CallError {
  const afterMs = retryAfter(headers, body, now);
  const wait = afterMs === undefined ? {} : { afterMs };
  if (status === undefined) return { kind: 'retry', code: 'network', detail: message };
  // What comes with a success and is an error all the same broke off on its way.
  if (status < 400) return { kind: 'retry', code: 'cut', detail: message };
  const said = `${message} ${body}`;
  if (tooLong.test(said)) return { kind: 'refused', code: 'too_long', detail: message };
  if (status === 402 || ((status === 429 || status === 403) && outOfQuota.test(said))) return { kind: 'refused', code: 'quota', ...wait, detail: message };
  if (status === 429) return { kind: 'retry', code: 'limited', ...wait, detail: message };
  if (status === 401) return { kind: 'refused', code: 'key', detail: message };
  if (status === 403) return { kind: 'refused', code: 'permission', detail: message };
  if (status === 404) return { kind: 'refused', code: 'model', detail: message };
  if (status === 408 || status === 409 || status === 425 || status >= 500) return { kind: 'retry', code: 'overloaded', ...wait, detail: message };
  // Google answers a wrong key with 400.
  if (/api.?key not valid|api_key_invalid|invalid.{0,12}api.?key|incorrect api key/i.test(said)) return { kind: 'refused', code: 'key', detail: message };
  if (status === 400 && /model.{0,60}(not exist|not found|not supported)/i.test(said)) return { kind: 'refused', code: 'model', detail: message };
  if (/content.?(filter|policy)|safety/i.test(said)) return { kind: 'refused', code: 'content', detail: message };
  return { kind: 'refused', code: 'request', detail: message };
}

/** An error that came as part of a stream that had begun with a success. */
function ofStream(error: StreamProviderError, now: number): CallError {
  const kind = `${error.type ?? ''} ${error.code ?? ''}`;
  if (error.statusCode !== undefined && error.statusCode >= 400) return ofStatus(error.statusCode, error.message, {}, '', now);
  if (/rate_limit/.test(kind)) return { kind: 'retry', code: 'limited', detail: error.message };
  if (/overloaded|server_error|api_error|timeout/.test(kind) || error.isRetryable === true) return { kind: 'retry', code: 'overloaded', detail: error.message };
  return ofStatus(400, error.message, {}, kind, now);
}

const tooLong =
  /context.{0,3}(length|size)|context window|maximum context|prompt is too long|input is too long|too many tokens|exceeds? the (maximum|limit).{0,40}tokens|input token count/i;
const outOfQuota =
  /insufficient_quota|exceeded your current quota|billing|credit balance|payment required|per.?day|daily|monthly|quota.{0,20}(exhausted|exceeded).{0,60}(day|month)/i;

/** Milliseconds that the provider asks to wait: `retry-after-ms`, `Retry-After` in seconds or as a date, or `retryDelay` in Google's body. */
export function retryAfter(headers: Record<string, string>, body: string, now: number): number | undefined {
  const exact = Number(headers['retry-after-ms'] ?? Number.NaN);
  if (Number.isFinite(exact) && exact >= 0) return Math.ceil(exact);
  const given = headers['retry-after']?.trim();
  if (given) {
    const seconds = Number(given);
    const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(given) - now;
    if (Number.isFinite(ms)) return Math.max(0, Math.ceil(ms));
  }
  const delay = /"retryDelay"\s*:\s*"(\d+(?:\.\d+)?)s"/.exec(body);
  return delay ? Math.ceil(Number(delay[1]) * 1000) : undefined;
}

const headersOf = (error: APICallError): Record<string, string> =>
  Object.fromEntries(Object.entries(error.responseHeaders ?? {}).map(([name, value]) => [name.toLowerCase(), value]));

/** What the provider itself said, where the package put something general in its place. */
function says(error: APICallError): string {
  const message = error.message.trim();
  if (message !== '' && message !== 'Failed to process successful response') return message;
  const cause = messageOf(error.cause);
  return cause !== '' ? cause : `HTTP ${error.statusCode ?? 'without a status'}`;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : error === undefined || error === null ? '' : String(error));

/** workerd says what broke in words only. */
function isNetwork(error: unknown): boolean {
  const said = messageOf(error);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return (
    /^(E(CONN|PIPE|TIMEDOUT|HOST|AI_)|UND_ERR)/.test(code) ||
    /network|connection|connect|socket|fetch failed|terminated|disconnected|internal error|broken pipe|premature|stream (was )?(closed|ended)/i.test(said)
  );
}

/** What the outgoing guard threw, also where a package put an error of its own around it. */
function guarded(error: unknown): OutgoingRefused | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) if (at instanceof OutgoingRefused) return at;
  return undefined;
}

function ofGuard({ fault, message }: OutgoingRefused): CallError {
  if (fault === 'too_slow') return { kind: 'retry', code: 'timeout', detail: message };
  if (fault === 'too_large') return { kind: 'refused', code: 'request', detail: message };
  return { kind: 'refused', code: 'address', detail: message };
}

function clean(text: string, secrets: readonly string[]): string {
  const redactor = new Redactor();
  for (const secret of secrets) redactor.add(secret, 'key');
  // Parts of keys, as providers quote them: `sk-abc***xyz`.
  const out = redactor
    .text(text)
    .replace(/\b(sk|pk|key|AIza)[-_]?[\w.-]*\*[\w*.-]+/g, '[redacted:key]')
    .replace(/\s+/g, ' ')
    .trim();
  return out.length > detailLength ? `${out.slice(0, detailLength)}…` : out;
}
