/** What of a Goal waits for a person, from the goal bar: one list for the page, the badge and the count. */
import type { BlockerView, GoalBar } from '../api/types.ts';

export type Need =
  | { kind: 'blocker'; id: string; blocker: BlockerView }
  | { kind: 'attest'; id: string }
  | { kind: 'approval'; id: string }
  | { kind: 'proposal'; id: string }
  /** `id` is that of the submission. */
  | { kind: 'review'; id: string };

/** `criterion:opens` -> the kind of thing and its id. */
function named(ref: string): [kind: string, id: string] {
  const cut = ref.indexOf(':');
  return cut < 0 ? ['', ref] : [ref.slice(0, cut), ref.slice(cut + 1)];
}

/** In the order of the server. What people cannot settle on this page is still named by the goal bar's "next". */
export function needsOf(bar: GoalBar): Need[] {
  const needs: Need[] = bar.blockers.map((blocker) => ({ kind: 'blocker', id: blocker.id, blocker }));
  for (const { act, ref, mover } of bar.next.who) {
    if (mover === 'host') continue;
    const [kind, id] = named(ref);
    if (needs.some((need) => need.id === id)) continue;
    if (act === 'attest') needs.push({ kind: 'attest', id });
    else if (act === 'review' && kind === 'submission') needs.push({ kind: 'review', id });
    else if (act === 'decide' && (kind === 'approval' || kind === 'proposal')) needs.push({ kind, id });
  }
  return needs;
}
