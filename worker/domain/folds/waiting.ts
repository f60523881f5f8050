/** What waits, and for what: blockers, waits and signals, effects outside, approvals. */
import type { Draft } from '../draft.ts';
import type { State } from '../state.ts';
import type { Folds } from './fold.ts';
import { blockerTarget } from '../work/routing.ts';
import { close, forgetTarget } from './forgetting.ts';
import { PLAN_INVALID, UNCOVERED } from './names.ts';

function blockerEnded(draft: Draft, event: { blocker: string; seq: number }, s: State): void {
  const item = s.blockers[event.blocker]?.item;
  delete draft.own('blockers')[event.blocker];
  close(draft, `blocker:${event.blocker}`, event.seq);
  forgetTarget(draft, blockerTarget(event.blocker));
  if (event.blocker === PLAN_INVALID) {
    s.planRefusals = 0;
    s.planErrors = [];
    delete draft.own('streaks')['coordinator:goal'];
  }
  if (event.blocker.startsWith(UNCOVERED)) draft.own('uncovered')[event.blocker.slice(UNCOVERED.length)] = 0;
  if (item && s.items[item]?.stored === 'blocked' && !Object.values(s.blockers).some((blocker) => blocker.item === item)) draft.item(item, { stored: 'open' });
}

export const waitingFolds = {
  'blocker.raised': (draft, event, s) => {
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
  },
  'blocker.passed': (draft, event, s) => {
    const blocker = s.blockers[event.blocker];
    if (!blocker) return;
    const { question, recommended, owner } = event;
    draft.own('blockers')[event.blocker] = {
      ...blocker,
      route: 'owner',
      ...(question === undefined ? {} : { reason: question }),
      ...(recommended === undefined ? {} : { recommended }),
      ...(owner === undefined ? {} : { owner }),
    };
    forgetTarget(draft, blockerTarget(event.blocker));
  },
  'blocker.resolved': blockerEnded,
  'blocker.withdrawn': blockerEnded,
  'effect.planned': (draft, event) => {
    draft.own('effects')[event.effect.id] = { ...event.effect, state: 'planned' };
  },
  'effect.settled': (draft, event, s) => {
    const effect = s.effects[event.effect];
    if (event.outcome === 'unknown') {
      if (effect) draft.own('effects')[event.effect] = { ...effect, state: 'unknown', ...(effect.probe ? { probe: { ...effect.probe, nextAt: 0 } } : {}) };
    } else delete draft.own('effects')[event.effect];
  },
  'effect.probe_asked': (draft, event, s) => {
    const effect = s.effects[event.effect];
    if (effect?.probe) draft.own('effects')[event.effect] = { ...effect, probe: { ...effect.probe, tries: event.tries, nextAt: null, dueBy: event.dueBy } };
  },
  'effect.probed': (draft, event, s) => {
    const effect = s.effects[event.effect];
    if (effect?.probe) draft.own('effects')[event.effect] = { ...effect, probe: { ...effect.probe, nextAt: event.nextAt, dueBy: null } };
  },
  'effect.reconciled': (draft, event) => {
    delete draft.own('effects')[event.effect];
  },
  'approval.asked': (draft, event) => {
    draft.own('approvals')[event.approval.id] = { ...event.approval, state: 'asked' };
  },
  'approval.decided': (draft, event, s) => {
    const approval = s.approvals[event.approval];
    if (!approval) return;
    delete draft.own('expiries')[approval.callDigest];
    if (event.decision === 'approved') draft.own('approvals')[event.approval] = { ...approval, state: 'approved', decidedBy: event.by };
    else delete draft.own('approvals')[event.approval];
  },
  'approval.used': (draft, event) => {
    delete draft.own('approvals')[event.approval];
  },
  'approval.expired': (draft, event, s) => {
    const asked = s.approvals[event.approval];
    const digest = asked?.state === 'asked' ? asked.callDigest : undefined;
    if (digest && !event.closed) draft.own('expiries')[digest] = (s.expiries[digest] ?? 0) + 1;
    delete draft.own('approvals')[event.approval];
  },
  'wait.armed': (draft, event) => {
    draft.own('waits')[event.wait.id] = { ...event.wait, armedAt: event.at };
    draft.own('generations')[event.wait.correlation] = event.wait.generation;
    delete draft.own('closed')[event.wait.correlation];
  },
  'wait.released': (draft, event, s) => {
    const wait = s.waits[event.wait];
    // What was waited for came: that is no poll.
    if (wait?.target !== undefined && wait.kind !== 'timer' && event.how === 'released') {
      for (const [key, streak] of Object.entries(s.streaks))
        if (streak.waits && key.endsWith(`:${wait.target}`) && key.indexOf(':') === key.length - wait.target.length - 1) draft.own('streaks')[key] = { ...streak, waits: 0 };
    }
    delete draft.own('waits')[event.wait];
    if (wait && !Object.values(s.waits).some((other) => other.correlation === wait.correlation)) close(draft, wait.correlation, event.seq);
  },
  'signal.kept': (draft, event) => {
    draft.own('signals')[event.correlation] = { correlation: event.correlation, generation: event.generation, at: event.at, payloadDigest: event.payloadBody };
  },
  'signal.dropped': (draft, event) => {
    delete draft.own('signals')[event.correlation];
  },
} satisfies Partial<Folds>;
