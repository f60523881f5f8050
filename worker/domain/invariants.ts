/**
 * What must always hold, as predicates over a step: the state before, the state after and the events between. Checked in tests and in the simulator after
 * every step of random and faulty histories. Each returns what is wrong; empty when nothing is. The numbers are those of `docs/concepts.md`.
 */

import { type Command, catalogue } from './commands.ts';
import type { Actor, Lookup, Row } from './context.ts';
import type { Carriers } from './continuation/lane-standing.ts';
import { nextOf } from './continuation/next.ts';
import { completionProblems } from './contract/audit.ts';
import type { PolicyRule } from './contract/contract.ts';
import { canonical } from './digest.ts';
import { Draft } from './draft.ts';
import { policyFor } from './effects/match.ts';
import type { Event } from './events.ts';
import { apply, fold } from './evolve.ts';
import type { RowData } from './row-data.ts';
import { rowsOf } from './rows.ts';
import type { State } from './state.ts';
import type { Json } from './values.ts';
import { isAccepted, itemState } from './work/derive.ts';
import { onlyPeopleAnswer } from './work/routing.ts';

export interface Step {
  before: State;
  state: State;
  events: readonly Event[];
  /** The record after the step. */
  lookup: Lookup;
  now: number;
  carriers: Carriers;
  /** The command that the step came from and who gave it, where the one who checks knows. */
  command?: Pick<Command, 'type' | 'payload'>;
  actor?: Actor;
  /** The workspace's rules that were in force, beside those of the contract. */
  policies?: readonly PolicyRule[];
}

/** Accepted, by its own reading of the state: what decides must not be what checks. */
function standsAccepted(item: State['items'][string] | undefined): boolean {
  return (
    item?.stored === 'open' &&
    item.verdict?.verdict === 'accepted' &&
    item.verdict.specDigest === item.specDigest &&
    item.verdict.submissionDigest === item.submission?.digest &&
    item.reaffirm === null
  );
}

function lacking(state: State, key: string): string[] {
  return (state.items[key]?.spec.dependsOn ?? []).filter((dep) => dep.kind === 'hard' && !standsAccepted(state.items[dep.key])).map((dep) => dep.key);
}

type Predicate = (step: Step) => string[];

/** 1. One active revision; one current Assignment per item; one open round per lane target. */
const oneOfEach: Predicate = ({ state }) => {
  const wrong: string[] = [];
  const targets = new Set<string>();
  for (const round of Object.values(state.rounds)) {
    if (targets.has(round.target)) wrong.push(`two open rounds on ${round.target}`);
    targets.add(round.target);
    if (round.fence > (state.fences[round.target] ?? 0)) wrong.push(`round ${round.id} holds a fence that was not given`);
  }
  for (const key of state.plan?.order ?? []) if (!state.items[key]) wrong.push(`the plan names ${key}, which is not there`);
  for (const item of Object.values(state.items)) {
    const live = item.attempt?.state === 'pending' || item.attempt?.state === 'running';
    if (item.assignment && item.stored !== 'open' && (live || item.stored !== 'blocked')) wrong.push(`${item.key} is ${item.stored} and assigned`);
  }
  return wrong;
};

/** 2. Only a live `accepted` for the current spec unlocks a hard dependent. */
const onlyAcceptanceUnlocks: Predicate = ({ before, state, events }) => {
  const wrong: string[] = [];
  const working = new Map<string, State>();
  for (const event of events) if (event.type === 'attempt.opened' || event.type === 'attempt.started') working.set(event.item, state);
  for (const key of working.keys()) {
    const item = state.items[key];
    if (!item?.attempt || !['pending', 'running'].includes(item.attempt.state)) continue;
    const missing = lacking(state, key).filter((up) => !standsAccepted(before.items[up]));
    if (missing.length > 0) wrong.push(`${key} started before ${missing.join(', ')}`);
  }
  for (const item of Object.values(state.items)) {
    if (isAccepted(item) && (item.verdict?.submissionDigest !== item.submission?.digest || item.verdict?.specDigest !== item.specDigest))
      wrong.push(`${item.key} is accepted for something else`);
    if (isAccepted(item) && lacking(state, item.key).length > 0) wrong.push(`${item.key} is accepted while its input ${lacking(state, item.key).join(', ')} is not`);
  }
  return wrong;
};

