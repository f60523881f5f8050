/** Development only: keeps back the answer of the commit in which a milestone reaches a number, so that the process can be killed with that round in flight. */
import type { ProtocolPorts } from './protocol-ports.ts';

/** Milliseconds. Whoever set the hold kills the process long before. */
const longestHoldMs = 600_000;

interface HoldSettings {
  LONGHAUL_DEV?: string;
  /** A milestone count. */
  LONGHAUL_HOLD_AT?: string;
}

export function holdAt(env: HoldSettings): Pick<ProtocolPorts, 'hold'> {
  const at = Number(env.LONGHAUL_HOLD_AT ?? Number.NaN);
  // Decided at build time: in production nothing can hold an answer back.
  if (!__LONGHAUL_DEV__) return {};
  if (env.LONGHAUL_DEV !== '1' || !Number.isInteger(at) || at < 1) return {};
  return {
    hold: (before, after) => {
      const reached = Object.entries(after).some(([key, count]) => count >= at && (before[key] ?? 0) < at);
      return reached ? new Promise((resolve) => setTimeout(resolve, longestHoldMs)) : undefined;
    },
  };
}
