/**
 * Business rounds: each firing of a trigger is one. Unfinished, it keeps the next of its trigger from starting, and the trigger's overlap rule says what becomes of that one. Waiting and
 * completing are said, never concluded; what comes for an earlier generation, or for a round that is closed, is recorded as late and opens nothing. Pure.
 */
import { type Refusal, refuse } from '../../../domain/refusals.ts';
import type { awaitedKinds, Json, PrincipalId } from '../../../domain/values.ts';
import type { Overlap } from './definition.ts';

/** What a round waits for, exactly. */
export interface Awaited {
  kind: (typeof awaitedKinds)[number];
  correlation: string;
  /** Counts the waits of the round: an answer names the one that it is for. */
  generation: number;
  /** For people. */
  reason: string;
  since: number;
  by: PrincipalId;
}

/** How a round was closed. It says what was decided here, and is no evidence about what the other side did. */
export type ClosedHow = 'command' | 'goal' | 'delivered' | 'not_started';
export interface Closed {
  how: ClosedHow;
  at: number;
  by: PrincipalId;
  reason: string | null;
  /** What it still waited for then: it was left open, and is handed to the next. Absent: kept before that was noted. */
  awaited?: Awaited | null;
}

/**
 * `owed`: waits for its turn. `running`, `waiting`: unfinished. `completed`: closed. `skipped`: the overlap rule let it go. `missed`: its time, or its turn, went by; nothing was done.
 */
export type RoundState = 'owed' | 'running' | 'waiting' | 'completed' | 'skipped' | 'missed';

export interface BusinessRound {
  /** The firing's name; the goal and everything else that it makes is named by it. */
  id: string;
  trigger: string;
  /** Of the trigger, at the time. */
  name: string;
  source: 'cron' | 'webhook' | 'fire' | 'replay';
  /** When it was due, or came in, milliseconds. */
  due: number;
  at: number;
  /** Firings that it stands for, itself included. */
  standsFor: number;
  state: RoundState;
  /** Waits that it had. */
  generation: number;
  awaits: Awaited | null;
  closed: Closed | null;
  /** Skipped, owed or missed because of this round. */
  blockedBy: string | null;
  /** What its firing does: not tried yet (or being tried), done, or refused. */
  act: 'none' | 'pending' | 'done' | 'refused';
  /** The goal that it started, or spoke to. */
  goal: string | null;
  /** How that goal ended, where it did. */
  goalEnded: string | null;
  /** Whether the end of its goal completes it; taken from the trigger when it fired. */
  endsWithGoal: boolean;
  /** Why it was not started, or what the other side refused. */
  refusal: Refusal | null;
}

export interface Standing {
  /** The one that runs or waits. */
  unfinished: BusinessRound | undefined;
  /** Oldest first. */
  owed: readonly BusinessRound[];
}

export type Firing = Pick<BusinessRound, 'id' | 'trigger' | 'name' | 'source' | 'due' | 'at' | 'standsFor' | 'endsWithGoal'>;

const began = { generation: 0, awaits: null, closed: null, goal: null, goalEnded: null, refusal: null } as const;

/** What a firing comes to. The rounds that changed, the new one last. */
export function fired(standing: Standing, overlap: Overlap, firing: Firing): BusinessRound[] {
  const { unfinished, owed } = standing;
  const blocker = unfinished?.id ?? owed[0]?.id ?? null;
  const become = (state: RoundState, more: Partial<BusinessRound> = {}): BusinessRound => ({ ...firing, ...began, act: 'none', blockedBy: blocker, state, ...more });
  if (blocker === null) return [become('running', { act: 'pending' })];
  switch (overlap.rule) {
    case 'skip':
      return [become('skipped')];
    case 'queue': {
      const replaced = owed.map((each): BusinessRound => ({ ...each, state: 'skipped', blockedBy: firing.id }));
      return [...replaced, become('owed', { standsFor: firing.standsFor + owed.reduce((sum, each) => sum + each.standsFor, 0) })];
    }
    case 'replay':
      return [become(owed.length >= overlap.most ? 'skipped' : 'owed')];
    default:
      return overlap satisfies never;
  }
}

/** What stands for itself and does not begin: a due time that nobody was there for. */
export function passedBy(firing: Firing): BusinessRound {
  return { ...firing, ...began, act: 'none', blockedBy: null, state: 'missed' };
}

const within = (overlap: Overlap): number => (overlap.rule === 'skip' ? 0 : overlap.withinMinutes * 60_000);

/** When the first of the owed is missed; null: none is owed. */
export function missedAt(standing: Standing, overlap: Overlap): number | null {
  const [first] = standing.owed;
  return first ? first.due + within(overlap) + 1 : null;
}

