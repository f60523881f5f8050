/** What a run exercised. A run of many histories in which a named thing never happened has shown nothing about it, and fails. */
import { faultNames, modelPoints, points, sides } from './faults.ts';

export interface Coverage {
  fault: Record<string, number>;
  /** Crashes by place. */
  crash: Record<string, number>;
  /** Lanes of agents and of the record. */
  lane: Record<string, number>;
  /** Agents by kind. */
  agent: Record<string, number>;
  person: Record<string, number>;
  /** How rounds and histories ended, and states that a Goal was in. */
  reached: Record<string, number>;
  /** Events by type. */
  event: Record<string, number>;
}

export function emptyCoverage(): Coverage {
  return { fault: {}, crash: {}, lane: {}, agent: {}, person: {}, reached: {}, event: {} };
}

export function addCoverage(to: Coverage, from: Coverage): void {
  for (const kind of Object.keys(to) as (keyof Coverage)[]) for (const [name, count] of Object.entries(from[kind])) to[kind][name] = (to[kind][name] ?? 0) + count;
}

export const agentKinds = ['honest', 'early', 'circling', 'stale', 'silent', 'greedy', 'self-reviewing', 'repeating'] as const;
export type AgentKind = (typeof agentKinds)[number];

export const wanted: Partial<Record<keyof Coverage, readonly string[]>> = {
  fault: [...faultNames, 'batch after erasure'],
  crash: [...points, ...modelPoints].flatMap((point) => sides.map((side) => `${side} ${point}`)),
  lane: ['coordinator', 'worker', 'reviewer', 'subagent', 'check', 'dispatch', 'book', 'workspace', 'model', 'person'],
  agent: agentKinds,
  reached: [
    'completed',
    'cancelled',
    'paused',
    'budget',
    'blocked',
    'waiting',
    'no_progress',
    'suspended',
    'queued',
    'a lease that ran out',
    'a late command',
    'the sweep finds a goal',
    'a row is quarantined',
    'a snapshot is opened',
    'a replay',
    'a record that the program cannot read',
    'round submitted',
    'round handed_back',
    'round blocked',
    'round waiting',
    'round empty',
    'round failed',
    'round interrupted',
    'round lost',
    'round cancelled',
    'a model call charged without word',
    'late word of a model call',
    'a budget of tokens or money raised',
    'a compaction broken off',
    'a compaction done',
    'a round put off by its provider',
    'a question looked at by a coordinator',
  ],
  event: [
    'goal.revised',
    'goal.completed',
    'acceptance.invalidated',
    'effect.planned',
    'effect.probed',
    'effect.reconciled',
    'approval.asked',
    'approval.used',
    'subagent.returned',
    'blocker.passed',
    'blocker.resolved',
    'drift.noticed',
    'item.stopped',
    'plan.pended',
    'plan.refused',
    'round.redispatched',
    'call.refused',
    'review_list.added',
    'wait.released',
    'budget.short',
    'check.recorded',
    'late.recorded',
    'signal.kept',
  ],
};

/** Named things that never happened. */
export function missing(coverage: Coverage): string[] {
  return (Object.keys(wanted) as (keyof Coverage)[]).flatMap((kind) => (wanted[kind] ?? []).filter((name) => !coverage[kind][name]).map((name) => `${kind}: ${name}`));
}
