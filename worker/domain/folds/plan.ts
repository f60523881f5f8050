/** Proposals and the active revision. An adopted revision makes, renews and supersedes items. */
import type { Item } from '../state.ts';
import type { Folds } from './fold.ts';
import { forgetBudget, forgetSubmission } from './forgetting.ts';

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

export const planFolds = {
  'plan.proposed': (draft, event, s) => {
    draft.own('proposals')[event.proposal.id] = event.proposal;
    s.planRefusals = 0;
    s.planErrors = [];
  },
  'plan.refused': (_draft, event, s) => {
    // The plan that came with the goal does not fit it: that is no failure of whoever plans now.
    if (event.by === 'host') {
      s.given = null;
      return;
    }
    s.planRefusals += 1;
    s.planErrors = event.errors.slice(0, 5);
  },
  'plan.pended': (draft, event, s) => {
    const proposal = s.proposals[event.proposal];
    if (proposal)
      draft.own('proposals')[event.proposal] = {
        ...proposal,
        status: 'pending',
        waitsFor: event.waitsFor,
        ...(event.touches ? { touches: event.touches } : {}),
        pending: { by: event.by, supersede: event.supersede, reason: event.reason },
      };
  },
  'plan.adopted': (draft, event, s) => {
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
    s.given = null;
    s.stop = s.stop?.kind === 'plan_invalid' ? null : s.stop;
    s.touched = { ...s.touched, acceptances: event.seq };
  },
  'plan.rejected': (draft, event, s) => {
    if (s.proposals[event.proposal]?.digest === s.given) s.given = null;
    delete draft.own('proposals')[event.proposal];
  },
} satisfies Partial<Folds>;
