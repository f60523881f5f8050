import { expect, it } from 'vitest';
import { RefusedAddresses } from './refused-addresses.ts';

it('a refused address is written once an hour, and a hundred of them at most', () => {
  const seen = new RefusedAddresses();
  const start = 1_800_000_000_000;
  expect([seen.take('a', start), seen.take('a', start + 1), seen.take('b', start + 2)]).toEqual([true, false, true]);
  const many = Array.from({ length: 200 }, (_, at) => seen.take(`n${at}`, start + 3)).filter(Boolean);
  expect(many).toHaveLength(98);
  expect(seen.take('a', start + 3_600_000)).toBe(true);
});
