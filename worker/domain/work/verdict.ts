/** The verdict that stands on a Submission, and what falls with one that fell. */
import { endAttempt, endRound, releaseAssignment, releaseWaits } from '../continuation/closing.ts';
import type { Scene } from '../planes/check-spec.ts';
import type { Item, Verdict } from '../state.ts';
import type { Turn, Who } from '../turn.ts';
import type { Json } from '../values.ts';
import { dependents, isAccepted } from './derive.ts';

/** Criteria that a reviewer has to judge: the item's own, and those of the Goal that are verified by review. */
export function criteriaToJudge(turn: Turn, item: Item): string[] {
  const byReview = turn.state.contract?.criteria.filter((criterion) => criterion.verify === 'review').map((criterion) => criterion.id) ?? [];
  return [...new Set([...item.spec.acceptance, ...item.spec.covers.filter((id) => byReview.includes(id))])];
}

/** The verdict that stands. A negative one with the same scene as the last stops the item. */
export function recordVerdict(turn: Turn, who: Who, item: Item, verdict: Verdict['verdict'], criteria: string[], scene: Scene | undefined): string {
  const submission = item.submission;
  if (!submission) throw new Error('a verdict needs a submission');
  const id = turn.id('acc');
  const sceneDigest = scene ? turn.body(scene as unknown as Json) : null;
  // The same words about less and less are progress: what is counted moved since the verdict before.
  const before = turn.lookup.rows('acceptance', { item: item.key, newestFirst: true, limit: 1 })[0]?.seq ?? 0;
  const moved = Object.values(turn.state.milestones).some((milestone) => milestone.moved > before);
  const repeated = sceneDigest !== null && verdict === 'changes_requested' && item.lastSceneDigest === sceneDigest && !moved;
  turn.emit(who, {
    type: 'acceptance.recorded',
    item: item.key,
    sceneDigest,
    verdict: {
      id,
      verdict,
      by: who.principal,
      submission: submission.id,
      submissionDigest: submission.digest,
      specDigest: item.specDigest,
      goalVersion: turn.state.goalVersion,
      planRevision: turn.state.plan?.revision ?? 0,
      criteria,
      ...(scene ? { scene: shortScene(scene) } : {}),
    },
  });
  if (verdict !== 'changes_requested') releaseAssignment(turn, who, item.key, verdict);
  if (repeated) turn.emit(who, { type: 'item.stopped', item: item.key, stop: { kind: 'same_scene', detail: scene?.summary.slice(0, 200) ?? '' } });
  releaseWaits(turn, who, (wait) => wait.correlation === `review:${submission.id}`, 'released');
  return id;
}

/** The working set keeps the head of a scene; the whole of it is a body. */
function shortScene(scene: Scene): Scene {
  return { summary: scene.summary.slice(0, 300) };
}

/** Accepted items downstream are judged again; those that run wait on their upstream. */
export function relockDownstream(turn: Turn, who: Who, key: string): void {
  for (const down of dependents(turn.state, key)) {
    const item = turn.state.items[down];
    if (!item) continue;
    if (isAccepted(item)) {
      turn.emit(who, { type: 'item.reaffirmed', item: down, why: 'upstream_invalidated', detail: key });
      relockDownstream(turn, who, down);
    } else if (item.assignment && item.attempt && ['pending', 'running'].includes(item.attempt.state)) {
      // It was made from what has fallen: that Attempt cannot end in a delivery.
      for (const round of Object.values(turn.state.rounds))
        if (round.item === down && round.lane === 'worker' && round.id !== who.via) endRound(turn, who, round.id, 'cancelled', `upstream ${key} invalidated`);
      if (who.round?.item !== down) endAttempt(turn, who, down, 'interrupted', `upstream ${key} invalidated`, true);
    }
    for (const round of Object.values(turn.state.rounds))
      if (round.lane === 'reviewer' && round.item === down) endRound(turn, who, round.id, 'cancelled', `upstream ${key} invalidated`);
  }
}
