/** Text and bytes: strict decoding that says where it failed. */
import { type Refusal, refuse } from '../domain/refusals.ts';

/** Decodes UTF-8 strictly; a byte order mark is kept. A bad byte is refused with its line and offset. */
export function decodeUtf8(bytes: Uint8Array, path: string): { text: string } | { refusal: Refusal } {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    const at = firstBadByte(bytes);
    let line = 1;
    for (let i = 0; i < at; i++) if (bytes[i] === 10) line++;
    return {
      refusal: refuse('malformed_data', {
        detail: `${path} is not UTF-8: byte ${at}, line ${line}`,
        errors: [{ pointer: path, code: 'not_utf8', detail: `byte ${at}, line ${line}` }],
      }),
    };
  }
}

/** Offset of the first byte that starts no valid UTF-8 sequence: the decoder itself does not say. */
function firstBadByte(bytes: Uint8Array): number {
  let good = 0;
  let bad = bytes.length;
  const decodes = (end: number): boolean => {
    try {
      // `stream` forgives a sequence that is cut off at the end, so that a prefix of valid text is valid.
      new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes.subarray(0, end), { stream: true });
      return true;
    } catch {
      return false;
    }
  };
  while (good < bad) {
    const middle = (good + bad + 1) >> 1;
    if (decodes(middle)) good = middle;
    else bad = middle - 1;
  }
  return good;
}

export function encodeUtf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

export function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

/** Strict: undefined where the text is not base64. */
export function fromBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined;
  return new Uint8Array(Buffer.from(text, 'base64'));
}
