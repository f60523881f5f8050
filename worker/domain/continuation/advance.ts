/**
 * Who moves next: run to a fixpoint after every applied command and at every timer, and nowhere else. One total table: the first rule that finds
 * something to do does one thing, and the table is read again. Deterministic: the same state and time give the same moves.
 */

import type { CommandType, Payload } from '../commands.ts';
import { auditIsCurrent, completionProblems } from '../contract/audit.ts';
import { expireApproval } from '../effects/handlers.ts';
import { dueProbes } from '../effects/probe.ts';
import { checkTarget, PLAN_INVALID, UNCOVERED } from '../folds/names.ts';
import { CHECK_WITHIN_MOST_MS, CLAIM_WITHIN_MS, LOST_ROUNDS, OFFER_MS } from '../limits.ts';
import { sealGiven } from '../plan/given.ts';
import { PLAN_REFUSALS } from '../plan/handlers.ts';
import { ask, contractChecksDue, itemChecksDue } from '../planes/check-handlers.ts';
import type { Scene } from '../planes/check-spec.ts';
import { isRefusal } from '../refusals.ts';
import type { RowData } from '../row-data.ts';
import type { Item } from '../state.ts';
import { hostWho, type Turn } from '../turn.ts';
import type { Json } from '../values.ts';
import { blockItem, raiseBlocker } from '../work/blockers.ts';
import { allRequiredAccepted, currentInputs, frozenKeys, isBusy, itemState, missingInputs, openRoundAt, openThings } from '../work/derive.ts';
import { executorOf } from '../work/handlers.ts';
import { agentCoordinates, blockerTarget, coordinatorOf } from '../work/routing.ts';
import { recordVerdict } from '../work/verdict.ts';
import { budgetStop, deadlineReached, passes } from './budget.ts';
import { candidates, checksPassed, isJudgeable, needsCoordinatorAudit, startOf } from './candidates.ts';
import { endAttempt, endRound, makeUnknown, passBlocker, releaseWaits } from './closing.ts';
import { waitsForGrant } from './grants.ts';
import { settleAttempt } from './handlers.ts';
import { isRunnable, laneStop } from './lane-standing.ts';

export type RunHost = <T extends CommandType>(turn: Turn, type: T, payload: Payload<T>, reason?: string) => boolean;
type Rule = (turn: Turn, host: RunHost) => boolean;

/** Moves per item or open thing, far above what a fixpoint needs; reaching it is a defect, and says so. */
const MOVES = 40;

export function advance(turn: Turn, host: RunHost): void {
  const { state } = turn;
  const size = Object.keys(state.items).length + Object.keys(state.rounds).length + Object.keys(state.waits).length + Object.keys(state.checks).length + 10;
  for (let moves = 0; moves < MOVES * size; moves += 1) {
    if (!rules.some((rule) => rule(turn, host))) return;
  }
  turn.emit(hostWho, { type: 'goal.stopped', stop: { kind: 'errors', detail: { defect: 'advance found no fixpoint', seq: turn.state.seq } } });
}

/** A draft lives as far as its intake goes. */
const isOpen = (turn: Turn) => isLiving(turn) || turn.state.status === 'draft';
const isLiving = (turn: Turn) => turn.state.status === 'active' || turn.state.status === 'paused';

/** Rounds that nobody claimed or started in time are dispatched again under the next fence, a bounded number of times. */
const redispatch: Rule = (turn) => {
  for (const round of Object.values(turn.state.rounds)) {
    if (round.phase === 'started' || round.dueBy > turn.now || waitsForGrant(round)) continue;
    const lost = turn.state.streaks[`${round.lane}:${round.target}`]?.lost ?? 0;
    if (lost + 1 >= LOST_ROUNDS) {
      endRound(turn, hostWho, round.id, 'lost', 'not heard of');
      settleAttempt(turn, hostWho, round, 'lost');
    } else
      turn.emit(hostWho, {
        type: 'round.redispatched',
        round: round.id,
        fence: turn.nextFence(round.target),
        dueBy: turn.now + CLAIM_WITHIN_MS,
        why: round.phase === 'scheduled' ? 'not_claimed' : 'not_started',
      });
    return true;
  }
  return false;
};

