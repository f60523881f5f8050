/** Many timers, one alarm. Each setting is a billed row, so it is set only when something is due earlier than what is armed. */

import type { State } from '../domain/state.ts';
import type { Core } from './core.ts';
import type { LeaseWrites } from './leases.ts';
import type { Live } from './working-set.ts';

/**
 * Milliseconds after a commit at which the alarm looks after the lanes, should the process die before they ran: soon where a round or a check is to be
 * handed over, later where only the book is behind, as each ring costs writes.
 */
const dispatchSafetyMs = 2000;
const bookSafetyMs = 10_000;
/** A living Goal looks at itself at least this often. */
const longestSleepMs = 86_400_000;
/** What could not be handled is tried again after this long, never at once. */
const stuckMs = 30_000;

/** How late an alarm may be, milliseconds. */
const lostAfterMs = 10_000;

export class Wake {
  /** Milliseconds since the epoch of the armed alarm. Infinity: none, or not known since the process began; setting it again is harmless. */
  armed = Number.POSITIVE_INFINITY;

  /** It should have rung long ago: it was lost, and is not relied on. */
  isOverdue(now: number): boolean {
    return this.armed < now - lostAfterMs;
  }

  /** When the alarm must ring after a commit that leaves `state`. */
  afterCommit(core: Core, state: State, live: Live, leaseWrites: LeaseWrites, now: number): number {
    const handing = Object.keys(state.checks).length > 0 || Object.values(state.rounds).some((round) => round.phase === 'scheduled');
    return Math.min(now + (handing ? dispatchSafetyMs : bookSafetyMs), this.#due(core, state, live, leaseWrites, now));
  }

  /** When it must ring once everything due was handled (`settled`); null: never (a terminal or erased Goal with nothing left to deliver). */
  afterHandling(core: Core, live: Live, now: number, laneTimes: (number | null)[], settled: boolean): number | null {
    let at = this.#due(core, live.state, live, new Map(), now);
    if (!settled) at = Math.min(at, now + stuckMs);
    for (const time of laneTimes) if (time !== null) at = Math.min(at, Math.max(time, now + 1));
    const terminal = live.meta.erased || live.state.status === 'completed' || live.state.status === 'cancelled';
    if (!terminal) at = Math.min(at, now + longestSleepMs);
    return Number.isFinite(at) ? at : null;
  }

  /** The next time ahead. One that has passed was seen by the commit or the tick at `now`; a deadline, say, stays passed for good. */
  #due(core: Core, state: State, live: Live, leaseWrites: LeaseWrites, now: number): number {
    let at = Number.POSITIVE_INFINITY;
    const take = (time: number) => {
      if (time > now && time < at) at = time;
    };
    for (const time of core.dueTimes(state)) take(time);
    for (const [round, lease] of live.leases) if (!leaseWrites.has(round)) take(lease.until);
    for (const lease of leaseWrites.values()) if (lease) take(lease.until);
    return at;
  }
}
