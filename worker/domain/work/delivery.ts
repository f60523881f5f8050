/** Submission, review, acceptance: what is delivered, who judged it, and what falls with a verdict that fell. */
import { closeApprovals, endAttempt, endRound } from '../continuation/closing.ts';
import type { Handlers } from '../handler.ts';
import { DELIVERABLES, SOURCES } from '../limits.ts';
import { type Refusal, refuse } from '../refusals.ts';
import type { Item } from '../state.ts';
import type { Turn } from '../turn.ts';
import type { Json } from '../values.ts';
import { currentInputs, isAccepted, itemState, missingInputs } from './derive.ts';
import { checkEvidence, evidenceExists } from './evidence.ts';
import { heldItem } from './handlers.ts';
import { criteriaToJudge, recordVerdict, relockDownstream } from './verdict.ts';

export const deliveryHandlers: Handlers<'artifact.put' | 'submission.submit' | 'review.record' | 'acceptance.invalidate'> = {
  'artifact.put': (turn, who, payload) => {
    const { artifact, role } = payload;
    if (who.kind === 'round' || who.kind === 'attempt') {
      if (role === 'source') return refuse('forbidden', { detail: 'sources come from people' });
      if (role === 'deliverable' && turn.state.mode !== 'goal_only') return refuse('invalid_transition', { detail: 'deliver with submission.submit' });
    }
    const listed = role === 'source' ? { files: turn.state.sources, limit: SOURCES } : role === 'deliverable' ? { files: turn.state.deliverables, limit: DELIVERABLES } : null;
    if (listed && !listed.files[artifact.path] && Object.keys(listed.files).length >= listed.limit)
      return refuse('limit_exceeded', { detail: `${role} files`, current: { limit: listed.limit } });
    const at: { item?: string | undefined; attempt?: string | undefined } = who.at ?? who.round ?? {};
    turn.emit(who, { type: 'artifact.stored', artifact, role, ...(at.item ? { item: at.item } : {}), ...(at.attempt ? { attempt: at.attempt } : {}) });
    return { path: artifact.path, digest: artifact.digest };
  },
  'submission.submit': (turn, who, payload, command) => {
    const item = heldItem(turn, who, payload.item, payload.fence);
    if ('refused' in item) return item;
    const attempt = item.attempt;
    if (attempt?.state !== 'running') return refuse('invalid_transition', { current: { attempt: attempt?.state ?? null }, allowedNext: ['attempt.start'] });
    // A round holds its version; who claimed under an older one must say that they know the new one.
    if (who.kind !== 'round' && attempt.goalVersion !== turn.state.goalVersion && command.expected.goalVersion === undefined)
      return refuse('version_required', { detail: 'goalVersion', current: { goalVersion: turn.state.goalVersion } });
    const missing = item.spec.dependsOn.filter((dep) => dep.kind === 'hard' && !(turn.state.items[dep.key] && isAccepted(turn.state.items[dep.key] as Item))).map((dep) => dep.key);
    if (missing.length > 0) return refuse('dependency_not_accepted', { current: { missing } });
    const problem = checkEvidence(
      turn,
      item,
      payload.artifacts,
      payload.claims.flatMap((claim, index) => claim.evidence.map((ref, n) => ({ ref, pointer: `/payload/claims/${index}/evidence/${n}` }))),
    );
    if (problem) return problem;
    const unread = Object.values(turn.state.subagents).filter((child) => child.parent === attempt.id && child.state === 'open');
    if (unread.length > 0) return refuse('invalid_transition', { detail: 'children are still at work', current: { children: unread.map((child) => child.id) } });
    // A round reads its children's results when it starts: what came later it has not seen.
    const began = who.via ? (turn.lookup.row('round', who.via)?.seq ?? 0) : Number.POSITIVE_INFINITY;
    const late = Object.values(turn.state.subagents).filter(
      (child) => child.parent === attempt.id && child.state === 'returned' && (turn.lookup.row('subagent', child.id)?.seq ?? 0) > began,
    );
    if (late.length > 0)
      return refuse('invalid_transition', { detail: 'results of children are unread; end the round waiting', current: { unread: late.map((child) => child.id) } });
    const { artifacts, summary, claims } = payload;
    const id = turn.id('sub');
    const digest = turn.digest({ artifacts, summary, claims } as unknown as Json);
    const before = item.submission && (!item.verdict || item.reaffirm) ? item.submission.id : null;
    turn.emit(who, {
      type: 'submission.received',
      item: item.key,
      summaryBody: turn.body(summary),
      supersedes: before,
      submission: {
        id,
        number: item.submissions + 1,
        digest,
        attempt: attempt.id,
        by: attempt.by,
        specDigest: item.specDigest,
        goalVersion: turn.state.goalVersion,
        planRevision: turn.state.plan?.revision ?? 0,
        artifacts,
        inputsDigest: currentInputs(turn.state, item.key),
        claims,
      },
    });
    closeApprovals(turn, who, (approval) => approval.item === item.key);
    endAttempt(turn, who, item.key, 'succeeded', 'submitted', false);
    if (who.via) endRound(turn, who, who.via, 'submitted', id);
    return { submission: id, digest, number: item.submissions + 1 };
  },
  'review.record': (turn, who, payload) => {
    const item = Object.values(turn.state.items).find((candidate) => candidate.submission?.id === payload.submission);
    const submission = item?.submission;
    if (!item || !submission) {
      const past = turn.data('submission', payload.submission);
      return past
        ? refuse('submission_superseded', { current: { supersededBy: past.supersededBy ?? null } })
        : refuse('not_found', { detail: `no submission ${payload.submission}` });
    }
    if (payload.digest !== submission.digest) return refuse('digest_mismatch', { current: { digest: submission.digest } });
    if (who.kind === 'round' && who.round?.submission !== submission.id) return refuse('forbidden', { detail: 'this round reviews another submission' });
    if (who.principal === submission.by) return refuse('self_review');
    if (itemState(turn.state, item.key) !== 'submitted')
      return refuse('invalid_transition', { current: { state: itemState(turn.state, item.key), verdict: item.verdict?.verdict ?? null } });
    // What it was made from has fallen: it may come back, but nothing is accepted on it.
    const fallen = missingInputs(turn.state, item.key);
    if (payload.verdict === 'accepted' && fallen.length > 0) return refuse('dependency_not_accepted', { current: { missing: fallen } });
    const stage = item.spec.review[submission.stage];
    const unrun = Object.values(submission.receipts).some((receipt) => receipt.pass === null && receipt.retryAt === undefined);
    // A check that could not run is judged by a person instead.
    const fits =
      stage &&
      ((unrun && who.kind === 'person') ||
        (stage.by === 'checks' ? who.kind === 'host' : stage.by === 'person' ? who.kind === 'person' : who.kind === 'round' || who.kind === 'token' || who.kind === 'person'));
    // A failing check of the host returns the work whatever stage it stands at.
    if (!fits && !(who.kind === 'host' && payload.verdict === 'changes_requested'))
      return refuse('invalid_transition', { detail: 'not the reviewer of this stage', current: { stage: stage?.by ?? null } });
    if (submission.votes.includes(who.principal)) return refuse('already_claimed', { detail: 'this principal has voted in this stage' });
    const judged = payload.criteria.map((entry) => entry.id);
    const wanted = criteriaToJudge(turn, item);
    const unjudged = wanted.filter((id) => !judged.includes(id));
    if (payload.verdict === 'accepted' && who.kind !== 'host') {
      if (unjudged.length > 0) return refuse('criterion_unproven', { detail: 'every criterion is judged before acceptance', current: { unjudged } });
      const unmet = payload.criteria.filter((entry) => !entry.met).map((entry) => entry.id);
      if (unmet.length > 0) return refuse('invalid_transition', { detail: 'accepted with a criterion that is not met', current: { unmet } });
    }
    if (payload.verdict === 'changes_requested' && !payload.scene) return refuse('schema_invalid', { errors: [{ pointer: '/payload/scene', code: 'required' }] });
    turn.emit(who, {
      type: 'review.recorded',
      item: item.key,
      submission: submission.id,
      by: who.principal,
      verdict: payload.verdict,
      criteria: payload.criteria.map(({ id, met }) => ({ id, met })),
      stage: submission.stage,
      sceneBody: payload.scene ? turn.body(payload.scene as unknown as Json) : null,
    });
    if (payload.verdict === 'cannot_judge') {
      if (who.via) endRound(turn, who, who.via, 'handed_back', 'cannot_judge');
      return { verdict: 'cannot_judge' };
    }
    const needed = stage && stage.by !== 'checks' ? stage.count : 1;
    const votes = turn.state.items[item.key]?.submission?.votes.length ?? 0;
    let acceptance: string | null = null;
    if (payload.verdict !== 'accepted') acceptance = recordVerdict(turn, who, item, payload.verdict, [], payload.scene);
    else if (votes >= needed) {
      if (submission.stage + 1 < item.spec.review.length) turn.emit(who, { type: 'review.staged', item: item.key, submission: submission.id, stage: submission.stage + 1 });
      else acceptance = recordVerdict(turn, who, item, 'accepted', who.kind === 'host' ? earlierCriteria(turn, submission.id) : wanted, undefined);
    }
    if (who.via) endRound(turn, who, who.via, 'submitted', payload.verdict);
    return { verdict: payload.verdict, acceptance };
  },
  'acceptance.invalidate': (turn, who, payload) => {
    const item = Object.values(turn.state.items).find((candidate) => candidate.verdict?.id === payload.acceptance);
    if (!item || !isAccepted(item)) {
      const past = turn.data('acceptance', payload.acceptance);
      return past
        ? refuse('invalid_transition', { detail: 'not a live acceptance', current: { live: past.live } })
        : refuse('not_found', { detail: `no acceptance ${payload.acceptance}` });
    }
    const missing = payload.evidence.flatMap((ref, index) => (evidenceExists(turn, ref) ? [] : [{ pointer: `/payload/evidence/${index}`, code: 'evidence_missing', detail: ref }]));
    if (missing.length > 0) return refuse('evidence_missing', { errors: missing });
    let from: string | null = null;
    if (who.lane === 'worker') {
      const own = who.round?.item ? turn.state.items[who.round.item] : undefined;
      if (own?.spec.kind !== 'verify' || !own.spec.dependsOn.some((dep) => dep.kind === 'hard' && dep.key === item.key))
        return refuse('forbidden', { detail: 'only a verify attempt, on its own hard upstream' });
      if (who.principal === item.submission?.by) return refuse('self_review');
      from = own.key;
    }
    turn.emit(who, {
      type: 'acceptance.invalidated',
      item: item.key,
      acceptance: payload.acceptance,
      by: who.principal,
      from,
      sceneBody: turn.body(payload.scene as unknown as Json),
      sceneDigest: turn.digest(payload.scene as unknown as Json),
      evidence: payload.evidence,
    });
    relockDownstream(turn, who, item.key);
    if (who.via && from) {
      endRound(turn, who, who.via, 'handed_back', `invalidated ${payload.acceptance}`);
      endAttempt(turn, who, from, 'interrupted', `upstream ${item.key} invalidated`, true);
    }
    return { item: item.key };
  },
};

/** Criteria that reviewers of earlier stages judged as met. */
function earlierCriteria(turn: Turn, submission: string): string[] {
  const met = new Set<string>();
  for (const row of turn.lookup.rows('review', { prefix: `${submission}/` })) {
    const review = row.data as unknown as { verdict: string; criteria: { id: string; met: boolean }[] };
    if (review.verdict === 'accepted') for (const entry of review.criteria) if (entry.met) met.add(entry.id);
  }
  return [...met];
}

export type { Refusal };
