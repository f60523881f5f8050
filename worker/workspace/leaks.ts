/** A secret that somebody also wrote where it would be kept in the clear. */
import type { Problem } from '../domain/refusals.ts';

/** Shorter values are found by chance in any text. */
const leastCharacters = 6;

/** The fields of a command that hold the secret's value; they must not be kept. */
export function leaks(value: string, fields: Record<string, string>): Problem[] {
  if (value.length < leastCharacters) return [];
  return Object.entries(fields).flatMap(([name, text]) =>
    text.includes(value) ? [{ pointer: name === 'name' ? '/payload/name' : `/${name}`, code: 'contains_secret', detail: 'the value of the secret stands here too' }] : [],
  );
}
