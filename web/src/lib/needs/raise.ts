/** What a person types to raise a limit, and the command that it becomes. */
import type { GoalBar, Json } from '../api/types.ts';
import { decimalsOf } from '../contract/contract-form.ts';

const dayMs = 86_400_000;

export interface RaiseField {
  key: 'rounds' | 'tokens' | 'money' | 'days';
  /** What it is now, in the unit of the field; null: none was set. */
  now: number | null;
  /** What the field starts with: enough to go on. */
  proposed: number;
}

const more = (now: number | null, least: number): number => (now === null || now === 0 ? least : Math.ceil(now * 1.5));

/** `limit`: that of the need; the field of it comes first and is the only one. */
export function raiseField(bar: GoalBar, limit: string, now: number): RaiseField | null {
  const { rounds, tokens, money, time } = bar.budget;
  switch (limit) {
    case 'rounds':
      return { key: 'rounds', now: rounds.of, proposed: Math.max(rounds.of + 10, more(rounds.of, 10)) };
    case 'tokens':
      return { key: 'tokens', now: tokens.of, proposed: Math.max(more(tokens.of, 1_000_000), tokens.used + 100_000) };
    case 'money': {
      const unit = 10 ** decimalsOf(money.currency ?? 'USD');
      const current = money.of === null ? null : money.of / unit;
      return { key: 'money', now: current, proposed: more(current, 5) };
    }
    case 'wallTimeMs': {
      const since = time.startedAt ?? now;
      const current = ((time.until ?? now) - since) / dayMs;
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
      return Number.isSafeInteger(value) ? { [field.key]: value } : null;
    case 'money':
      return { money: { amount: Math.round(value * 10 ** decimalsOf(currency)), currency } };
    case 'days':
      return { wallTimeMs: Math.round(value * dayMs) };
  }
}
