/** Work Items: assigned, claimed, released, blocked, resumed, cancelled; Attempts that start and end. */
import { closeItem, endAttempt, endRound, endSubagent, releaseAssignment, releaseWaits } from '../continuation/closing.ts';
import type { Handlers } from '../handler.ts';
import { COORDINATOR_GRANTS, EXTERNAL_LEASE_MS, PERSON_LEASE_MS } from '../limits.ts';
import { defaultReviewers } from '../plan/reviewers.ts';
import { type Refusal, refuse } from '../refusals.ts';
import type { Item, State } from '../state.ts';
import { hostWho, type Turn, type Who } from '../turn.ts';
import { type Executor, type Json, type PrincipalId, principalOf } from '../values.ts';
import { blockItem, formRefusal } from './blockers.ts';
import { attemptLimit, basisOf, dependents, itemState, mayStart, missingInputs, openRoundOn, outputHolder } from './derive.ts';
import { recordVerdict } from './verdict.ts';

type WorkCommands =
  | 'work.assign'
  | 'work.claim'
  | 'work.release'
  | 'work.takeOver'
  | 'work.block'
  | 'work.resume'
  | 'work.cancel'
  | 'attempt.start'
  | 'attempt.heartbeat'
  | 'attempt.end';

export function executorOf(item: Item): Executor {
  return item.spec.executor ?? { kind: 'agent', profile: 'worker' };
}

function openAttempt(turn: Turn, who: Who, key: string, executor: Executor, owner: PrincipalId, granted: boolean): Json {
  const target = `item:${key}`;
  if (!turn.state.items[key]?.assignment)
    turn.emit(who, { type: 'assignment.made', item: key, assignment: turn.id('asg'), owner, executor, fence: turn.nextFence(target), granted });
  const item = turn.state.items[key] as Item;
  const before = item.attempt;
  const attempt = turn.id('att');
  const fence = turn.nextFence(target);
  turn.emit(who, {
    type: 'attempt.opened',
    item: key,
    attempt,
    number: item.attempts + 1,
    assignment: item.assignment?.id ?? '',
    fence,
    executor: owner,
    specDigest: item.specDigest,
    goalVersion: turn.state.goalVersion,
  });
  if (before && (before.state === 'lost' || before.state === 'interrupted')) {
    const basis = turn.digest(basisOf(turn.state, key));
    for (const child of Object.values(turn.state.subagents)) {
      if (child.parent !== before.id || (child.state !== 'open' && child.state !== 'returned')) continue;
      // One that looked at an input which has been delivered anew since then knows nothing about this one.
      if (child.basis !== undefined && child.basis !== basis) endSubagent(turn, who, child.id, 'its inputs were delivered anew');
      else turn.emit(who, { type: 'subagent.adopted', subagent: child.id, item: key, attempt });
    }
  }
  // Nobody runs it for a person or a program: a deadline does, which heartbeats renew.
  if (!/^(skill|agent):/.test(owner)) armClaimLease(turn, who, key);
  return { item: key, attempt, fence, assignment: item.assignment?.id ?? '' };
}

/** Who claims carries it: no Runner is sent. */
function claimant(who: Who): Executor {
  return { kind: 'person', principal: who.principal };
}

function notReady(turn: Turn, item: Item): Refusal {
  const missing = missingInputs(turn.state, item.key);
  if (missing.length > 0) return refuse('dependency_not_accepted', { current: { missing } });
  const holder = outputHolder(turn.state, item);
  if (holder) return refuse('output_taken', { current: { holder } });
  if (item.assignment) {
    // Until when: the claim's deadline, or that of the round at work, as far as it is known.
    const until = Object.values(turn.state.waits).find((wait) => wait.correlation === `attempt:${item.attempt?.id}`)?.due ?? roundUntil(turn, item.key);
    return refuse('already_claimed', { current: { holder: item.assignment.owner, fence: item.assignment.fence, until } });
  }
  return refuse('invalid_transition', { current: { state: itemState(turn.state, item.key) } });
}

/** When the round at work on an item has to be heard of next; null between rounds. */
function roundUntil(turn: Turn, key: string): number | null {
  const round = openRoundOn(turn.state, key);
  if (!round) return null;
  return turn.lookup.lease(round.id)?.until ?? (round.phase === 'started' ? null : round.dueBy);
}

/** A review policy that nobody but this executor could satisfy. */
function onlyOwnReview(state: State, item: Item, owner: PrincipalId): boolean {
  return item.spec.review.some(
    (stage) => stage.by === 'agent' && (stage.reviewer ? [stage.reviewer] : defaultReviewers(state)).every((reviewer) => principalOf(reviewer) === owner),
  );
}

