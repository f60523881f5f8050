/** Why a Goal goes on or has stopped, and who moves it next: the server's codes in words. */
import type { GoalBar, GraphView, Next, Why } from '../api/types.ts';
import { m } from '../paraglide/messages.js';
import { connectionText } from './connections.ts';
import { who } from './principals.ts';
import type { Family } from './states.ts';
import { count, list, micros, moment } from './time.ts';

export interface WhyWords {
  family: Family;
  title: string;
  text: string;
}

const waitWords: Record<string, () => string> = {
  input: m.wait_input,
  approval: m.wait_approval,
  review: m.wait_review,
  timer: m.wait_timer,
  external: m.wait_external,
  subagent: m.wait_subagent,
  reconcile: m.wait_reconcile,
};
export const waitWord = (kind: string): string => waitWords[kind]?.() ?? kind;

/** The title alone, where there is no room or no graph to say more. */
export const whyTitle: Record<Why['kind'], () => string> = {
  terminal: m.why_completed,
  draft: m.why_draft,
  paused: m.why_paused,
  budget: m.why_budget,
  deadline: m.why_deadline,
  running: m.why_running,
  ready: m.why_ready,
  queued: m.why_queued,
  checking: m.why_checking,
  waiting: m.why_waiting,
  blocked: m.why_blocked,
  no_progress: m.why_no_progress,
  suspended: m.why_suspended,
};
export const whyFamily: Record<Why['kind'], Family> = {
  terminal: 'done',
  draft: 'attention',
  paused: 'neutral',
  budget: 'attention',
  deadline: 'attention',
  running: 'active',
  ready: 'active',
  queued: 'neutral',
  checking: 'review',
  waiting: 'attention',
  blocked: 'stop',
  no_progress: 'attention',
  suspended: 'stop',
};

export function whyWords(bar: GoalBar, graph: GraphView, now: number): WhyWords {
  const why = bar.next.why;
  const look = { family: whyFamily[why.kind], title: whyTitle[why.kind]() };
  switch (why.kind) {
    case 'terminal':
      if (why.status === 'cancelled') return { family: 'neutral', title: m.why_cancelled(), text: m.why_cancelled_text() };
      return { ...look, text: bar.mode === 'graph_only' ? m.why_completed_graph() : m.why_completed_text({ version: bar.goalVersion }) };
    case 'draft':
      if (bar.intake?.standing === 'running' || bar.intake?.standing === 'ready') return { family: 'active', title: m.why_drafting(), text: m.why_draft_text() };
      return { ...look, text: m.why_draft_text() };
    case 'paused':
      return { ...look, text: m.why_paused_text() };
    case 'budget':
      return { ...look, text: budgetWords(why, bar.budget.money.currency, graph) };
    case 'deadline':
      return { ...look, text: m.why_deadline_text({ time: moment(why.at, now) }) };
    case 'queued':
      if (why.by === 'connection' && why.connection)
        return { title: m.why_connection(), family: why.connection.person ? 'attention' : 'neutral', text: connectionText(why.connection) };
      return {
        ...look,
        ...(why.by === 'budget' ? { family: 'attention' as const } : {}),
        text: why.by === 'places' ? m.why_queued_places() : why.by === 'reserved' ? m.why_queued_reserved() : workspaceBudgetWords(why, bar.budget.money.currency),
      };
    case 'running':
    case 'ready': {
      const named = why.rounds.map((round) => roundWords(round, graph));
      const shown = named.slice(0, 2);
      if (named.length > 2) shown.push(m.rounds_more({ count: named.length - 2 }));
      return { ...look, text: m.full_stop({ text: sentence(list([...new Set(shown)])) }) };
    }
    case 'checking':
      return { ...look, text: m.why_checking_text({ count: why.checks.length }) };
    case 'waiting':
      return { ...look, text: m.why_waiting_text({ kinds: list(why.kinds.map(waitWord)) }) };
    case 'blocked':
      return { ...look, text: m.why_blocked_text({ count: why.blockers.length }) };
    case 'no_progress':
      return { ...look, text: m.why_no_progress_text({ items: list(why.items.map((key) => titleOf(key, graph))) }) };
    case 'suspended':
      return { ...look, text: m.why_suspended_text() };
    default:
      return why satisfies never;
  }
}

