/** Facts: typed values under a key, with provenance and a version. The same value again is no change, but for one whose source fell and that is taken from another now. */
import type { FactEntry } from '../commands.ts';
import type { Milestone } from '../contract/contract.ts';
import { subjectId } from '../rows.ts';
import type { State } from '../state.ts';
import type { Turn, Who } from '../turn.ts';
import type { Json } from '../values.ts';
import type { CheckSpec, SetRef } from './check-spec.ts';
import { countSubject, membersOf } from './counting.ts';
import { hasFallen, sourcesOf } from './resting.ts';

/** Where a fact comes from: what a command may say, and what the host alone does, an agent's answer to a question with what that rests on. */
type Provenance = FactEntry['provenance'] | { from: 'blocker'; blocker: string; evidence: string[] };

/** Records the fact; answers its version, and whether that changed anything. */
export function recordFact(turn: Turn, who: Who, entry: Omit<FactEntry, 'provenance'> & { provenance: Provenance }): { version: number; changed: boolean } {
  const before = turn.data('fact', entry.key);
  const valueBody = turn.digest(entry.value);
  const restated = before && hasFallen(turn.lookup, `fact:${entry.key}`) && !sourcesOf(entry.provenance).some((source) => hasFallen(turn.lookup, source));
  if (before && before.valueBody === valueBody && !restated) return { version: before.version, changed: false };
  turn.body(entry.value);
  const version = (before?.version ?? 0) + 1;
  turn.emit(who, {
    type: 'fact.recorded',
    key: entry.key,
    version,
    valueBody,
    provenance: entry.provenance as unknown as Json,
    ...(who.via ? { round: who.via } : {}),
    required: isRequired(turn.state, entry.key),
  });
  for (const milestone of turn.state.contract?.milestones ?? []) {
    if (typeof milestone.target === 'object' && milestone.target.fact === entry.key && Array.isArray(entry.value)) {
      turn.emit(who, { type: 'milestone.targeted', milestone: milestone.key, target: new Set(entry.value.map(String)).size });
      recount(turn, who, milestone.key);
    }
  }
  return { version, changed: true };
}

/** A milestone that came after the set it counts over takes its target from it; what was decided or parked before counts. */
export function takeTarget(turn: Turn, who: Who, milestone: Milestone): void {
  if (typeof milestone.target === 'number') return;
  const fact = turn.data('fact', milestone.target.fact);
  const value = fact && turn.lookup.body(fact.valueBody);
  if (!Array.isArray(value)) return;
  const target = new Set(value.map(String)).size;
  if (turn.state.milestones[milestone.key]?.target !== target) turn.emit(who, { type: 'milestone.targeted', milestone: milestone.key, target });
  recount(turn, who, milestone.key);
}

/** Counts what was decided or parked before its id belonged to the set. */
function recount(turn: Turn, who: Who, milestone: string): void {
  const members = membersOf(turn, milestone);
  for (const subject of members ?? []) {
    if (turn.lookup.row('ledger_subject', subjectId(milestone, subject))) countSubject(turn, who, milestone, subject, 'decided', members);
    else if (turn.lookup.row('review_list', subjectId(milestone, subject))) countSubject(turn, who, milestone, subject, 'parked', members);
  }
}

/** A fact that a check or a milestone of the contract or of an item reads: recording it is progress. */
export function isRequired(state: State, key: string): boolean {
  const reads = (ref: SetRef) => (ref.from === 'fact' && ref.key === key) || (ref.from === 'fact_keys' && key.startsWith(ref.prefix));
  const checkReads = (check: CheckSpec): boolean => {
    switch (check.kind) {
      case 'count':
        return reads(check.of);
      case 'sum':
        return reads(check.over) || key.startsWith(check.prefix);
      case 'set_equal':
        return reads(check.left) || reads(check.right);
      case 'set_covers':
        return reads(check.superset) || reads(check.subset);
      case 'script':
        return check.facts.includes(key);
      default:
        return false;
    }
  };
  return (
    (state.contract?.milestones.some((milestone) => typeof milestone.target === 'object' && milestone.target.fact === key) ?? false) ||
    (state.contract?.checks.some(checkReads) ?? false) ||
    Object.values(state.items).some((item) => item.stored === 'open' && item.spec.checks.some(checkReads))
  );
}
