/** Completion: what the host itself finds for each criterion, and what still stands between a Goal and its end. */

import type { CheckSpec } from '../planes/check-spec.ts';
import { planesRead } from '../planes/checks.ts';
import type { AuditClass, LeanContract, Receipt, State } from '../state.ts';
import { isAccepted, openThings } from '../work/derive.ts';

type LeanCriterion = LeanContract['criteria'][number];

/** Whether a receipt of a contract check still says something about now. */
export function isFresh(state: State, spec: CheckSpec, receipt: Receipt | undefined, now: number): receipt is Receipt {
  if (!receipt || receipt.goalVersion !== state.goalVersion) return false;
  if (receipt.holdsUntil !== undefined && receipt.holdsUntil <= now) return false;
  return planesRead(spec).every((plane) => state.touched[plane === 'artifacts' ? 'acceptances' : plane] <= receipt.asOf);
}

/** What the record proves about a criterion of the current version. An id that merely exists proves nothing. */
export function auditClass(state: State, criterion: LeanCriterion, now: number): { class: AuditClass; evidence: string[] } {
  switch (criterion.verify) {
    case 'check': {
      const receipts = criterion.checks.map((key) => {
        const spec = state.contract?.checks.find((check) => check.key === key);
        const receipt = state.receipts[key];
        return spec && isFresh(state, spec, receipt, now) && !receipt.unknown ? receipt : undefined;
      });
      const evidence = receipts.flatMap((receipt) => (receipt ? [`receipt:${receipt.id}`] : []));
      if (receipts.some((receipt) => receipt && !receipt.pass)) return { class: 'contradicted', evidence };
      if (receipts.every((receipt) => receipt?.pass)) return { class: 'proven', evidence };
      return { class: evidence.length > 0 ? 'insufficient' : 'missing', evidence };
    }
    case 'review': {
      if (!state.plan) return { class: 'missing', evidence: [] };
      const covering = Object.values(state.items).filter((item) => item.spec.covers.includes(criterion.id) && item.stored !== 'superseded' && item.stored !== 'cancelled');
      const naming = covering.filter((item) => isAccepted(item) && item.verdict?.criteria.includes(criterion.id) && item.verdict.by !== item.submission?.by);
      const evidence = naming.map((item) => `acceptance:${item.verdict?.id}`);
      if (covering.length === 0) return { class: 'missing', evidence };
      return { class: naming.length > 0 ? 'proven' : 'insufficient', evidence };
    }
    case 'attest': {
      const attestation = state.attestations[criterion.id];
      if (!attestation || attestation.criterionDigest !== criterion.digest) return { class: 'missing', evidence: [] };
      return { class: attestation.holds ? 'proven' : 'contradicted', evidence: [`attestation:${criterion.id}`] };
    }
  }
}

/** The last audit is of this version and newer than everything it read. */
export function auditIsCurrent(state: State): boolean {
  const { audit } = state;
  if (!audit || audit.goalVersion !== state.goalVersion) return false;
  if (state.touched.acceptances > audit.seq) return false;
  return Object.values(state.receipts).every((receipt) => receipt.seq <= audit.seq);
}

/** What stands between the Goal and completion, as references; empty: `goal.complete` would be accepted. */
export function completionProblems(state: State, now: number): string[] {
  const problems: string[] = [];
  if (state.mode !== 'goal_only') problems.push(...openThings(state));
  else for (const effect of Object.values(state.effects)) problems.push(`effect:${effect.id}`);
  for (const round of Object.values(state.rounds)) if (round.lane !== 'coordinator') problems.push(`round:${round.id}`);
  if (state.decisionsAsked > 0) problems.push('decisions:asked');
  if (!state.contract) return problems;
  if (state.mode === 'goal_only' && !state.finishAsked) problems.push('finish:not_asked');
  if (!auditIsCurrent(state)) problems.push('audit:stale');
  for (const criterion of state.contract.criteria) {
    const found = state.audit?.classes[criterion.id];
    if (found?.class !== 'proven' || auditClass(state, criterion, now).class !== 'proven') problems.push(`criterion:${criterion.id}`);
  }
  for (const check of state.contract.checks) {
    const receipt = state.receipts[check.key];
    if (!isFresh(state, check, receipt, now) || !receipt.pass) problems.push(`check:${check.key}`);
  }
  for (const milestone of state.contract.milestones) if (milestone.confirm && !state.milestones[milestone.key]?.confirmedBy) problems.push(`milestone:${milestone.key}`);
  return problems;
}
