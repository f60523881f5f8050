/** One event in words. The server sends type and parameters; an unknown type, from a newer server, is shown by its name. */
import type { EventView, GraphView } from '../api/types.ts';
import { m } from '../paraglide/messages.js';
import { field } from '../record/rows.ts';
import { who } from './principals.ts';
import { attemptWords, stopWords, subagentWords, verdictWords } from './states.ts';
import { count, list, size } from './time.ts';
import { titleOf, waitWord } from './why.ts';

const lanes: Record<string, () => string> = { coordinator: m.lane_coordinator, worker: m.lane_worker, reviewer: m.lane_reviewer };
const outcomes: Record<string, () => string> = {
  submitted: m.outcome_submitted,
  handed_back: m.outcome_handed_back,
  blocked: m.outcome_blocked,
  waiting: m.outcome_waiting,
  empty: m.outcome_empty,
  failed: m.outcome_failed,
  interrupted: m.outcome_interrupted,
  lost: m.outcome_lost,
  cancelled: m.outcome_cancelled,
};
const drift: Record<string, () => string> = { watch: m.drift_watch, parked: m.drift_parked, ended: m.drift_ended, none: m.drift_none };

const say = (table: Record<string, () => string>, code: string): string => table[code]?.() ?? code.replaceAll('_', ' ');
const plain = (code: string): string => code.replaceAll('_', ' ');

/** A compaction by its phases; undefined for one that a newer server knows. */
function contextWords(phase: string, said: { tokens: string; why: string }): string | undefined {
  switch (phase) {
    case 'begun':
      return m.ev_context_begun(said);
    case 'written':
      return m.ev_context_written();
    case 'done':
      return m.ev_context_done();
    case 'undone':
      return m.ev_context_undone(said);
    default:
      return undefined;
  }
}

export interface EventWordsContext {
  graph: GraphView;
  /** Titles of milestones by key. */
  milestones: ReadonlyMap<string, string>;
}

