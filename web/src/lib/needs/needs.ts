/** What of a Goal waits for a person, from the goal bar: one list for the page, the badge and the count. */
import type { BlockerView, GoalBar } from '../api/types.ts';

export type Need =
  | { kind: 'blocker'; id: string; blocker: BlockerView }
  /** A criterion, and a milestone that a person confirms. */
  | { kind: 'attest'; id: string }
  | { kind: 'milestone'; id: string }
  | { kind: 'approval'; id: string }
  | { kind: 'proposal'; id: string }
  /** A change of the contract that an agent proposes. */
  | { kind: 'amendment'; id: string }
  /** `id` is that of the submission. */
  | { kind: 'review'; id: string }
  /** An effect of which nobody knows what became. */
  | { kind: 'reconcile'; id: string }
  /** The draft itself. */
  | { kind: 'confirm'; id: string }
  /** A limit that is reached: `tokens`, `money`, `rounds`, `wallTimeMs`, `item:<key>/tokens`. */
  | { kind: 'limit'; id: string }
  /** A connection of the workspace that did not pass its test: `provider:<name>`, `profile:<name>`, `mcp:<name>`, `environment`. */
  | { kind: 'connection'; id: string }
  /** A stop of the goal (`goal`) or of one item (`item:<key>`) that a person lifts. */
  | { kind: 'resume'; id: string }
  /** A rejected item of which a person decides what follows. */
  | { kind: 'rejected'; id: string }
  /** Work that nothing in this installation carries, or that is offered to a person: `worker:item:<key>`, `coordinator:goal`, `offer:<key>`. */
  | { kind: 'carry'; id: string; missing?: string }
  /** Decisions whose evidence fell. */
  | { kind: 'decisions'; id: string }
  /** What this page has no form for yet, by its reference. */
  | { kind: 'other'; id: string };

/** `criterion:opens` -> the kind of thing and its id. */
function named(ref: string): [kind: string, id: string] {
  const cut = ref.indexOf(':');
  return cut < 0 ? ['', ref] : [ref.slice(0, cut), ref.slice(cut + 1)];
}

function needOf({ act, ref, missing }: GoalBar['next']['who'][number]): Need | null {
  const [kind, id] = named(ref);
  switch (act) {
    case 'attest':
      return { kind: kind === 'milestone' ? 'milestone' : 'attest', id };
    case 'review':
      return { kind: kind === 'submission' ? 'review' : 'other', id: kind === 'submission' ? id : ref };
    case 'decide':
      if (kind === 'approval' || kind === 'proposal' || kind === 'amendment') return { kind, id };
      if (ref === 'decisions') return { kind: 'decisions', id: ref };
      return kind === 'item' ? { kind: 'rejected', id } : { kind: 'other', id: ref };
    case 'reconcile':
      return { kind: 'reconcile', id };
    case 'confirm':
      return { kind: 'confirm', id: ref };
    case 'raise_limit':
      return { kind: 'limit', id: ref };
    case 'set_connection':
      return { kind: 'connection', id: ref };
    case 'resume':
      return { kind: 'resume', id: ref };
    case 'carry':
      return { kind: 'carry', id: ref, ...(missing === undefined ? {} : { missing }) };
    case 'answer':
    case 'signal':
    case 'time':
    case 'run':
    case 'check':
      return null;
    default:
      return act satisfies never;
  }
}

/** In the order of the server. A pause that a person ordered is none. */
export function needsOf(bar: GoalBar): Need[] {
  const needs: Need[] = bar.blockers.filter((blocker) => blocker.route !== 'coordinator').map((blocker) => ({ kind: 'blocker', id: blocker.id, blocker }));
  if (bar.next.why.kind === 'terminal') return [];
  for (const mover of bar.next.who) {
    if (mover.mover === 'host') continue;
    if (bar.next.why.kind === 'paused' && mover.act === 'resume' && mover.ref === 'goal') continue;
    const need = needOf(mover);
    if (need && !needs.some((other) => other.kind === need.kind && other.id === need.id)) needs.push(need);
  }
  return needs;
}

/** Acts that only somebody outside the host can do. */
const asksSomebody: Record<GoalBar['next']['who'][number]['act'], boolean> = {
  confirm: true,
  resume: true,
  raise_limit: true,
  set_connection: true,
  answer: true,
  decide: true,
  review: true,
  attest: true,
  reconcile: true,
  carry: true,
  signal: false,
  time: false,
  run: false,
  check: false,
};

/** How many things wait for a person, counted as the server counts them for the list of goals. */
export function needsYouOf(next: GoalBar['next']): number {
  return next.why.kind === 'paused' ? 0 : next.who.filter((who) => who.mover !== 'host' && asksSomebody[who.act]).length;
}
