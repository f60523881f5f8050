/** Whether rounds of a lane and target may go on, and whether anything here can carry them. */
import { FAILED_ROUNDS, IDLE_WAITS, LOST_ROUNDS, PROVIDER_TRIES } from '../limits.ts';
import type { State } from '../state.ts';
import type { Executor, Lane } from '../values.ts';

export interface Carriers {
  agent: boolean;
  skill(skill: string, script: string): boolean;
}

export function isRunnable(executor: Executor, carriers: Carriers): boolean {
  if (executor.kind === 'agent') return carriers.agent;
  if (executor.kind === 'skill') return carriers.skill(executor.skill, executor.script);
  return false;
}

/** Where rounds of this lane and target stand: null, they may go on; a time, not before it; or a stop. */
export function laneStop(state: State, lane: Lane, target: string, now: number): null | { until: number } | { kind: 'no_progress' | 'errors'; detail: string } {
  const streak = state.streaks[`${lane}:${target}`];
  if (!streak) return null;
  if (streak.empty >= state.limits.emptyRounds) return { kind: 'no_progress', detail: `${streak.empty} rounds without an applied change` };
  if ((streak.waits ?? 0) >= IDLE_WAITS) return { kind: 'no_progress', detail: `${streak.waits} rounds waited in a row and nothing came of it` };
  if (streak.lost >= LOST_ROUNDS) return { kind: 'errors', detail: `${streak.lost} rounds lost in a row` };
  if (streak.failed >= (streak.retryAt === undefined ? FAILED_ROUNDS : PROVIDER_TRIES)) return { kind: 'errors', detail: `${streak.failed} rounds failed in a row` };
  if (streak.retryAt !== undefined && streak.retryAt > now) return { until: streak.retryAt };
  return null;
}

export function waitsOn(state: State, target: string): boolean {
  return Object.values(state.waits).some((wait) => wait.target === target);
}
