/** Plans: sealed as proposals, adopted as revisions. Adoption touches only the items whose spec changed. */
import { closeItem, endRound } from '../continuation/closing.ts';
import { canonical, digestOf } from '../digest.ts';
import type { Handlers } from '../handler.ts';
import { PROPOSALS } from '../limits.ts';
import { filesOf } from '../planes/checks.ts';
import { type Problem, type Refusal, refuse } from '../refusals.ts';
import type { Proposal, State } from '../state.ts';
import type { Turn, Who } from '../turn.ts';
import { type Json, principalOf } from '../values.ts';
import { isAccepted, isBusy, isLive } from '../work/derive.ts';
import { relockDownstream } from '../work/verdict.ts';
import { diffPlans, specIdentity, specOf } from './digest.ts';
import { type PlanDocument, planDocument } from './document.ts';
import { defaultReviewers } from './reviewers.ts';
import { validatePlan } from './validate.ts';

/** Plan documents in a row that could not be sealed before the Goal asks its owner. */
export const PLAN_REFUSALS = 3;

function liveItems(state: State): Record<string, { specDigest: string; spec: State['items'][string]['spec'] }> {
  return Object.fromEntries((state.plan?.order ?? []).flatMap((key) => (state.items[key] && isLive(state.items[key]) ? [[key, state.items[key]]] : [])));
}

function adopt(turn: Turn, who: Who, proposal: Proposal, document: PlanDocument, supersede: string[], reason: string): Refusal | Json {
  const { state } = turn;
  const specs = document.items.map((item) => ({ item, ...specOf(item), digest: digestOf(turn.ctx.sha256, specIdentity(item)) }));
  const byKey = new Map(specs.map((entry) => [entry.spec.key, entry]));
  const diff = diffPlans(liveItems(state), Object.fromEntries(specs.map((entry) => [entry.spec.key, { specDigest: entry.digest, spec: entry.spec }])));
  const touched = [...diff.changed, ...diff.removed];
  const waitsFor = touched.filter((key) => isBusy(state, key) && !supersede.includes(key));
  if (waitsFor.length > 0) {
    if (proposal.status === 'pending' && canonical(proposal.waitsFor) === canonical(waitsFor)) return { proposal: proposal.id, status: 'pending', waitsFor };
    turn.emit(who, { type: 'plan.pended', proposal: proposal.id, by: proposal.pending?.by ?? who.principal, supersede, reason, waitsFor, touches: touched });
    return { proposal: proposal.id, status: 'pending', waitsFor };
  }
  for (const key of touched) closeItem(turn, who, key, reason);
  const take = (keys: string[]) =>
    keys
      .map((key) => byKey.get(key))
      .filter((entry) => entry !== undefined)
      .map((entry) => ({ spec: entry.spec, specDigest: entry.digest, specBody: turn.body(entry.body) }));
  for (const other of Object.values(turn.state.proposals)) if (other.id !== proposal.id) turn.emit(who, { type: 'plan.rejected', proposal: other.id, status: 'superseded' });
  const revision = (state.plan?.revision ?? state.execution?.revisionsBefore ?? 0) + 1;
  turn.emit(who, {
    type: 'plan.adopted',
    proposal: proposal.id,
    revision,
    digest: proposal.digest,
    order: document.items.map((item) => item.key),
    added: take(diff.added),
    changed: take(diff.changed),
    kept: diff.kept,
    keptSpecs: take(diff.retouched),
    removed: diff.removed,
  });
  // What was made from an item that is now another is judged again, or broken off.
  for (const key of diff.changed) relockDownstream(turn, who, key);
  for (const round of Object.values(turn.state.rounds)) {
    if (round.lane === 'coordinator' && round.phase !== 'started' && round.purpose !== 'audit') endRound(turn, who, round.id, 'cancelled', 'plan_adopted');
  }
  return { proposal: proposal.id, status: 'adopted', planRevision: revision, added: diff.added, changed: diff.changed, kept: diff.kept, removed: diff.removed };
}

/** Accepted work that this plan would not carry over: removed (`drops_accepted`; a renamed key is a new item), or asked for otherwise (`reopens_accepted`). */
function droppedAcceptances(turn: Turn, document: PlanDocument): Problem[] {
  const digests = new Map(document.items.map((item) => [item.key, digestOf(turn.ctx.sha256, specIdentity(item))]));
  return (turn.state.plan?.order ?? []).flatMap((key): Problem[] => {
    const item = turn.state.items[key];
    if (!item || !isAccepted(item)) return [];
    const next = digests.get(key);
    if (next === undefined) return [{ pointer: '/items', code: 'drops_accepted', detail: key }];
    const at = document.items.findIndex((entry) => entry.key === key);
    return next === item.specDigest ? [] : [{ pointer: `/items/${at}`, code: 'reopens_accepted', detail: key }];
  });
}

