import { expect, it } from 'vitest';
import type { GoalBar, Why } from '../api/types.ts';
import { snapshot } from '../testing/csv-goal.ts';
import { raisedLimits, raiseField } from './raise.ts';

const bar: GoalBar = {
  ...snapshot.bar,
  budget: {
    rounds: { used: 80, of: 80 },
    time: { startedAt: 0, until: 7 * 86_400_000 },
    tokens: { used: 900, reserved: 0, of: 900, remaining: 0 },
    money: { used: 0, reserved: 0, of: 10_500_000, remaining: 0, currency: 'EUR' },
  },
};
const at = 8 * 86_400_000;
const stopped = (why: Why): GoalBar => ({ ...bar, next: { ...bar.next, why } });
const remains = { items: { count: 0, head: [] }, criteria: { count: 0, head: [] } };

it.each([
  ['rounds', { key: 'rounds', now: 80, proposed: 120 }, '81', { limits: { rounds: 81 } }],
  ['tokens', { key: 'tokens', now: 900, proposed: 100_900 }, '1000', { limits: { tokens: 1000 } }],
  ['money', { key: 'money', now: 10.5, proposed: 15.75 }, '12.34', { limits: { money: { amount: 1234, currency: 'EUR' } } }],
  ['wallTimeMs', { key: 'days', now: 7, proposed: 9 }, '9', { limits: { wallTimeMs: 9 * 86_400_000 } }],
  ['item:server/tokens', { key: 'tokens', item: 'server', now: null, proposed: 100_000 }, '5000', { items: { server: { tokens: 5000 } } }],
  ['item:server/money', { key: 'money', item: 'server', now: null, proposed: 1 }, '2.5', { items: { server: { money: 250 } } }],
] as const)('%s', (limit, field, text, payload) => {
  const found = raiseField(bar, limit, at);
  expect(found).toEqual(field);
  expect(found && raisedLimits(bar, found, text)).toEqual(payload);
});

it('begins with what the next call lacks, where the goal stands at this limit', () => {
  const goal = stopped({ kind: 'budget', limit: 'tokens', scope: 'goal', used: 900, reserved: 0, of: 900, needed: 700_000, remains });
  expect(raiseField(goal, 'tokens', at)).toEqual({ key: 'tokens', now: 900, proposed: 700_900 });
  const item = stopped({ kind: 'budget', limit: 'tokens', scope: 'item', item: 'server', used: 10, reserved: 0, of: 400_000, remains });
  expect(raiseField(item, 'item:server/tokens', at)).toEqual({ key: 'tokens', item: 'server', now: 400_000, proposed: 600_000 });
});

it('takes only a number above what it is', () => {
  const field = raiseField(bar, 'rounds', at);
  for (const text of ['', '80', '-3', 'many', '81.5']) expect(field && raisedLimits(bar, field, text)).toBeNull();
  expect(raiseField(bar, 'something', at)).toBeNull();
});
