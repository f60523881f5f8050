/** The one action that lifts a stop at a limit: by how much, and how the button says it. */
import type { GoalBar, Json, Why } from '../api/types.ts';
import { m } from '../paraglide/messages.js';
import { count, micros, minorOf } from '../words/time.ts';

export type BudgetWhy = Extract<Why, { kind: 'budget' }>;

/** Half as much again as the limit, and at least what the next call needs; rounds by ten at least. */
export function more(why: BudgetWhy): number {
  const short = Math.max(0, why.used + (why.reserved ?? 0) + (why.needed ?? 0) - why.of);
  return Math.max(short, Math.round(why.of / 2), why.limit === 'rounds' ? 10 : why.limit === 'tokens' ? 100_000 : 1_000_000);
}

/** Payload of `goal.setLimits` for the stop that the bar shows; null where it is none. Limits of money are in minor units, rounded up. */
export function raised(bar: GoalBar): Json | null {
  const { why } = bar.next;
  if (why.kind !== 'budget') return null;
  const to = why.of + more(why);
  const currency = bar.budget.money.currency ?? 'USD';
  const amount = why.limit === 'money' ? minorOf(to, currency) : to;
  if (why.scope === 'item' && why.item !== undefined) return { items: { [why.item]: { [why.limit]: amount } } };
  return { limits: why.limit === 'money' ? { money: { amount, currency } } : { [why.limit]: amount } };
}

export function raiseWords(bar: GoalBar): string {
  const { why } = bar.next;
  if (why.kind !== 'budget' || why.limit === 'rounds') return m.raise_rounds({ count: why.kind === 'budget' ? more(why) : 10 });
  return why.limit === 'tokens' ? m.raise_tokens({ amount: count(more(why)) }) : m.raise_money({ amount: micros(more(why), bar.budget.money.currency ?? 'USD') });
}
