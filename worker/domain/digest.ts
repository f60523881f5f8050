/** Canonical text of a JSON value and its digest: equal values have equal digests whatever the order of their keys. */
import type { Json } from './values.ts';

export function canonical(value: Json): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const keys = Object.keys(value).sort();
  return `{${keys.filter((key) => value[key] !== undefined).map((key) => `${JSON.stringify(key)}:${canonical(value[key] as Json)}`).join(',')}}`;
}

export function digestOf(sha256: (text: string) => string, value: Json): string {
  return sha256(canonical(value));
}
