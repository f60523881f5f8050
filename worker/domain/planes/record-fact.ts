/** Facts: typed values under a key, with provenance and a version. The same value again is no change. */
import type { FactEntry } from '../commands.ts';
import type { CheckSpec, SetRef } from './check-spec.ts';
import type { State } from '../state.ts';
import type { Turn, Who } from '../turn.ts';
import type { Json } from '../values.ts';

/** Records the fact; answers its version, and whether that changed anything. */
export function recordFact(turn: Turn, who: Who, entry: FactEntry): { version: number; changed: boolean } {
  const before = turn.data('fact', entry.key);
  const valueBody = turn.digest(entry.value);
  if (before && before.valueBody === valueBody) return { version: before.version, changed: false };
  turn.body(entry.value);
  const version = (before?.version ?? 0) + 1;
  turn.emit(who, { type: 'fact.recorded', key: entry.key, version, valueBody, provenance: entry.provenance as unknown as Json, ...(who.via ? { round: who.via } : {}), required: isRequired(turn.state, entry.key) });
  for (const milestone of turn.state.contract?.milestones ?? []) {
    if (typeof milestone.target === 'object' && milestone.target.fact === entry.key && Array.isArray(entry.value)) {
      turn.emit(who, { type: 'milestone.targeted', milestone: milestone.key, target: new Set(entry.value.map(String)).size });
    }
  }
  return { version, changed: true };
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