const dueWaits: Rule = (turn) => {
  for (const wait of Object.values(turn.state.waits)) {
    if (wait.kind === 'subagent') {
      const attempt = wait.correlation.slice('children:'.length);
      if (Object.values(turn.state.subagents).some((child) => child.parent === attempt && child.state === 'open')) continue;
      turn.emit(hostWho, { type: 'wait.released', wait: wait.id, how: 'released' });
      return true;
    }
    if (wait.due === undefined || wait.due > turn.now || wait.kind === 'approval') continue;
    turn.emit(hostWho, { type: 'wait.released', wait: wait.id, how: wait.kind === 'timer' ? 'released' : 'expired' });
    if (wait.correlation.startsWith('offer:') && wait.item) askAboutOffer(turn, wait.item, 'nobody took the offer in time');
    if (wait.correlation.startsWith('attempt:') && wait.item) {
      endAttempt(turn, hostWho, wait.item, 'lost', 'no heartbeat', true, true);
      const lost = turn.lookup.rows('attempt', { item: wait.item, limit: 1000 }).filter((row) => (row.data as unknown as RowData['attempt']).state === 'lost').length;
      if (lost > 0 && lost % 3 === 0) askAboutOffer(turn, wait.item, 'three leases were lost');
    }
    return true;
  }
  return false;
};

function askAboutOffer(turn: Turn, item: string, reason: string): void {
  const form = { type: 'object', properties: { decision: { enum: ['offer_again'] } }, required: ['decision'], additionalProperties: false };
  blockItem(turn, hostWho, { key: `offer-${item}`, reason, form, recommended: { decision: 'offer_again' } }, item);
}

const dueApprovals: Rule = (turn) => {
  const due = Object.values(turn.state.approvals).find((approval) => approval.expiresAt <= turn.now);
  if (!due) return false;
  expireApproval(turn, hostWho, due.id);
  return true;
};

const dueEffects: Rule = (turn) => {
  const due = Object.values(turn.state.effects).find((effect) => effect.state !== 'unknown' && effect.horizon <= turn.now);
  if (!due) return false;
  makeUnknown(turn, due.id);
  return true;
};

/** A check that runs outside and was not answered is asked for again, with twice the time, since it may only have been slow; a lost one is no try of its own, but not for ever. */
const dueChecks: Rule = (turn) => {
  const due = Object.values(turn.state.checks).find((check) => check.dueBy <= turn.now);
  if (!due) return false;
  if (due.tries < LOST_ROUNDS) {
    const { askedAt, tries, ...check } = due;
    const within = Math.min(2 * (due.dueBy - askedAt), CHECK_WITHIN_MOST_MS);
    turn.emit(hostWho, {
      type: 'check.requested',
      outside: true,
      tries: tries + 1,
      check: { ...check, fence: turn.nextFence(checkTarget(due)), dueBy: turn.now + within },
    });
  } else {
    turn.emit(hostWho, {
      type: 'check.recorded',
      check: due.id,
      key: due.key,
      submission: due.submission,
      item: due.item,
      pass: null,
      sceneBody: turn.body({ summary: 'the checker did not answer' }),
      inputs: {},
      checker: 'none',
      receipt: { id: turn.id('rcp'), key: due.key, checkDigest: due.specDigest, pass: false, goalVersion: due.goalVersion, asOf: due.asOf, tries: due.tries },
    });
  }
  return true;
};

/** Submissions: their upstream still stands, their checks are asked for, and what the checks decide is decided. */
const submissions: Rule = (turn, host) => {
  for (const key of turn.state.plan?.order ?? []) {
    const item = turn.state.items[key];
    if (item?.submission && itemState(turn.state, key) === 'submitted' && judgeByHost(turn, item, host)) return true;
  }
  return false;
};

function judgeByHost(turn: Turn, item: Item, host: RunHost): boolean {
  const { submission } = item;
  if (!submission || missingInputs(turn.state, item.key).length > 0) return false;
  if (submission.inputsDigest !== currentInputs(turn.state, item.key)) {
    recordVerdict(turn, hostWho, item, 'changes_requested', [], { summary: 'An input was delivered anew after this submission was made from the old one.' });
    return true;
  }
  if (itemChecksDue(turn, item).length > 0) return host(turn, 'check.request', { submission: submission.id });
  if (Object.values(turn.state.checks).some((check) => check.submission === submission.id)) return false;
  const failed = item.spec.checks.filter((spec) => submission.receipts[spec.key]?.pass === false);
  if (failed.length > 0)
    return host(turn, 'review.record', {
      submission: submission.id,
      digest: submission.digest,
      verdict: 'changes_requested',
      scene: sceneOf(
        turn,
        item,
        failed.map((spec) => spec.key),
      ),
      criteria: [],
    });
  const unrun = item.spec.checks.find((spec) => submission.receipts[spec.key]?.pass === null && submission.receipts[spec.key]?.retryAt === undefined);
  if (unrun) return unrunCheck(turn, item, unrun.key);
  if (!isJudgeable(turn.state, item, turn.now)) return false;
  const stage = item.spec.review[submission.stage];
  return stage?.by === 'checks' && checksPassed(turn.state, item, turn.now)
    ? host(turn, 'review.record', { submission: submission.id, digest: submission.digest, verdict: 'accepted', criteria: [] })
    : false;
}