/** Who holds an item by claim works under a deadline that heartbeats renew. */
function armClaimLease(turn: Turn, who: Who, key: string): void {
  const attempt = turn.state.items[key]?.attempt;
  if (!attempt) return;
  const correlation = `attempt:${attempt.id}`;
  releaseWaits(turn, who, (wait) => wait.correlation === correlation || wait.correlation === `offer:${key}`, 'released');
  turn.emit(who, {
    type: 'wait.armed',
    wait: {
      id: turn.id('wait'),
      kind: 'external',
      correlation,
      generation: (turn.state.generations[correlation] ?? 0) + 1,
      item: key,
      owner: attempt.by,
      due: turn.now + (attempt.by.startsWith('person:') ? PERSON_LEASE_MS : EXTERNAL_LEASE_MS),
      reason: 'claimed',
    },
  });
}

/** The Attempt this person or program holds, if its fence is the current one. */
function held(turn: Turn, who: Who, key: string, fence: number | undefined): Item | Refusal {
  const item = turn.state.items[key] as Item;
  if (!item.assignment || !item.attempt || !['pending', 'running'].includes(item.attempt.state))
    return refuse('round_superseded', { current: { state: itemState(turn.state, key) } });
  if (who.kind === 'round') return who.round?.item === key && who.round.attempt === item.attempt.id ? item : refuse('forbidden', { detail: 'not the item of this round' });
  if (item.assignment.owner !== who.principal) return refuse('forbidden', { detail: 'somebody else holds it', current: { holder: item.assignment.owner } });
  if (fence !== undefined && fence !== item.attempt.fence) return refuse('fence_stale', { current: { fence: item.attempt.fence } });
  return item;
}

export { held as heldItem };