/** 3. Who submitted never accepts. */
const noSelfReview: Predicate = ({ events, lookup }) =>
  events.flatMap((event) => {
    if (event.type !== 'acceptance.recorded' && event.type !== 'review.recorded') return [];
    const id = event.type === 'acceptance.recorded' ? event.verdict.submission : event.submission;
    const by = event.type === 'acceptance.recorded' ? event.verdict.by : event.by;
    const submission = lookup.row('submission', id)?.data as unknown as RowData['submission'] | undefined;
    return submission && submission.by === by ? [`${by} judged its own ${id}`] : [];
  });

/** 4. What is immutable stays: a new event never writes another image over a submission's content, a ledger entry's decision or a revision. */
const immutableStays: Predicate = ({ before, events }) => {
  const wrong: string[] = [];
  for (const event of events) {
    if (event.type === 'submission.received' && before.items[event.item]?.submission?.id === event.submission.id) wrong.push(`submission ${event.submission.id} was written twice`);
    if (event.type === 'plan.adopted' && event.revision !== (before.plan?.revision ?? 0) + 1 && before.plan) wrong.push(`revision ${event.revision} after ${before.plan.revision}`);
    if (event.type === 'goal.revised' && event.goalVersion !== before.goalVersion + 1) wrong.push(`version ${event.goalVersion} after ${before.goalVersion}`);
  }
  return wrong;
};

/** 5. Authority is current: what a round claims, it claims under its own fence and the current goalVersion. */
const authorityIsCurrent: Predicate = ({ before, events }) => {
  const claims = new Set(['submission.received', 'acceptance.recorded', 'plan.adopted', 'goal.audited', 'goal.completed', 'acceptance.invalidated', 'blocker.raised']);
  return events.flatMap((event) => {
    if (!event.via || !claims.has(event.type)) return [];
    const round = before.rounds[event.via];
    if (!round) return [`${event.type} by ${event.via}, which was not open`];
    if (round.goalVersion !== before.goalVersion) return [`${event.type} by ${event.via} at version ${round.goalVersion} of ${before.goalVersion}`];
    if (round.fence !== before.fences[round.target]) return [`${event.type} by ${event.via} under an old fence`];
    return [];
  });
};

/** 5. Who gives a command in the name of a round holds its fence; testimony alone is taken from who does not. */
const actorIsCurrent: Predicate = ({ before, command, actor, events }) => {
  if (!command || actor?.kind !== 'round' || events.length === 0) return [];
  const spec = catalogue[command.type];
  if ('testimony' in spec && spec.testimony) return [];
  if (events.every((event) => event.type === 'late.recorded')) return [];
  const round = before.rounds[actor.round];
  if (!round) return [`${command.type} by ${actor.round}, which had ended`];
  return round.fence === actor.fence && round.runner === actor.runner ? [] : [`${command.type} by ${actor.round} under the fence ${actor.fence} of ${round.fence}`];
};

/** A fence only grows. */
const fencesGrow: Predicate = ({ before, events }) => {
  const given = new Map<string, number>();
  return events.flatMap((event) => {
    let target = '';
    let fence = 0;
    if (event.type === 'round.scheduled') ({ target, fence } = event.round);
    else if (event.type === 'round.redispatched') [target, fence] = [before.rounds[event.round]?.target ?? '', event.fence];
    else if (event.type === 'attempt.opened' || event.type === 'assignment.made') [target, fence] = [`item:${event.item}`, event.fence];
    if (target === '') return [];
    const last = given.get(target) ?? before.fences[target] ?? 0;
    given.set(target, Math.max(last, fence));
    return fence > last ? [] : [`${event.type} on ${target} gave the fence ${fence} after ${last}`];
  });
};

/** A signal releases the wait of its own generation. */
const signalsMatch: Predicate = ({ before, command, events }) => {
  if (command?.type !== 'wait.signal') return [];
  const { generation } = command.payload as { generation: number };
  return events.flatMap((event) => {
    const wait = event.type === 'wait.released' && event.how === 'released' && event.seq === before.seq + 1 ? before.waits[event.wait] : undefined;
    return wait && wait.generation !== generation ? [`a signal of generation ${generation} released ${wait.correlation} of generation ${wait.generation}`] : [];
  });
};

