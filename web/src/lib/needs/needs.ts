/** What of a Goal waits for a person, from the goal bar: one list for the page, the badge and the count. */
import type { BlockerView, GoalBar } from '../api/types.ts';

export type Need = { kind: 'blocker'; id: string; blocker: BlockerView } | { kind: 'attest'; id: string } | { kind: 'approval'; id: string } | { kind: 'review'; id: string; item: string };

export function needsOf(bar: GoalBar): Need[] {
  const needs: Need[] = bar.blockers.map((blocker) => ({ kind: 'blocker', id: blocker.id, blocker }));
  const known = new Set(needs.map((need) => need.id));
  for (const { act, ref, mover } of bar.next.who) {
    if (mover === 'host' || known.has(ref)) continue;
    known.add(ref);
    if (act === 'attest') needs.push({ kind: 'attest', id: ref.replace(/^criterion:/, '') });
    else if (act === 'decide') needs.push({ kind: 'approval', id: ref.replace(/^approval:/, '') });
  }
  for (const wait of bar.waits) {
    if (wait.kind === 'review' && wait.item !== undefined && wait.owner !== 'host' && !wait.owner.startsWith('agent:')) needs.push({ kind: 'review', id: wait.id, item: wait.item });
  }
  return needs;
}
