/** Milestones are counted by the host: an id once, when it is decided or parked, and only where it belongs to the set that is counted over. */
import { subjectId } from '../rows.ts';
import type { Turn, Who } from '../turn.ts';

/** The ids that count for a milestone; null: any id counts. */
export function membersOf(turn: Turn, key: string): Set<string> | null | undefined {
  const milestone = turn.state.contract?.milestones.find((entry) => entry.key === key);
  if (!milestone) return undefined;
  if (typeof milestone.target === 'number') return null;
  const fact = turn.data('fact', milestone.target.fact);
  const value = fact && turn.lookup.body(fact.valueBody);
  return new Set(Array.isArray(value) ? value.map(String) : []);
}

/** Counts a subject once: when it is decided, or parked. */
export function countSubject(turn: Turn, who: Who, milestone: string, subject: string, how: 'decided' | 'parked', members: Set<string> | null | undefined): void {
  if (members === undefined || (members !== null && !members.has(subject)) || turn.lookup.row('counted', subjectId(milestone, subject))) return;
  const count = (turn.state.milestones[milestone]?.count ?? 0) + 1;
  turn.emit(who, { type: 'milestone.moved', milestone, subject, count, how, ...(who.via ? { round: who.via } : {}) });
}