/** The scenes of the failing checks as one, so that the next Attempt reads all of it. */
function sceneOf(turn: Turn, item: Item, keys: string[]): Scene {
  const scenes = keys.flatMap((key) => {
    const receipt = turn.data('receipt', item.submission?.receipts[key]?.id ?? '');
    const scene = receipt?.sceneBody ? (turn.lookup.body(receipt.sceneBody) as unknown as Scene | undefined) : undefined;
    return [{ key, scene: scene ?? { summary: `The check ${key} failed.` } }];
  });
  const [only] = scenes;
  const merged = (pick: (scene: Scene) => string[] | undefined) => [...new Set(scenes.flatMap(({ scene }) => pick(scene) ?? []))].slice(0, 2000);
  const missing = merged((scene) => scene.missing);
  const extra = merged((scene) => scene.extra);
  const findings = scenes.flatMap(({ scene }) => scene.findings ?? []).slice(0, 50);
  return {
    summary: scenes
      .map(({ key, scene }) => `${key}: ${scene.summary}`)
      .join('\n')
      .slice(0, 2000),
    ...(missing.length > 0 ? { missing } : {}),
    ...(extra.length > 0 ? { extra } : {}),
    ...(findings.length > 0 ? { findings } : {}),
    data: {
      checks: Object.fromEntries(
        scenes.map(({ key, scene }) => [
          key,
          {
            summary: scene.summary,
            ...(scene.missing ? { missing: scene.missing } : {}),
            ...(scene.extra ? { extra: scene.extra } : {}),
            ...(scene.data === undefined ? {} : { data: scene.data }),
          },
        ]),
      ),
      ...(only && scenes.length === 1 && only.scene.data !== undefined ? { detail: only.scene.data } : {}),
    } as Json,
  };
}

const unrunForm = { type: 'object', properties: { decision: { enum: ['try_again', 'person_judges', 'change_the_check'] } }, required: ['decision'], additionalProperties: false };

/** A check that cannot be run is a question, never a refusal of the work. */
function unrunCheck(turn: Turn, item: Item | null, key: string): boolean {
  const id = item ? `check-${item.key}-${key}`.slice(0, 64) : `check-${key}`.slice(0, 64);
  if (turn.state.blockers[id]) return false;
  const asked = turn.data('blocker', id);
  const receipt = item ? item.submission?.receipts[key] : turn.state.receipts[key];
  const at = receipt ? (turn.data('receipt', receipt.id)?.at ?? 0) : 0;
  if (asked?.state === 'resolved' && (asked.resolvedAt ?? 0) >= at) {
    const answer = asked.answerBody ? (turn.lookup.body(asked.answerBody) as { decision?: string } | undefined) : undefined;
    if (answer?.decision !== 'try_again') return false;
    const spec = (item ? item.spec.checks : (turn.state.contract?.checks ?? [])).find((check) => check.key === key);
    if (!spec) return false;
    ask(turn, hostWho, spec, item, true);
    return true;
  }
  raiseBlocker(turn, hostWho, { key: id, reason: `The check ${key} could not be run.`, form: unrunForm, recommended: { decision: 'try_again' } }, item?.key);
  return true;
}

const pendingPlans: Rule = (turn, host) => {
  if (turn.state.status !== 'active') return false;
  const proposal = Object.values(turn.state.proposals).find(
    (entry) => entry.status === 'pending' && !entry.waitsFor.some((key) => isBusy(turn.state, key) && !entry.pending?.supersede.includes(key)),
  );
  if (!proposal) return false;
  if (proposal.basedOn !== (turn.state.plan?.revision ?? 0)) {
    turn.emit(hostWho, { type: 'plan.rejected', proposal: proposal.id, status: 'superseded' });
    return true;
  }
  const before = turn.state.seq;
  host(turn, 'plan.adopt', { proposal: proposal.id, supersede: proposal.pending?.supersede ?? [] }, proposal.pending?.reason ?? 'its waits are over');
  return turn.state.seq !== before;
};

/**
 * Questions that a coordinator was to look at, and none can: they are their owner's. And rounds about a question that is no longer open, or was asked anew: they end, but for
 * one that has moved something, which ends by itself.
 */