/** What is used of which limit, what the next call would have needed, and what is left to do. */
function budgetWords(why: Extract<Why, { kind: 'budget' }>, currency: string | null, graph: GraphView): string {
  const amount = (value: number): string => (why.limit === 'money' && currency !== null ? micros(value, currency) : count(value));
  const limit = why.limit === 'money' ? m.limit_money() : why.limit === 'tokens' ? m.limit_tokens() : m.limit_rounds();
  const parts = [
    why.item === undefined
      ? m.why_budget_text({ used: amount(why.used), of: amount(why.of), limit })
      : m.why_budget_item_text({ used: amount(why.used), of: amount(why.of), limit, item: titleOf(why.item, graph) }),
  ];
  if (why.needed !== undefined) parts.push(m.why_budget_needed({ needed: amount(why.needed) }));
  parts.push(...remainsWords(why.remains), m.why_budget_raise());
  return parts.reduce((first, second) => m.sentences({ first, second }));
}

/** The same of a budget of the workspace, which all its goals share. */
function workspaceBudgetWords(why: Extract<Why, { kind: 'queued' }>, currency: string | null): string {
  const amount = (value: number): string => (why.limit === 'money' && currency !== null ? micros(value, currency) : count(value));
  const parts = [m.why_queued_budget()];
  if (why.spent) parts.push(m.why_budget_text({ used: amount(why.spent.used), of: amount(why.spent.of), limit: why.limit === 'money' ? m.limit_money() : m.limit_tokens() }));
  if (why.needed !== undefined) parts.push(m.why_budget_needed({ needed: amount(why.needed) }));
  if (why.remains) parts.push(...remainsWords(why.remains));
  return parts.reduce((first, second) => m.sentences({ first, second }));
}

function remainsWords({ items, criteria }: Extract<Why, { kind: 'budget' }>['remains']): string[] {
  return [...(items.count > 0 ? [m.why_budget_items({ count: items.count })] : []), ...(criteria.count > 0 ? [m.why_budget_criteria({ count: criteria.count })] : [])];
}

const sentence = (text: string): string => (text === '' ? '' : text[0]?.toUpperCase() + text.slice(1));

export function titleOf(key: string, graph: GraphView): string {
  return graph.nodes.find((node) => node.key === key)?.title ?? key;
}

function roundWords(round: { lane: string; item?: string }, graph: GraphView): string {
  if (round.lane === 'coordinator' || !round.item) return m.round_coordinator();
  const node = graph.nodes.find((candidate) => candidate.key === round.item);
  const item = node?.title ?? round.item;
  return round.lane === 'reviewer' ? m.round_reviewer({ item }) : m.round_worker({ n: Math.max(1, node?.attempts ?? 1), item });
}

/** "Next: you answer the question." The first mover; more are counted by the caller. */
export function moverWords(mover: Next['who'][number], now: number): string {
  const name = who(mover.mover);
  const due = mover.due === undefined ? '' : ` (${m.next_by({ time: moment(mover.due, now) })})`;
  switch (mover.act) {
    case 'confirm':
      return m.next_confirm({ who: name });
    case 'resume':
      return m.next_resume({ who: name });
    case 'raise_limit':
      return m.next_raise_limit({ who: name });
    case 'set_connection':
      return m.next_set_connection({ who: name });
    case 'run':
      return m.next_run({ who: name });
    case 'check':
      return m.next_check();
    case 'answer':
      return m.next_answer({ who: name }) + due;
    case 'decide':
      return m.next_decide({ who: name }) + due;
    case 'review':
      return m.next_review({ who: name }) + due;
    case 'attest':
      return m.next_attest({ who: name });
    case 'reconcile':
      return m.next_reconcile({ who: name });
    case 'signal':
      // A claim that a person or program holds: what is awaited is their work.
      if (mover.ref.startsWith('attempt:')) return m.next_run({ who: name }) + due;
      return m.next_signal() + due;
    case 'time':
      return m.next_time({ time: mover.due === undefined ? '' : moment(mover.due, now) });
    case 'carry':
      return m.next_carry({ who: name });
    default:
      return mover.act satisfies never;
  }
}
