import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sha256 } from './sha256.ts';

const known = (text: string) => createHash('sha256').update(text).digest('hex');

test('the published examples', () => {
  expect(sha256('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

test('every length around the edges of blocks and of the short way', () => {
  for (let length = 0; length < 300; length++) expect(sha256('x'.repeat(length))).toBe(known('x'.repeat(length)));
  for (const length of [999, 1000, 1001, 5000]) for (const letter of ['a', 'é', '长', '𝄞']) expect(sha256(letter.repeat(length))).toBe(known(letter.repeat(length)));
});

test('any text, lone surrogates too, one after another', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 1200 }), (text) => {
      expect(sha256(text)).toBe(known(text));
    }),
    { numRuns: 200 },
  );
  expect(sha256('a\ud800b')).toBe(known('a\ud800b'));
});