/** 7. Exactly one answer to who moves next; never a defect. */
const someoneMoves: Predicate = ({ state, now, carriers }) => {
  if (state.seq === 0) return [];
  const next = nextOf(state, now, carriers);
  if (next.why.kind === 'terminal') return next.who.length === 0 ? [] : ['a terminal goal has a mover'];
  const wrong: string[] = [];
  if (next.who.length === 0) wrong.push(`nobody moves it: ${next.why.kind}`);
  if (next.why.kind === 'suspended' && JSON.stringify(next.why.detail).includes('"defect"')) wrong.push(`defect: ${JSON.stringify(next.why.detail)}`);
  if (state.stop?.kind === 'errors' && typeof state.stop.detail === 'object' && state.stop.detail && 'command' in state.stop.detail)
    wrong.push(`the host refused its own command: ${JSON.stringify(state.stop.detail)}`);
  return wrong;
};

/** 8. No effect is sent twice without a reconciliation between. */
const effectsOnce: Predicate = ({ before, events, lookup }) =>
  events.flatMap((event) => {
    if (event.type !== 'effect.planned') return [];
    const wrong: string[] = [];
    if (Object.values(before.effects).some((effect) => effect.key === event.effect.key)) wrong.push(`effect ${event.effect.key} is open and planned again`);
    for (const row of lookup.rows('effect', { limit: 10_000 })) {
      const effect = row.data as unknown as RowData['effect'];
      if (effect.key === event.effect.key && effect.id !== event.effect.id && effect.outcome === 'succeeded')
        wrong.push(`effect ${event.effect.key} had succeeded and is planned again`);
    }
    return wrong;
  });

/** 8. None is sent that an approval should have stopped: what a policy denies is never planned; what it asks about only under an approval of exactly this call, used for it alone. */
const approvedFirst: Predicate = ({ state, events, lookup, policies = [] }) =>
  events.flatMap((event) => {
    if (event.type !== 'effect.planned') return [];
    const { effect } = event;
    const call = events.find((each) => each.type === 'call.authorized' && each.effect === effect.id);
    const args = call?.type === 'call.authorized' ? (lookup.body(call.argsBody) ?? null) : null;
    const then = policyFor([...(state.contract?.policies ?? []), ...policies], effect.tool, args);
    if (then === 'deny') return [`${effect.tool} was planned, and a policy denies it`];
    if (then !== 'ask' && effect.approval === undefined) return [];
    const approval = effect.approval === undefined ? undefined : (lookup.row('approval', effect.approval)?.data as unknown as RowData['approval'] | undefined);
    if (!approval) return [`${effect.tool} was planned without the approval that a policy asks for`];
    const wrong: string[] = [];
    if (approval.callDigest !== effect.callDigest) wrong.push(`${effect.tool} was planned under ${approval.id}, which is of another call`);
    if (approval.decidedBy === undefined || (approval.decidedAt ?? Number.POSITIVE_INFINITY) > event.at) wrong.push(`${effect.tool} was planned before ${approval.id} was decided`);
    if (approval.expiresAt < event.at) wrong.push(`${effect.tool} was planned under ${approval.id}, which had run out`);
    if (approval.state !== 'used' || !events.some((each) => each.type === 'approval.used' && each.approval === approval.id))
      wrong.push(`${approval.id} covers more than one ${effect.tool}`);
    return wrong;
  });

/** 9. Rounds never exceed their budget. */
const roundsHold: Predicate = ({ before, state, events }) =>
  events.some((event) => event.type === 'round.scheduled') && state.budget.rounds > Math.max(state.limits.rounds, before.budget.rounds)
    ? [`${state.budget.rounds} rounds of ${state.limits.rounds}`]
    : [];

const both = ['tokens', 'money'] as const;

/**
 * 9. No call is made whose worst case does not fit: of the Goal, of the item it works for, of the child that makes it. What was used is then past a limit at most by what
 * calls in flight used beyond their reservation. Read off the events alone, not by what decides.
 */
