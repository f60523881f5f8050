/** Reads a request's body under a limit. Whatever the outcome the body is read to its end or cancelled: an unread one makes the runtime reset the connection. */
import { refuse } from '../domain/refusals.ts';
import type { Json } from '../domain/values.ts';
import { readJson } from './data-file.ts';
import { bad, good, type Outcome } from './outcome.ts';

/** Commands: 1 MB. Longer texts and data belong in files. */
export const maxCommandBytes = 1_000_000;
/** Files: 25 MB, held in memory once, in an isolate of 128 MB. */
export const maxFileBytes = 25_000_000;

const tooLarge = (limit: number) => refuse('limit_exceeded', { detail: `The body may have ${limit} bytes.`, current: { limit: 'body', bytes: limit } });

export async function discardBody(request: Request): Promise<void> {
  if (!request.bodyUsed && request.body) await request.body.cancel().catch(() => {});
}

/** The bytes, or `limit_exceeded`. A declared length over the limit is refused before a byte is read; a longer body than declared at the byte that is too much. */
export async function readBytes(request: Request, limit: number): Promise<Outcome<Uint8Array<ArrayBuffer>>> {
  const declared = Number(request.headers.get('content-length') ?? '0');
  if (declared > limit) {
    await discardBody(request);
    return bad(tooLarge(limit));
  }
  if (declared > 0) {
    // A request that says how long it is cannot be longer: the runtime reads no further. One call then, not one a chunk.
    const whole = new Uint8Array(await request.arrayBuffer());
    return whole.byteLength > limit ? bad(tooLarge(limit)) : good(whole);
  }
  if (!request.body) return good(new Uint8Array());
  const reader = request.body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.byteLength;
    if (size > limit) {
      await reader.cancel().catch(() => {});
      return bad(tooLarge(limit));
    }
    chunks.push(value);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return good(bytes);
}

/** An object, from a body of JSON in UTF-8. An empty body is `{}`. What does not parse is refused with the byte where it stops making sense. */
export async function readJsonObject(request: Request): Promise<Outcome<{ [key: string]: Json }>> {
  const bytes = await readBytes(request, maxCommandBytes);
  if (!bytes.ok) return bytes;
  if (bytes.value.byteLength === 0) return good({});
  const parsed = readJson(bytes.value);
  if (!parsed.ok) return parsed;
  const value = parsed.value;
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    return bad(refuse('schema_invalid', { errors: [{ pointer: '', code: 'invalid_type', detail: 'expected an object' }] }));
  return good(value);
}
