/** The projection behind the goal bar: where the Goal stands, what moves it next, and what waits for a person. */
import type { Context } from '../context.ts';
import { goalRooms, type Room } from '../continuation/budget.ts';
import { intakeStanding } from '../continuation/intake.ts';
import { nextOf } from '../continuation/next.ts';
import { auditIsCurrent } from '../contract/audit.ts';
import { BAR_BLOCKERS, BAR_WAITS, INTAKE_ROUNDS } from '../limits.ts';
import type { Blocker, State } from '../state.ts';
import { isAccepted, itemState, openThings } from '../work/derive.ts';
import { milestonesOf } from './milestones.ts';
import type { BlockerView, GoalBar } from './types.ts';

/** `now`, milliseconds since the epoch, only decides what is due; the bar of one state differs between two times in `next` alone. */
export function goalBar(state: State, now: number, carriers: Context['carriers']): GoalBar {
  const { limits, budget } = state;
  const criteria = criteriaOf(state);
  const rooms = goalRooms(state);
  return {
    title: state.title,
    mode: state.mode,
    status: state.status,
    goalVersion: state.goalVersion,
    planRevision: state.plan?.revision ?? 0,
    seq: state.seq,
    at: state.at,
    next: nextOf(state, now, carriers),
    criteria,
    items: itemCounts(state),
    milestones: milestonesOf(state),
    reviewList: { open: state.reviewList.open },
    ledger: { entries: state.ledger.entries, asked: state.decisionsAsked },
    budget: {
      rounds: { used: budget.rounds, of: limits.rounds },
      time: { startedAt: state.confirmedAt, until: state.confirmedAt === null ? null : state.confirmedAt + limits.wallTimeMs },
      tokens: spending(rooms.tokens),
      money: { ...spending(rooms.money), currency: limits.money?.currency ?? null },
    },
    graphClosed: state.plan !== null && openThings(state).length === 0,
    goalAudited: auditIsCurrent(state) && criteria.length > 0 && criteria.every((criterion) => criterion.class === 'proven'),
    blockers: Object.values(state.blockers).slice(0, BAR_BLOCKERS).map(blockerView),
    waits: Object.values(state.waits)
      .slice(0, BAR_WAITS)
      .map(({ id, kind, owner, reason, form, due, item, correlation, generation }) => ({
        id,
        kind,
        owner,
        reason,
        correlation,
        generation,
        ...(form === undefined ? {} : { form }),
        ...(due === undefined ? {} : { due }),
        ...(item === undefined ? {} : { item }),
      })),
    completions: state.completions.map(({ goalVersion, at }) => ({ goalVersion, at })),
    messages: state.messages,
    ...(state.origin ? { origin: state.origin } : {}),
    ...intakeOf(state, now, carriers),
    ...(state.amendment ? { amendment: state.amendment } : {}),
  };
}

function spending({ used, reserved, of }: Room): { used: number; reserved: number; of: number; remaining: number } {
  return { used, reserved, of, remaining: Math.max(0, of - used - reserved) };
}

function intakeOf(state: State, now: number, carriers: Context['carriers']): Pick<GoalBar, 'intake'> {
  if (state.status !== 'draft' || !state.intake) return {};
  const { proposal, rounds } = state.intake;
  const standing = intakeStanding(state, now, carriers);
  return {
    intake: {
      standing: standing.kind,
      ...(standing.kind === 'later' ? { until: standing.until } : {}),
      rounds: { used: rounds, of: INTAKE_ROUNDS },
      ...(proposal ? { proposal: { goalVersion: proposal.goalVersion, shape: proposal.shape, because: proposal.because, note: proposal.noteBody } } : {}),
    },
  };
}

/** Classes of the last audit, if it was of this version; otherwise every criterion is open. */
function criteriaOf(state: State): GoalBar['criteria'] {
  const classes = state.audit?.goalVersion === state.goalVersion ? state.audit.classes : {};
  return (state.contract?.criteria ?? []).map(({ id, verify }) => ({ id, verify, class: (Object.hasOwn(classes, id) ? classes[id]?.class : undefined) ?? 'open' }));
}

function itemCounts(state: State): GoalBar['items'] {
  const counts: GoalBar['items'] = { required: 0, accepted: 0, total: 0, byState: {} };
  for (const key of state.plan?.order ?? []) {
    const item = state.items[key];
    if (!item) continue;
    counts.total += 1;
    const current = itemState(state, key);
    counts.byState[current] = (counts.byState[current] ?? 0) + 1;
    if (!item.spec.required) continue;
    counts.required += 1;
    if (isAccepted(item)) counts.accepted += 1;
  }
  return counts;
}

export function blockerView({ id, item, reason, form, recommended, owner, raisedAt, generation, about, route }: Blocker): BlockerView {
  return {
    id,
    reason,
    form,
    owner,
    raisedAt,
    generation,
    ...(item === undefined ? {} : { item }),
    ...(recommended === undefined ? {} : { recommended }),
    ...(about === undefined ? {} : { about }),
    ...(route === undefined ? {} : { route }),
  };
}
