/** What could be started now, in the order of the plan: Attempts to open, rounds to schedule, stops that are reached. Reads the state, changes nothing. */
import { auditIsCurrent, isFresh } from '../contract/audit.ts';
import { COORDINATOR_GRANTS } from '../limits.ts';
import { PLAN_REFUSALS } from '../plan/handlers.ts';
import { defaultReviewers } from '../plan/reviewers.ts';
import { itemChecksDue } from '../planes/check-handlers.ts';
import type { CoordinatorPurpose, Item, State, StopKind } from '../state.ts';
import { type Executor, type Lane, principalOf } from '../values.ts';
import { attemptLimit, currentInputs, frozenKeys, isAccepted, itemState, missingInputs, openRoundAt, openThings, unknownEffectOf } from '../work/derive.ts';
import { executorOf } from '../work/handlers.ts';
import { agentCoordinates, blockerTarget, coordinatorOf } from '../work/routing.ts';
import { messageTarget } from '../folds/names.ts';
import { intakeStanding } from './intake.ts';
import { budgetStop } from './budget.ts';
import { type Carriers, isRunnable, laneStop, waitsOn } from './lane-standing.ts';

export type Candidate =
  | { do: 'assign'; item: string }
  | { do: 'offer'; item: string }
  | { do: 'round'; lane: Lane; target: string; executor: Executor; purpose?: CoordinatorPurpose; blocker?: string; message?: number }
  | { do: 'stop-item'; item: string; kind: StopKind; detail: string }
  | { do: 'stop-goal'; kind: 'no_progress' | 'errors'; detail: string }
  | { do: 'fail-child'; subagent: string; why: string };

/** Something is wanted and nobody here can carry it: the owner has to. */
export interface Uncarried {
  lane: Lane;
  target: string;
  executor: Executor;
}

/** All that could start; and what is wanted and has no carrier. */
export function candidates(state: State, now: number, carriers: Carriers): { start: Candidate[]; uncarried: Uncarried[] } {
  const start: Candidate[] = [];
  const uncarried: Uncarried[] = [];
  if (state.status === 'draft') {
    if (intakeStanding(state, now, carriers).kind === 'ready') start.push({ do: 'round', lane: 'coordinator', target: 'goal', executor: coordinatorOf(state), purpose: 'intake' });
    return { start, uncarried };
  }

  function wantRound(lane: Lane, target: string, executor: Executor, stopped: (kind: 'no_progress' | 'errors', detail: string) => Candidate, purpose?: CoordinatorPurpose): void {
    if (openRoundAt(state, target) || waitsOn(state, target)) return;
    const stop = laneStop(state, lane, target, now);
    if (stop && 'until' in stop) return;
    if (stop) start.push(stopped(stop.kind, stop.detail));
    else if (!isRunnable(executor, carriers)) uncarried.push({ lane, target, executor });
    else start.push({ do: 'round', lane, target, executor, ...(purpose ? { purpose } : {}) });
  }

  const frozen = frozenKeys(state);
  for (const key of state.plan?.order ?? []) {
    const item = state.items[key];
    if (item?.stored !== 'open') continue;
    itemCandidates(state, item, frozen.has(key), wantRound, start, uncarried, carriers, now);
  }
  for (const child of Object.values(state.subagents)) {
    if (child.state !== 'open') continue;
    const target = `subagent:${child.id}`;
    const stop = openRoundAt(state, target) ? null : budgetStop(state, { target, lane: 'worker', executor: child.executor });
    // Nobody widens a child's slice: its parent hears of it and goes on.
    if (stop && stop.limit !== 'rounds' && stop.scope === 'subagent') {
      const needed = stop.needed[stop.limit];
      start.push({
        do: 'fail-child',
        subagent: child.id,
        why: `budget: ${stop.of - stop.used} ${stop.limit} of its slice of ${stop.of} are left${needed > 0 ? `, ${needed} were needed` : ''}`,
      });
      continue;
    }
    wantRound('worker', `subagent:${child.id}`, child.executor, (kind, detail) => ({ do: 'fail-child', subagent: child.id, why: `${kind}: ${detail}` }));
  }
  // One coordinator at a time. A question is routed first: what it stops goes on the sooner.
  if (Object.values(state.rounds).some((round) => round.lane === 'coordinator')) return { start, uncarried };
  const question = Object.values(state.blockers).find((blocker) => blocker.route === 'coordinator' && laneStop(state, 'coordinator', blockerTarget(blocker.id), now) === null);
  if (question && state.stop === null)
    start.push({ do: 'round', lane: 'coordinator', target: blockerTarget(question.id), executor: coordinatorOf(state), purpose: 'blocker', blocker: question.id });
  const { changeAsked } = state;
  if (changeAsked !== undefined && state.contract && state.stop === null && agentCoordinates(state, carriers)) {
    const target = messageTarget(changeAsked);
    // One that fails again and again is left: the person can write the version.
    if (laneStop(state, 'coordinator', target, now) === null)
      start.push({ do: 'round', lane: 'coordinator', target, executor: coordinatorOf(state), purpose: 'amend', message: changeAsked });
  }
  const purpose = coordinatorNeed(state, now);
  if (purpose && state.stop === null && !goalIsAsking(state)) {
    wantRound('coordinator', 'goal', coordinatorOf(state), (kind, detail) => ({ do: 'stop-goal', kind, detail }), purpose);
  }
  return { start, uncarried };
}

