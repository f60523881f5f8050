/** JSON that loses nothing: a number whose digits a double cannot keep becomes its own text. */
import { type Refusal, refuse } from '../../domain/refusals.ts';
import type { Json } from '../../domain/values.ts';

/** `asText`: how many numbers were kept as text. */
export function parseJson(text: string, path: string): { value: Json; asText: number } | { refusal: Refusal } {
  let asText = 0;
  let forbidden = false;
  try {
    const body = text.startsWith('\uFEFF') ? text.slice(1) : text;
    const value = JSON.parse(body, (key: string, each: unknown, context?: { source?: string }) => {
      if (key === '__proto__') forbidden = true;
      if (typeof each !== 'number' || context?.source === undefined || exact(each, context.source)) return each;
      asText++;
      return context.source;
    }) as Json;
    if (forbidden)
      return { refusal: refuse('malformed_data', { detail: `${path} has a member "__proto__"`, errors: [{ pointer: path, code: 'forbidden_name', detail: '__proto__' }] }) };
    return { value, asText };
  } catch (error) {
    return {
      refusal: refuse('malformed_data', { detail: `${path} is not JSON: ${place(error, text)}`, errors: [{ pointer: path, code: 'not_json', detail: place(error, text) }] }),
    };
  }
}

/** True when the double stands for the very digits of the source. */
function exact(value: number, source: string): boolean {
  if (!Number.isFinite(value)) return false;
  const [mantissa = ''] = source.replace('-', '').toLowerCase().split('e');
  const digits = mantissa.replace('.', '').replace(/^0+/, '');
  if (/^[0-9]+$/.test(mantissa)) return Number.isSafeInteger(value);
  // Any 15 significant digits survive the way through a double.
  return digits.length <= 15 && (value !== 0 || digits === '');
}

function place(error: unknown, text: string): string {
  const message = error instanceof Error ? error.message : String(error);
  const position = /position (\d+)/.exec(message)?.[1];
  const at = position === undefined ? text.length : Number(position);
  return `line ${text.slice(0, at).split('\n').length}: ${message.slice(0, 200)}`;
}

/** The value under a JSON pointer; undefined when there is none. */
export function atPointer(value: Json, pointer: string): Json | undefined {
  if (pointer === '') return value;
  let here: Json | undefined = value;
  for (const part of pointer.slice(1).split('/')) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(here)) here = /^(0|[1-9]\d*)$/.test(name) ? here[Number(name)] : undefined;
    else if (here !== null && typeof here === 'object') here = Object.hasOwn(here, name) ? here[name] : undefined;
    else return undefined;
  }
  return here;
}
