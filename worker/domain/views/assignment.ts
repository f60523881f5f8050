/** What whoever holds an item by claim starts from: what a round of the worker lane is given, for people and external agents. */

import type { Lookup } from '../context.ts';
import type { Contract } from '../contract/contract.ts';
import { contractInForce } from '../record.ts';
import type { Attempt, State } from '../state.ts';
import type { PrincipalId } from '../values.ts';
import { resumePacket } from './resume-packet.ts';
import { itemPart, upstreamOf, workingFiles } from './round-context.ts';
import type { RoundContext } from './types.ts';

export interface AssignmentView extends Pick<RoundContext, 'goalVersion' | 'planRevision' | 'packet' | 'sources' | 'upstream' | 'working'> {
  item: NonNullable<RoundContext['item']>;
  holder: PrincipalId;
  fence: number;
  state: Attempt['state'];
  /** Milliseconds since the epoch; null where a Runner carries it. `attempt.heartbeat` moves it on. */
  leaseUntil: number | null;
  /** The goalVersion that it was claimed under. Where `goalVersion` is a newer one, submitting takes `expected.goalVersion`. */
  claimedVersion: number;
  contract: Contract | null;
}

/** Undefined: nobody holds it. */
export function assignmentView(state: State, key: string, lookup: Lookup): AssignmentView | undefined {
  const item = Object.hasOwn(state.items, key) ? state.items[key] : undefined;
  if (!item?.assignment || !item.attempt) return undefined;
  const { attempt, assignment } = item;
  return {
    item: itemPart(item, attempt.id, lookup),
    holder: assignment.owner,
    fence: attempt.fence,
    state: attempt.state,
    leaseUntil: Object.values(state.waits).find((wait) => wait.correlation === `attempt:${attempt.id}`)?.due ?? null,
    claimedVersion: attempt.goalVersion,
    goalVersion: state.goalVersion,
    planRevision: state.plan?.revision ?? 0,
    contract: contractInForce(state, lookup),
    packet: resumePacket(state, lookup, { item: key }),
    sources: Object.values(state.sources),
    upstream: upstreamOf(state, item, lookup),
    working: workingFiles(lookup, key),
  };
}
