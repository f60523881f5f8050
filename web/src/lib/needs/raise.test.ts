import { expect, it } from 'vitest';
import { snapshot } from '../testing/csv-goal.ts';
import { raisedLimits, raiseField } from './raise.ts';

const bar = { ...snapshot.bar, budget: { rounds: { used: 80, of: 80 }, time: { startedAt: 0, until: 7 * 86_400_000 }, tokens: { used: 900, of: 900 }, money: { used: 0, of: 1050, currency: 'EUR' } } };
const at = 8 * 86_400_000;

it.each([
  ['rounds', { key: 'rounds', now: 80, proposed: 120 }, '81', { rounds: 81 }],
  ['tokens', { key: 'tokens', now: 900, proposed: 100_900 }, '1000', { tokens: 1000 }],
  ['money', { key: 'money', now: 10.5, proposed: 16 }, '12.34', { money: { amount: 1234, currency: 'EUR' } }],
  ['wallTimeMs', { key: 'days', now: 7, proposed: 9 }, '9', { wallTimeMs: 9 * 86_400_000 }],
] as const)('%s', (limit, field, text, limits) => {
  const found = raiseField(bar, limit, at);
  expect(found).toEqual(field);
  expect(found && raisedLimits(bar, found, text)).toEqual(limits);
});

it('takes only a number above what it is', () => {
  const field = raiseField(bar, 'rounds', at);
  for (const text of ['', '80', '-3', 'many', '81.5']) expect(field && raisedLimits(bar, field, text)).toBeNull();
  expect(raiseField(bar, 'item:server/tokens', at)).toBeNull();
});