const callsFit: Predicate = ({ before, state, events }) => {
  const wrong: string[] = [];
  const goal = { used: { tokens: before.budget.tokens, money: before.budget.money }, reserved: { tokens: before.budget.reservedTokens, money: before.budget.reservedMoney } };
  const parts = new Map<string, { tokens: number; money: number }>();
  const taken = (of: string) => {
    let sum = parts.get(of);
    if (!sum) {
      sum = { ...(before.spent[of] ?? { tokens: 0, money: 0 }) };
      for (const round of Object.values(before.rounds)) {
        if (!round.call?.reserve || (of !== `item:${round.item}` && of !== `subagent:${round.subagent}`)) continue;
        for (const limit of both) sum[limit] += round.call.reserve[limit];
      }
      parts.set(of, sum);
    }
    return sum;
  };
  const minor = state.limits.money?.currency === 'JPY' ? 1_000_000 : 10_000;
  let limits = before.limits;
  for (const event of events) {
    if (event.type === 'goal.limitsSet' || event.type === 'goal.revised') limits = event.limits;
    if (event.type === 'usage.recorded') {
      for (const limit of both) {
        goal.used[limit] += event[limit] - (event.instead?.[limit] ?? 0);
        goal.reserved[limit] -= event.released?.[limit] ?? 0;
        for (const part of [event.item && `item:${event.item}`, event.subagent && `subagent:${event.subagent}`])
          if (part) taken(part)[limit] += event[limit] - (event.instead?.[limit] ?? 0) - (event.released?.[limit] ?? 0);
      }
      if (event.assumed && (event.tokens !== event.released?.tokens || event.money !== event.released?.money))
        wrong.push(`${event.call} was charged something else than it had set aside`);
    }
    if (event.type !== 'budget.reserved') continue;
    const round = state.rounds[event.round] ?? before.rounds[event.round];
    const item = round?.item === undefined ? undefined : state.items[round.item];
    const own = item && { ...item.spec.limits, ...state.itemLimits[item.key] };
    const allowed: [string, 'tokens' | 'money', number, number][] = [];
    for (const limit of both) {
      goal.reserved[limit] += event[limit];
      const of = limit === 'tokens' ? (limits.tokens ?? 0) : (limits.money?.amount ?? 0) * minor;
      allowed.push(['the goal', limit, goal.used[limit] + goal.reserved[limit], of]);
      if (item) {
        taken(`item:${item.key}`)[limit] += event[limit];
        const most = own?.[limit];
        if (most !== undefined) allowed.push([item.key, limit, taken(`item:${item.key}`)[limit], limit === 'tokens' ? most : most * minor]);
      }
      if (round?.grant?.state === 'granted') allowed.push(['its workspace', limit, (round.used?.[limit] ?? 0) + event[limit], round.grant[limit]]);
      if (round?.subagent) {
        taken(`subagent:${round.subagent}`)[limit] += event[limit];
        allowed.push([round.subagent, limit, taken(`subagent:${round.subagent}`)[limit], state.subagents[round.subagent]?.slice?.[limit] ?? 0]);
      }
    }
    for (const [whose, limit, sum, of] of allowed)
      if (event[limit] > 0 && sum > of) wrong.push(`${event.call} set aside ${event[limit]} ${limit} where ${whose} had ${of}, and ${sum} with it`);
  }
  for (const limit of both) {
    const [used, reserved] = limit === 'tokens' ? [state.budget.tokens, state.budget.reservedTokens] : [state.budget.money, state.budget.reservedMoney];
    const open = Object.values(state.rounds).reduce((sum, round) => sum + (round.call?.reserve?.[limit] ?? 0), 0);
    if (reserved !== open) wrong.push(`${reserved} ${limit} are set aside, ${open} of them by calls that are open`);
    if (used !== goal.used[limit]) wrong.push(`${used} ${limit} are counted, ${goal.used[limit]} were recorded`);
    if (used < 0) wrong.push(`${used} ${limit} used`);
    const items = Object.entries(state.spent).reduce((sum, [of, spent]) => sum + (of.startsWith('item:') ? spent[limit] : 0), 0);
    if (items > used) wrong.push(`items used ${items} ${limit}, the goal ${used}`);
  }
  return wrong;
};

