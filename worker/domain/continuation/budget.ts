/**
 * What there is left to spend: rounds for all, tokens and money for models. Every model call sets aside its worst case first, in the budget of the Goal, of the item it works
 * for and of the child it is made by. Reaching a limit is a stop with what remains, never completion.
 */
import type { Reservation } from '../commands.ts';
import { minorUnits } from '../money.ts';
import type { CoordinatorPurpose, Round, Shortfall, Spent, State } from '../state.ts';
import type { Executor, Lane } from '../values.ts';

/** The round of the final audit is kept back from the start, where a contract needs one. */
function keptBack(state: State): number {
  return state.contract && state.limits.rounds > 1 ? 1 : 0;
}

export function roundsSpent(state: State, purpose: Lane | 'audit'): boolean {
  return state.budget.rounds >= (purpose === 'audit' ? state.limits.rounds : state.limits.rounds - keptBack(state));
}

/** Whose budgets a call counts in; a round that has a grant of its workspace among them. */
export interface At extends Pick<Round, 'grant' | 'used' | 'call'> {
  item?: string;
  subagent?: string;
}

const both = ['tokens', 'money'] as const;

/** One limit, with what was used of it and what is set aside. */
export type Room = Omit<Shortfall, 'needed'>;

function reservedAt(state: State, which: (round: Round) => boolean): Spent {
  const sum = { tokens: 0, money: 0 };
  for (const round of Object.values(state.rounds)) {
    if (!round.call?.reserve || !which(round)) continue;
    sum.tokens += round.call.reserve.tokens;
    sum.money += round.call.reserve.money;
  }
  return sum;
}

/** Money of a limit, in millionths of the main unit. */
function moneyOf(state: State, minor: number): number {
  return minor * minorUnits(state.limits.money?.currency ?? 'USD');
}

/** The Goal's own limits. One that an old record does not have allows nothing. */
export function goalRooms(state: State): { tokens: Room; money: Room } {
  const { budget, limits } = state;
  return {
    tokens: { scope: 'goal', limit: 'tokens', used: budget.tokens, reserved: budget.reservedTokens, of: limits.tokens ?? 0 },
    money: { scope: 'goal', limit: 'money', used: budget.money, reserved: budget.reservedMoney, of: moneyOf(state, limits.money?.amount ?? 0) },
  };
}

/** The limits of an item that has any. */
export function itemRooms(state: State, key: string): Room[] {
  const limits = { ...state.items[key]?.spec.limits, ...state.itemLimits[key] };
  if (limits.tokens === undefined && limits.money === undefined) return [];
  const used = state.spent[`item:${key}`] ?? { tokens: 0, money: 0 };
  const reserved = reservedAt(state, (round) => round.item === key);
  const rooms: Room[] = [];
  if (limits.tokens !== undefined) rooms.push({ scope: 'item', item: key, limit: 'tokens', used: used.tokens, reserved: reserved.tokens, of: limits.tokens });
  if (limits.money !== undefined) rooms.push({ scope: 'item', item: key, limit: 'money', used: used.money, reserved: reserved.money, of: moneyOf(state, limits.money) });
  return rooms;
}

function childRooms(state: State, id: string): Room[] {
  const child = state.subagents[id];
  if (!child) return [];
  const slice = child.slice ?? { tokens: 0, money: 0 };
  const used = state.spent[`subagent:${id}`] ?? { tokens: 0, money: 0 };
  const reserved = reservedAt(state, (round) => round.subagent === id);
  return both.map((limit) => ({ scope: 'subagent' as const, item: child.item, limit, used: used[limit], reserved: reserved[limit], of: slice[limit] }));
}

function grantRooms({ grant, used, call }: At): Room[] {
  if (grant?.state !== 'granted') return [];
  return both.map((limit) => ({ scope: 'workspace' as const, limit, used: used?.[limit] ?? 0, reserved: call?.reserve?.[limit] ?? 0, of: grant[limit] }));
}

