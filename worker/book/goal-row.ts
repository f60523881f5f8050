/** A Goal's own image in the book: what lists show of it, and its Work Items with the states derived now. */
import { dueTimes } from '../domain/continuation/next.ts';
import type { State } from '../domain/state.ts';
import type { Json } from '../domain/values.ts';
import { needsYouOf } from '../domain/views/needs-you.ts';
import type { GoalSummary, ItemState, Next, Why } from '../domain/views/types.ts';
import { itemState } from '../domain/work/derive.ts';

export interface ItemImage {
  key: string;
  state: ItemState;
  title: string;
  kind: string;
  required: boolean;
  specDigest: string;
  version: number;
  attempts: number;
  submissions: number;
}

export interface GoalRow {
  title: string;
  mode: State['mode'];
  status: State['status'];
  why: Why['kind'];
  goalVersion: number;
  planRevision: number;
  /** `seq` of the state it was made from. */
  seq: number;
  execution: { id: string; status: string; openedAt: number } | null;
  needsYou: number;
  milestones: { key: string; count: number; target: number | null }[];
  budget: State['budget'];
  /** What the money of the budget counts in. */
  currency: string | null;
  reviewListOpen: number;
  accepted: number;
  requiredItems: number;
  /** Next time the host must look at it, milliseconds; null: nothing is due. */
  wakeAt: number | null;
  createdAt: number;
  updatedAt: number;
  /** The version of a template that it was made from. */
  template?: { name: string; version: number };
  items: ItemImage[];
}

export function goalRowOf(state: State, next: Next): Json {
  const items = Object.values(state.items).map(
    (item): ItemImage => ({
      key: item.key,
      state: itemState(state, item.key),
      title: item.spec.title,
      kind: item.spec.kind,
      required: item.spec.required,
      specDigest: item.specDigest,
      version: item.version,
      attempts: item.attempts,
      submissions: item.submissions,
    }),
  );
  const required = items.filter((item) => item.required && item.state !== 'superseded' && item.state !== 'cancelled');
  const due = dueTimes(state);
  const row: GoalRow = {
    title: state.title,
    mode: state.mode,
    status: state.status,
    why: next.why.kind,
    goalVersion: state.goalVersion,
    planRevision: state.plan?.revision ?? 0,
    seq: state.seq,
    execution: state.execution && { id: state.execution.id, status: state.execution.status, openedAt: state.execution.openedAt },
    needsYou: needsYouOf(next),
    milestones: Object.entries(state.milestones).map(([key, milestone]) => ({ key, count: milestone.count, target: milestone.target })),
    budget: state.budget,
    currency: state.limits.money?.currency ?? null,
    reviewListOpen: state.reviewList.open,
    accepted: required.filter((item) => item.state === 'accepted').length,
    requiredItems: required.length,
    wakeAt: due.length === 0 ? null : Math.min(...due),
    createdAt: state.createdAt,
    updatedAt: state.at,
    ...(state.origin ? { template: { name: state.origin.template.name, version: state.origin.template.version } } : {}),
    items,
  };
  return row as unknown as Json;
}

/** What lists show of it. */
export function summaryOfRow(goal: string, row: GoalRow): GoalSummary {
  const { title, mode, status, why, goalVersion, planRevision, needsYou, wakeAt, createdAt, updatedAt, seq, milestones, accepted, requiredItems, budget } = row;
  return {
    goal,
    title,
    mode,
    status,
    why,
    goalVersion,
    planRevision,
    needsYou,
    wakeAt,
    createdAt,
    updatedAt,
    seq,
    milestones,
    accepted,
    requiredItems,
    budget: budget as unknown as Json,
  };
}
