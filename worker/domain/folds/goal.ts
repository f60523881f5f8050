/** The contract and the run around it: versions, confirmation, stops, audit, completion. */
import type { Folds } from './fold.ts';
import { forgetChange } from './forgetting.ts';
import { streakOf } from './names.ts';
import { setMilestones } from './planes.ts';

export const goalFolds = {
  'goal.created': (draft, event, s) => {
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
    s.given = event.planBody ?? null;
    s.origin = event.origin ?? null;
    setMilestones(draft);
  },
  'goal.drafted': (draft, event, s) => {
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
  },
  'goal.confirmed': (draft, event, s) => {
    s.status = 'active';
    s.confirmedAt = event.at;
    // How its intake went says nothing about the work.
    if (s.intake) s.intake = { ...s.intake, wanted: false };
    if (s.streaks[streakOf('coordinator', 'goal')]) delete draft.own('streaks')[streakOf('coordinator', 'goal')];
  },
  'goal.revised': (draft, event, s) => {
    s.goalVersion = event.goalVersion;
    s.title = event.title;
    s.contract = event.contract;
    s.limits = event.limits;
    s.lanes = event.lanes;
    if (event.mode) s.mode = event.mode;
    if (s.intake?.wanted) s.intake = { ...s.intake, wanted: false };
    forgetChange(draft);
    if (s.status === 'completed') s.status = 'active';
    s.audit = null;
    s.finishAsked = false;
    s.stop = null;
    s.uncovered = {};
    s.receipts = {};
    setMilestones(draft);
    for (const key of event.impact.superseded) draft.item(key, { stored: 'superseded', assignment: null });
    if (event.impact.superseded.length > 0) s.touched = { ...s.touched, acceptances: event.seq };
  },
  'goal.paused': (_draft, _event, s) => {
    s.status = 'paused';
  },
  'amendment.proposed': (draft, event, s) => {
    s.amendment = { ...event.amendment, at: event.at };
    if (s.changeAsked !== undefined && s.changeAsked <= event.amendment.message) forgetChange(draft);
  },
  'amendment.closed': (_draft, _event, s) => {
    delete s.amendment;
  },
  'goal.resumed': (draft, _event, s) => {
    s.status = 'active';
    s.stop = null;
    s.streaks = {};
    for (const item of Object.values(s.items)) if (item.stop) draft.item(item.key, { stop: null, failures: 0, lastSceneDigest: undefined });
  },
  'goal.limitsSet': (draft, event, s) => {
    s.limits = event.limits;
    for (const [key, limits] of Object.entries(event.items ?? {})) draft.own('itemLimits')[key] = limits;
  },
  'goal.stopped': (_draft, event, s) => {
    s.stop = { ...event.stop, at: event.at };
  },
  'goal.audited': (draft, event, s) => {
    // The same gap again is no standstill where what is counted went on in between.
    const before = s.audit?.seq ?? 0;
    const moved = s.mode === 'goal_only' && before > 0 && Object.values(s.milestones).some((milestone) => milestone.moved > before);
    s.audit = { ...event.audit, at: event.at, seq: event.seq };
    for (const id of event.uncovered) draft.own('uncovered')[id] = moved ? 1 : (s.uncovered[id] ?? 0) + 1;
    for (const id of Object.keys(s.uncovered)) if (!event.uncovered.includes(id)) delete draft.own('uncovered')[id];
    s.finishAsked = s.finishAsked && event.uncovered.length === 0;
  },
  'goal.completed': (_draft, event, s) => {
    s.status = 'completed';
    s.completions = [...s.completions, { goalVersion: event.goalVersion, at: event.at, seq: event.seq }];
  },
  'goal.cancelled': (_draft, _event, s) => {
    s.status = 'cancelled';
  },
  'criterion.attested': (draft, event, s) => {
    draft.own('attestations')[event.attestation.criterion] = { ...event.attestation, at: event.at };
    s.touched = { ...s.touched, acceptances: event.seq };
  },
  'execution.opened': (_draft, event, s) => {
    s.execution = { id: event.execution, status: 'open', openedAt: event.at, ...(s.execution?.revisionsBefore ? { revisionsBefore: s.execution.revisionsBefore } : {}) };
  },
  'execution.promoted': (draft, event, s) => {
    s.mode = 'bound';
    s.title = event.title;
    s.contract = event.contract;
    s.limits = event.limits;
    setMilestones(draft);
  },
  'execution.ended': (draft, event, s) => {
    if (s.execution) s.execution = { ...s.execution, status: event.status, ...(s.plan ? { revisionsBefore: s.plan.revision } : {}) };
    if (event.status === 'completed' && s.mode === 'graph_only') {
      s.status = 'completed';
      s.completions = [...s.completions, { goalVersion: s.goalVersion, at: event.at, seq: event.seq }];
    } else if (event.status === 'abandoned' && s.mode === 'graph_only') s.status = 'cancelled';
    if (event.status !== 'completed') {
      s.plan = null;
      for (const item of Object.values(s.items)) if (item.stored !== 'superseded') draft.item(item.key, { stored: 'superseded', assignment: null });
    }
  },
} satisfies Partial<Folds>;
