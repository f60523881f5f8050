/** Calls that a person decided on and whose decision still counts, as a round needs them to act on it: whole, with every argument as the agent wrote it. */
import type { Lookup } from '../context.ts';
import { DECIDED_ROWS, REFUSED_CALLS } from '../limits.ts';
import { dataOf, recordOf } from '../record.ts';
import type { RowData } from '../row-data.ts';
import type { Round, State } from '../state.ts';
import type { Json } from '../values.ts';
import type { DecidedCall } from './types.ts';

/**
 * Approved and not used, all of them, then refused; each newest first; of rounds on the same target only, so that a reviewer learns nothing of its worker. Of one call the newest
 * decision counts. A call whose body was erased is left out: nobody could repeat it. Secrets are in the body as references.
 */
export function decidedCalls(state: State, lookup: Lookup, round: Round): DecidedCall[] {
  const decided: DecidedCall[] = [];
  const seen = new Set<string>();
  const add = ({ id, item, round: asking, callDigest, callBody, tool, state: stands, expiresAt }: RowData['approval']): void => {
    if (item !== round.item || seen.has(callDigest)) return;
    seen.add(callDigest);
    if ((stands !== 'approved' && stands !== 'refused') || recordOf(lookup, 'round', asking)?.target !== round.target) return;
    const call = lookup.body(callBody) as { args: Json; written?: Json } | undefined;
    if (call === undefined) return;
    decided.push({ approval: id, tool, args: call.written ?? call.args, state: stands, ...(stands === 'approved' ? { expiresAt } : {}) });
  };
  // What can still be used stands in the working set, however many approvals came after it.
  for (const id of Object.keys(state.approvals).sort().reverse()) {
    const row = state.approvals[id]?.state === 'approved' ? recordOf(lookup, 'approval', id) : undefined;
    if (row) add(row);
  }
  const approved = decided.length;
  for (const row of lookup.rows('approval', { newestFirst: true, limit: DECIDED_ROWS, ...(round.item === undefined ? {} : { item: round.item }) })) {
    const approval = dataOf('approval', row);
    // Approved and used up, or run out: nothing can be done with it.
    if (approval.state !== 'approved') add(approval);
    if (decided.length - approved >= REFUSED_CALLS) break;
  }
  return decided;
}