export function eventWords(event: EventView, { graph, milestones }: EventWordsContext): string {
  const text = (...path: string[]): string => {
    const value = field(event.data, ...path);
    return typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
  };
  const number = (...path: string[]): number => Number(field(event.data, ...path) ?? 0);
  const length = (...path: string[]): number => {
    const value = field(event.data, ...path);
    return Array.isArray(value) ? value.length : typeof value === 'number' ? value : 0;
  };
  const strings = (...path: string[]): string[] => {
    const value = field(event.data, ...path);
    return Array.isArray(value) ? value.map(String) : [];
  };
  const milestone = (key: string): string => milestones.get(key) ?? key;
  switch (event.type) {
    case 'goal.created':
      return m.ev_goal_created();
    case 'goal.drafted':
      return m.ev_goal_drafted({ version: number('goalVersion') });
    case 'goal.confirmed':
      return m.ev_goal_confirmed({ version: number('goalVersion') });
    case 'goal.revised':
      return m.ev_goal_revised({ version: number('goalVersion'), reason: text('reason') });
    case 'amendment.proposed':
      return m.ev_amendment_proposed({ message: String(field(event.data, 'amendment', 'message') ?? '') });
    case 'amendment.closed':
      return m.ev_amendment_closed({ how: plain(text('how')) });
    case 'goal.paused':
      return m.ev_goal_paused();
    case 'goal.resumed':
      return m.ev_goal_resumed();
    case 'goal.limitsSet':
      return m.ev_goal_limitsSet();
    case 'goal.stopped':
      return m.ev_goal_stopped({ why: say(stopWords, text('stop', 'kind')) });
    case 'goal.audited': {
      const classes = field(event.data, 'audit', 'classes');
      const all = classes !== null && typeof classes === 'object' && !Array.isArray(classes) ? Object.values(classes) : [];
      return m.ev_goal_audited({ proven: all.filter((entry) => field(entry, 'class') === 'proven').length, of: all.length });
    }
    case 'goal.completed':
      return m.ev_goal_completed({ version: number('goalVersion') });
    case 'goal.cancelled':
      return m.ev_goal_cancelled();
    case 'criterion.attested':
      return m.ev_criterion_attested({
        criterion: text('attestation', 'criterion'),
        holds: field(event.data, 'attestation', 'holds') === true ? m.attest_holds() : m.attest_fails(),
      });
    case 'execution.opened':
      return m.ev_execution_opened();
    case 'execution.promoted':
      return m.ev_execution_promoted();
    case 'execution.ended':
      return m.ev_execution_ended({ why: plain(text('status')) });
    case 'plan.proposed':
      return m.ev_plan_proposed();
    case 'plan.refused':
      return m.ev_plan_refused({ count: length('errors') });
    case 'plan.pended':
      return m.ev_plan_pended({ items: list(strings('waitsFor').map((key) => titleOf(key, graph))) });
    case 'plan.adopted':
      return m.ev_plan_adopted({ n: number('revision'), count: length('order') });
    case 'plan.rejected':
      return m.ev_plan_rejected();
    case 'assignment.made':
      return m.ev_assignment_made({ who: who(text('owner')), fence: number('fence') });
    case 'assignment.released':
      return m.ev_assignment_released({ why: plain(text('why')) });
    case 'attempt.opened':
      return m.ev_attempt_opened({ n: number('number'), fence: number('fence') });
    case 'attempt.started':
      return m.ev_attempt_started();
    case 'attempt.ended':
      return m.ev_attempt_ended({ state: say(attemptWords, text('state')) });
    case 'item.stopped':
      return m.ev_item_stopped({ why: say(stopWords, text('stop', 'kind')) });
    case 'item.resumed':
      return m.ev_item_resumed();
    case 'item.cancelled':
      return m.ev_item_cancelled();
    case 'item.reaffirmed':
      return m.ev_item_reaffirmed();
    case 'artifact.stored':
      return m.ev_artifact_stored({ path: text('artifact', 'path'), size: size(number('artifact', 'size')) });
    case 'submission.received':
      return m.ev_submission_received({ n: number('submission', 'number'), files: length('submission', 'artifacts'), count: length('submission', 'artifacts') });
    case 'review.recorded':
      return m.ev_review_recorded({ verdict: say(verdictWords, text('verdict')) });
    case 'review.staged':
      return m.ev_review_staged({ stage: number('stage') + 1 });
    case 'acceptance.recorded':
      return m.ev_acceptance_recorded({ verdict: say(verdictWords, text('verdict', 'verdict')) });
    case 'acceptance.invalidated':
      return m.ev_acceptance_invalidated();
    case 'verdict.decided':
      return m.ev_verdict_decided();
    case 'blocker.raised':
      return m.ev_blocker_raised({ reason: text('blocker', 'reason') });
    case 'blocker.passed':
      return m.ev_blocker_passed();
    case 'blocker.resolved':
      return m.ev_blocker_resolved();
    case 'blocker.withdrawn':
      return m.ev_blocker_withdrawn();
    case 'fact.recorded':
      return m.ev_fact_recorded({ key: text('key') });
    case 'milestone.defined':
      return m.ev_milestone_defined();
    case 'milestone.moved':
      return m.ev_milestone_moved({ milestone: milestone(text('milestone')), count: count(number('count')), subject: text('subject') });
    case 'milestone.targeted':
      return m.ev_milestone_targeted({ milestone: milestone(text('milestone')), count: count(number('target')) });
    case 'milestone.confirmed':
      return m.ev_milestone_confirmed({ milestone: milestone(text('milestone')) });
    case 'ledger.recorded':
      return m.ev_ledger_recorded({ subject: text('subject'), verdict: plain(text('verdict')) });
    case 'review_list.added':
      return m.ev_review_list_added({ subject: text('subject') });
    case 'review_list.resolved':
      return m.ev_review_list_resolved({ subject: text('subject') });
    case 'evidence.invalidated':
      return m.ev_evidence_invalidated({ count: length('decisions') + length('acceptances') });
    case 'tasks.set':
      return m.ev_tasks_set({ done: number('done'), total: number('total') });
    case 'effect.planned':
      return m.ev_effect_planned({ tool: text('effect', 'tool') });
    case 'effect.settled':
      return m.ev_effect_settled({ outcome: plain(text('outcome')) });
    case 'effect.probe_asked':
      return m.ev_effect_probe_asked({ n: number('tries') });
    case 'effect.probed':
      return m.ev_effect_probed({ found: plain(text('found')) });
    case 'effect.reconciled':
      return m.ev_effect_reconciled({ outcome: plain(text('outcome')) });
    case 'approval.asked':
      return m.ev_approval_asked({ tool: text('approval', 'tool') });
    case 'approval.decided':
      return m.ev_approval_decided({ decision: plain(text('decision')) });
    case 'approval.used':
      return m.ev_approval_used();
    case 'approval.expired':
      return m.ev_approval_expired();
    case 'wait.armed':
      return m.ev_wait_armed({ kind: waitWord(text('wait', 'kind')) });
    case 'wait.released':
      return m.ev_wait_released();
    case 'signal.kept':
      return m.ev_signal_kept();
    case 'signal.dropped':
      return m.ev_signal_dropped();
    case 'finish.asked':
      return m.ev_finish_asked();
    case 'subagent.adopted':
      return m.ev_subagent_adopted();
    case 'subagent.spawned':
      return m.ev_subagent_spawned({ name: text('subagent', 'name') });
    case 'subagent.returned':
      return m.ev_subagent_returned();
    case 'subagent.ended':
      return m.ev_subagent_ended({ state: say(subagentWords, text('state')) });
    case 'round.scheduled':
      return m.ev_round_scheduled({ lane: say(lanes, text('round', 'lane')), fence: number('round', 'fence') });
    case 'round.redispatched':
      return m.ev_round_redispatched({ fence: number('fence') });
    case 'round.claimed':
      return m.ev_round_claimed();
    case 'round.started':
      return m.ev_round_started();
    case 'round.pinned': {
      const skills = field(event.data, 'skills');
      const names = Array.isArray(skills) ? skills.map((skill) => `${String(field(skill, 'name'))} ${String(field(skill, 'version'))}`) : [];
      const said = { model: text('model'), profile: text('profile') };
      return names.length > 0 ? m.ev_round_pinned({ ...said, skills: list(names) }) : m.ev_round_pinned_plain(said);
    }
    case 'context.recorded':
      return contextWords(text('phase'), { tokens: count(number('tokens')), why: text('why') }) ?? event.type;
    case 'round.ended':
      return m.ev_round_ended({ outcome: say(outcomes, text('outcome')) });
    case 'call.authorized':
      return m.ev_call({ tool: text('tool'), subject: text('subject') });
    case 'call.refused':
      return m.ev_call_refused({ tool: text('tool'), code: plain(text('code')), ref: text('ref') });
    case 'drift.noticed':
      return m.ev_drift_noticed({ level: say(drift, text('level')), subject: text('subject') });
    case 'message.posted':
      return m.ev_message_posted();
    case 'message.handled':
      return m.ev_message_handled();
    case 'note.revised':
      return m.ev_note_revised({ topic: text('topic') });
    case 'note.appended':
      return m.ev_note_appended({ topic: text('topic') });
    case 'check.requested':
      return m.ev_check_requested({ key: text('check', 'key') });
    case 'check.recorded': {
      const pass = field(event.data, 'pass');
      const key = text('key');
      return pass === true ? m.ev_check_passed({ key }) : pass === false ? m.ev_check_failed({ key }) : m.ev_check_unable({ key });
    }
    case 'usage.recorded':
      return field(event.data, 'assumed') === true ? m.ev_usage_assumed({ tokens: count(number('tokens')) }) : m.ev_usage_recorded({ tokens: count(number('tokens')) });
    case 'round.granted':
      return m.ev_round_granted();
    case 'round.held':
      return m.ev_round_held();
    case 'round.settled':
      return m.ev_round_settled();
    case 'budget.reserved':
      return m.ev_budget_reserved({ tokens: count(number('tokens')) });
    case 'budget.short':
      return m.ev_budget_short();
    case 'late.recorded':
      return m.ev_late_recorded({ command: text('command') });
    default:
      return event.type;
  }
}