type WantRound = (lane: Lane, target: string, executor: Executor, stopped: (kind: 'no_progress' | 'errors', detail: string) => Candidate, purpose?: CoordinatorPurpose) => void;

function itemCandidates(state: State, item: Item, frozen: boolean, wantRound: WantRound, start: Candidate[], uncarried: Uncarried[], carriers: Carriers, now: number): void {
  const { key } = item;
  const target = `item:${key}`;
  const derived = itemState(state, key);
  const stopped = (kind: StopKind, detail: string): Candidate => ({ do: 'stop-item', item: key, kind, detail });

  if (derived === 'submitted') {
    // Also while a plan change waits for this item: the verdict is what it waits for.
    if (item.stop) return;
    const reviewer = reviewerFor(state, item, now);
    if (reviewer) wantRound('reviewer', `submission:${item.submission?.id}`, reviewer, stopped);
    return;
  }
  if (item.stop) return;
  const live = item.assignment !== null && item.attempt !== null && (item.attempt.state === 'pending' || item.attempt.state === 'running');
  if (live && item.attempt) {
    if (isHeldByClaim(item)) return;
    if (frozen && item.attempt.state === 'pending') return;
    // Its upstream fell: it waits until that is accepted anew.
    if (missingInputs(state, key).length > 0) return;
    // What a call of it did outside is not known, and its last round found nothing else to do: that is reconciled first, and waiting costs nothing.
    if (unknownEffectOf(state, key) && (state.streaks[`worker:${target}`]?.empty ?? 0) > 0) return;
    wantRound('worker', target, item.assignment?.executor ?? executorOf(item), stopped);
    return;
  }
  if (frozen || (derived !== 'ready' && derived !== 'changes_requested')) return;
  if (missingInputs(state, key).length > 0 || unknownEffectOf(state, key) || openRoundAt(state, target)) return;
  if (item.failures >= attemptLimit(state, item)) {
    start.push(stopped('attempts', `${item.failures} failed attempts or negative verdicts`));
    return;
  }
  const stop = laneStop(state, 'worker', target, now);
  if (stop && 'until' in stop) return;
  if (stop) {
    start.push(stopped(stop.kind, stop.detail));
    return;
  }
  const executor = executorOf(item);
  // Rework goes to who delivered, under the same Assignment.
  if (derived === 'changes_requested' && item.assignment) {
    if (isHeldByClaim(item) || isRunnable(item.assignment.executor, carriers)) start.push({ do: 'assign', item: key });
    else uncarried.push({ lane: 'worker', target, executor: item.assignment.executor });
  } else if (executor.kind === 'person' || executor.kind === 'external') {
    if (!Object.values(state.waits).some((wait) => wait.correlation === `offer:${key}`)) start.push({ do: 'offer', item: key });
  } else if (isRunnable(executor, carriers)) start.push({ do: 'assign', item: key });
  else uncarried.push({ lane: 'worker', target, executor });
}

/** A person, a token or an external executor holds it: no Runner carries it. */
export function isHeldByClaim(item: Item): boolean {
  return item.assignment !== null && !/^(skill|agent):/.test(item.assignment.owner);
}

/** The submission's checks are answered under this version and none failed. */
export function checksPassed(state: State, item: Item, now: number): boolean {
  return (
    item.submission !== null &&
    itemChecksDue({ state, now }, item).length === 0 &&
    item.spec.checks.every((spec) => {
      const receipt = item.submission?.receipts[spec.key];
      return receipt?.pass === true && receipt.goalVersion === state.goalVersion;
    })
  );
}

/** It may be judged now: upstream accepted and unchanged, checks passed. */
export function isJudgeable(state: State, item: Item, now: number): boolean {
  return (
    item.submission !== null && missingInputs(state, item.key).length === 0 && item.submission.inputsDigest === currentInputs(state, item.key) && checksPassed(state, item, now)
  );
}

/** The round that an assignment is for. Reworked items go to who holds them. */
export function startOf(state: State, candidate: Candidate & { do: 'assign' | 'round' }): { target: string; lane: Lane; executor: Executor; purpose?: CoordinatorPurpose } {
  if (candidate.do === 'round') return candidate;
  const item = state.items[candidate.item];
  return { target: `item:${candidate.item}`, lane: 'worker', executor: item?.assignment?.executor ?? (item ? executorOf(item) : { kind: 'person' }) };
}

