/** Every crash point of a few fixed histories, one at a time: before and after each write, send, call and acknowledgement. The end is the same as without. */
import { addCoverage, type Coverage, emptyCoverage } from './coverage.ts';
import type { Script } from './faults.ts';
import { playHistory } from './history.ts';
import type { Database } from './parts/database.ts';

/** Seeds whose shapes hold, between them, every kind of review, check, effect, child and question. */
const fixed: readonly (Pick<Script, 'seed' | 'shape'> & Partial<Pick<Script, 'steps'>>)[] = [
  { seed: 9, shape: { mode: 'bound', items: 3, neighbour: false, bad: 0, rounds: 150 } },
  { seed: 24, shape: { mode: 'bound', items: 2, neighbour: false, bad: 0, rounds: 150 } },
  { seed: 3, shape: { mode: 'goal_only', items: 1, neighbour: false, bad: 0, rounds: 150 } },
  { seed: 33, shape: { mode: 'graph_only', items: 2, neighbour: false, bad: 0, rounds: 150 } },
  // Carried by models, with a conversation that is compacted.
  { seed: 39, shape: { mode: 'bound', items: 2, neighbour: false, bad: 0, rounds: 150, models: { tokens: 10_000_000 } }, steps: [{ at: 100, fault: 'model window full', n: 1 }] },
];
export const exhaustible = fixed.length;

export interface Exhausted {
  points: number;
  crashed: number;
  wrong?: string;
  coverage: Coverage;
}

export async function exhaust(history: number, part: number, parts: number, database: Database, limit = Number.POSITIVE_INFINITY): Promise<Exhausted> {
  const script: Script = { steps: [], ...(fixed[history] ?? (fixed[0] as (typeof fixed)[number])) };
  const coverage = emptyCoverage();
  const clean = await playHistory(script, database);
  if (clean.wrong) return { points: 0, crashed: 0, wrong: clean.wrong, coverage };
  let crashed = 0;
  for (let n = part; n < Math.min(clean.points, limit); n += parts) {
    const outcome = await playHistory(script, database, { crashAt: n });
    addCoverage(coverage, outcome.coverage);
    crashed += outcome.crashes;
    if (outcome.wrong) return { points: clean.points, crashed, wrong: `history ${history}, crash point ${n}: ${outcome.wrong}`, coverage };
    if (outcome.crashes > 0 && !sameDelivery(outcome.delivered, clean.delivered))
      return { points: clean.points, crashed, wrong: `history ${history}, crash point ${n}: delivered ${outcome.delivered}, without the crash ${clean.delivered}`, coverage };
  }
  return { points: clean.points, crashed, coverage };
}

/**
 * The same work accepted and the same decisions. An effect whose answer the crash took is unknown, and a person who looks may find that it never
 * happened: so effects are at most those of the history without the crash, never more.
 */
function sameDelivery(crashed: string, clean: string): boolean {
  const { effects: after, ...work } = JSON.parse(crashed) as { effects: number };
  const { effects: before, ...expected } = JSON.parse(clean) as { effects: number };
  return JSON.stringify(work) === JSON.stringify(expected) && after <= before;
}
