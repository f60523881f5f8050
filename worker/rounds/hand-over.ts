/** What a Runner keeps of a dispatch until it is over, and what it does after each run. Kept in its storage; all of it is decided here. */
import type { DispatchMessage } from '../goal/ports.ts';
import type { RoundRun } from './run-round.ts';

export interface HandOver {
  message: DispatchMessage;
  /** The claim was about to be asked for: from here on a new ring means that the run before it died. */
  begun: boolean;
  tries: number;
}

/** Tries before the hand-over is dropped. The Goal dispatches again by its own clock, so dropping loses nothing. */
const TRIES = 12;

export type AfterRun = { kind: 'over' } | { kind: 'again'; work: HandOver; afterMs: number };

/** `work`: as it was before the run. A run that threw may have begun. One that got no claim has not: then it still holds whether the run before it died. */
export function afterRun(work: HandOver, run: RoundRun | 'threw'): AfterRun {
  if (run !== 'threw' && run.kind === 'done') return { kind: 'over' };
  if (work.tries >= TRIES) return { kind: 'over' };
  const tries = work.tries + 1;
  return run === 'threw'
    ? { kind: 'again', work: { ...work, begun: true, tries }, afterMs: Math.min(60_000, 500 * 2 ** work.tries) }
    : { kind: 'again', work: { ...work, tries }, afterMs: run.afterMs };
}