/** Every limit that a call counts in, the narrowest first; the share of the workspace, which grows, last. */
export function roomsAt(state: State, at: At): Room[] {
  const goal = goalRooms(state);
  return [
    ...(at.subagent === undefined ? [] : childRooms(state, at.subagent)),
    ...(at.item === undefined ? [] : itemRooms(state, at.item)),
    goal.tokens,
    goal.money,
    ...grantRooms(at),
  ];
}

/** The first limit that a worst case does not fit into; null where it fits. Prices in another currency than the limit's cannot be held against it: they fit nowhere. */
export function shortfall(state: State, at: At, needed: Reservation): Shortfall | null {
  const foreign = needed.money > 0 && needed.currency !== undefined && needed.currency !== (state.limits.money?.currency ?? needed.currency);
  const room = roomsAt(state, at).find((each) => each.used + each.reserved + needed[each.limit] > each.of && needed[each.limit] > 0) ?? (foreign ? goalRooms(state).money : null);
  return room ? { ...room, needed: { tokens: needed.tokens, money: needed.money, ...(needed.currency === undefined ? {} : { currency: needed.currency }) } } : null;
}

/** Where a round on this target would count. */
export function atTarget(state: State, target: string): At {
  const name = target.slice(target.indexOf(':') + 1);
  if (target.startsWith('item:')) return { item: name };
  if (target.startsWith('subagent:')) return { subagent: name, ...(state.subagents[name] ? { item: state.subagents[name].item } : {}) };
  if (!target.startsWith('submission:')) return {};
  const item = Object.values(state.items).find((entry) => entry.submission?.id === name);
  return item ? { item: item.key } : {};
}

export type Spending = { limit: 'rounds'; used: number; of: number } | Shortfall;

/**
 * What keeps a round from being scheduled: the rounds are spent; or, where a model carries it, the call that its last round wanted still does not fit, or nothing is left at all.
 * Null: nothing does. A round of a script needs no tokens.
 */
export function budgetStop(state: State, candidate: { target: string; lane: Lane; executor: Executor; purpose?: CoordinatorPurpose }): Spending | null {
  if (roundsSpent(state, candidate.purpose === 'audit' ? 'audit' : candidate.lane)) return { limit: 'rounds', used: state.budget.rounds, of: state.limits.rounds };
  if (candidate.executor.kind !== 'agent') return null;
  const at = atTarget(state, candidate.target);
  const before = state.short[candidate.target];
  if (before) return shortfall(state, at, before.needed);
  // Money may be limited to nothing where nothing has a price.
  const empty = roomsAt(state, at).find((room) => room.used + room.reserved >= room.of && (room.limit === 'tokens' || room.used + room.reserved > 0));
  return empty ? { ...empty, needed: { tokens: 0, money: 0 } } : null;
}

/** It would fit if nothing were set aside for calls in flight: no person is needed, only their end. */
export function passes(stop: Spending): boolean {
  return stop.limit !== 'rounds' && stop.reserved > 0 && stop.used + stop.needed[stop.limit] <= stop.of && (stop.needed[stop.limit] > 0 || stop.used < stop.of);
}

/** What an Attempt may still give its children: the item's or the Goal's rest, less what the slices of open children have not used. */
export function unallotted(state: State, item: string): Spent {
  const rest = { tokens: Number.POSITIVE_INFINITY, money: Number.POSITIVE_INFINITY };
  for (const room of roomsAt(state, { item })) rest[room.limit] = Math.min(rest[room.limit], room.of - room.used);
  for (const child of Object.values(state.subagents)) {
    if (child.item !== item || child.state !== 'open' || !child.slice) continue;
    const used = state.spent[`subagent:${child.id}`] ?? { tokens: 0, money: 0 };
    rest.tokens -= Math.max(0, child.slice.tokens - used.tokens);
    rest.money -= Math.max(0, child.slice.money - used.money);
  }
  return { tokens: Math.max(0, rest.tokens), money: Math.max(0, rest.money) };
}

export function deadlineOf(state: State): number | null {
  return state.confirmedAt === null ? null : state.confirmedAt + state.limits.wallTimeMs;
}

export function deadlineReached(state: State, now: number): boolean {
  const deadline = deadlineOf(state);
  return deadline !== null && deadline <= now;
}
