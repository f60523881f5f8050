/** Ending things together: a round with its attempt, its effects and its children; everything that a cancelled goal leaves open. */
import type { RoundOutcome } from '../commands.ts';
import type { RowData } from '../row-data.ts';
import { hostWho, type Turn, type Who } from '../turn.ts';
import { chargeOpenCall } from './spending.ts';

export function endRound(turn: Turn, who: Who, id: string, outcome: RoundOutcome | 'lost' | 'cancelled', why: string, retryAt?: number): void {
  const round = turn.state.rounds[id];
  if (!round) return;
  if (outcome === 'lost') {
    for (const effect of Object.values(turn.state.effects)) if (effect.round === id && effect.state !== 'unknown') makeUnknown(turn, effect.id);
  }
  chargeOpenCall(turn, round);
  settleCompaction(turn, id);
  turn.emit(who, { type: 'round.ended', round: id, outcome, progress: round.progress > 0, why, ...(retryAt === undefined ? {} : { retryAt }) });
  // Its one round has come and gone. One that was lost, taken back or failed comes again, a bounded number of times.
  if (round.blocker && outcome !== 'lost' && outcome !== 'cancelled' && outcome !== 'failed') passBlocker(turn, round.blocker, why || outcome);
}

/** The question goes to its owner, where it is still open and nobody passed it on. */
export function passBlocker(turn: Turn, { id, generation }: { id: string; generation: number }, why: string): void {
  const blocker = turn.state.blockers[id];
  if (blocker?.route === 'coordinator' && blocker.generation === generation) turn.emit(hostWho, { type: 'blocker.passed', blocker: id, why });
}

/** A compaction does not outlive its round half done: a snapshot that is on record is whole, and one that is not never was. */
function settleCompaction(turn: Turn, round: string): void {
  const open = turn.lookup.rows('context', { prefix: `${round}/`, newestFirst: true, limit: 1 })[0]?.data as unknown as RowData['context'] | undefined;
  if (open?.phase === 'begun') turn.emit(hostWho, { type: 'context.recorded', round, n: open.n, phase: 'undone', fence: open.fence, why: 'the round ended' });
  if (open?.phase === 'written') turn.emit(hostWho, { type: 'context.recorded', round, n: open.n, phase: 'done', fence: open.fence });
}

/** Nobody knows what became of it: a person or a probe reconciles it before anything repeats. */
export function makeUnknown(turn: Turn, id: string): void {
  const effect = turn.state.effects[id];
  if (!effect) return;
  turn.emit(hostWho, { type: 'effect.settled', effect: id, outcome: 'unknown', resultBody: null, late: false });
  const correlation = `effect:${id}`;
  turn.emit(hostWho, {
    type: 'wait.armed',
    wait: {
      id: turn.id('wait'),
      kind: 'reconcile',
      correlation,
      generation: (turn.state.generations[correlation] ?? 0) + 1,
      ...(effect.item ? { item: effect.item } : {}),
      owner: turn.state.owner,
      reason: `${effect.tool}: outcome unknown`,
    },
  });
}

/**
 * Ends the newest Attempt of an item if it is open. `release` gives the Assignment back too. Its children end with it, but for `keepChildren`: a round
 * that was lost or interrupted is nobody's decision about them, and the next Attempt takes them up.
 */
export function endAttempt(
  turn: Turn,
  who: Who,
  key: string,
  state: 'succeeded' | 'failed' | 'interrupted' | 'lost' | 'cancelled',
  why: string,
  release: boolean,
  keepChildren = false,
): void {
  const item = turn.state.items[key];
  const attempt = item?.attempt;
  if (attempt && (attempt.state === 'pending' || attempt.state === 'running')) {
    turn.emit(who, { type: 'attempt.ended', item: key, attempt: attempt.id, state, why });
    for (const child of Object.values(turn.state.subagents)) if (!keepChildren && child.parent === attempt.id && child.state === 'open') endSubagent(turn, who, child.id, why);
    releaseWaits(turn, who, (wait) => wait.correlation === `children:${attempt.id}` || wait.correlation === `attempt:${attempt.id}`);
  }
  if (release) releaseAssignment(turn, who, key, why);
}

export function releaseAssignment(turn: Turn, who: Who, key: string, why: string): void {
  const assignment = turn.state.items[key]?.assignment;
  if (assignment) turn.emit(who, { type: 'assignment.released', item: key, assignment: assignment.id, why });
}

export function endSubagent(turn: Turn, who: Who, id: string, why: string): void {
  const child = turn.state.subagents[id];
  if (child?.state !== 'open') return;
  turn.emit(who, { type: 'subagent.ended', subagent: id, state: 'cancelled', why });
  for (const round of Object.values(turn.state.rounds)) if (round.subagent === id) endRound(turn, who, round.id, 'cancelled', why);
}

export function releaseWaits(
  turn: Turn,
  who: Who,
  which: (wait: { id: string; correlation: string; item?: string; kind: string }) => boolean,
  how: 'released' | 'expired' | 'cancelled' = 'cancelled',
): void {
  for (const wait of Object.values(turn.state.waits)) if (which(wait)) turn.emit(who, { type: 'wait.released', wait: wait.id, how });
}

/** What asked for them has ended. An Attempt that was lost leaves its approvals: the next one makes the same call. */
export function closeApprovals(turn: Turn, who: Who, which: (approval: { item?: string }) => boolean): void {
  for (const approval of Object.values(turn.state.approvals)) {
    if (!which(approval)) continue;
    turn.emit(who, { type: 'approval.expired', approval: approval.id, closed: true });
    releaseWaits(turn, who, (wait) => wait.correlation === `approval:${approval.id}`);
  }
}

/** Everything that is open on an item ends: round, attempt, children, assignment, waits, blockers. */
export function closeItem(turn: Turn, who: Who, key: string, why: string): void {
  for (const round of Object.values(turn.state.rounds)) {
    if (round.item === key && !round.subagent) endRound(turn, who, round.id, 'cancelled', why);
  }
  endAttempt(turn, who, key, 'cancelled', why, true);
  for (const child of Object.values(turn.state.subagents)) if (child.item === key) endSubagent(turn, who, child.id, why);
  closeApprovals(turn, who, (approval) => approval.item === key);
  releaseWaits(turn, who, (wait) => wait.item === key && wait.kind !== 'reconcile');
  for (const blocker of Object.values(turn.state.blockers)) if (blocker.item === key) turn.emit(who, { type: 'blocker.withdrawn', blocker: blocker.id, by: who.principal });
}

/** Rounds that no Runner has started are taken back; started ones are stopped at their next call. */
export function takeBackUnstarted(turn: Turn, who: Who, why: string): void {
  for (const round of Object.values(turn.state.rounds)) if (round.phase !== 'started') endRound(turn, who, round.id, 'cancelled', why);
}
