import { expect, it } from 'vitest';
import type { GoalBar, Why } from '../api/types.ts';
import { raised } from './raise-limit.ts';

const remains = { items: { count: 1, head: ['a'] }, criteria: { count: 0, head: [] } };
const barOf = (why: Why, currency = 'USD') => ({ next: { why }, budget: { money: { currency } } }) as unknown as GoalBar;

it('raises the limit that is named, by half and at least by what the next call lacks', () => {
  expect(raised(barOf({ kind: 'budget', limit: 'rounds', used: 3, of: 4, remains }))).toEqual({ limits: { rounds: 14 } });
  expect(raised(barOf({ kind: 'budget', limit: 'tokens', scope: 'goal', used: 900_000, reserved: 0, of: 1_000_000, needed: 700_000, remains }))).toEqual({
    limits: { tokens: 1_600_000 },
  });
  expect(raised(barOf({ kind: 'budget', limit: 'tokens', scope: 'item', item: 'a', used: 10, reserved: 0, of: 1_000_000, remains }))).toEqual({
    items: { a: { tokens: 1_500_000 } },
  });
});
it('counts money in minor units of its currency, rounded up', () => {
  const why: Why = { kind: 'budget', limit: 'money', scope: 'goal', used: 20_000_000, reserved: 0, of: 20_000_000, needed: 10_000_001, remains };
  expect(raised(barOf(why))).toEqual({ limits: { money: { amount: 3001, currency: 'USD' } } });
  expect(raised(barOf(why, 'JPY'))).toEqual({ limits: { money: { amount: 31, currency: 'JPY' } } });
});
it('is nothing where the goal does not stand at a limit', () => {
  expect(raised(barOf({ kind: 'paused' }))).toBeNull();
});
