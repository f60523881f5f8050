/** What no JSON store and no person's screen takes well: NUL and lone surrogates become U+FFFD, and the number of them is said. */
import type { Json } from '../domain/values.ts';

const unwanted = /\0|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

export function cleanText(text: string): { text: string; replaced: number } {
  let replaced = 0;
  const clean = text.replace(unwanted, () => {
    replaced++;
    return '\uFFFD';
  });
  return { text: clean, replaced };
}

/** The value with every string and key cleaned. Returns the very same value when there was nothing to replace. */
export function cleanJson(value: Json): { value: Json; replaced: number } {
  let replaced = 0;
  const walk = (each: Json): Json => {
    if (typeof each === 'string') {
      const result = cleanText(each);
      replaced += result.replaced;
      return result.replaced > 0 ? result.text : each;
    }
    if (Array.isArray(each)) return each.map(walk);
    if (each !== null && typeof each === 'object') return Object.fromEntries(Object.entries(each).map(([key, inner]) => [cleanText(key).text, walk(inner)]));
    return each;
  };
  const clean = walk(value);
  return replaced > 0 ? { value: clean, replaced } : { value, replaced: 0 };
}
