/**
 * Development only: from when a count is reached, rounds get no more answers, so that the process can be killed with at least one of them in flight: the one that
 * reached it, or else the next that does anything.
 */
import type { ProtocolPorts } from './protocol-ports.ts';

/** Milliseconds. Whoever set the hold kills the process long before. */
const longestHoldMs = 600_000;

interface HoldSettings {
  LONGHAUL_DEV?: string;
  /** The count, a whole number from 1. */
  LONGHAUL_HOLD_AT?: string;
  /** Of which milestone; without it, of accepted items. */
  LONGHAUL_HOLD_ON?: string;
}

export function holdAt(env: HoldSettings): Pick<ProtocolPorts, 'hold'> {
  const at = Number(env.LONGHAUL_HOLD_AT ?? Number.NaN);
  // Decided at build time: in production nothing can hold an answer back.
  if (!__LONGHAUL_DEV__) return {};
  if (env.LONGHAUL_DEV !== '1' || !Number.isInteger(at) || at < 1) return {};
  return {
    hold: ({ milestones, accepted, inRound }) => {
      const count = env.LONGHAUL_HOLD_ON === undefined ? accepted : (milestones[env.LONGHAUL_HOLD_ON] ?? 0);
      return inRound && count >= at ? new Promise((resolve) => setTimeout(resolve, longestHoldMs)) : undefined;
    },
  };
}