/** Contract checks that read a file of an item that this plan has not: they cannot pass under it. */
function checksWithoutItem(state: State, document: PlanDocument): Problem[] {
  const keys = new Set(document.items.map((item) => item.key));
  return (state.contract?.checks ?? []).flatMap((check): Problem[] => {
    const missing = filesOf(check).flatMap((file) => ('path' in file && file.item !== undefined && !keys.has(file.item) ? [file.item] : []));
    return [...new Set(missing)].map((key) => ({ pointer: '/items', code: 'unknown_key', detail: `${key}, which the check ${check.key} of the contract reads` }));
  });
}

/** An agent that seals plan after plan leaves only the newest of them; what is pending stays. */
function supersedeOldest(turn: Turn, who: Who): void {
  const sealed = Object.values(turn.state.proposals)
    .filter((proposal) => proposal.status === 'sealed')
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  for (const proposal of sealed.slice(0, Math.max(0, sealed.length - PROPOSALS))) turn.emit(who, { type: 'plan.rejected', proposal: proposal.id, status: 'superseded' });
}

export const planHandlers: Handlers<'plan.propose' | 'plan.adopt' | 'plan.reject'> = {
  'plan.propose': (turn, who, payload) => {
    const { state } = turn;
    if (state.mode === 'goal_only') return refuse('invalid_transition', { detail: 'a goal-only run has no graph' });
    if (state.execution?.status !== 'open') return refuse('invalid_transition', { detail: 'no execution is open' });
    const verdict = validatePlan(payload.document, {
      mode: state.mode,
      criteria: state.contract?.criteria ?? [],
      reviewers: defaultReviewers(state).map(principalOf),
    });
    if (!verdict.ok) {
      if (who.kind === 'round') turn.emit(who, { type: 'plan.refused', errors: verdict.errors.slice(0, 20).map(({ pointer, code }) => ({ pointer, code })) });
      return refuse('plan_invalid', { errors: verdict.errors });
    }
    const document = verdict.document as unknown as Json;
    const warnings = [...verdict.warnings, ...droppedAcceptances(turn, verdict.document), ...checksWithoutItem(state, verdict.document)];
    const digest = turn.digest(document);
    const same = Object.values(state.proposals).find((proposal) => proposal.digest === digest && proposal.basedOn === (state.plan?.revision ?? 0));
    if (same) return { proposal: same.id, digest, warnings: warnings as unknown as Json };
    const id = turn.id('prop');
    turn.emit(who, {
      type: 'plan.proposed',
      documentBody: turn.body(document),
      warnings: warnings.map(({ pointer, code }) => ({ pointer, code })),
      proposal: { id, digest, by: who.principal, status: 'sealed', basedOn: state.plan?.revision ?? 0, waitsFor: [], needsPerson: state.contract?.planPolicy === 'confirm' },
    });
    supersedeOldest(turn, who);
    return { proposal: id, digest, warnings: warnings as unknown as Json };
  },
  'plan.adopt': (turn, who, payload, command) => {
    const { state } = turn;
    const proposal = state.proposals[payload.proposal];
    if (!proposal) {
      const past = turn.data('proposal', payload.proposal);
      return past ? refuse('invalid_transition', { current: { status: past.status } }) : refuse('not_found', { detail: `no proposal ${payload.proposal}` });
    }
    if (proposal.basedOn !== (state.plan?.revision ?? 0)) return refuse('plan_revision_stale', { current: { planRevision: state.plan?.revision ?? 0, basedOn: proposal.basedOn } });
    const byPerson = who.kind === 'person' || who.kind === 'token' || (who.kind === 'host' && proposal.pending !== undefined);
    if (proposal.needsPerson && !byPerson) return refuse('approval_required', { detail: 'the plan policy is `confirm`: a person adopts it' });
    if (payload.supersede.length > 0 && !command.reason) return refuse('schema_invalid', { errors: [{ pointer: '/reason', code: 'required' }] });
    const row = turn.data('proposal', proposal.id);
    const body = row && turn.lookup.body(row.documentBody);
    const document = planDocument.safeParse(body);
    if (!document.success) return refuse('unavailable', { detail: 'the sealed document is not readable' });
    return adopt(turn, who, proposal, document.data, payload.supersede, command.reason ?? 'plan_adopted');
  },
  'plan.reject': (turn, who, payload) => {
    const proposal = turn.state.proposals[payload.proposal];
    if (!proposal) return refuse('not_found', { detail: `no open proposal ${payload.proposal}` });
    turn.emit(who, { type: 'plan.rejected', proposal: proposal.id, status: 'rejected' });
    return { proposal: proposal.id, status: 'rejected' };
  },
};