/** The next agent or skill reviewer of a submission in its stage; null where a person or the host is next. */
export function reviewerFor(state: State, item: Item, now: number): Executor | null {
  const { submission } = item;
  const stage = submission && item.spec.review[submission.stage];
  if (stage?.by !== 'agent' || !isJudgeable(state, item, now)) return null;
  return eligibleReviewers(state, item)[0] ?? null;
}

export function eligibleReviewers(state: State, item: Item): Executor[] {
  const { submission } = item;
  const stage = submission && item.spec.review[submission.stage];
  if (!submission || stage?.by !== 'agent') return [];
  const wanted = stage.reviewer ? [stage.reviewer] : defaultReviewers(state);
  return wanted.filter((executor) => {
    const principal = principalOf(executor);
    return (
      (executor.kind === 'skill' || executor.kind === 'agent') && principal !== submission.by && !submission.votes.includes(principal) && !submission.cannot.includes(principal)
    );
  });
}

/** No agent or skill is next: a person has to judge it. */
export function personJudges(state: State, key: string, now: number): boolean {
  const item = state.items[key];
  const { submission } = item ?? {};
  if (!item || !submission || missingInputs(state, key).length > 0) return false;
  if (Object.values(submission.receipts).some((receipt) => receipt.pass === null && receipt.retryAt === undefined)) return true;
  const stage = item.spec.review[submission.stage];
  if (!isJudgeable(state, item, now)) return false;
  return stage?.by === 'person' || (stage?.by === 'agent' && eligibleReviewers(state, item).length === 0);
}

/** Somebody with the right to review who is neither the submitter nor has judged in this stage. */
export const ANOTHER_PERSON = 'person:reviewer';

/** The owner did not submit it and has not judged it in this stage. */
export function ownerMayJudge(state: State, item: Item): boolean {
  const { submission } = item;
  return submission !== null && submission.by !== state.owner && !submission.votes.includes(state.owner) && !submission.cannot.includes(state.owner);
}

/** The Goal itself asks its owner something: no coordinator works around it. */
export function goalIsAsking(state: State): boolean {
  return (
    Object.values(state.blockers).some((blocker) => blocker.item === undefined) ||
    Object.values(state.proposals).some((proposal) => proposal.needsPerson && proposal.status === 'sealed')
  );
}

/** Where judgement is needed, and why. One reason at a time, in the order of the table. */
export function coordinatorNeed(state: State, now: number): CoordinatorPurpose | null {
  if (state.mode === 'goal_only') {
    if (!state.finishAsked) return 'work';
    return auditNeed(state, now);
  }
  if (state.execution?.status !== 'open') return null;
  if (!state.plan)
    return Object.keys(state.proposals).length > 0 && Object.values(state.proposals).every((proposal) => proposal.status === 'pending')
      ? null
      : state.planRefusals >= PLAN_REFUSALS
        ? null
        : 'plan';
  // An adoption that waits is the answer already; another plan beside it would wait too.
  const adopting = Object.values(state.proposals).some((proposal) => proposal.status === 'pending');
  for (const key of state.plan.order) {
    const item = state.items[key];
    if (!item) continue;
    const derived = itemState(state, key);
    // Past what a coordinator may grant, a person decides.
    if (derived === 'rejected' && item.grants < COORDINATOR_GRANTS) return 'rejected';
    if (item.stop && item.stop.kind !== 'errors' && item.grants < COORDINATOR_GRANTS && derived !== 'accepted' && derived !== 'superseded') return 'stopped';
    if (adopting) continue;
    if (derived === 'cancelled' && item.spec.required) return 'upstream';
    if (
      (derived === 'cancelled' || derived === 'superseded') &&
      state.plan.order.some((other) => state.items[other]?.stored === 'open' && state.items[other]?.spec.dependsOn.some((dep) => dep.kind === 'hard' && dep.key === key))
    )
      return 'upstream';
  }
  if (state.planAsked && !adopting) return 'replan';
  return state.contract ? auditNeed(state, now) : null;
}

/** After the graph closed: an audit, or what an audit found uncovered. */
function auditNeed(state: State, now: number): CoordinatorPurpose | null {
  if (state.mode !== 'goal_only' && openThings(state).length > 0) return null;
  if (!state.contract) return null;
  const receipts = state.contract.checks.map((spec) => ({ spec, receipt: state.receipts[spec.key] }));
  if (receipts.some(({ spec, receipt }) => !isFresh(state, spec, receipt, now) || receipt.unknown)) return null;
  if (!auditIsCurrent(state)) return needsCoordinatorAudit(state) ? 'audit' : null;
  if (Object.keys(state.uncovered).length > 0) return 'uncovered';
  if (receipts.some(({ receipt }) => receipt && !receipt.pass)) return 'uncovered';
  return null;
}

/** Contracts of `check` and `attest` criteria alone are audited by the host. */
export function needsCoordinatorAudit(state: State): boolean {
  return state.contract?.criteria.some((criterion) => criterion.verify === 'review') ?? false;
}

export { isAccepted };
