/**
 * The workspace's budget and its places for parallel rounds. Pure: the caller gives the figures and keeps what comes out.
 * What is granted and not settled counts whole, whether its round still runs or not: nobody knows what it used until it is said.
 */
import { type Refusal, refuse } from '../../domain/refusals.ts';
import { type GrantAnswer, type GrantRequest, SLOT_MS, type SettleRequest } from '../rpc.ts';
import type { WorkspaceBudget } from '../settings.ts';

export interface Amounts {
  tokens: number;
  /** Millionths of the main unit of the budget's currency. */
  money: number;
}

/** One grant, by (goal, round, fence). */
export interface Grant extends Amounts {
  goal: string;
  round: string;
  fence: number;
  currency: string;
  /** The day it counts in: days since the epoch, UTC. */
  day: number;
  at: number;
  /** Null until it is settled. */
  used: Amounts | null;
  /** The Goal's `seq` that said so; 0: nobody said it. */
  asOf: number;
  /** Its place among the parallel rounds, until then; 0: it has none. */
  heldUntil: number;
}

/** What stands in the way of a grant. Figures leave out the grant that is asked for. */
export interface Standing {
  own: Grant | undefined;
  /** Highest fence that was granted for this round; 0: none. */
  highestFence: number;
  /** Places taken by other rounds. */
  running: number;
  /** When the first of those places is free without another word; undefined where none is taken. */
  freeAt: number | undefined;
  /** In the period of the grant's day, and since ever: tokens of all grants, money of those in the budget's currency. */
  period: { used: Amounts; reserved: Amounts };
  total: { used: Amounts; reserved: Amounts };
}

export const dayMs = 86_400_000;
export const dayOf = (at: number): number => Math.floor(at / dayMs);

/** First day of the period that the day lies in, and of the next one. */
export function periodOf(budget: WorkspaceBudget, day: number): { from: number; to: number } {
  if (budget.period?.of !== 'month') return { from: day, to: day + 1 };
  const date = new Date(day * dayMs);
  return { from: dayOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)), to: dayOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)) };
}

/** A Goal that waits is rung; asking again is only for a ring that got lost. */
const askAgainMs = { least: 1000, most: 60_000 };

export interface GrantDecision {
  answer: GrantAnswer;
  /** To be kept; it takes the place of every lower fence of the round. */
  grant?: Grant;
  /** The Goal is to be rung: when a round is settled, or when the budget is raised. */
  waits?: 'settled' | 'raised';
}

export function decideGrant(budget: WorkspaceBudget, standing: Standing, request: GrantRequest, now: number): GrantDecision {
  const { own } = standing;
  if (own?.used) return { answer: { outcome: 'settled' } };
  if (request.fence < standing.highestFence) return refused(refuse('fence_stale', { current: { fence: standing.highestFence } }));
  const currency = request.currency ?? budget.currency;
  if (currency !== budget.currency && request.money > 0 && (budget.period?.micros !== undefined || budget.total?.micros !== undefined))
    return refused(
      refuse('budget_exceeded', { detail: `the workspace counts in ${budget.currency}`, current: { scope: 'workspace', limit: 'currency', currency: budget.currency } }),
      'raised',
    );
  const full = (by: 'places' | 'reserved'): GrantDecision => ({
    answer: {
      outcome: 'full',
      by,
      running: standing.running,
      limit: budget.parallelRounds,
      retryAfterMs: Math.min(askAgainMs.most, Math.max(askAgainMs.least, (standing.freeAt ?? now + askAgainMs.most) - now)),
    },
    waits: 'settled',
  });
  if (standing.running >= budget.parallelRounds) return full('places');

  const granted: Amounts = { tokens: 0, money: 0 };
  for (const what of ['tokens', 'money'] as const) {
    const asked = Math.max(request[what], own?.[what] ?? 0);
    const least = Math.max(Math.min(request.least?.[what] ?? asked, asked), own?.[what] ?? 0);
    granted[what] = asked;
    for (const window of ['period', 'total'] as const) {
      const allowed = what === 'tokens' ? budget[window]?.tokens : budget[window]?.micros;
      if (allowed === undefined || asked === 0) continue;
      const { used, reserved } = standing[window];
      const rest = allowed - used[what] - reserved[what];
      granted[what] = Math.min(granted[what], rest);
      if (rest >= least && rest > 0) continue;
      // What others have reserved and may not use: later, not never.
      const later = allowed - used[what] >= Math.max(least, 1);
      if (later && standing.running > 0) return full('reserved');
      return refused(exceeded(budget, what, window, standing[window], allowed, own?.day ?? dayOf(now), now), later ? 'settled' : 'raised');
    }
  }
  const holdMs = Math.min(request.holdMs ?? SLOT_MS, SLOT_MS);
  const grant: Grant = {
    goal: request.goal,
    round: request.round,
    fence: request.fence,
    currency,
    ...granted,
    day: own?.day ?? dayOf(now),
    at: own?.at ?? now,
    used: null,
    asOf: 0,
    heldUntil: now + holdMs,
  };
  return { answer: { outcome: 'granted', ...granted, currency, holdMs }, grant };
}

function refused(refusal: Refusal, waits?: GrantDecision['waits']): GrantDecision {
  return { answer: { outcome: 'refused', refusal }, ...(waits ? { waits } : {}) };
}

function exceeded(budget: WorkspaceBudget, what: 'tokens' | 'money', of: 'period' | 'total', standing: Standing['period'], allowed: number, day: number, now: number): Refusal {
  return refuse('budget_exceeded', {
    detail: 'the budget of the workspace is spent',
    current: {
      scope: 'workspace',
      limit: what,
      of: of === 'total' ? 'total' : (budget.period?.of ?? 'day'),
      used: standing.used[what],
      reserved: standing.reserved[what],
      allowed,
      ...(what === 'money' ? { currency: budget.currency } : {}),
      ...(of === 'period' ? { endsInMs: periodOf(budget, day).to * dayMs - now } : {}),
    },
  });
}

export interface SettleDecision {
  grant: Grant;
  /** What to add to the day's use: the difference to what was settled before; less than nothing where less was used. */
  added: Amounts;
  replayed: boolean;
}

/** `own` is the grant that is settled; undefined where nothing was granted under that fence: what was used counts all the same. */
export function decideSettle(budget: WorkspaceBudget, own: Grant | undefined, request: SettleRequest, now: number): SettleDecision {
  const fresh: Grant = {
    goal: request.goal,
    round: request.round,
    fence: request.fence,
    currency: request.currency ?? budget.currency,
    tokens: 0,
    money: 0,
    day: dayOf(now),
    at: now,
    used: null,
    asOf: 0,
    heldUntil: 0,
  };
  const before = own?.used ?? { tokens: 0, money: 0 };
  // Words overtake each other on their way: the one as of later holds.
  if (own?.used && request.asOf <= own.asOf) return { grant: own, added: { tokens: 0, money: 0 }, replayed: true };
  const used = { tokens: request.used.tokens, money: request.used.money };
  return {
    grant: { ...(own ?? fresh), used, asOf: request.asOf, heldUntil: 0 },
    added: { tokens: used.tokens - before.tokens, money: used.money - before.money },
    replayed: false,
  };
}
