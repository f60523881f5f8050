/**
 * Drift: a round that turns on the spot. Every `stride` calls the host looks at the last `window`. If one subject fills them and no milestone
 * moved within them, the level rises: watch, then that subject is parked, then the round ends. A look that finds otherwise clears it.
 * A look that finds *another* subject filling the window begins at watch again: what is parked is what was watched, not what came after it.
 */
import type { Limits } from '../contract/contract.ts';
import type { Round } from '../state.ts';

export interface DriftLook {
  /** What the round keeps: the newest subjects, this one last. As many as the window, and as far back as the look before. */
  recent: string[];
  /** Null: no look at this call. `none`: nothing to see. `park`: put the subject on the needs-review list. `end`: end the round. */
  level: 'none' | 'watch' | 'park' | 'end' | null;
}

/**
 * `round` as it stands before the call: `steps` is the number of calls made, so that this one is number `steps + 1`; `movedAtStep` the number of the call during which
 * a milestone last moved (0: none). The look comes before the call is made, so a call that moves a milestone shows at the next look.
 * After it the caller stores `steps + 1`, `recent`, and for a level that is not null `drift` as none, watch or parked.
 */
export function driftAfterCall(round: Pick<Round, 'steps' | 'recent' | 'movedAtStep' | 'drift'>, subject: string, limits: Limits['drift']): DriftLook {
  const { window, stride } = limits;
  const step = round.steps + 1;
  const recent = [...round.recent, subject].slice(-Math.max(window, stride + 1));
  if (step % stride !== 0) return { recent, level: null };
  const seen = recent.slice(-window);
  const fills = seen.length === window && seen.every((other) => other === subject);
  const moved = round.movedAtStep > step - window;
  if (!fills || moved) return { recent, level: 'none' };
  // The look before ended with the call `stride` steps ago; its level belongs to that call's subject.
  const sameAsBefore = recent.at(-1 - stride) === subject;
  if (!sameAsBefore || round.drift === 'none') return { recent, level: 'watch' };
  return { recent, level: round.drift === 'watch' ? 'park' : 'end' };
}