export const workHandlers: Handlers<WorkCommands> = {
  'work.assign': (turn, who, payload) => {
    const item = turn.state.items[payload.item] as Item;
    const state = itemState(turn.state, item.key);
    const executor = payload.executor ?? executorOf(item);
    const owner = executor.kind === 'person' ? (executor.principal ?? turn.state.owner) : principalOf(executor);
    if (who.kind !== 'host' && onlyOwnReview(turn.state, item, owner)) return refuse('self_review', { detail: 'nobody but the executor could review it' });
    if (who.kind === 'host') {
      if (item.stop || item.failures >= attemptLimit(turn.state, item)) return refuse('limit_exceeded', { detail: 'attempts', current: { failures: item.failures } });
      if (state !== 'ready' && state !== 'changes_requested') return notReady(turn, item);
      if (state === 'changes_requested' && missingInputs(turn.state, item.key).length > 0) return notReady(turn, item);
      return openAttempt(turn, who, item.key, executor, item.assignment?.owner ?? owner, false);
    }
    const granted = state === 'rejected' || item.stop !== null;
    if (!granted && state !== 'ready' && state !== 'changes_requested') return notReady(turn, item);
    if (missingInputs(turn.state, item.key).length > 0) return notReady(turn, item);
    if (granted && who.kind === 'round' && item.grants >= COORDINATOR_GRANTS)
      return refuse('limit_exceeded', { detail: 'a person decides about a further attempt', current: { grants: item.grants } });
    if (granted && item.stop?.kind === 'errors' && who.kind === 'round') return refuse('forbidden', { detail: 'a person lifts a stop for errors' });
    // A program is nobody who could be given work: it claims what it is offered.
    if (executor.kind === 'external') {
      if (!granted || executorOf(item).kind !== 'external')
        return refuse('invalid_transition', { detail: 'a program is offered the work of the items that name it, and claims it', current: { state } });
      turn.emit(who, { type: 'item.resumed', item: item.key, grant: true });
      if (state === 'rejected' && item.verdict) turn.emit(who, { type: 'verdict.decided', item: item.key, acceptance: item.verdict.id });
      releaseAssignment(turn, who, item.key, 'granted anew');
      return { item: item.key, offered: true };
    }
    if (granted) releaseAssignment(turn, who, item.key, 'granted anew');
    if (granted) {
      turn.emit(who, { type: 'assignment.made', item: item.key, assignment: turn.id('asg'), owner, executor, fence: turn.nextFence(`item:${item.key}`), granted: true });
    }
    return openAttempt(turn, who, item.key, executor, owner, granted);
  },
  'work.claim': (turn, who, payload) => {
    const item = turn.state.items[payload.item] as Item;
    if (!mayStart(turn.state, item.key)) return notReady(turn, item);
    if (onlyOwnReview(turn.state, item, who.principal)) return refuse('self_review', { detail: 'nobody else could review it' });
    return openAttempt(turn, who, item.key, claimant(who), who.principal, false);
  },
  'work.release': (turn, who, payload) => {
    const item = turn.state.items[payload.item] as Item;
    // Who delivered it by hand takes it back: nobody else may be there to judge it. It is worked again by the item's own executor.
    if (
      who.kind === 'person' &&
      itemState(turn.state, item.key) === 'submitted' &&
      item.submission &&
      (item.submission.by === who.principal || turn.state.owner === who.principal)
    ) {
      for (const round of Object.values(turn.state.rounds)) if (round.submission === item.submission.id) endRound(turn, who, round.id, 'cancelled', 'taken back');
      recordVerdict(turn, hostWho, item, 'changes_requested', [], { summary: 'Taken back before anybody judged it.' });
      releaseAssignment(turn, who, item.key, 'taken back');
      return {};
    }
    if (!item.assignment) return refuse('invalid_transition', { detail: 'nobody holds it', current: { state: itemState(turn.state, item.key) } });
    for (const round of Object.values(turn.state.rounds))
      if (round.item === item.key && round.lane === 'worker' && !round.subagent) endRound(turn, who, round.id, 'cancelled', 'released');
    endAttempt(turn, who, item.key, 'interrupted', 'released', true);
    return {};
  },
  'work.takeOver': (turn, who, payload) => {
    const item = turn.state.items[payload.item] as Item;
    const state = itemState(turn.state, item.key);
    if (!['ready', 'assigned', 'running', 'changes_requested', 'rejected'].includes(state)) return notReady(turn, item);
    if (missingInputs(turn.state, item.key).length > 0) return notReady(turn, item);
    for (const round of Object.values(turn.state.rounds))
      if (round.item === item.key && round.lane === 'worker' && !round.subagent) endRound(turn, who, round.id, 'cancelled', 'taken_over');
    endAttempt(turn, who, item.key, 'interrupted', 'taken_over', true);
    releaseAssignment(turn, who, item.key, 'taken_over');
    turn.emit(who, {
      type: 'assignment.made',
      item: item.key,
      assignment: turn.id('asg'),
      owner: who.principal,
      executor: claimant(who),
      fence: turn.nextFence(`item:${item.key}`),
      granted: true,
    });
    return openAttempt(turn, who, item.key, claimant(who), who.principal, true);
  },
  'work.block': (turn, who, payload) => {
    const item = turn.state.items[payload.item] as Item;
    if (who.lane === 'worker' && who.round?.item !== item.key) return refuse('forbidden', { detail: 'not the item of this round' });
    const state = itemState(turn.state, item.key);
    if (['accepted', 'superseded', 'cancelled', 'submitted'].includes(state)) return refuse('invalid_transition', { current: { state } });
    const open = turn.state.blockers[payload.key];
    if (open && open.item !== item.key) return refuse('invalid_transition', { detail: 'that key is the question of another item', current: { item: open.item ?? null } });
    const { item: _item, ...request } = payload;
    const unanswerable = formRefusal(turn, request);
    if (unanswerable) return unanswerable;
    return blockItem(turn, who, request, item.key);
  },
  'work.resume': (turn, who, payload) => {
    const item = turn.state.items[payload.item] as Item;
    if (!item.stop) return refuse('invalid_transition', { detail: 'the item has no stop', current: { state: itemState(turn.state, item.key) } });
    if (who.kind === 'round' && item.stop.kind === 'errors') return refuse('forbidden', { detail: 'a person lifts a stop for errors' });
    if (who.kind === 'round' && item.grants >= COORDINATOR_GRANTS)
      return refuse('limit_exceeded', { detail: 'a person decides about a further attempt', current: { grants: item.grants } });
    turn.emit(who, { type: 'item.resumed', item: item.key, grant: who.kind === 'round' });
    return {};
  },
  'work.cancel': (turn, who, payload, command) => {
    const item = turn.state.items[payload.item] as Item;
    const state = itemState(turn.state, item.key);
    if (['cancelled', 'superseded', 'accepted'].includes(state)) return refuse('invalid_transition', { current: { state } });
    closeItem(turn, who, item.key, command.reason ?? 'cancelled');
    turn.emit(who, { type: 'item.cancelled', item: item.key, reason: command.reason ?? 'cancelled' });
    return { locks: dependents(turn.state, item.key) };
  },
  'attempt.start': (turn, who, payload) => {
    const item = held(turn, who, payload.item, payload.fence);
    if ('refused' in item) return item;
    if (item.attempt?.state === 'running') return { attempt: item.attempt.id };
    if (missingInputs(turn.state, item.key).length > 0) return notReady(turn, item);
    turn.emit(who, { type: 'attempt.started', item: item.key, attempt: item.attempt?.id ?? '', fence: item.attempt?.fence ?? 0 });
    armClaimLease(turn, who, item.key);
    return { attempt: item.attempt?.id ?? '' };
  },
  'attempt.heartbeat': (turn, who, payload) => {
    const item = held(turn, who, payload.item, payload.fence);
    if ('refused' in item) return item;
    armClaimLease(turn, who, item.key);
    return {};
  },
  'attempt.end': (turn, who, payload, command) => {
    const item = held(turn, who, payload.item, payload.fence);
    if ('refused' in item) return item;
    if (who.via) endRound(turn, who, who.via, payload.outcome, command.reason ?? payload.outcome);
    endAttempt(turn, who, item.key, payload.outcome, command.reason ?? payload.outcome, true);
    return {};
  },
};
