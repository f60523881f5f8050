/**
 * Fact references in the arguments of a call. `{"$fact": "invoice/0795/amount"}` stands for the fact of exactly that key, or for the rest as a path in the value
 * of a shorter key that ends at a `/`: `amount` in the fact `invoice/0795`. The longest key that gives a value wins.
 * Values of facts are put in as they are: a reference inside one stays text.
 */

import { pointerToken } from '../problems.ts';
import type { Json } from '../values.ts';

export type Resolution = { ok: true; args: Json; used: string[] } | { ok: false; code: 'fact_required' | 'fact_unknown'; pointer: string };

/**
 * Replaces every reference; `used` names the keys of the facts that were read, each once, in order of their first use.
 * `fact_required`: a literal stands where only a reference may (`factOnly`, JSON pointers in which `*` is every element of an array). A place that is not
 * there is no literal: the tool's schema says whether it must be. `fact_unknown`: a reference that gives no value. `pointer` is the exact place.
 */
export function resolveFacts(args: Json, factOnly: readonly string[], factOf: (key: string) => Json | undefined): Resolution {
  for (const pointer of factOnly) {
    const literal = literalAt(args, pointer.split('/').slice(1), '');
    if (literal !== null) return { ok: false, code: 'fact_required', pointer: literal };
  }
  const used = new Set<string>();
  let unknown: string | null = null;
  const walk = (value: Json, at: string): Json => {
    if (unknown !== null || typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((element, index) => walk(element, `${at}/${index}`));
    if (Object.hasOwn(value, '$fact')) {
      const found = isReference(value) ? lookUp(value.$fact, factOf) : undefined;
      if (!found) {
        unknown = at;
        return value;
      }
      used.add(found.key);
      return found.value;
    }
    // fromEntries defines own properties, so that a key `__proto__` stays a key.
    return Object.fromEntries(Object.entries(value).map(([key, element]) => [key, walk(element, `${at}/${pointerToken(key)}`)]));
  };
  const resolved = walk(args, '');
  return unknown === null ? { ok: true, args: resolved, used: [...used] } : { ok: false, code: 'fact_unknown', pointer: unknown };
}

/** A reference is an object with the one key `$fact`. */
function isReference(value: Json): value is { $fact: string } {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 1 && Object.hasOwn(value, '$fact') && typeof value.$fact === 'string'
  );
}

/** Pointer of the first literal at the place, or null. A reference on the way there stands for all below it. */
function literalAt(value: Json, tokens: string[], at: string): string | null {
  if (isReference(value)) return null;
  const [token, ...rest] = tokens;
  if (token === undefined) return at;
  if (typeof value !== 'object' || value === null) return null;
  if (Array.isArray(value)) {
    const indices = token === '*' ? [...value.keys()] : /^(0|[1-9]\d*)$/.test(token) ? [Number(token)] : [];
    for (const index of indices) {
      const element = value[index];
      if (element === undefined) continue;
      const literal = literalAt(element, rest, `${at}/${index}`);
      if (literal !== null) return literal;
    }
    return null;
  }
  const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
  return Object.hasOwn(value, key) ? literalAt(value[key] as Json, rest, `${at}/${token}`) : null;
}

function lookUp(reference: string, factOf: (key: string) => Json | undefined): { key: string; value: Json } | undefined {
  for (let end = reference.length; end > 0; end = reference.lastIndexOf('/', end - 1)) {
    const key = reference.slice(0, end);
    const fact = factOf(key);
    if (fact !== undefined) {
      const value = pathIn(fact, end === reference.length ? [] : reference.slice(end + 1).split('/'));
      if (value !== undefined) return { key, value };
    }
  }
  return undefined;
}

function pathIn(value: Json, path: string[]): Json | undefined {
  let at: Json | undefined = value;
  for (const part of path) {
    if (typeof at !== 'object' || at === null) return undefined;
    if (Array.isArray(at)) at = /^(0|[1-9]\d*)$/.test(part) ? at[Number(part)] : undefined;
    else at = Object.hasOwn(at, part) ? at[part] : undefined;
  }
  return at;
}
