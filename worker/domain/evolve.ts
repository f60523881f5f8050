/** Folds events into the working set. Total over the event union; decides nothing and refuses nothing. */

import { Draft } from './draft.ts';
import type { Event } from './events.ts';
import type { Folds } from './folds/fold.ts';
import { goalFolds } from './folds/goal.ts';
import { planFolds } from './folds/plan.ts';
import { planesFolds } from './folds/planes.ts';
import { roundsFolds } from './folds/rounds.ts';
import { waitingFolds } from './folds/waiting.ts';
import { workFolds } from './folds/work.ts';
import type { State } from './state.ts';

/** A snapshot of another fold version is ignored and the journal folded anew. */
export const FOLD_VERSION = 9;

/** The state after these events, in order. The given state is not changed. */
export function fold(state: State, events: readonly Event[]): State {
  const draft = new Draft(state);
  for (const event of events) apply(draft, event);
  return draft.state;
}

/** Applied changes that count as progress of the round that caused them. */
function isProgress(event: Event, state: State): boolean {
  switch (event.type) {
    case 'milestone.moved':
    case 'blocker.raised':
    case 'blocker.passed':
    case 'blocker.resolved':
    case 'blocker.withdrawn':
    case 'plan.adopted':
    case 'plan.pended':
    case 'acceptance.recorded':
    case 'acceptance.invalidated':
    case 'goal.audited':
    case 'goal.drafted':
    case 'amendment.proposed':
    case 'review.recorded':
    case 'subagent.spawned':
    case 'subagent.returned':
    case 'item.resumed':
    case 'verdict.decided':
    case 'item.cancelled':
    case 'milestone.defined':
      return true;
    case 'plan.proposed':
      return event.proposal.needsPerson;
    case 'assignment.made':
      return event.granted;
    case 'submission.received':
      return true;
    case 'fact.recorded':
      return event.version === 1 && event.required === true;
    case 'artifact.stored':
      // The same bytes again are no change.
      return event.role === 'deliverable' && state.deliverables[event.artifact.path]?.digest !== event.artifact.digest;
    default:
      return false;
  }
}

/** In the order of the chain. Total: an event without a fold does not compile. */
const folds: Folds = { ...goalFolds, ...planFolds, ...workFolds, ...planesFolds, ...waitingFolds, ...roundsFolds };

export function apply(draft: Draft, event: Event): void {
  const s = draft.state;
  s.seq = event.seq;
  s.at = event.at;
  if (event.via && isProgress(event, s)) draft.round(event.via, { progress: (s.rounds[event.via]?.progress ?? 0) + 1 });

  folds[event.type](draft, event as never, s);
}
