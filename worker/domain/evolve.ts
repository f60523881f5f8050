/** Folds events into the working set. Total over the event union; decides nothing and refuses nothing. */

import { Draft } from './draft.ts';
import type { Event } from './events.ts';
import { GENERATIONS_KEPT } from './limits.ts';
import { MODEL_CALL } from './model-call.ts';
import type { Item, Round, State } from './state.ts';
import { lanes } from './values.ts';
import { attemptLimit } from './work/derive.ts';

/** A snapshot of another fold version is ignored and the journal folded anew. */
export const FOLD_VERSION = 5;

/** The state after these events, in order. The given state is not changed. */
export function fold(state: State, events: readonly Event[]): State {
  const draft = new Draft(state);
  for (const event of events) apply(draft, event);
  return draft.state;
}

/** Ids of the blockers that the host itself raises on the Goal. */
export const PLAN_INVALID = 'plan-invalid';
export const UNCOVERED = 'uncovered-';

const streakOf = (lane: string, target: string) => `${lane}:${target}`;

/** Applied changes that count as progress of the round that caused them. */
function isProgress(event: Event, state: State): boolean {
  switch (event.type) {
    case 'milestone.moved':
    case 'blocker.raised':
    case 'blocker.resolved':
    case 'blocker.withdrawn':
    case 'plan.adopted':
    case 'plan.pended':
    case 'acceptance.recorded':
    case 'acceptance.invalidated':
    case 'goal.audited':
    case 'goal.drafted':
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

const emptyStreak: State['streaks'][string] = { empty: 0, lost: 0, failed: 0 };

export function apply(draft: Draft, event: Event): void {
  const s = draft.state;
  s.seq = event.seq;
  s.at = event.at;
  if (event.via && isProgress(event, s)) draft.round(event.via, { progress: (s.rounds[event.via]?.progress ?? 0) + 1 });

  switch (event.type) {
    case 'goal.created':
      s.mode = event.mode;
      s.title = event.title;
      s.owner = event.owner;
      s.createdAt = event.at;
      s.goalVersion = 1;
      s.contract = event.contract;
      s.limits = event.limits;
      s.lanes = event.lanes;
      s.status = event.confirmed ? 'active' : 'draft';
      s.confirmedAt = event.confirmed ? event.at : null;
      s.intake = event.intake ? { wanted: true, rounds: 0, proposal: null } : null;
      setMilestones(draft);
      return;
    case 'goal.drafted':
      s.goalVersion = event.goalVersion;
      s.mode = event.mode;
      s.title = event.title;
      s.contract = event.contract;
      s.limits = event.limits;
      s.intake = {
        rounds: s.intake?.rounds ?? 0,
        wanted: false,
        proposal: { goalVersion: event.goalVersion, shape: event.shape, because: event.because, noteBody: event.noteBody },
      };
      setMilestones(draft);
      return;
    case 'goal.confirmed':
      s.status = 'active';
      s.confirmedAt = event.at;
      // How its intake went says nothing about the work.
      if (s.intake) s.intake = { ...s.intake, wanted: false };
      if (s.streaks[streakOf('coordinator', 'goal')]) delete draft.own('streaks')[streakOf('coordinator', 'goal')];
      return;
    case 'goal.revised':
      s.goalVersion = event.goalVersion;
      s.title = event.title;
      s.contract = event.contract;
      s.limits = event.limits;
      s.lanes = event.lanes;
      if (event.mode) s.mode = event.mode;
      if (s.intake?.wanted) s.intake = { ...s.intake, wanted: false };
      if (s.status === 'completed') s.status = 'active';
      s.audit = null;
      s.finishAsked = false;
      s.stop = null;
      s.uncovered = {};
      s.receipts = {};
      setMilestones(draft);
      for (const key of event.impact.superseded) draft.item(key, { stored: 'superseded', assignment: null });
      if (event.impact.superseded.length > 0) s.touched = { ...s.touched, acceptances: event.seq };
      return;
    case 'goal.paused':
      s.status = 'paused';
      return;
    case 'goal.resumed':
      s.status = 'active';
      s.stop = null;
      s.streaks = {};
      for (const item of Object.values(s.items)) if (item.stop) draft.item(item.key, { stop: null, failures: 0, lastSceneDigest: undefined });
      return;
    case 'goal.limitsSet':
      s.limits = event.limits;
      for (const [key, limits] of Object.entries(event.items ?? {})) draft.own('itemLimits')[key] = limits;
      return;
    case 'goal.stopped':
      s.stop = { ...event.stop, at: event.at };
      return;
    case 'goal.audited': {
      // The same gap again is no standstill where what is counted went on in between.
      const before = s.audit?.seq ?? 0;
      const moved = s.mode === 'goal_only' && before > 0 && Object.values(s.milestones).some((milestone) => milestone.moved > before);
      s.audit = { ...event.audit, at: event.at, seq: event.seq };
      for (const id of event.uncovered) draft.own('uncovered')[id] = moved ? 1 : (s.uncovered[id] ?? 0) + 1;
      for (const id of Object.keys(s.uncovered)) if (!event.uncovered.includes(id)) delete draft.own('uncovered')[id];
      s.finishAsked = s.finishAsked && event.uncovered.length === 0;
      return;
    }
    case 'goal.completed':
      s.status = 'completed';
      s.completions = [...s.completions, { goalVersion: event.goalVersion, at: event.at, seq: event.seq }];
      return;
    case 'goal.cancelled':
      s.status = 'cancelled';
      return;
    case 'criterion.attested':
      draft.own('attestations')[event.attestation.criterion] = { ...event.attestation, at: event.at };
      s.touched = { ...s.touched, acceptances: event.seq };
      return;
    case 'execution.opened':
      s.execution = { id: event.execution, status: 'open', openedAt: event.at, ...(s.execution?.revisionsBefore ? { revisionsBefore: s.execution.revisionsBefore } : {}) };
      return;
    case 'execution.promoted':
      s.mode = 'bound';
      s.title = event.title;
      s.contract = event.contract;
      s.limits = event.limits;
      setMilestones(draft);
      return;
    case 'execution.ended':
      if (s.execution) s.execution = { ...s.execution, status: event.status, ...(s.plan ? { revisionsBefore: s.plan.revision } : {}) };
      if (event.status === 'completed' && s.mode === 'graph_only') {
        s.status = 'completed';
        s.completions = [...s.completions, { goalVersion: s.goalVersion, at: event.at, seq: event.seq }];
      } else if (event.status === 'abandoned' && s.mode === 'graph_only') s.status = 'cancelled';
      if (event.status !== 'completed') {
        s.plan = null;
        for (const item of Object.values(s.items)) if (item.stored !== 'superseded') draft.item(item.key, { stored: 'superseded', assignment: null });
      }
      return;

    case 'plan.proposed':
      draft.own('proposals')[event.proposal.id] = event.proposal;
      s.planRefusals = 0;
      s.planErrors = [];
      return;
    case 'plan.refused':
      s.planRefusals += 1;
      s.planErrors = event.errors.slice(0, 5);
      return;
    case 'plan.pended': {
      const proposal = s.proposals[event.proposal];
      if (proposal)
        draft.own('proposals')[event.proposal] = {
          ...proposal,
          status: 'pending',
          waitsFor: event.waitsFor,
          ...(event.touches ? { touches: event.touches } : {}),
          pending: { by: event.by, supersede: event.supersede, reason: event.reason },
        };
      return;
    }
    case 'plan.adopted': {
      const items = draft.own('items');
      for (const { spec, specDigest } of event.added) {
        forgetSubmission(draft, items[spec.key]?.submission?.id);
        forgetBudget(draft, spec.key);
        items[spec.key] = newItem(items[spec.key], spec, specDigest);
      }
      for (const { spec, specDigest } of event.changed) {
        forgetSubmission(draft, items[spec.key]?.submission?.id);
        forgetBudget(draft, spec.key);
        items[spec.key] = newItem(items[spec.key], spec, specDigest);
      }
      for (const { spec, specDigest } of event.keptSpecs) {
        const item = items[spec.key];
        if (item && (item.spec.limits.tokens !== spec.limits.tokens || item.spec.limits.money !== spec.limits.money)) forgetBudget(draft, spec.key);
        if (item) items[spec.key] = { ...item, version: item.version + 1, spec, specDigest, stored: item.stored === 'superseded' ? 'open' : item.stored };
      }
      for (const key of event.removed) {
        forgetBudget(draft, key);
        draft.item(key, { stored: 'superseded', assignment: null });
      }
      s.plan = { revision: event.revision, proposal: event.proposal, digest: event.digest, order: event.order };
      delete draft.own('proposals')[event.proposal];
      s.planAsked = null;
      s.stop = s.stop?.kind === 'plan_invalid' ? null : s.stop;
      s.touched = { ...s.touched, acceptances: event.seq };
      return;
    }
    case 'plan.rejected':
      delete draft.own('proposals')[event.proposal];
      return;

    case 'assignment.made':
      draft.item(event.item, (item) => ({
        assignment: { id: event.assignment, owner: event.owner, executor: event.executor, fence: event.fence },
        ...(event.granted ? { ...oneMore(s, item), stop: null } : {}),
        verdict: event.granted && item.verdict?.verdict === 'rejected' ? { ...item.verdict, decided: true } : item.verdict,
      }));
      draft.own('fences')[`item:${event.item}`] = event.fence;
      if (event.granted) clearStreaks(draft, event.item);
      return;
    case 'assignment.released':
      draft.item(event.item, { assignment: null });
      return;
    case 'attempt.opened':
      draft.item(event.item, (item) => ({
        attempt: { id: event.attempt, number: event.number, fence: event.fence, state: 'pending', by: event.executor, goalVersion: event.goalVersion, submitted: false },
        attempts: event.number,
        assignment: item.assignment ? { ...item.assignment, fence: event.fence } : null,
      }));
      draft.own('fences')[`item:${event.item}`] = event.fence;
      return;
    case 'attempt.started':
      draft.item(event.item, (item) => ({ attempt: item.attempt && { ...item.attempt, state: 'running', fence: event.fence } }));
      return;
    case 'attempt.ended':
      draft.item(event.item, (item) => ({
        attempt: item.attempt?.id === event.attempt ? { ...item.attempt, state: event.state } : item.attempt,
        failures: item.failures + (event.state === 'failed' ? 1 : 0),
      }));
      // An Attempt that was lost or interrupted leaves open and returned children to the next one; every other result is a row.
      for (const child of Object.values(s.subagents)) {
        if (child.item === event.item && child.state !== 'open' && !(child.state === 'returned' && (event.state === 'lost' || event.state === 'interrupted')))
          dropChild(draft, child.id);
      }
      return;
    case 'item.stopped':
      draft.item(event.item, { stop: event.stop });
      return;
    case 'item.resumed':
      draft.item(event.item, (item) => ({ stop: null, ...(event.grant ? oneMore(s, item) : { failures: 0, lastSceneDigest: undefined }) }));
      clearStreaks(draft, event.item);
      return;
    case 'item.cancelled':
      forgetBudget(draft, event.item);
      draft.item(event.item, { stored: 'cancelled', assignment: null });
      s.touched = { ...s.touched, acceptances: event.seq };
      return;
    case 'item.reaffirmed':
      draft.item(event.item, (item) => putUp(item, event.why, event.detail));
      s.touched = { ...s.touched, acceptances: event.seq };
      return;
    case 'artifact.stored':
      if (event.role === 'source') {
        draft.own('sources')[event.artifact.path] = event.artifact;
        s.touched = { ...s.touched, sources: event.seq };
      } else if (event.role === 'deliverable') {
        draft.own('deliverables')[event.artifact.path] = event.artifact;
        s.touched = { ...s.touched, acceptances: event.seq };
      }
      return;
    case 'submission.received': {
      forgetSubmission(draft, s.items[event.item]?.submission?.id);
      const { specDigest: _specDigest, artifacts: _artifacts, claims: _claims, ...submission } = event.submission;
      draft.item(event.item, (item) => ({
        submission: { ...submission, stage: 0, votes: [], cannot: [], receipts: {} },
        submissions: submission.number,
        verdict: null,
        reaffirm: null,
        attempt: item.attempt?.id === submission.attempt ? { ...item.attempt, submitted: true } : item.attempt,
      }));
      s.touched = { ...s.touched, acceptances: event.seq };
      return;
    }
    case 'review.recorded':
      draft.item(event.item, (item) => ({
        submission: item.submission && {
          ...item.submission,
          votes: event.verdict === 'accepted' ? [...item.submission.votes, event.by] : item.submission.votes,
          cannot: event.verdict === 'cannot_judge' ? [...item.submission.cannot, event.by] : item.submission.cannot,
        },
      }));
      return;
    case 'review.staged':
      draft.item(event.item, (item) => ({ submission: item.submission && { ...item.submission, stage: event.stage, votes: [], cannot: [] } }));
      return;
    case 'acceptance.recorded': {
      const { verdict } = event;
      draft.item(event.item, (item) => ({
        verdict: { ...verdict, at: event.at },
        // Judged: its receipts and votes are rows; a new verdict on it asks for them anew.
        submission: item.submission && { ...item.submission, receipts: {}, votes: [], cannot: [] },
        reaffirm: null,
        failures: item.failures + (verdict.verdict === 'accepted' ? 0 : 1),
        lastSceneDigest: event.sceneDigest ?? item.lastSceneDigest,
      }));
      s.touched = { ...s.touched, acceptances: event.seq };
      return;
    }
    case 'acceptance.invalidated':
      draft.item(event.item, (item) => ({
        verdict: item.verdict?.id === event.acceptance ? { ...item.verdict, verdict: 'changes_requested', by: event.by, scene: undefined } : item.verdict,
        reaffirm: null,
        failures: item.failures + 1,
        lastSceneDigest: event.sceneDigest,
      }));
      s.touched = { ...s.touched, acceptances: event.seq };
      return;
    case 'verdict.decided':
      draft.item(event.item, (item) => ({ verdict: item.verdict && { ...item.verdict, decided: true } }));
      return;

    case 'blocker.raised': {
      const before = s.blockers[event.blocker.id];
      draft.own('blockers')[event.blocker.id] = {
        ...event.blocker,
        raisedAt: event.at,
        count: (before?.count ?? 0) + 1,
        generation: (s.generations[`blocker:${event.blocker.id}`] ?? 0) + 1,
      };
      draft.own('generations')[`blocker:${event.blocker.id}`] = (s.generations[`blocker:${event.blocker.id}`] ?? 0) + 1;
      delete draft.own('closed')[`blocker:${event.blocker.id}`];
      if (event.blocker.item) draft.item(event.blocker.item, { stored: 'blocked' });
      return;
    }
    case 'blocker.resolved':
    case 'blocker.withdrawn': {
      const item = s.blockers[event.blocker]?.item;
      delete draft.own('blockers')[event.blocker];
      close(draft, `blocker:${event.blocker}`, event.seq);
      if (event.blocker === PLAN_INVALID) {
        s.planRefusals = 0;
        s.planErrors = [];
        delete draft.own('streaks')['coordinator:goal'];
      }
      if (event.blocker.startsWith(UNCOVERED)) draft.own('uncovered')[event.blocker.slice(UNCOVERED.length)] = 0;
      if (item && s.items[item]?.stored === 'blocked' && !Object.values(s.blockers).some((blocker) => blocker.item === item)) draft.item(item, { stored: 'open' });
      return;
    }
    case 'fact.recorded':
      s.facts = { keys: s.facts.keys + (event.version === 1 ? 1 : 0) };
      s.touched = { ...s.touched, facts: event.seq };
      return;
    case 'milestone.defined':
      if (s.contract) s.contract = { ...s.contract, milestones: [...s.contract.milestones, event.milestone] };
      setMilestones(draft);
      return;
    case 'milestone.targeted': {
      const milestone = s.milestones[event.milestone];
      if (milestone) draft.own('milestones')[event.milestone] = { ...milestone, target: event.target };
      return;
    }
    case 'milestone.moved': {
      const milestone = s.milestones[event.milestone];
      if (milestone) draft.own('milestones')[event.milestone] = { ...milestone, count: event.count, moved: event.seq };
      if (event.via) draft.round(event.via, { movedAtStep: s.rounds[event.via]?.steps ?? 0 });
      return;
    }
    case 'milestone.confirmed': {
      const milestone = s.milestones[event.milestone];
      if (milestone) draft.own('milestones')[event.milestone] = { ...milestone, confirmedBy: event.by };
      return;
    }
    case 'ledger.recorded':
      s.ledger = { ...s.ledger, entries: s.ledger.entries + 1 };
      s.touched = { ...s.touched, ledger: event.seq };
      return;
    case 'review_list.added':
      s.reviewList = { ...s.reviewList, open: s.reviewList.open + (event.again ? 0 : 1) };
      s.touched = { ...s.touched, reviewList: event.seq };
      return;
    case 'review_list.resolved':
      s.reviewList = { open: s.reviewList.open - 1, resolved: s.reviewList.resolved + 1 };
      s.touched = { ...s.touched, reviewList: event.seq };
      return;
    case 'evidence.invalidated':
      s.ledger = { ...s.ledger, flagged: s.ledger.flagged + event.decisions.length };
      s.touched = { ...s.touched, ledger: event.seq };
      return;
    case 'tasks.set':
      return;

    case 'effect.planned':
      draft.own('effects')[event.effect.id] = { ...event.effect, state: 'planned' };
      if (s.rounds[event.effect.round]?.call) return;
      return;
    case 'effect.settled': {
      const effect = s.effects[event.effect];
      if (event.outcome === 'unknown') {
        if (effect) draft.own('effects')[event.effect] = { ...effect, state: 'unknown', ...(effect.probe ? { probe: { ...effect.probe, nextAt: 0 } } : {}) };
      } else delete draft.own('effects')[event.effect];
      return;
    }
    case 'effect.probe_asked': {
      const effect = s.effects[event.effect];
      if (effect?.probe) draft.own('effects')[event.effect] = { ...effect, probe: { ...effect.probe, tries: event.tries, nextAt: null, dueBy: event.dueBy } };
      return;
    }
    case 'effect.probed': {
      const effect = s.effects[event.effect];
      if (effect?.probe) draft.own('effects')[event.effect] = { ...effect, probe: { ...effect.probe, nextAt: event.nextAt, dueBy: null } };
      return;
    }
    case 'effect.reconciled':
      delete draft.own('effects')[event.effect];
      return;
    case 'approval.asked':
      draft.own('approvals')[event.approval.id] = { ...event.approval, state: 'asked' };
      return;
    case 'approval.decided': {
      const approval = s.approvals[event.approval];
      if (!approval) return;
      delete draft.own('expiries')[approval.callDigest];
      if (event.decision === 'approved') draft.own('approvals')[event.approval] = { ...approval, state: 'approved', decidedBy: event.by };
      else delete draft.own('approvals')[event.approval];
      return;
    }
    case 'approval.used':
      delete draft.own('approvals')[event.approval];
      return;
    case 'approval.expired': {
      const asked = s.approvals[event.approval];
      const digest = asked?.state === 'asked' ? asked.callDigest : undefined;
      if (digest && !event.closed) draft.own('expiries')[digest] = (s.expiries[digest] ?? 0) + 1;
      delete draft.own('approvals')[event.approval];
      return;
    }
    case 'wait.armed':
      draft.own('waits')[event.wait.id] = { ...event.wait, armedAt: event.at };
      draft.own('generations')[event.wait.correlation] = event.wait.generation;
      delete draft.own('closed')[event.wait.correlation];
      return;
    case 'wait.released': {
      const wait = s.waits[event.wait];
      // What was waited for came: that is no poll.
      if (wait?.target !== undefined && wait.kind !== 'timer' && event.how === 'released') {
        for (const [key, streak] of Object.entries(s.streaks))
          if (streak.waits && key.endsWith(`:${wait.target}`) && key.indexOf(':') === key.length - wait.target.length - 1) draft.own('streaks')[key] = { ...streak, waits: 0 };
      }
      delete draft.own('waits')[event.wait];
      if (wait && !Object.values(s.waits).some((other) => other.correlation === wait.correlation)) close(draft, wait.correlation, event.seq);
      return;
    }
    case 'signal.kept':
      draft.own('signals')[event.correlation] = { correlation: event.correlation, generation: event.generation, at: event.at, payloadDigest: event.payloadBody };
      return;
    case 'signal.dropped':
      delete draft.own('signals')[event.correlation];
      return;

    case 'finish.asked':
      s.finishAsked = true;
      return;
    case 'subagent.spawned':
      draft.own('subagents')[event.subagent.id] = { ...event.subagent, state: 'open', attempts: 0 };
      return;
    case 'subagent.adopted': {
      const child = s.subagents[event.subagent];
      if (child) draft.own('subagents')[event.subagent] = { ...child, parent: event.attempt };
      return;
    }
    case 'subagent.returned': {
      const child = s.subagents[event.subagent];
      if (child) draft.own('subagents')[event.subagent] = { ...child, state: event.ok ? 'returned' : 'failed' };
      forgetTarget(draft, `subagent:${event.subagent}`);
      return;
    }
    case 'subagent.ended': {
      const child = s.subagents[event.subagent];
      forgetTarget(draft, `subagent:${event.subagent}`);
      if (!child) return;
      // Ended after its parent: nobody reads it any more.
      const parent = s.items[child.item]?.attempt;
      if (parent?.id === child.parent && (parent.state === 'pending' || parent.state === 'running')) draft.own('subagents')[event.subagent] = { ...child, state: event.state };
      else dropChild(draft, child.id);
      return;
    }

    case 'round.scheduled': {
      const { round } = event;
      draft.own('rounds')[round.id] = { ...round, phase: 'scheduled', steps: 0, recent: [], movedAtStep: 0, drift: 'none', progress: 0 };
      draft.own('fences')[round.target] = round.fence;
      if (s.short[round.target]) delete draft.own('short')[round.target];
      s.budget = { ...s.budget, rounds: s.budget.rounds + 1 };
      if (round.purpose === 'intake' && s.intake) s.intake = { ...s.intake, rounds: s.intake.rounds + 1 };
      if (round.item)
        draft.item(round.item, (item) => (item.assignment && round.lane === 'worker' && !round.subagent ? { assignment: { ...item.assignment, fence: round.fence } } : {}));
      if (round.subagent) {
        const child = s.subagents[round.subagent];
        if (child) draft.own('subagents')[round.subagent] = { ...child, attempts: child.attempts + 1 };
      }
      return;
    }
    case 'round.redispatched': {
      const round = s.rounds[event.round];
      if (!round) return;
      oweGrant(draft, round);
      draft.round(event.round, {
        phase: 'scheduled',
        fence: event.fence,
        dueBy: event.dueBy,
        runner: undefined,
        ...(round.grant ? { grant: { state: 'wanted', ...(round.grant.least ? { least: round.grant.least } : {}) } } : {}),
      });
      draft.own('fences')[round.target] = event.fence;
      if (round.item && round.lane === 'worker' && !round.subagent)
        draft.item(round.item, (item) => (item.assignment ? { assignment: { ...item.assignment, fence: event.fence } } : {}));
      const key = streakOf(round.lane, round.target);
      draft.own('streaks')[key] = { ...(s.streaks[key] ?? emptyStreak), lost: (s.streaks[key]?.lost ?? 0) + 1 };
      return;
    }
    case 'round.granted':
      draft.round(event.round, { dueBy: event.dueBy, grant: { state: 'granted', tokens: event.tokens, money: event.money } });
      return;
    case 'round.held': {
      const least = s.rounds[event.round]?.grant?.least;
      draft.round(event.round, { grant: { state: 'held', by: event.by, retryAt: event.retryAt, ...(event.limit ? { limit: event.limit } : {}), ...(least ? { least } : {}) } });
      return;
    }
    case 'round.settled':
      for (const key of event.settled) delete draft.own('settling')[key];
      return;
    case 'round.claimed':
      draft.round(event.round, { phase: 'claimed', runner: event.runner, dueBy: event.dueBy });
      return;
    case 'round.started':
      draft.round(event.round, { phase: 'started' });
      return;
    case 'round.pinned':
    case 'context.recorded':
      return;
    case 'round.ended': {
      const round = s.rounds[event.round];
      if (!round) return;
      const key = streakOf(round.lane, round.target);
      if (event.progress) {
        if (s.streaks[key]) delete draft.own('streaks')[key];
        if (s.stop?.kind === 'no_progress') s.stop = null;
      } else {
        const streak = s.streaks[key] ?? emptyStreak;
        // A round that could not pay for its next call is not one that turned on the spot.
        const unpaid = s.short[round.target] !== undefined;
        if ((event.outcome === 'empty' || event.outcome === 'handed_back') && !unpaid) draft.own('streaks')[key] = { ...streak, empty: streak.empty + 1 };
        else if (event.outcome === 'lost') draft.own('streaks')[key] = { ...streak, lost: streak.lost + 1 };
        else if (event.outcome === 'waiting') draft.own('streaks')[key] = { ...streak, waits: (streak.waits ?? 0) + 1 };
        else if (event.outcome === 'failed')
          draft.own('streaks')[key] = { ...streak, failed: streak.failed + 1, ...(event.retryAt === undefined ? {} : { retryAt: event.retryAt }) };
      }
      oweGrant(draft, round);
      delete draft.own('rounds')[event.round];
      if (round.submission && s.items[round.item ?? '']?.submission?.id !== round.submission) forgetTarget(draft, round.target);
      if (round.subagent && s.subagents[round.subagent]?.state !== 'open') forgetTarget(draft, round.target);
      return;
    }
    case 'call.authorized': {
      const round = s.rounds[event.round];
      if (!round) return;
      draft.round(event.round, {
        ...(event.tool === MODEL_CALL ? { modelCalls: (round.modelCalls ?? 0) + 1 } : { steps: round.steps + 1, recent: [...round.recent, event.subject].slice(-100) }),
        call: { id: event.call, tool: event.tool, argsDigest: event.argsDigest, subject: event.subject, ...(event.effect ? { effect: event.effect } : {}) },
      });
      return;
    }
    case 'call.refused': {
      const round = s.rounds[event.round];
      if (round && event.tool === MODEL_CALL) draft.round(event.round, { modelCalls: (round.modelCalls ?? 0) + 1 });
      else if (round) draft.round(event.round, { steps: round.steps + 1, recent: [...round.recent, event.subject].slice(-100) });
      return;
    }
    case 'call.recorded':
      draft.round(event.round, { call: undefined });
      return;
    case 'drift.noticed':
      draft.round(event.round, { drift: event.level === 'ended' ? 'parked' : event.level });
      return;
    case 'message.posted':
      s.messages = { ...s.messages, posted: event.message };
      if (event.asks === 'plan') s.planAsked = { by: event.by, message: String(event.message) };
      if (event.asks === 'draft') {
        s.intake = { rounds: s.intake?.rounds ?? 0, proposal: s.intake?.proposal ?? null, wanted: true };
        if (s.streaks[streakOf('coordinator', 'goal')]) delete draft.own('streaks')[streakOf('coordinator', 'goal')];
      }
      return;
    case 'message.handled':
      s.messages = { ...s.messages, handled: Math.max(s.messages.handled, event.upTo) };
      // Who handled the message that asked for another plan, and made none, has judged that none is needed.
      if (s.planAsked && Number(s.planAsked.message) <= event.upTo) s.planAsked = null;
      return;
    case 'note.revised':
    case 'note.appended':
      draft.own('notes')[event.topic] =
        event.type === 'note.revised'
          ? { revision: event.revision, entries: s.notes[event.topic]?.entries ?? 0 }
          : { revision: s.notes[event.topic]?.revision ?? 0, entries: event.entry };
      return;
    case 'check.requested': {
      const { check } = event;
      if (event.outside) draft.own('checks')[check.id] = { ...check, askedAt: event.at, tries: event.tries };
      draft.own('fences')[checkTarget(check)] = check.fence;
      return;
    }
    case 'check.recorded': {
      const open = s.checks[event.check];
      if (open) delete draft.own('checks')[event.check];
      if (open?.submission && s.items[open.item ?? '']?.submission?.id !== open.submission) delete draft.own('fences')[checkTarget(open)];
      const tries = event.receipt.tries;
      if (event.submission && event.item) {
        draft.item(event.item, (item) => ({
          submission:
            item.submission?.id === event.submission
              ? {
                  ...item.submission,
                  receipts: {
                    ...item.submission.receipts,
                    [event.key]: {
                      id: event.receipt.id,
                      pass: event.pass,
                      tries,
                      goalVersion: event.receipt.goalVersion,
                      ...(event.retryAt === undefined ? {} : { retryAt: event.retryAt }),
                    },
                  },
                }
              : item.submission,
        }));
      } else if (event.pass !== null) draft.own('receipts')[event.key] = { ...event.receipt, pass: event.pass, at: event.at, seq: event.seq };
      else
        draft.own('receipts')[event.key] = {
          ...event.receipt,
          pass: false,
          unknown: true,
          at: event.at,
          seq: event.seq,
          ...(event.retryAt === undefined ? {} : { retryAt: event.retryAt }),
        };
      return;
    }
    case 'usage.recorded': {
      const { instead, released } = event;
      const tokens = event.tokens - (instead?.tokens ?? 0);
      const money = event.money - (instead?.money ?? 0);
      s.budget = {
        ...s.budget,
        tokens: s.budget.tokens + tokens,
        money: s.budget.money + money,
        reservedTokens: s.budget.reservedTokens - (released?.tokens ?? 0),
        reservedMoney: s.budget.reservedMoney - (released?.money ?? 0),
      };
      if (event.item !== undefined) spend(draft, `item:${event.item}`, tokens, money);
      // The slice of a child that is over is nobody's any more.
      if (event.subagent !== undefined && s.subagents[event.subagent]) spend(draft, `subagent:${event.subagent}`, tokens, money);
      if (event.owed) draft.own('settling')[`${event.owed.round}:${event.owed.fence}`] = event.owed;
      const round = event.round === null ? undefined : s.rounds[event.round];
      if (round?.grant) draft.round(round.id, { used: { tokens: (round.used?.tokens ?? 0) + tokens, money: (round.used?.money ?? 0) + money } });
      if (round?.call && released) draft.round(round.id, { call: { ...round.call, reserve: undefined } });
      return;
    }
    case 'budget.reserved': {
      s.budget = { ...s.budget, reservedTokens: s.budget.reservedTokens + event.tokens, reservedMoney: s.budget.reservedMoney + event.money };
      const open = s.rounds[event.round]?.call;
      if (open) draft.round(event.round, { call: { ...open, reserve: { tokens: event.tokens, money: event.money } } });
      return;
    }
    case 'budget.short':
      draft.own('short')[event.target] = event.short;
      return;
    case 'late.recorded':
      return;
    default:
      event satisfies never;
  }
}

/** Its place, and what is left of its share, go back to the workspace. Whether an ask that is under way was granted is not known: then too. */
function oweGrant(draft: Draft, round: Round): void {
  if (!round.grant) return;
  // Under a fence that nobody started nothing was used.
  const used = draft.state.rounds[round.id]?.used ?? { tokens: 0, money: 0 };
  draft.own('settling')[`${round.id}:${round.fence}`] = { round: round.id, fence: round.fence, tokens: used.tokens, money: used.money };
}

function spend(draft: Draft, of: string, tokens: number, money: number): void {
  const before = draft.state.spent[of];
  draft.own('spent')[of] = { tokens: (before?.tokens ?? 0) + tokens, money: (before?.money ?? 0) + money };
}

/** What a person allowed an item, and what it lacked, were about its old spec. What was used stays used. */
function forgetBudget(draft: Draft, item: string): void {
  if (draft.state.itemLimits[item]) delete draft.own('itemLimits')[item];
  if (draft.state.short[`item:${item}`]) delete draft.own('short')[`item:${item}`];
}

/** A grant is for one Attempt past the limit, however far past it the item stood. A person who lifts a stop lets the count begin anew. */
function oneMore(s: State, item: Item): Partial<Item> {
  return { grants: item.grants + 1, failures: Math.min(item.failures, attemptLimit(s, item)), lastSceneDigest: undefined };
}

function clearStreaks(draft: Draft, item: string): void {
  const s = draft.state;
  for (const target of [`item:${item}`, `submission:${s.items[item]?.submission?.id}`]) {
    for (const lane of lanes) if (s.streaks[streakOf(lane, target)]) delete draft.own('streaks')[streakOf(lane, target)];
  }
}

/** A round on it may still be open: then it is forgotten when that ends. */
function forgetTarget(draft: Draft, target: string): void {
  const s = draft.state;
  if (s.fences[target] === undefined || Object.values(s.rounds).some((round) => round.target === target)) return;
  delete draft.own('fences')[target];
  if (s.short[target]) delete draft.own('short')[target];
  for (const lane of lanes) if (s.streaks[streakOf(lane, target)]) delete draft.own('streaks')[streakOf(lane, target)];
}

/** A Submission that another one stands for: no round and no check is asked for it again, so its fences need not be kept. */
function forgetSubmission(draft: Draft, id: string | undefined): void {
  if (id === undefined) return;
  const s = draft.state;
  forgetTarget(draft, `submission:${id}`);
  const open = new Set(Object.values(s.checks).map(checkTarget));
  for (const target of Object.keys(s.fences)) if (target.startsWith(`check:${id}/`) && !open.has(target)) delete draft.own('fences')[target];
}

function dropChild(draft: Draft, id: string): void {
  forgetTarget(draft, `subagent:${id}`);
  if (draft.state.spent[`subagent:${id}`]) delete draft.own('spent')[`subagent:${id}`];
  delete draft.own('subagents')[id];
}

/** Correlations of one use: the thing they name is over with the wait. */
const once = /^(effect|approval|attempt|children):/;

/** The generation of a closed wait or question is remembered for a bounded number of them, the oldest forgotten first. */
function close(draft: Draft, correlation: string, seq: number): void {
  const s = draft.state;
  if (once.test(correlation)) {
    delete draft.own('generations')[correlation];
    return;
  }
  const closed = draft.own('closed');
  closed[correlation] = seq;
  const known = Object.entries(closed);
  if (known.length <= GENERATIONS_KEPT) return;
  const [oldest] = known.reduce((a, b) => (b[1] < a[1] || (b[1] === a[1] && b[0] < a[0]) ? b : a));
  delete closed[oldest];
  if (s.generations[oldest] !== undefined) delete draft.own('generations')[oldest];
}

/** Where the fence of a check counts: one per check and what it judges. */
export function checkTarget(check: { key: string; submission: string | null }): string {
  return `check:${check.submission ?? 'goal'}/${check.key}`;
}

function putUp(item: Item, why: NonNullable<Item['reaffirm']>['why'], detail: string): Partial<Item> {
  return {
    reaffirm: item.submission ? { why, detail } : null,
    submission: item.submission && { ...item.submission, stage: 0, votes: [], cannot: [], receipts: {} },
  };
}

function newItem(before: Item | undefined, spec: Item['spec'], specDigest: string): Item {
  return {
    key: spec.key,
    version: (before?.version ?? 0) + 1,
    specDigest,
    spec,
    stored: 'open',
    stop: null,
    assignment: null,
    attempt: null,
    attempts: before?.attempts ?? 0,
    failures: 0,
    grants: 0,
    submission: null,
    submissions: before?.submissions ?? 0,
    verdict: null,
    reaffirm: null,
  };
}

/** Keeps counts of milestones that stay; targets given as numbers are known at once. */
function setMilestones(draft: Draft): void {
  const milestones = draft.own('milestones');
  for (const { key, target } of draft.state.contract?.milestones ?? []) {
    const before = milestones[key];
    milestones[key] = {
      count: before?.count ?? 0,
      moved: before?.moved ?? 0,
      target: typeof target === 'number' ? target : (before?.target ?? null),
      ...(before?.confirmedBy ? { confirmedBy: before.confirmedBy } : {}),
    };
  }
}