/** A round is claimed with its place alone; and one that had asked for a place gives it back when it is over, with what was used. */
const placesComeBack: Predicate = ({ before, state, events }) => {
  const wrong: string[] = [];
  for (const event of events) {
    if (event.type === 'round.claimed') {
      const grant = (state.rounds[event.round] ?? before.rounds[event.round])?.grant;
      if (grant && grant.state !== 'granted') wrong.push(`${event.round} was claimed and its place is ${grant.state}`);
    }
    if (event.type !== 'round.ended' && event.type !== 'round.redispatched') continue;
    const round = before.rounds[event.round];
    const used = events.reduce(
      (sum, each) => sum + (each.type === 'usage.recorded' && each.round === event.round ? each.tokens - (each.instead?.tokens ?? 0) : 0),
      round?.used?.tokens ?? 0,
    );
    const owed = state.settling[`${event.round}:${round?.fence}`];
    if (round?.grant && owed?.tokens !== used) wrong.push(`${event.round} is over, used ${used} tokens, and owes its workspace ${owed ? owed.tokens : 'nothing'}`);
  }
  return wrong;
};

/** 9. Unknown is not zero: a model call whose round is over is charged for. */
const callsAreCharged: Predicate = ({ before, events }) => {
  const charged = new Set(events.flatMap((event) => (event.type === 'usage.recorded' && event.call ? [event.call] : [])));
  return events.flatMap((event) => {
    const call = event.type === 'round.ended' ? before.rounds[event.round]?.call : undefined;
    return call?.reserve && !charged.has(call.id) ? [`${call.id} was in flight when its round ended, and nothing was charged`] : [];
  });
};

/** A compaction does not outlive its round half done. */
const compactionsEnd: Predicate = ({ events, lookup }) =>
  events.flatMap((event) => {
    if (event.type !== 'round.ended') return [];
    const last = lookup.rows('context', { prefix: `${event.round}/`, newestFirst: true, limit: 1 })[0]?.data as unknown as RowData['context'] | undefined;
    return last?.phase === 'begun' || last?.phase === 'written' ? [`compaction ${last.n} of ${event.round} is ${last.phase}, and the round is over`] : [];
  });

/** 10. Completed means: closed, proven, passed, nothing unknown. */
const completionIsProven: Predicate = ({ state, events, now }) => {
  if (!events.some((event) => event.type === 'goal.completed') || state.status !== 'completed') return [];
  const problems = completionProblems(state, now).filter((problem) => !problem.startsWith('round:'));
  if (problems.length > 0) return [`completed with ${problems.join(', ')}`];
  const open = (state.plan?.order ?? []).filter((key) => state.items[key]?.spec.required && state.items[key]?.stored !== 'superseded' && !standsAccepted(state.items[key]));
  if (state.mode !== 'goal_only' && open.length > 0) return [`completed while ${open.join(', ')} are not accepted`];
  if (Object.keys(state.effects).length > 0) return ['completed with an effect that is not settled'];
  const unproven = (state.contract?.criteria ?? []).filter(({ id }) => state.audit?.goalVersion !== state.goalVersion || state.audit.classes[id]?.class !== 'proven');
  return unproven.length > 0 ? [`completed while ${unproven.map(({ id }) => id).join(', ')} was not proven for version ${state.goalVersion}`] : [];
};

/** 11. Nothing terminal comes back to life. */
const terminalStays: Predicate = ({ before, state, events }) => {
  const wrong: string[] = [];
  if (before.status === 'cancelled' && state.status !== 'cancelled') wrong.push('a cancelled goal came back');
  if (before.status === 'completed' && state.status !== 'completed' && !events.some((event) => event.type === 'goal.revised'))
    wrong.push('a completed goal came back without a new version');
  if (state.completions.length < before.completions.length) wrong.push('a completion was taken back');
  for (const [key, item] of Object.entries(before.items)) {
    const after = state.items[key];
    if (!after) wrong.push(`${key} is gone`);
    else if (item.stored === 'cancelled' && after.stored === 'open' && !events.some((event) => event.type === 'plan.adopted')) wrong.push(`${key} came back`);
    if (after && item.attempt && after.attempt?.id === item.attempt.id && !['pending', 'running'].includes(item.attempt.state) && after.attempt.state !== item.attempt.state)
      wrong.push(`attempt ${item.attempt.id} came back`);
  }
  if (state.status === 'completed' || state.status === 'cancelled') {
    if (Object.keys(state.rounds).length > 0) wrong.push('a terminal goal has open rounds');
  }
  return wrong;
};

