/** A model call's money and tokens: set aside before it, settled after it, charged at what was set aside where nobody says. */
import type { CallIntent, CallResult, Usage } from '../commands.ts';
import { type Refusal, refuse } from '../refusals.ts';
import type { RowData } from '../row-data.ts';
import type { Round, Settling, Shortfall, Spent } from '../state.ts';
import { hostWho, type Turn, type Who } from '../turn.ts';
import type { Json } from '../values.ts';
import { shortfall } from './budget.ts';

const whose = (of: { item?: string; subagent?: string }) => ({
  ...(of.item === undefined ? {} : { item: of.item }),
  ...(of.subagent === undefined ? {} : { subagent: of.subagent }),
});
const caches = (used: Usage) => ({
  ...(used.cacheRead === undefined ? {} : { cacheRead: used.cacheRead }),
  ...(used.cacheWrite === undefined ? {} : { cacheWrite: used.cacheWrite }),
});

/** Settles what the open call of a round set aside. Without `used` nobody knows: it counts as all of it, and says so. Nothing is set aside: nothing happens. */
export function settleOpenCall(turn: Turn, who: Who, round: Round, used: CallResult['used'], late = false): void {
  const { call } = round;
  const reserve = call?.reserve;
  if (!call || !reserve) return;
  turn.emit(who, {
    type: 'usage.recorded',
    round: round.id,
    call: call.id,
    late,
    ...whose(round),
    ...(used ? { tokens: used.tokens, money: used.money, ...caches(used) } : { ...reserve, assumed: true as const }),
    released: reserve,
  });
}

/** Sets the worst case of a call aside, once it is authorized. */
export function reserveCall(turn: Turn, who: Who, round: string, call: string, reserve: CallIntent['reserve']): void {
  if (reserve) turn.emit(who, { type: 'budget.reserved', round, call, tokens: reserve.tokens, money: reserve.money });
}

/** The refusal of a call that does not fit, with what is left and what to do. */
export function budgetRefusal(short: Shortfall): Refusal {
  const { scope, limit, item, used, reserved, of, needed } = short;
  return refuse('budget_exceeded', {
    detail: `${limit} of the ${scope === 'subagent' ? 'child' : scope}: ${of - used - reserved} left of ${of}, ${needed[limit]} needed`,
    current: { scope, limit, ...(item === undefined ? {} : { item }), used, reserved, of, needed: needed as unknown as Json },
    allowedNext: scope === 'subagent' ? [] : ['goal.setLimits'],
  });
}

/** What a call may not cost, if it does not fit. */
export function unpaid(turn: Turn, round: Round, next: CallIntent): Shortfall | null {
  return next.reserve ? shortfall(turn.state, round, next.reserve) : null;
}

/**
 * Late or corrected word about a call: settles what is open, takes the place of what was assumed, and is counted where nothing was yet. What was settled by word before
 * stays. False: nothing was counted.
 */
export function testify(turn: Turn, who: Who, call: string, used: Usage): boolean {
  const row = turn.data('call', call);
  if (!row) return false;
  const late = who.kind === 'round' && who.round === undefined;
  const open = turn.state.rounds[row.round];
  if (open?.call?.id === call && open.call.reserve) {
    settleOpenCall(turn, who, open, used, late);
    return true;
  }
  const counted = turn.data('usage', call);
  const round = turn.data('round', row.round);
  if (counted && !counted.assumed) return false;
  turn.emit(who, {
    type: 'usage.recorded',
    round: row.round,
    call,
    tokens: used.tokens,
    money: used.money,
    late,
    ...whose(round ?? {}),
    ...caches(used),
    ...(counted ? { instead: { tokens: counted.tokens, money: counted.money } } : {}),
    ...(open || !round ? {} : owed(round, used, counted)),
  });
  return true;
}

/** What the workspace of a round that is over is told of it in all, once more word of it came. */
export function owed(round: RowData['round'], used: Spent, counted: Spent = { tokens: 0, money: 0 }): { owed?: Omit<Settling, 'asOf'> } {
  if (!round.granted) return {};
  return {
    owed: {
      round: round.id,
      fence: round.fence,
      tokens: Math.max(0, (round.tokens ?? 0) + used.tokens - counted.tokens),
      money: Math.max(0, (round.money ?? 0) + used.money - counted.money),
    },
  };
}

/** A round ends: what its open call set aside is charged. */
export function chargeOpenCall(turn: Turn, round: Round): void {
  if (round.call?.reserve) settleOpenCall(turn, { ...hostWho, via: round.id }, round, undefined);
}