const routing: Rule = (turn) => {
  const { state } = turn;
  for (const round of Object.values(state.rounds)) {
    if (!round.blocker || round.progress > 0) continue;
    const blocker = state.blockers[round.blocker.id];
    if (blocker?.route === 'coordinator' && blocker.generation === round.blocker.generation) continue;
    endRound(turn, hostWho, round.id, 'cancelled', 'question_closed');
    return true;
  }
  if (state.status !== 'active') return false;
  for (const blocker of Object.values(state.blockers)) {
    const target = blockerTarget(blocker.id);
    if (blocker.route !== 'coordinator' || openRoundAt(state, target)) continue;
    const why = cannotRoute(turn, target);
    if (why === null) continue;
    passBlocker(turn, blocker, why);
    return true;
  }
  return false;
};

function cannotRoute(turn: Turn, target: string): string | null {
  const { state } = turn;
  if (!agentCoordinates(state, turn.ctx.carriers)) return 'no agent coordinates here';
  if (state.stop !== null) return 'the goal has stopped';
  if (deadlineReached(state, turn.now)) return 'deadline';
  const stop = laneStop(state, 'coordinator', target, turn.now);
  if (stop && 'kind' in stop) return stop.detail;
  const spending = budgetStop(state, { target, lane: 'coordinator', executor: coordinatorOf(state) });
  return spending && !passes(spending) ? `budget: ${spending.limit}` : null;
}

const openExecution: Rule = (turn, host) => (turn.state.status === 'active' && turn.state.execution === null ? host(turn, 'execution.open', { supersede: false }) : false);

/** The plan that came with the goal: sealed and adopted by the host, as whoever confirmed the goal, or its template, confirmed it too. */
const givenPlans: Rule = (turn, host) => {
  const { state } = turn;
  if (state.given === null || state.status !== 'active' || state.execution?.status !== 'open' || state.plan) return false;
  const sealed = Object.values(state.proposals).find((proposal) => proposal.digest === state.given);
  return sealed ? host(turn, 'plan.adopt', { proposal: sealed.id, supersede: [] }) : sealGiven(turn, state.given);
};

const invalidPlans: Rule = (turn) => {
  const { planRefusals, planErrors } = turn.state;
  if (turn.state.status !== 'active' || turn.state.plan || planRefusals === 0 || turn.state.blockers[PLAN_INVALID]) return false;
  // Rounds that only wrote such plans are not merely idle: the owner is told what was wrong with them.
  const stop = laneStop(turn.state, 'coordinator', 'goal', turn.now);
  if (planRefusals < PLAN_REFUSALS && !(stop && 'kind' in stop && stop.kind === 'no_progress')) return false;
  const form = { type: 'object', properties: { decision: { enum: ['try_again'] } }, required: ['decision'], additionalProperties: false };
  raiseBlocker(turn, hostWho, {
    key: PLAN_INVALID,
    reason: `${planRefusals} plan documents in a row could not be sealed. The last: ${planErrors.map(({ pointer, code }) => `${pointer || '/'} ${code}`).join(', ')}.`,
    form,
    recommended: { decision: 'try_again' },
  });
  return true;
};

/** Starts what can be started, one thing, within the parallel limit, the budget and the deadline. */
const startWork: Rule = (turn, host) => {
  const { state } = turn;
  if ((state.status !== 'active' && state.status !== 'draft') || deadlineReached(state, turn.now)) return false;
  const full = Object.keys(state.rounds).length >= state.limits.parallelRounds;
  for (const candidate of candidates(state, turn.now, turn.ctx.carriers).start) {
    switch (candidate.do) {
      case 'stop-item':
        turn.emit(hostWho, { type: 'item.stopped', item: candidate.item, stop: { kind: candidate.kind, detail: candidate.detail } });
        return true;
      case 'stop-goal':
        turn.emit(hostWho, { type: 'goal.stopped', stop: { kind: candidate.kind, detail: candidate.detail } });
        return true;
      case 'fail-child':
        turn.emit(hostWho, { type: 'subagent.returned', subagent: candidate.subagent, ok: false, resultBody: turn.body({ error: candidate.why }), late: false });
        return true;
      case 'offer':
        turn.emit(hostWho, {
          type: 'wait.armed',
          wait: {
            id: turn.id('wait'),
            kind: 'external',
            correlation: `offer:${candidate.item}`,
            generation: (state.generations[`offer:${candidate.item}`] ?? 0) + 1,
            item: candidate.item,
            owner: turn.state.owner,
            due: turn.now + OFFER_MS,
            reason: 'offered',
          },
        });
        return true;
      case 'assign':
        if (full || budgetStop(state, startOf(state, candidate))) break;
        return host(turn, 'work.assign', { item: candidate.item });
      case 'round':
        if (full || budgetStop(state, candidate)) break;
        return host(turn, 'round.schedule', {
          lane: candidate.lane,
          target: candidate.target,
          executor: candidate.executor,
          ...(candidate.purpose ? { purpose: candidate.purpose } : {}),
          ...(candidate.blocker ? { blocker: candidate.blocker } : {}),
          ...(candidate.message ? { message: candidate.message } : {}),
        });
    }
  }
  return false;
};