/** Events are numbered without a gap, and time does not go back. */
const journalIsWhole: Predicate = ({ before, events }) => {
  const wrong: string[] = [];
  events.forEach((event, index) => {
    if (event.seq !== before.seq + index + 1) wrong.push(`event ${event.seq} at place ${before.seq + index + 1}`);
    if (event.at < before.at) wrong.push(`event ${event.seq} is older than the one before`);
  });
  return wrong;
};

/** What is waited for exists, and an item that claims to be blocked has its question. */
const waitsAreReal: Predicate = ({ state }) => {
  const wrong: string[] = [];
  for (const item of Object.values(state.items)) {
    if (itemState(state, item.key) === 'blocked' && !Object.values(state.blockers).some((blocker) => blocker.item === item.key)) wrong.push(`${item.key} is blocked by nothing`);
  }
  for (const approval of Object.values(state.approvals)) {
    if (approval.state === 'asked' && !Object.values(state.waits).some((wait) => wait.correlation === `approval:${approval.id}`)) wrong.push(`approval ${approval.id} has no wait`);
  }
  return wrong;
};

/** A question: one coordinator round for each time it is asked, and no agent answers what is a person's, or without saying from what. */
const questionsAreRouted: Predicate = ({ before, state, events }) => {
  const wrong: string[] = [];
  const coordinators = Object.values(state.rounds).filter((round) => round.lane === 'coordinator');
  if (coordinators.length > 1) wrong.push(`${coordinators.length} coordinator rounds are open`);
  for (const round of coordinators) {
    const open = round.blocker && state.blockers[round.blocker.id];
    if (round.blocker && round.progress === 0 && (open?.route !== 'coordinator' || open.generation !== round.blocker.generation))
      wrong.push(`${round.id} routes ${round.blocker.id}, which asks for no round`);
  }
  for (const event of events) {
    if (event.type === 'round.scheduled' && event.round.blocker) {
      const asked = before.blockers[event.round.blocker.id];
      if (asked?.generation === event.round.blocker.generation && asked.route !== 'coordinator') wrong.push(`a round for ${asked.id}, which is its owner's`);
    }
    const answered = event.type === 'blocker.resolved' && event.via ? before.blockers[event.blocker] : undefined;
    if (event.type === 'blocker.resolved' && answered && (onlyPeopleAnswer(answered) || event.evidence.length === 0 || event.because === undefined))
      wrong.push(`an agent answered ${answered.id} (${answered.about ?? 'work'}) by ${JSON.stringify(event.evidence)}`);
  }
  return wrong;
};

/** A version is a person's word: what an agent proposes of it stays a proposal, and only over the version it was made for. */
const peopleChangeGoals: Predicate = ({ state, events }) => {
  const wrong: string[] = [];
  for (const event of events) if (event.type === 'goal.revised' && event.via) wrong.push(`version ${event.goalVersion} was made by ${event.via}`);
  if (state.amendment && state.amendment.basedOn !== state.goalVersion) wrong.push(`${state.amendment.id} is about version ${state.amendment.basedOn} of ${state.goalVersion}`);
  return wrong;
};

const predicates: Record<string, Predicate> = {
  oneOfEach,
  onlyAcceptanceUnlocks,
  noSelfReview,
  immutableStays,
  authorityIsCurrent,
  actorIsCurrent,
  fencesGrow,
  signalsMatch,
  someoneMoves,
  effectsOnce,
  approvedFirst,
  roundsHold,
  callsFit,
  callsAreCharged,
  placesComeBack,
  compactionsEnd,
  completionIsProven,
  terminalStays,
  journalIsWhole,
  waitsAreReal,
  questionsAreRouted,
  peopleChangeGoals,
};

/** Everything that is wrong with a step, each with the name of its predicate. */
export function violations(step: Step): string[] {
  return Object.entries(predicates).flatMap(([name, predicate]) => predicate(step).map((wrong) => `${name}: ${wrong}`));
}

