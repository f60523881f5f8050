/**
 * Unknown effects that say how to find out: the host has somebody outside asked. That it happened may be concluded at any time; that it did not, only from an
 * answer to a question put after the horizon, when nothing that was sent can still arrive. What stays unclear is a person's, who may decide at any time.
 */

import type { Payload } from '../commands.ts';
import { releaseWaits } from '../continuation/closing.ts';
import { CHECK_RETRIES_MS, CHECK_WITHIN_MS, PROBE_MARGIN_MS } from '../limits.ts';
import { type Refusal, refuse } from '../refusals.ts';
import type { Effect, State } from '../state.ts';
import { hostWho, type Turn, type Who } from '../turn.ts';
import type { Json } from '../values.ts';

/** Asks where it is time to; takes a question that nobody answered as unclear. True when something moved. */
export function dueProbes(turn: Turn): boolean {
  for (const effect of Object.values(turn.state.effects)) {
    const { probe } = effect;
    if (effect.state !== 'unknown' || !probe) continue;
    if (probe.dueBy !== null && probe.dueBy <= turn.now) {
      unclear(turn, effect, 'nobody answered in time');
      return true;
    }
    if (probe.dueBy === null && probe.nextAt !== null && probe.nextAt <= turn.now) {
      turn.emit(hostWho, { type: 'effect.probe_asked', effect: effect.id, tries: probe.tries + 1, dueBy: turn.now + CHECK_WITHIN_MS });
      return true;
    }
  }
  return false;
}

/** When the host must look at the probes again. */
export function probeTimes(state: State): number[] {
  return Object.values(state.effects).flatMap(({ state: at, probe }) => (at === 'unknown' && probe ? [probe.dueBy, probe.nextAt].filter((time) => time !== null) : []));
}

/** Open questions: effect, fence, and the body that says how to ask. */
export function openProbes(state: State): { effect: string; fence: number; body: string }[] {
  return Object.values(state.effects).flatMap(({ id, state: at, probe }) =>
    at === 'unknown' && probe && probe.dueBy !== null ? [{ effect: id, fence: probe.tries, body: probe.body }] : [],
  );
}

export function recordProbe(turn: Turn, who: Who, payload: Payload<'effect.probe'>): Json | Refusal {
  const effect = turn.state.effects[payload.effect];
  const probe = effect?.probe;
  if (!effect || !probe || effect.state !== 'unknown' || probe.dueBy === null) return refuse('round_superseded', { detail: 'nobody asks that any more' });
  if (probe.tries !== payload.fence) return refuse('fence_stale', { current: { fence: probe.tries } });
  const askedAt = probe.dueBy - CHECK_WITHIN_MS;
  const certain = payload.found === 'happened' || (payload.found === 'absent' && askedAt >= effect.horizon);
  if (payload.found === 'unclear') {
    unclear(turn, effect, payload.evidence);
    return { found: 'unclear' };
  }
  const evidenceBody = turn.body(payload.evidence);
  turn.emit(who, { type: 'effect.probed', effect: effect.id, found: payload.found, evidenceBody, nextAt: certain ? null : effect.horizon + PROBE_MARGIN_MS });
  if (!certain) return { found: payload.found, again: effect.horizon + PROBE_MARGIN_MS };
  const outcome = payload.found === 'happened' ? 'succeeded' : 'not_applied';
  turn.emit(who, { type: 'effect.reconciled', effect: effect.id, outcome, evidenceBody });
  releaseWaits(turn, who, (wait) => wait.correlation === `effect:${effect.id}`, 'released');
  return { found: payload.found, outcome };
}

function unclear(turn: Turn, effect: Effect, evidence: string): void {
  const pause = CHECK_RETRIES_MS[(effect.probe?.tries ?? 1) - 1];
  turn.emit(hostWho, { type: 'effect.probed', effect: effect.id, found: 'unclear', evidenceBody: turn.body(evidence), nextAt: pause === undefined ? null : turn.now + pause });
}
