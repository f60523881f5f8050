/** What a round asks of its workspace before it is handed over, and when a call needs more than it was given. Amounts are of the whole round under its fence. */
import type { Reservation } from '../commands.ts';
import type { Round, Spent, State } from '../state.ts';
import { roomsAt } from './budget.ts';

/** A first share, and by how much it grows: some calls with a full window, so that asking is rare and little of what others need is promised. */
const SHARE_TOKENS = 500_000;
/** Of the money that the Goal has left: a tenth. */
const SHARE_OF_MONEY = 10;

export interface GrantAsk extends Spent {
  /** The least that is of use. */
  least: Spent;
  currency?: string;
  /** Before the hand-over of an agent's round: the connections it needs are to be proven. `remote`: it is given the tools of the workspace's MCP servers. */
  agent?: { profile: string; remote: boolean };
}

/** It must not be handed over yet. */
export function waitsForGrant(round: Round): boolean {
  return round.grant !== undefined && round.grant.state !== 'granted';
}

/** Before the hand-over. A script needs a place only. */
export function firstAsk(state: State, round: Round): GrantAsk {
  if (round.executor.kind !== 'agent') return { tokens: 0, money: 0, least: { tokens: 0, money: 0 } };
  const rest = restOf(state, round);
  const wanted = round.grant && 'least' in round.grant ? round.grant.least : undefined;
  const least = { tokens: Math.min(wanted?.tokens ?? 1, rest.tokens), money: Math.min(wanted?.money ?? 0, rest.money) };
  // Money is asked for when a call turns out to have a price: with a local model none has.
  const money = least.money === 0 ? 0 : Math.min(rest.money, least.money + shareOfMoney(rest));
  const agent = { profile: round.executor.profile, remote: round.purpose !== 'intake' };
  return { tokens: Math.min(rest.tokens, least.tokens + SHARE_TOKENS), money, least, ...currencyOf(state), agent };
}

/** What must be asked for before this call is judged; null: it fits, or the Goal itself has no room for it and says so. */
export function askForCall(state: State, round: Round, reserve: Reservation): GrantAsk | null {
  const { grant } = round;
  if (grant?.state !== 'granted') return null;
  const taken = (limit: 'tokens' | 'money') => (round.used?.[limit] ?? 0) + (round.call?.reserve?.[limit] ?? 0) + reserve[limit];
  const least = { tokens: taken('tokens'), money: taken('money') };
  if (least.tokens <= grant.tokens && least.money <= grant.money) return null;
  const rest = restOf(state, round);
  if (reserve.tokens > rest.tokens || reserve.money > rest.money) return null;
  return {
    tokens: Math.max(grant.tokens, least.tokens + Math.min(SHARE_TOKENS, rest.tokens - reserve.tokens)),
    money: least.money === 0 ? grant.money : Math.max(grant.money, least.money + Math.min(shareOfMoney(rest), rest.money - reserve.money)),
    least,
    ...currencyOf(state),
  };
}

const shareOfMoney = (rest: Spent) => Math.ceil(rest.money / SHARE_OF_MONEY);

function currencyOf(state: State): { currency?: string } {
  return state.limits.money ? { currency: state.limits.money.currency } : {};
}

/** What the Goal, the item and the child have left for it. */
function restOf(state: State, round: Round): Spent {
  const rest = { tokens: Number.MAX_SAFE_INTEGER, money: Number.MAX_SAFE_INTEGER };
  const own = round.call?.reserve ?? { tokens: 0, money: 0 };
  for (const room of roomsAt(state, round)) {
    if (room.scope === 'workspace') continue;
    rest[room.limit] = Math.min(rest[room.limit], Math.max(0, room.of - room.used - room.reserved + own[room.limit]));
  }
  return rest;
}
