/** Facts, milestones, ledger, needs-review list, checks and their receipts. */
import type { Draft } from '../draft.ts';
import type { Folds } from './fold.ts';
import { checkTarget } from './names.ts';

/** Keeps counts of milestones that stay; targets given as numbers are known at once. */
export function setMilestones(draft: Draft): void {
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

export const planesFolds = {
  'fact.recorded': (_draft, event, s) => {
    s.facts = { keys: s.facts.keys + (event.version === 1 ? 1 : 0) };
    s.touched = { ...s.touched, facts: event.seq };
  },
  'milestone.defined': (draft, event, s) => {
    if (s.contract) s.contract = { ...s.contract, milestones: [...s.contract.milestones, event.milestone] };
    setMilestones(draft);
  },
  'milestone.targeted': (draft, event, s) => {
    const milestone = s.milestones[event.milestone];
    if (milestone) draft.own('milestones')[event.milestone] = { ...milestone, target: event.target };
  },
  'milestone.moved': (draft, event, s) => {
    const milestone = s.milestones[event.milestone];
    if (milestone) draft.own('milestones')[event.milestone] = { ...milestone, count: event.count, moved: event.seq };
    if (event.via) draft.round(event.via, { movedAtStep: s.rounds[event.via]?.steps ?? 0 });
  },
  'milestone.confirmed': (draft, event, s) => {
    const milestone = s.milestones[event.milestone];
    if (milestone) draft.own('milestones')[event.milestone] = { ...milestone, confirmedBy: event.by };
  },
  'ledger.recorded': (_draft, event, s) => {
    s.ledger = { ...s.ledger, entries: s.ledger.entries + 1 };
    if (event.answers) s.decisionsAsked -= 1;
    s.touched = { ...s.touched, ledger: event.seq };
  },
  'review_list.added': (_draft, event, s) => {
    s.reviewList = { ...s.reviewList, open: s.reviewList.open + (event.again ? 0 : 1) };
    s.touched = { ...s.touched, reviewList: event.seq };
  },
  'review_list.resolved': (_draft, event, s) => {
    s.reviewList = { open: s.reviewList.open - 1, resolved: s.reviewList.resolved + 1 };
    s.touched = { ...s.touched, reviewList: event.seq };
  },
  'evidence.invalidated': (draft, event, s) => {
    s.ledger = { ...s.ledger, flagged: s.ledger.flagged + event.decisions.length };
    if (event.asks) s.decisionsAsked += event.decisions.length;
    s.touched = { ...s.touched, ledger: event.seq };
    // What a receipt or an attestation proved is asked for anew.
    const [kind, id] = [event.evidence.slice(0, event.evidence.indexOf(':')), event.evidence.slice(event.evidence.indexOf(':') + 1)];
    for (const [key, receipt] of Object.entries(s.receipts)) if (kind === 'receipt' && receipt.id === id) delete draft.own('receipts')[key];
    if (kind === 'attestation' && Object.hasOwn(s.attestations, id)) delete draft.own('attestations')[id];
    if (s.audit && Object.values(s.audit.classes).some(({ evidence }) => evidence.includes(event.evidence))) s.audit = null;
  },
  'check.requested': (draft, event) => {
    const { check } = event;
    if (event.outside) draft.own('checks')[check.id] = { ...check, askedAt: event.at, tries: event.tries };
    draft.own('fences')[checkTarget(check)] = check.fence;
  },
  'check.recorded': (draft, event, s) => {
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
  },
} satisfies Partial<Folds>;
