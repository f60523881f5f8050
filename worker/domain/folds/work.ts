/** The chain below the plan: assignments, Attempts, Submissions, reviews and verdicts, and the children of Attempts. */
import type { Item, State } from '../state.ts';
import { attemptLimit } from '../work/derive.ts';
import type { Folds } from './fold.ts';
import { clearStreaks, dropChild, forgetBudget, forgetSubmission, forgetTarget } from './forgetting.ts';

/** A grant is for one Attempt past the limit, however far past it the item stood. A person who lifts a stop lets the count begin anew. */
function oneMore(s: State, item: Item): Partial<Item> {
  return { grants: item.grants + 1, failures: Math.min(item.failures, attemptLimit(s, item)), lastSceneDigest: undefined };
}

function putUp(item: Item, why: NonNullable<Item['reaffirm']>['why'], detail: string): Partial<Item> {
  return {
    reaffirm: item.submission ? { why, detail } : null,
    submission: item.submission && { ...item.submission, stage: 0, votes: [], cannot: [], receipts: {} },
  };
}

export const workFolds = {
  'assignment.made': (draft, event, s) => {
    draft.item(event.item, (item) => ({
      assignment: { id: event.assignment, owner: event.owner, executor: event.executor, fence: event.fence },
      ...(event.granted ? { ...oneMore(s, item), stop: null } : {}),
      verdict: event.granted && item.verdict?.verdict === 'rejected' ? { ...item.verdict, decided: true } : item.verdict,
    }));
    draft.own('fences')[`item:${event.item}`] = event.fence;
    if (event.granted) clearStreaks(draft, event.item);
  },
  'assignment.released': (draft, event) => {
    draft.item(event.item, { assignment: null });
  },
  'attempt.opened': (draft, event) => {
    draft.item(event.item, (item) => ({
      attempt: { id: event.attempt, number: event.number, fence: event.fence, state: 'pending', by: event.executor, goalVersion: event.goalVersion, submitted: false },
      attempts: event.number,
      assignment: item.assignment ? { ...item.assignment, fence: event.fence } : null,
    }));
    draft.own('fences')[`item:${event.item}`] = event.fence;
  },
  'attempt.started': (draft, event) => {
    draft.item(event.item, (item) => ({ attempt: item.attempt && { ...item.attempt, state: 'running', fence: event.fence } }));
  },
  'attempt.ended': (draft, event, s) => {
    draft.item(event.item, (item) => ({
      attempt: item.attempt?.id === event.attempt ? { ...item.attempt, state: event.state } : item.attempt,
      failures: item.failures + (event.state === 'failed' ? 1 : 0),
    }));
    // An Attempt that was lost or interrupted leaves open and returned children to the next one; every other result is a row.
    for (const child of Object.values(s.subagents)) {
      if (child.item === event.item && child.state !== 'open' && !(child.state === 'returned' && (event.state === 'lost' || event.state === 'interrupted')))
        dropChild(draft, child.id);
    }
  },
  'item.stopped': (draft, event) => {
    draft.item(event.item, { stop: event.stop });
  },
  'item.resumed': (draft, event, s) => {
    draft.item(event.item, (item) => ({ stop: null, ...(event.grant ? oneMore(s, item) : { failures: 0, lastSceneDigest: undefined }) }));
    clearStreaks(draft, event.item);
  },
  'item.cancelled': (draft, event, s) => {
    forgetBudget(draft, event.item);
    draft.item(event.item, { stored: 'cancelled', assignment: null });
    s.touched = { ...s.touched, acceptances: event.seq };
  },
  'item.reaffirmed': (draft, event, s) => {
    draft.item(event.item, (item) => putUp(item, event.why, event.detail));
    s.touched = { ...s.touched, acceptances: event.seq };
  },
  'artifact.stored': (draft, event, s) => {
    if (event.role === 'source') {
      draft.own('sources')[event.artifact.path] = event.artifact;
      s.touched = { ...s.touched, sources: event.seq };
    } else if (event.role === 'deliverable') {
      draft.own('deliverables')[event.artifact.path] = event.artifact;
      s.touched = { ...s.touched, acceptances: event.seq };
    }
  },
  'submission.received': (draft, event, s) => {
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
  },
  'review.recorded': (draft, event) => {
    draft.item(event.item, (item) => ({
      submission: item.submission && {
        ...item.submission,
        votes: event.verdict === 'accepted' ? [...item.submission.votes, event.by] : item.submission.votes,
        cannot: event.verdict === 'cannot_judge' ? [...item.submission.cannot, event.by] : item.submission.cannot,
      },
    }));
  },
  'review.staged': (draft, event) => {
    draft.item(event.item, (item) => ({ submission: item.submission && { ...item.submission, stage: event.stage, votes: [], cannot: [] } }));
  },
  'acceptance.recorded': (draft, event, s) => {
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
  },
  'acceptance.invalidated': (draft, event, s) => {
    draft.item(event.item, (item) => ({
      verdict: item.verdict?.id === event.acceptance ? { ...item.verdict, verdict: 'changes_requested', by: event.by, scene: undefined } : item.verdict,
      reaffirm: null,
      failures: item.failures + 1,
      lastSceneDigest: event.sceneDigest,
    }));
    s.touched = { ...s.touched, acceptances: event.seq };
  },
  'verdict.decided': (draft, event) => {
    draft.item(event.item, (item) => ({ verdict: item.verdict && { ...item.verdict, decided: true } }));
  },
  'subagent.spawned': (draft, event) => {
    draft.own('subagents')[event.subagent.id] = { ...event.subagent, state: 'open', attempts: 0 };
  },
  'subagent.adopted': (draft, event, s) => {
    const child = s.subagents[event.subagent];
    if (child) draft.own('subagents')[event.subagent] = { ...child, parent: event.attempt };
  },
  'subagent.returned': (draft, event, s) => {
    const child = s.subagents[event.subagent];
    if (child) draft.own('subagents')[event.subagent] = { ...child, state: event.ok ? 'returned' : 'failed' };
    forgetTarget(draft, `subagent:${event.subagent}`);
  },
  'subagent.ended': (draft, event, s) => {
    const child = s.subagents[event.subagent];
    forgetTarget(draft, `subagent:${event.subagent}`);
    if (!child) return;
    // Ended after its parent: nobody reads it any more.
    const parent = s.items[child.item]?.attempt;
    if (parent?.id === child.parent && (parent.state === 'pending' || parent.state === 'running')) draft.own('subagents')[event.subagent] = { ...child, state: event.state };
    else dropChild(draft, child.id);
  },
} satisfies Partial<Folds>;
