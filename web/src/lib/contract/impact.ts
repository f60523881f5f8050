/** What a change of the contract does, as the server says it. */
import type { Json } from '../api/types.ts';
import { field } from '../record/rows.ts';

export interface CriterionImpact {
  criterion: string;
  change: 'same' | 'added' | 'changed' | 'removed';
  unaffected: string[];
  reaffirm: string[];
  superseded: string[];
}

/** From the answer of a dry run (`result`) or the row of a version. Undefined: it is older than this account of it. */
export function impactLines(data: Json): { lines: CriterionImpact[]; loose: string[] } | undefined {
  const lines = field(data, 'byCriterion');
  if (!Array.isArray(lines)) return undefined;
  const known = lines as unknown as CriterionImpact[];
  const covered = new Set(known.flatMap((line) => line.unaffected));
  const unaffected = field(data, 'impact', 'unaffected');
  return { lines: known, loose: Array.isArray(unaffected) ? unaffected.map(String).filter((key) => !covered.has(key)) : [] };
}

/** Nothing of the contract's criteria and of the delivered work is touched. */
export const untouched = (lines: CriterionImpact[]): boolean => lines.every((line) => line.change === 'same');