/** The turn of those that are owed: whose time is over is missed; the first of the others begins where nothing is unfinished. */
export function turn(standing: Standing, overlap: Overlap, now: number): BusinessRound[] {
  const over = standing.owed.filter((each) => now - each.due > within(overlap));
  const [next] = standing.unfinished ? [] : standing.owed.filter((each) => !over.includes(each));
  return [...over.map((each): BusinessRound => ({ ...each, state: 'missed' })), ...(next ? [{ ...next, state: 'running' as const, act: 'pending' as const }] : [])];
}

export const isUnfinished = (round: BusinessRound): boolean => round.state === 'running' || round.state === 'waiting';

const notNow = (round: BusinessRound): Refusal =>
  refuse('invalid_transition', {
    detail: `the business round is ${round.state}`,
    current: JSON.parse(JSON.stringify({ state: round.state, awaits: round.awaits, closed: round.closed })) as Json,
  });

/** Said by whoever carries the work: from now on it waits for exactly this. */
export function waits(
  round: BusinessRound,
  { kind, correlation, reason }: Pick<Awaited, 'kind' | 'correlation' | 'reason'>,
  by: PrincipalId,
  now: number,
): BusinessRound | Refusal {
  if (round.state !== 'running') return notNow(round);
  const generation = round.generation + 1;
  return { ...round, state: 'waiting', generation, awaits: { kind, correlation, reason, generation, since: now, by } };
}

export type Late = 'closed' | 'never_began' | 'not_waiting' | 'other_correlation' | 'other_generation';

/** Something came for a round: it goes on where that is exactly what it waits for; else it is late, and nothing changes. */
export function answered(round: BusinessRound, answer: Pick<Awaited, 'correlation' | 'generation'>, now: number): { round: BusinessRound } | { late: Late } {
  if (round.state === 'completed') return { late: 'closed' };
  if (!isUnfinished(round)) return { late: 'never_began' };
  const { awaits } = round;
  if (!awaits) return { late: 'not_waiting' };
  if (awaits.correlation !== answer.correlation) return { late: 'other_correlation' };
  if (awaits.generation !== answer.generation) return { late: 'other_generation' };
  const on: BusinessRound = { ...round, state: 'running', awaits: null };
  // Its goal ended meanwhile, and that was to complete it as soon as nothing is awaited.
  return { round: on.endsWithGoal && on.goalEnded !== null ? closed(on, { how: 'goal', at: now, by: 'host', reason: on.goalEnded }) : on };
}

/** Somebody says that it is done. */
export function completed(round: BusinessRound, by: PrincipalId, now: number, reason: string | null): BusinessRound | Refusal {
  return isUnfinished(round) ? closed(round, { how: 'command', at: now, by, reason }) : notNow(round);
}

/** Its goal ended. That is noted; it completes the round only where the trigger said so, and a round that waits waits on. */
export function goalEnded(round: BusinessRound, status: string, now: number): { round: BusinessRound } | { late: Late } {
  if (!isUnfinished(round)) return { late: round.state === 'completed' ? 'closed' : 'never_began' };
  const noted = { ...round, goalEnded: status };
  return { round: round.endsWithGoal && round.state === 'running' ? closed(noted, { how: 'goal', at: now, by: 'host', reason: status }) : noted };
}

/** What its firing does was done: a goal runs on, a signal or a message was all there was. */
export function acted(round: BusinessRound, goal: string | null, over: boolean, now: number): BusinessRound {
  const done: BusinessRound = { ...round, act: 'done', goal };
  return over && isUnfinished(done) ? closed(done, { how: 'delivered', at: now, by: 'host', reason: null }) : done;
}

/** It was refused, and trying again would not help. Nothing was begun. */
export function notStarted(round: BusinessRound, refusal: Refusal, now: number): BusinessRound {
  const refused: BusinessRound = { ...round, act: 'refused', refusal };
  return isUnfinished(refused) ? closed(refused, { how: 'not_started', at: now, by: 'host', reason: refusal.code }) : refused;
}

function closed(round: BusinessRound, how: Closed): BusinessRound {
  return { ...round, state: 'completed', awaits: null, closed: { ...how, awaited: round.awaits } };
}

/** What came for a round and opened nothing. */
export interface LateWord {
  at: number;
  what: string;
  body: Json;
}

export interface LeftOpen<L extends LateWord> {
  awaited: Awaited;
  /** The first answer to exactly that, which came after the round was closed. Null: nothing came, which says nothing about the other side. */
  came: L | null;
}

/** What a closed round left open. A late result is reconciled with the wait that it answers, by its correlation and generation, and with no other. */
export function leftOpen<L extends LateWord>({ closed: how }: Pick<BusinessRound, 'closed'>, late: readonly L[]): LeftOpen<L> | null {
  const awaited = how?.awaited;
  if (!awaited) return null;
  const fits = ({ at, what, body }: L) => {
    const { correlation, generation } = body as { correlation?: Json; generation?: Json };
    return what === 'answer' && at >= how.at && correlation === awaited.correlation && generation === awaited.generation;
  };
  return { awaited, came: late.filter(fits).sort((a, b) => a.at - b.at)[0] ?? null };
}
