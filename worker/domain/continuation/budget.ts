/** Budgets: reserved before a round, settled after it. Reaching one is a stop with what remains, never completion. */
import type { State } from '../state.ts';
import type { Lane } from '../values.ts';

/** The round of the final audit is kept back from the start, where a contract needs one. */
function reserved(state: State): number {
  return state.contract && state.limits.rounds > 1 ? 1 : 0;
}

export function budgetReached(state: State, purpose: Lane | 'audit'): boolean {
  const allowed = purpose === 'audit' ? state.limits.rounds : state.limits.rounds - reserved(state);
  if (state.budget.rounds >= allowed) return true;
  if (state.limits.tokens !== undefined && state.budget.tokens + state.budget.reservedTokens >= state.limits.tokens && state.limits.tokens > 0) return true;
  return state.limits.money !== undefined && state.limits.money.amount > 0 && state.budget.money + state.budget.reservedMoney >= state.limits.money.amount;
}

export function deadlineOf(state: State): number | null {
  return state.confirmedAt === null ? null : state.confirmedAt + state.limits.wallTimeMs;
}

export function deadlineReached(state: State, now: number): boolean {
  const deadline = deadlineOf(state);
  return deadline !== null && deadline <= now;
}
