/** What a person types to raise a limit, and the payload of `goal.setLimits` that it becomes. */
import type { GoalBar, Json } from '../api/types.ts';
import { type BudgetWhy, more } from '../goal/raise-limit.ts';
import { minorOf } from '../words/time.ts';

const dayMs = 86_400_000;
const millionths = 1_000_000;

/** In the unit that people type: rounds, tokens, the main unit of the currency, days. */
export interface RaiseField {
  key: 'rounds' | 'tokens' | 'money' | 'days';
  /** Of one item, not of the goal. */
  item?: string;
  /** What it is now; null: not known here. */
  now: number | null;
  /** What the field starts with: enough to go on. */
  proposed: number;
}

/** The reason of the stop, where the goal stands at exactly this limit. */
function stopAt(bar: GoalBar, limit: string, item: string | undefined): BudgetWhy | undefined {
  const { why } = bar.next;
  if (why.kind !== 'budget' || why.limit !== limit) return undefined;
  return (why.scope === 'item' ? why.item : undefined) === item ? why : undefined;
}

/** `limit`: the reference of the need: `tokens`, `money`, `rounds`, `wallTimeMs`, `item:<key>/tokens`. Null for one that is not known here. */
export function raiseField(bar: GoalBar, limit: string, now: number): RaiseField | null {
  const [, item, name = limit] = /^item:(.+)\/([a-z]+)$/i.exec(limit) ?? [];
  const of = item === undefined ? {} : { item };
  const half = (value: number, least: number) => value + Math.max(Math.ceil(value / 2), least);
  switch (name) {
    case 'rounds':
    case 'tokens': {
      const why = stopAt(bar, name, item);
      const current = why?.of ?? (item === undefined ? bar.budget[name].of : null);
      return { key: name, ...of, now: current, proposed: why ? why.of + more(why) : half(current ?? 0, name === 'rounds' ? 10 : 100_000) };
    }
    case 'money': {
      const why = stopAt(bar, name, item);
      const current = why?.of ?? (item === undefined ? bar.budget.money.of : null);
      const proposed = why ? why.of + more(why) : half(current ?? 0, millionths);
      return { key: 'money', ...of, now: current === null ? null : current / millionths, proposed: Math.ceil(proposed / 10_000) / 100 };
    }
    case 'wallTimeMs': {
      const since = bar.budget.time.startedAt ?? now;
      const current = ((bar.budget.time.until ?? now) - since) / dayMs;
      return { key: 'days', now: Math.round(current * 100) / 100, proposed: Math.ceil(Math.max(current, (now - since) / dayMs)) + 1 };
    }
    default:
      return null;
  }
}

/** Null: not a number that is more than now. */
export function raisedLimits(bar: GoalBar, field: RaiseField, text: string): Json | null {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value <= (field.now ?? 0)) return null;
  const currency = bar.budget.money.currency ?? 'USD';
  switch (field.key) {
    case 'rounds':
    case 'tokens':
      if (!Number.isSafeInteger(value)) return null;
      return field.item === undefined ? { limits: { [field.key]: value } } : { items: { [field.item]: { [field.key]: value } } };
    case 'money': {
      const amount = minorOf(Math.round(value * millionths), currency);
      return field.item === undefined ? { limits: { money: { amount, currency } } } : { items: { [field.item]: { money: amount } } };
    }
    case 'days':
      return { limits: { wallTimeMs: Math.round(value * dayMs) } };
  }
}