/** Closing the graph, auditing the goal, completing it. */
const finish: Rule = (turn, host) => {
  const { state } = turn;
  if (state.mode === 'graph_only')
    return state.status === 'active' && state.execution?.status === 'open' && allRequiredAccepted(state) && completionProblems(state, turn.now).length === 0
      ? host(turn, 'execution.complete', {})
      : false;
  if (!state.contract) return false;
  const closed = state.mode === 'goal_only' ? state.finishAsked : openThings(state).length === 0;
  const again = Object.entries(state.uncovered).find(([, count]) => count >= 2);
  // An audit that finds a criterion uncovered takes the wish to finish back: without a graph the question is asked before the work begins anew.
  if (again && state.mode === 'goal_only') return askAboutCriterion(turn, again[0]);
  if (!closed) return false;
  if (contractChecksDue(turn).length > 0) return host(turn, 'check.request', {});
  if (Object.values(state.checks).some((check) => check.submission === null)) return false;
  const unrun = state.contract.checks.find((spec) => state.receipts[spec.key]?.unknown && state.receipts[spec.key]?.retryAt === undefined);
  if (unrun) return unrunCheck(turn, null, unrun.key);
  if (state.contract.checks.some((spec) => state.receipts[spec.key]?.unknown)) return false;
  if (!auditIsCurrent(state)) return needsCoordinatorAudit(state) ? false : host(turn, 'goal.audit', { classes: [] });
  if (again) return askAboutCriterion(turn, again[0]);
  return state.status === 'active' && completionProblems(state, turn.now).length === 0 ? host(turn, 'goal.complete', {}) : false;
};

function askAboutCriterion(turn: Turn, criterion: string): boolean {
  const key = `${UNCOVERED}${criterion}`.slice(0, 64);
  if (turn.state.blockers[key]) return false;
  const form = { type: 'object', properties: { decision: { enum: ['plan', 'attest', 'revise'] } }, required: ['decision'], additionalProperties: false };
  raiseBlocker(turn, hostWho, { key, reason: `Two audits found the criterion ${criterion} uncovered.`, form });
  return true;
}

/** A wait whose reason is gone: its item was taken away, its offer is no longer open, its Attempt is over. */
const strayWaits: Rule = (turn) => {
  const stray = Object.values(turn.state.waits).find((wait) => {
    if (wait.item === undefined || wait.kind === 'reconcile') return false;
    const item = turn.state.items[wait.item];
    if (!item || item.stored === 'superseded' || item.stored === 'cancelled') return true;
    if (wait.correlation.startsWith('offer:'))
      return (
        item.assignment !== null ||
        frozenKeys(turn.state).has(item.key) ||
        !['ready', 'changes_requested'].includes(itemState(turn.state, item.key)) ||
        !['person', 'external'].includes(executorOf(item).kind)
      );
    if (wait.correlation.startsWith('attempt:')) return item.attempt?.id !== wait.correlation.slice('attempt:'.length) || !['pending', 'running'].includes(item.attempt.state);
    return false;
  });
  if (!stray) return false;
  releaseWaits(turn, hostWho, (wait) => wait.id === stray.id);
  return true;
};

const opened =
  (rule: Rule): Rule =>
  (turn, host) =>
    isOpen(turn) && rule(turn, host);
const living =
  (rule: Rule): Rule =>
  (turn, host) =>
    isLiving(turn) && rule(turn, host);

/** In this order. Effects are settled in every status: what was sent does not wait for a goal. */
const rules: Rule[] = [
  dueEffects,
  dueProbes,
  opened(redispatch),
  opened(dueWaits),
  living(dueApprovals),
  living(dueChecks),
  living(strayWaits),
  living(submissions),
  living(pendingPlans),
  living(routing),
  openExecution,
  givenPlans,
  invalidPlans,
  startWork,
  living(finish),
];

export { isRefusal, isRunnable };
