import { expect, it } from 'vitest';
import { priceInputs, pricesOf } from './prices.ts';

it('shows prices of a million tokens and takes them back', () => {
  const prices = { currency: 'USD', input: 3_000_000, output: 15_000_000, cacheRead: 300_000 };
  expect(priceInputs(prices)).toEqual({ currency: 'USD', input: '3', output: '15', cacheRead: '0.3', cacheWrite: '' });
  expect(pricesOf(priceInputs(prices))).toEqual(prices);
});

it('nothing filled in leaves the catalogue, half of it is wrong', () => {
  const none = priceInputs(undefined);
  expect(pricesOf(none)).toBeUndefined();
  expect(pricesOf({ ...none, input: '3' })).toBeNull();
  expect(pricesOf({ ...none, input: '3', output: '-1' })).toBeNull();
  expect(pricesOf({ ...none, input: '0', output: '0', currency: 'eur' })).toEqual({ currency: 'EUR', input: 0, output: 0 });
});
