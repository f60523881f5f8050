/** Leases of rounds: rows, not events. Holders get durations, never times; only the end of a lease becomes an event. */

import type { Actor } from '../domain/context.ts';
import type { Round, State } from '../domain/state.ts';
import type { Lease, Live } from './working-set.ts';

/** Milliseconds. A script calls often; a model may think for a minute and its Runner sends a heartbeat every 20 s. */
const scriptLeaseMs = 30_000;
const modelLeaseMs = 90_000;

export function leaseMsOf(round: Round): number {
  return round.executor.kind === 'skill' ? scriptLeaseMs : modelLeaseMs;
}

/** Changes of lease rows that go into one transaction. `null` deletes. */
export type LeaseWrites = Map<string, Lease | null>;

/** A round's own call renews its lease when less than half of it is left. One that ran out is not revived: its end is on its way. */
export function renewal(live: Live, actor: Actor, now: number): LeaseWrites {
  const writes: LeaseWrites = new Map();
  if (actor.kind !== 'round') return writes;
  const round = live.state.rounds[actor.round];
  const lease = live.leases.get(actor.round);
  if (!round || !lease || lease.runner !== actor.runner || lease.fence !== actor.fence || lease.until <= now) return writes;
  const length = leaseMsOf(round);
  if (lease.until - now < length / 2) writes.set(actor.round, { ...lease, until: now + length });
  return writes;
}

/** Leases whose round ended or went to another fence are deleted with the commit that did it. */
export function dropEnded(live: Live, after: State, writes: LeaseWrites): void {
  for (const [id, lease] of live.leases) {
    const fence = after.rounds[id]?.fence;
    if (fence !== lease.fence) writes.set(id, null);
  }
}

export function leasesOver(live: Live, now: number): { round: string; fence: number }[] {
  const over: { round: string; fence: number }[] = [];
  for (const [round, lease] of live.leases) if (lease.until <= now) over.push({ round, fence: lease.fence });
  return over;
}
