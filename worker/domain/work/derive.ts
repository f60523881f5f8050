/** What is derived about a Work Item and never stored. The order of the tests is the order of the table in `docs/states.md`. */
import type { ActivePlan, Item, Round, State } from '../state.ts';
import type { ItemState } from '../views/types.ts';

export function itemState(state: State, key: string): ItemState {
  const item = state.items[key];
  if (!item) return 'superseded';
  if (item.stored === 'superseded' || item.stored === 'cancelled') return item.stored;
  if (isAccepted(item)) return 'accepted';
  if (item.stored === 'blocked') return 'blocked';
  const { submission, verdict, attempt, assignment } = item;
  if (submission && (!verdict || item.reaffirm)) return 'submitted';
  const newest = attempt?.id === submission?.attempt;
  if (verdict?.verdict === 'rejected' && !verdict.decided && newest) return 'rejected';
  if (assignment && attempt?.state === 'running') return 'running';
  if (verdict?.verdict === 'changes_requested' && (newest || attempt?.state === 'pending')) return 'changes_requested';
  if (assignment && attempt?.state === 'pending') return 'assigned';
  return missingInputs(state, key).length === 0 && !outputHolder(state, item) && !openRoundOn(state, key) && !unknownEffectOf(state, key) ? 'ready' : 'locked';
}

/** A live `accepted` verdict for the current spec, not put up for reaffirmation: the one thing that unlocks a hard dependent. */
export function isAccepted(item: Item): boolean {
  return item.stored === 'open' && item.verdict?.verdict === 'accepted' && item.verdict.specDigest === item.specDigest && item.reaffirm === null;
}

/** Keys of hard upstream items that have no live acceptance. */
export function missingInputs(state: State, key: string): string[] {
  const item = state.items[key];
  if (!item) return [];
  return item.spec.dependsOn.filter((dep) => dep.kind === 'hard' && !(state.items[dep.key] && isAccepted(state.items[dep.key] as Item))).map((dep) => dep.key);
}

/** What a Submission of this item is made from: upstream keys with the digest of the accepted Submission. */
export function currentInputs(state: State, key: string): string {
  const item = state.items[key];
  if (!item) return '';
  return item.spec.dependsOn
    .filter((dep) => dep.kind === 'hard')
    .map((dep) => `${dep.key}=${state.items[dep.key]?.verdict?.submissionDigest.slice(0, 16) ?? '-'}`)
    .sort()
    .join(';');
}

/** What an Attempt works from: the spec and the accepted upstream. */
export function basisOf(state: State, key: string): string {
  return `${state.items[key]?.specDigest}|${currentInputs(state, key)}`;
}

/** The other item that holds one of this item's exclusive outputs now. */
export function outputHolder(state: State, item: Item): string | null {
  const wanted = item.spec.outputs.filter((output) => output.access === 'exclusive');
  if (wanted.length === 0) return null;
  for (const other of Object.values(state.items)) {
    if (other.key === item.key || !other.assignment || !other.attempt || !['pending', 'running'].includes(other.attempt.state)) continue;
    if (other.spec.outputs.some((output) => output.access === 'exclusive' && wanted.some((mine) => overlaps(mine.scope, output.scope)))) return other.key;
  }
  return null;
}

/** Two output scopes touch: equal, or a `dir:` that contains the other's path. */
export function overlaps(a: string, b: string): boolean {
  if (a === b) return true;
  const inside = (dir: string, other: string) =>
    dir.startsWith('dir:') && !other.startsWith('semantic:') && other.slice(other.indexOf(':') + 1).startsWith(`${dir.slice(4).replace(/\/+$/, '')}/`);
  return inside(a, b) || inside(b, a);
}

export function openRoundOn(state: State, key: string): Round | undefined {
  const target = `item:${key}`;
  for (const round of Object.values(state.rounds)) if (round.target === target) return round;
  return undefined;
}

export function openRoundAt(state: State, target: string): Round | undefined {
  for (const round of Object.values(state.rounds)) if (round.target === target) return round;
  return undefined;
}

export function unknownEffectOf(state: State, key: string): string | undefined {
  for (const effect of Object.values(state.effects)) if (effect.item === key && effect.state === 'unknown') return effect.id;
  return undefined;
}

export function isLive(item: Item): boolean {
  return item.stored === 'open' || item.stored === 'blocked';
}

