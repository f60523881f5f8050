/** Calls that a person decided on and whose decision still counts, as a round needs them to act on it: whole, with every argument as the agent wrote it. */
import type { Lookup } from '../context.ts';
import { DECIDED_CALLS, DECIDED_ROWS } from '../limits.ts';
import { dataOf, recordOf } from '../record.ts';
import type { Round, State } from '../state.ts';
import type { Json } from '../values.ts';
import type { DecidedCall } from './types.ts';

/**
 * Approved and not used, then refused, each newest first; of rounds on the same target only, so that a reviewer learns nothing of its worker. Of one call the newest
 * decision counts. A call whose body was erased is left out: nobody could repeat it. Secrets are in the body as references.
 */
export function decidedCalls(state: State, lookup: Lookup, round: Round): DecidedCall[] {
  const seen = new Set<string>();
  const decided: Record<DecidedCall['state'], DecidedCall[]> = { approved: [], refused: [] };
  for (const row of lookup.rows('approval', { newestFirst: true, limit: DECIDED_ROWS, ...(round.item === undefined ? {} : { item: round.item }) })) {
    const { id, item, round: asking, callDigest, callBody, tool, state: stands, expiresAt } = dataOf('approval', row);
    if (item !== round.item || seen.has(callDigest)) continue;
    seen.add(callDigest);
    if (stands !== 'approved' && stands !== 'refused') continue;
    if (stands === 'approved' && state.approvals[id] === undefined) continue;
    if (recordOf(lookup, 'round', asking)?.target !== round.target) continue;
    const call = lookup.body(callBody) as { args: Json; written?: Json } | undefined;
    if (call === undefined || decided[stands].length >= DECIDED_CALLS) continue;
    decided[stands].push({ approval: id, tool, args: call.written ?? call.args, state: stands, ...(stands === 'approved' ? { expiresAt } : {}) });
  }
  return [...decided.approved, ...decided.refused].slice(0, DECIDED_CALLS);
}
