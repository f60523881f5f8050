/** The goals of the workspace as this page knows them: read, and told over the socket. What was overtaken on the way changes nothing. */
import type { GoalSummary } from '../api/client.ts';

export interface KnownGoals {
  goals: readonly GoalSummary[];
  truncated: boolean;
}

/** What a socket of the workspace says; the server's type is `GoalsFrame`. */
export type ListFrame =
  | { kind: 'snapshot'; seq: number; goals: GoalSummary[]; truncated: boolean }
  | { kind: 'update'; seq: number; goals: GoalSummary[]; gone: string[] }
  | { kind: 'error'; code: string }
  | { kind: 'pong' };

const newestFirst = (a: GoalSummary, b: GoalSummary) => b.createdAt - a.createdAt || (a.goal < b.goal ? 1 : -1);

/** A list that was read whole. A goal that is known in a newer state keeps that. */
export function withList(known: KnownGoals | null, list: KnownGoals): KnownGoals {
  const before = new Map((known?.goals ?? []).map((goal) => [goal.goal, goal]));
  const goals = list.goals.map((goal) => {
    const newer = before.get(goal.goal);
    return newer && newer.seq > goal.seq ? newer : goal;
  });
  return { goals, truncated: list.truncated };
}

/** Goals that changed, and goals that are no more. */
export function withChanges(known: KnownGoals, changed: readonly GoalSummary[], gone: readonly string[]): KnownGoals {
  const goals = new Map(known.goals.map((goal) => [goal.goal, goal]));
  for (const goal of changed) if ((goals.get(goal.goal)?.seq ?? -1) < goal.seq) goals.set(goal.goal, goal);
  for (const goal of gone) goals.delete(goal);
  return { goals: [...goals.values()].sort(newestFirst), truncated: known.truncated };
}
