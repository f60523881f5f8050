/** Chance that is the same for the same words: nothing in a history reads a stream, so that leaving out one step changes no other. */

/** 0 <= x < 2^32, from a seed and what it is for. */
function roll(seed: number, ...words: (string | number)[]): number {
  let h = (seed ^ 0x9e3779b9) >>> 0;
  for (const word of words) {
    const text = typeof word === 'number' ? String(word) : word;
    for (let at = 0; at < text.length; at++) {
      h = Math.imul(h ^ text.charCodeAt(at), 0x01000193);
      h ^= h >>> 15;
    }
    h = Math.imul(h ^ 0x85ebca6b, 0xc2b2ae35);
  }
  h ^= h >>> 16;
  h = Math.imul(h, 0x7feb352d);
  h ^= h >>> 15;
  h = Math.imul(h, 0x846ca68b);
  return (h ^ (h >>> 16)) >>> 0;
}

/** 0 <= x < n. */
export function below(n: number, seed: number, ...words: (string | number)[]): number {
  return roll(seed, ...words) % n;
}

export function chance(percent: number, seed: number, ...words: (string | number)[]): boolean {
  return below(100, seed, ...words) < percent;
}

export function oneOf<T>(list: readonly T[], seed: number, ...words: (string | number)[]): T {
  return list[below(list.length, seed, ...words)] as T;
}