/** An Attempt or a Review is live on it: a plan change that touches it waits. */
export function isBusy(state: State, key: string): boolean {
  const item = state.items[key];
  if (!item) return false;
  // A pending Attempt that no round has started yet is nothing that could be lost: its round is taken back.
  if (item.attempt?.state === 'running' || openRoundOn(state, key)?.phase === 'started') return true;
  return itemState(state, key) === 'submitted' && (canBeJudged(state, key) || openRoundAt(state, `submission:${item.submission?.id}`)?.phase === 'started');
}

/** Nothing that it was made from is gone for good: what is upstream is accepted, or still to be done under this plan. */
function canBeJudged(state: State, key: string): boolean {
  return [...upstreamToDo(state, key)].every((up) => {
    const item = state.items[up];
    return item !== undefined && isLive(item);
  });
}

const dependentsOfPlan = new WeakMap<ActivePlan, Map<string, string[]>>();
/** Keys that hard-depend on this item, in plan order. */
export function dependents(state: State, key: string): string[] {
  const plan = state.plan;
  if (!plan) return [];
  let index = dependentsOfPlan.get(plan);
  if (!index) {
    index = new Map();
    for (const from of plan.order) {
      for (const dep of state.items[from]?.spec.dependsOn ?? []) {
        if (dep.kind !== 'hard') continue;
        const list = index.get(dep.key);
        if (list) list.push(from);
        else index.set(dep.key, [from]);
      }
    }
    dependentsOfPlan.set(plan, index);
  }
  return index.get(key) ?? [];
}

/** Items frozen by a proposal that waits to be adopted. */
export function frozenKeys(state: State): Set<string> {
  const keys = new Set<string>();
  for (const proposal of Object.values(state.proposals)) {
    if (proposal.status !== 'pending') continue;
    for (const key of proposal.touches ?? proposal.waitsFor) keys.add(key);
    // A Submission that waits for its upstream is judged once that is accepted anew: so that goes on, or the adoption would wait for ever.
    for (const key of proposal.waitsFor) if (itemState(state, key) === 'submitted') for (const up of upstreamToDo(state, key)) keys.delete(up);
  }
  return keys;
}

/** Keys upstream of an item, however far, that have no live acceptance. */
function upstreamToDo(state: State, key: string, seen = new Set<string>()): Set<string> {
  for (const up of missingInputs(state, key)) {
    if (seen.has(up)) continue;
    seen.add(up);
    upstreamToDo(state, up, seen);
  }
  return seen;
}

/** Every required item of the active revision has a live acceptance. */
export function allRequiredAccepted(state: State): boolean {
  if (!state.plan) return false;
  return state.plan.order.every((key) => {
    const item = state.items[key];
    return !item?.spec.required || item.stored === 'superseded' || isAccepted(item);
  });
}

/** What keeps the graph from being closed, as references; empty when it is. */
export function openThings(state: State): string[] {
  const open: string[] = [];
  if (!state.plan) open.push('plan');
  for (const key of state.plan?.order ?? []) {
    const item = state.items[key];
    if (!item || item.stored === 'superseded') continue;
    if (item.spec.required && !isAccepted(item)) open.push(`item:${key}`);
    else if (item.attempt && ['pending', 'running'].includes(item.attempt.state)) open.push(`attempt:${item.attempt.id}`);
    else if (item.stored !== 'cancelled' && itemState(state, key) === 'submitted') open.push(`submission:${item.submission?.id}`);
  }
  for (const effect of Object.values(state.effects)) open.push(`effect:${effect.id}`);
  for (const child of Object.values(state.subagents)) if (child.state === 'open') open.push(`subagent:${child.id}`);
  for (const proposal of Object.values(state.proposals)) if (proposal.status === 'pending') open.push(`proposal:${proposal.id}`);
  return open;
}

/** Whether somebody may take the item up now: one predicate behind claims and every list of ready items. The scheduler starts these, in its own order and time. */
export function mayStart(state: State, key: string): boolean {
  const item = state.items[key];
  if (item === undefined) return false;
  const derived = itemState(state, key);
  const free = derived === 'ready' || (derived === 'changes_requested' && item.assignment === null && missingInputs(state, key).length === 0);
  return free && item.stop === null && item.failures < attemptLimit(state, item) && !frozenKeys(state).has(key);
}

/** Attempts an item may still have before somebody decides. */
export function attemptLimit(state: State, item: Item): number {
  return (item.spec.limits.attempts ?? state.limits.attempts) + item.grants;
}
