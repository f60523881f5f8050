/** What a model wrote as arguments of a call. Nothing is guessed, and no digit is lost: a number that a double cannot keep becomes its own text. */
import type { Json } from '../../domain/values.ts';
import { parseJson } from '../../tools/json/parse.ts';

export type Arguments = { ok: true; args: { [key: string]: Json }; asText: number } | { ok: false; why: string };

export function readArguments(raw: string): Arguments {
  // Some models write nothing where a tool has no parameters; whether it has any is the schema's to say.
  if (raw.trim() === '') return { ok: true, args: {}, asText: 0 };
  const read = parseJson(raw, 'arguments');
  if ('refusal' in read) return { ok: false, why: read.refusal.detail ?? 'the arguments are not JSON' };
  const { value, asText } = read;
  if (value === null) return { ok: true, args: {}, asText };
  if (typeof value !== 'object' || Array.isArray(value))
    return { ok: false, why: `the arguments are ${Array.isArray(value) ? 'an array' : `a ${typeof value}`}; they must be one JSON object` };
  return { ok: true, args: value, asText };
}

/** How the arguments stand in the history that the model reads back: as an object, since some providers take nothing else. */
export function inHistory(raw: string, read: Arguments): Json {
  return read.ok ? read.args : { not_an_object: raw.slice(0, 500) };
}
