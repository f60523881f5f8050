import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonStopsAt } from './json-place.ts';

describe('where JSON stops', () => {
  it.each([
    ['{"a":[1,2}', 9],
    ['[1,]', 3],
    ['{"a" 1}', 5],
    ['{,}', 1],
    ['{"a":1}x', 7],
    ['nul', 3],
    ['nux', 0],
    ['"ab', 3],
    ['"a\\x"', 2],
    ['[-', 2],
    ['[01]', 2],
    ['', 0],
  ])('%j stops at %i', (text, at) => expect(jsonStopsAt(text)).toBe(at));

  it('agrees with JSON.parse on damaged texts, and an undamaged prefix is only ever cut off', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), fc.constantFrom('', ',', '}', ']', '"', '\\', 'x', '1', '-', ' '), (text, where, insert) => {
        const cut = where % (text.length + 1);
        const damaged = text.slice(0, cut) + insert + text.slice(cut + insert.length);
        let valid = true;
        try {
          JSON.parse(damaged);
        } catch {
          valid = false;
        }
        expect(jsonStopsAt(damaged) === undefined).toBe(valid);
        const prefix = text.slice(0, cut);
        const stops = jsonStopsAt(prefix);
        if (stops !== undefined && !/[\\\d.eE+-]$|\\u[0-9a-fA-F]*$/.test(prefix)) expect(stops).toBe(prefix.length);
      }),
      { numRuns: 3000 },
    );
  });
});
