/**
 * From a stored entry of the journal to the shape this program folds. An entry of an older version is brought up here, one step after another;
 * one that is not known (a newer program wrote it) throws, and the Goal then opens read-only: nothing is skipped.
 */
import type { Event, EventType } from './events.ts';

/** The version that is written now, of each type. Raise it with a changed shape, and add the step to `steps`. */
export const versions: Record<EventType, number> = {
  'goal.created': 1,
  'goal.drafted': 1,
  'goal.confirmed': 1,
  'goal.revised': 1,
  'goal.paused': 1,
  'goal.resumed': 1,
  'goal.limitsSet': 1,
  'goal.stopped': 1,
  'goal.audited': 1,
  'goal.completed': 1,
  'goal.cancelled': 1,
  'criterion.attested': 1,
  'execution.opened': 1,
  'execution.promoted': 1,
  'execution.ended': 1,
  'plan.proposed': 1,
  'plan.refused': 1,
  'plan.pended': 1,
  'plan.adopted': 1,
  'plan.rejected': 1,
  'assignment.made': 1,
  'assignment.released': 1,
  'attempt.opened': 1,
  'attempt.started': 1,
  'attempt.ended': 1,
  'item.stopped': 1,
  'item.resumed': 1,
  'item.cancelled': 1,
  'item.reaffirmed': 1,
  'artifact.stored': 1,
  'submission.received': 1,
  'review.recorded': 1,
  'review.staged': 1,
  'acceptance.recorded': 1,
  'acceptance.invalidated': 1,
  'verdict.decided': 1,
  'amendment.proposed': 1,
  'amendment.closed': 1,
  'blocker.raised': 1,
  'blocker.passed': 1,
  'blocker.resolved': 1,
  'blocker.withdrawn': 1,
  'fact.recorded': 1,
  'milestone.defined': 1,
  'milestone.moved': 1,
  'milestone.targeted': 1,
  'milestone.confirmed': 1,
  'ledger.recorded': 1,
  'review_list.added': 1,
  'review_list.resolved': 1,
  'evidence.invalidated': 2,
  'tasks.set': 1,
  'effect.planned': 1,
  'effect.settled': 1,
  'effect.reconciled': 1,
  'effect.probe_asked': 1,
  'effect.probed': 1,
  'approval.asked': 1,
  'approval.decided': 1,
  'approval.used': 1,
  'approval.expired': 1,
  'wait.armed': 1,
  'wait.released': 1,
  'signal.kept': 1,
  'signal.dropped': 1,
  'finish.asked': 1,
  'subagent.spawned': 1,
  'subagent.adopted': 1,
  'subagent.returned': 1,
  'subagent.ended': 1,
  'round.scheduled': 1,
  'round.redispatched': 1,
  'round.granted': 1,
  'round.held': 1,
  'round.settled': 1,
  'round.claimed': 1,
  'round.started': 1,
  'round.pinned': 1,
  'context.recorded': 1,
  'round.ended': 1,
  'call.authorized': 1,
  'call.refused': 1,
  'call.recorded': 1,
  'drift.noticed': 1,
  'message.posted': 1,
  'message.handled': 1,
  'note.revised': 1,
  'note.appended': 1,
  'check.requested': 1,
  'check.recorded': 1,
  'usage.recorded': 1,
  'budget.reserved': 1,
  'budget.short': 1,
  'late.recorded': 1,
};

/** `<type>@<version>` to the next version. */
export type UpcastSteps = Record<string, (event: Event) => Event>;
const steps: UpcastSteps = {
  // Version 1 flagged what cited it, said no reason and asked nobody.
  'evidence.invalidated@1': (event) => ({ ...event, v: 2, reasonBody: null, facts: [], asks: false }) as unknown as Event,
};

export function upcasterOf(known: Record<EventType, number>, ways: UpcastSteps): (stored: readonly Event[]) => Event[] {
  return (stored) =>
    stored.map((event) => {
      const current = Object.hasOwn(known, event.type) ? known[event.type] : undefined;
      if (current === undefined || event.v > current) throw new Error(`event ${event.seq} of type ${event.type} version ${event.v} is not known here`);
      let raised = event;
      while (raised.v < current) {
        const step = ways[`${raised.type}@${raised.v}`];
        if (!step) throw new Error(`event ${event.seq} of type ${event.type} version ${raised.v} has no way up`);
        raised = step(raised);
      }
      return raised;
    });
}

export const upcast = upcasterOf(versions, steps);