/** An applied answer as its caller got it. `key` is who asked and under which command id. */
export interface Given {
  key: string;
  body: string;
  seq: number;
  answer: string;
}

/** 6. Same command id: one effect on the record, one answer; another body is refused. */
export function sameIdSameAnswer(before: Given | undefined, now: Given): string[] {
  if (!before) return [];
  if (before.body !== now.body) return [`sameIdSameAnswer: ${now.key} was applied with two bodies`];
  if (before.seq !== now.seq || before.answer !== now.answer) return [`sameIdSameAnswer: ${now.key} was answered ${before.seq} ${before.answer} and then ${now.seq} ${now.answer}`];
  return [];
}

/** A whole record, at rest. `empty` is the state before creation, `snapshot` one of the same fold that was kept on the way. */
export interface Whole {
  events: readonly Event[];
  state: State;
  rows: readonly Row[];
  body(digest: string): Json | undefined;
  empty: State;
  snapshot?: State;
}

/** 12. The journal folded from zero, and from a snapshot, gives the working set; its rows are the rows that are kept. */
export function recordViolations(whole: Whole): string[] {
  const wrong: string[] = [];
  const draft = new Draft(whole.empty);
  const rows = new Map<string, Row>();
  const byItem = (kind: string) => [...rows.values()].filter((row) => row.kind === kind).sort((a, b) => (a.id < b.id ? -1 : 1));
  const lookup: Lookup = {
    row: (kind, id) => rows.get(`${kind}\n${id}`),
    rows: (kind, options = {}) => {
      const found = byItem(kind).filter((row) => (options.prefix === undefined || row.id.startsWith(options.prefix)) && (options.item === undefined || row.item === options.item));
      const ordered = options.newestFirst ? found.reverse() : found;
      const after = options.after;
      const rest = after === undefined ? ordered : ordered.filter((row) => (options.newestFirst ? row.id < after : row.id > after));
      return rest.slice(0, options.limit ?? rest.length);
    },
    count: (kind, prefix) => byItem(kind).filter((row) => prefix === undefined || row.id.startsWith(prefix)).length,
    body: (digest) => whole.body(digest),
    lease: () => undefined,
  };
  const counted = new Set<string>();
  for (const event of whole.events) {
    if (event.type === 'milestone.moved') {
      const subject = `${event.milestone}/${event.subject}`;
      if (counted.has(subject)) wrong.push(`record: ${subject} was counted twice`);
      counted.add(subject);
    }
    apply(draft, event);
    for (const row of rowsOf(event, draft.state, lookup)) rows.set(`${row.kind}\n${row.id}`, row);
  }
  const same = (a: unknown, b: unknown) => {
    const [one, other] = [JSON.stringify(a), JSON.stringify(b)];
    return one === other || canonical(JSON.parse(one) as Json) === canonical(JSON.parse(other) as Json);
  };
  if (!same(draft.state, whole.state)) wrong.push('record: folding the journal from zero gives another working set');
  if (whole.snapshot) {
    const rest = whole.events.filter((event) => event.seq > (whole.snapshot?.seq ?? 0));
    if (!same(fold(whole.snapshot, rest), whole.state)) wrong.push('record: folding from the snapshot gives another working set');
  }
  const kept = new Map(whole.rows.map((row) => [`${row.kind}\n${row.id}`, row]));
  for (const [key, row] of rows) if (!same(row, kept.get(key) ?? null)) wrong.push(`record: the row ${key.replace('\n', '/')} is another than the journal gives`);
  for (const key of kept.keys()) if (!rows.has(key)) wrong.push(`record: the row ${key.replace('\n', '/')} comes from no event`);
  return wrong;
}

/** 13. Nothing that can be read in one workspace names anything of another. `texts`: all that is readable in it; `marks`: words that only the other one uses. */
export function tenantViolations(texts: Iterable<string>, marks: readonly string[]): string[] {
  const wrong: string[] = [];
  for (const text of texts) for (const mark of marks) if (text.includes(mark)) wrong.push(`tenants: ${mark} of another workspace is readable: ${text.slice(0, 200)}`);
  return wrong;
}
