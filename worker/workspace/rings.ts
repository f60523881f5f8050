/**
 * Rings the Goals that wait for something of their workspace. Each is taken off the list before it is rung, so a crash loses at most the rings under way: a Goal has a timer of its own.
 * A Goal that is rung and has to wait on is on the list again: one ring reaches those who waited when it began, each once, or Goals that wait for what is under way would be rung without end.
 */
import type { Awaited } from './workspace-store.ts';

/** Goals rung at once. */
const ringsAtOnce = 10;

export interface RingPorts {
  /** How many wait for it. */
  waiting(until: Awaited): number;
  /** Takes the one off the list that waits longest. */
  take(until: Awaited): string | undefined;
  /** Never rejects. */
  poke(goal: string): Promise<void>;
}

/** `limit`: how many at most, where there is room for so many. */
export async function ring(ports: RingPorts, until: Awaited, limit = Number.POSITIVE_INFINITY): Promise<void> {
  let left = Math.min(limit, ports.waiting(until));
  const lane = async () => {
    while (left-- > 0) {
      const goal = ports.take(until);
      if (goal === undefined) return;
      await ports.poke(goal);
    }
  };
  await Promise.all(Array.from({ length: Math.min(ringsAtOnce, left) }, lane));
}
