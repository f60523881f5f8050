/** Canonical text of a JSON value and its digest: equal values have equal digests whatever the order of their keys. */
import type { Json } from './values.ts';

export function canonical(value: Json): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  let text = '';
  if (Array.isArray(value)) {
    for (const element of value) text += text === '' ? canonical(element) : `,${canonical(element)}`;
    return `[${text}]`;
  }
  for (const key of Object.keys(value).sort()) {
    const member = value[key];
    if (member !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${canonical(member)}`;
  }
  return `{${text}}`;
}

export function digestOf(sha256: (text: string) => string, value: Json): string {
  return sha256(canonical(value));
}
