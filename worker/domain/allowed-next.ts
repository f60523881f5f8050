/**
 * What may be given next: the commands that a person or program of these scopes would not be refused for the state alone. Versions, payloads and who submitted are checked when a
 * command comes; so one that is not named here is refused, and one that is named may be. Each question stops at the first thing that it finds.
 */
import { statusAllows } from './authority.ts';
import { type CommandType, catalogue, commandTypes, type Givers } from './commands.ts';
import type { Scope } from './context.ts';
import type { Item, State } from './state.ts';
import type { ItemState } from './views/types.ts';
import { isAccepted, itemState } from './work/derive.ts';

type Question = (state: State, principal: string) => boolean;

const some = (state: State, which: (item: Item) => boolean): boolean => {
  for (const key in state.items) {
    const item = state.items[key];
    if (item && which(item)) return true;
  }
  return false;
};
const any = (things: Record<string, unknown>): boolean => {
  for (const _ in things) return true;
  return false;
};
const open = (item: Item) => item.stored === 'open' || item.stored === 'blocked';
const never: Question = () => false;
const held: Question = (state, principal) => some(state, (item) => item.assignment?.owner === principal);
const isOpen: Question = (state) => state.execution?.status === 'open';

const standings = new WeakMap<State, Set<ItemState>>();

/** Any item stands in one of these: derived for all of them once. */
function standIn(state: State, ...wanted: ItemState[]): boolean {
  let found = standings.get(state);
  if (!found) {
    found = new Set();
    for (const key in state.items) found.add(itemState(state, key));
    standings.set(state, found);
  }
  return wanted.some((each) => found.has(each));
}

/** Commands without a question are allowed wherever status and scope allow them. */
const questions: Partial<Record<CommandType, Question>> = {
  'goal.propose': never,
  'goal.create': never,
  'goal.confirm': (state) => state.status === 'draft',
  'goal.revise': (state) => state.mode !== 'graph_only' && state.status !== 'cancelled',
  'goal.pause': (state) => state.status === 'active',
  'goal.resume': (state) => state.status === 'paused' || state.stop !== null || any(state.streaks) || some(state, (item) => item.stop !== null),
  'amendment.decide': (state) => state.amendment !== undefined,
  'goal.audit': (state) => state.contract !== null,
  'criterion.attest': (state) => state.contract?.criteria.some((criterion) => criterion.verify === 'attest') ?? false,
  'execution.promote': (state) => state.mode === 'graph_only',
  'execution.abandon': isOpen,
  'plan.propose': (state) => state.mode !== 'goal_only',
  'plan.adopt': (state) => any(state.proposals),
  'plan.reject': (state) => any(state.proposals),
  'work.assign': (state) => standIn(state, 'ready', 'changes_requested', 'rejected'),
  'work.claim': (state) => standIn(state, 'ready', 'changes_requested'),
  'work.release': (state) => some(state, (item) => item.assignment !== null),
  'work.takeOver': (state) => some(state, (item) => open(item) && !isAccepted(item)),
  'work.block': (state) => some(state, open),
  'work.resume': (state) => some(state, (item) => item.stop !== null),
  'work.cancel': (state) => some(state, open),
  'attempt.start': (state, principal) => some(state, (item) => item.assignment?.owner === principal && item.attempt?.state === 'pending'),
  'attempt.heartbeat': held,
  'attempt.end': held,
  'submission.submit': (state, principal) => some(state, (item) => item.assignment?.owner === principal && item.attempt?.state === 'running'),
  'review.record': (state) => standIn(state, 'submitted'),
  'acceptance.invalidate': (state) => some(state, (item) => item.verdict?.verdict === 'accepted'),
  'blocker.resolve': (state) => any(state.blockers),
  'blocker.withdraw': (state) => any(state.blockers),
  'review_list.resolve': (state) => state.reviewList.open > 0,
  'effect.reconcile': (state) => Object.values(state.effects).some((effect) => effect.state === 'unknown'),
  'approval.decide': (state) => Object.values(state.approvals).some((approval) => approval.state === 'asked'),
  'subagent.cancel': (state) => Object.values(state.subagents).some((child) => child.state === 'open'),
};

const offers = new Map<string, readonly CommandType[]>();

/** What status and scopes leave. Asked with every answer to a command, and there are few statuses and sets of scopes. */
function offered(status: State['status'], scopes: readonly Scope[]): readonly CommandType[] {
  const key = `${status} ${scopes.join(' ')}`;
  let types = offers.get(key);
  if (!types) {
    types = commandTypes.filter((type) => {
      const { by }: { by: Givers } = catalogue[type];
      return by.scope !== undefined && scopes.includes(by.scope) && statusAllows(status, type);
    });
    offers.set(key, types);
  }
  return types;
}

/** In the order of the catalogue. Before creation, and for somebody without scopes: nothing. */
export function allowedNext(state: State, actor: { principal: string; scopes: readonly Scope[] }): CommandType[] {
  return state.seq === 0 ? [] : offered(state.status, actor.scopes).filter((type) => questions[type]?.(state, actor.principal) ?? true);
}
