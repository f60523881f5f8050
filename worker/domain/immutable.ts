/**
 * 4. What was done, delivered, judged and decided is written once. A later image of such a row may only add what became of it, in the fields named here, and
 * what became of it once stays so.
 */
import type { Row, RowKind } from './context.ts';
import { canonical } from './digest.ts';
import type { Json } from './values.ts';

interface Rule {
  /** Fields that may change. */
  free?: readonly string[];
  /** Fields that may be set once. */
  once?: readonly string[];
  /** Which may change only as long as this field is not set. */
  until?: string;
}

const rules: Partial<Record<RowKind, Rule>> = {
  attempt: { free: ['state', 'fence', 'startedAt', 'endedAt', 'why'], until: 'endedAt' },
  submission: { once: ['supersededBy'] },
  review: {},
  acceptance: { once: ['invalidated'] },
  ledger: { free: ['flagged'], once: ['replacedBy', 'asked'] },
  revision: {},
  goal_version: { once: ['completedAt'] },
  fact_version: {},
  receipt: {},
  audit: {},
  counted: {},
  note: {},
};

/** What an image changes of the one before it that was not its to change. Empty: nothing. `before`: undefined where the row is new. */
export function rewritten(before: Row | undefined, row: Row): string[] {
  const rule = rules[row.kind];
  if (!before || !rule) return [];
  const [old, now] = [before.data as { [key: string]: Json }, row.data as { [key: string]: Json }];
  // A version without a contract gets one when its graph is promoted.
  if (row.kind === 'goal_version' && old.contractBody === null) return [];
  const open = rule.until === undefined || old[rule.until] === undefined;
  const wrong: string[] = [];
  for (const field of new Set([...Object.keys(old), ...Object.keys(now)])) {
    const [was, is] = [old[field], now[field]];
    if (canonical(was ?? null) === canonical(is ?? null)) continue;
    if (rule.free?.includes(field) && open) continue;
    if (rule.once?.includes(field) && was === undefined) continue;
    // It counts no longer; it never counts again.
    if (row.kind === 'acceptance' && field === 'live' && is === false) continue;
    wrong.push(`immutableStays: ${row.kind} ${row.id}: ${field} was ${JSON.stringify(was)?.slice(0, 100)} and is ${JSON.stringify(is)?.slice(0, 100)}`);
  }
  return wrong;
}
