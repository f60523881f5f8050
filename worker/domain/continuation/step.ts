/** One step of a round: the last call is put on record, the next is judged. What is forbidden is recorded as refused, and the round goes on. */
import type { CallIntent, CallResult, Payload } from '../commands.ts';
import { approvalFor, type Permit, planEffect } from '../effects/handlers.ts';
import { forbiddenBy, policyFor } from '../effects/match.ts';
import { MESSAGES_TOLD, RECITAL_CHARS } from '../limits.ts';
import { MODEL_CALL } from '../model-call.ts';
import { membersOf } from '../planes/counting.ts';
import { driftAfterCall } from '../planes/drift.ts';
import { resolveFacts } from '../planes/facts.ts';
import { milestoneOfSubject, setAside } from '../planes/handlers.ts';
import { type Refusal, refuse } from '../refusals.ts';
import { six } from '../rows.ts';
import type { Round } from '../state.ts';
import { hostWho, type Turn, type Who } from '../turn.ts';
import type { Json } from '../values.ts';
import { type OpenMessage, openMessages, worded } from '../views/open-messages.ts';
import { endRound } from './closing.ts';
import { budgetRefusal, chargeOpenCall, reserveCall, settleOpenCall, testify, unpaid } from './spending.ts';

/** What the host says with an answer. Heeding it is the agent's choice. */
type Notice =
  | { kind: 'watch'; subject: string; recital: { milestone: string; count: number; target: number | null; objective: string } }
  | { kind: 'parked'; subject: string }
  /** `texts`: one of each of `said`, worded for an agent: what was said under an older version of the goal begins with that. */
  | { kind: 'messages'; upTo: number; texts: string[]; said: Omit<OpenMessage, 'text'>[] };

type StepResult =
  | { outcome: 'go'; call: string; args: Json; permit?: Permit; repeat?: Json; notices: Notice[] }
  | { outcome: 'refused'; refusal: Refusal; notices: Notice[] }
  | { outcome: 'waiting'; wait: string; notices: Notice[] }
  | { outcome: 'ended'; refusal: Refusal };

export function recordLast(turn: Turn, who: Who, last: CallResult | undefined): void {
  const round = who.via ? turn.state.rounds[who.via] : undefined;
  const open = round?.call;
  if (!last || !round) return;
  if (!open || open.id !== last.call) {
    if (last.used && last.call.startsWith(`${round.id}/`)) testify(turn, who, last.call, last.used);
    return;
  }
  if (open.reserve) settleOpenCall(turn, who, round, last.used);
  else if (last.used) testify(turn, who, last.call, last.used);
  turn.emit(who, {
    type: 'call.recorded',
    round: who.via ?? '',
    call: last.call,
    ok: last.ok,
    summaryBody: turn.body(last.summary),
    ...(last.ms === undefined ? {} : { ms: last.ms }),
    ...(last.kept ? { kept: last.kept } : {}),
  });
}

export function step(turn: Turn, who: Who, payload: Payload<'round.step'>): StepResult {
  const via = who.via ?? '';
  const repeated = repeatedStep(turn, payload.last, turn.state.rounds[via]);
  if (!repeated) recordLast(turn, who, payload.last);
  // A call that nothing was said of when the next one comes: how it ended is not known.
  if (payload.next && turn.state.rounds[via]) chargeOpenCall(turn, turn.state.rounds[via]);
  const round = turn.state.rounds[via];
  if (!round) return { outcome: 'ended', refusal: refuse('round_superseded') };
  if (round.goalVersion !== turn.state.goalVersion) return { outcome: 'ended', refusal: refuse('goal_version_stale', { current: { goalVersion: turn.state.goalVersion } }) };
  const notices: Notice[] = [...messages(turn, via)];
  if (!payload.next) return { outcome: 'go', call: '', args: null, notices };
  const stepsAllowed = (round.item && turn.state.items[round.item]?.spec.limits.stepsPerRound) || turn.state.limits.stepsPerRound;
  if (payload.next.tool === MODEL_CALL) return modelCall(turn, who, round, payload.next, stepsAllowed, notices);
  if (round.steps >= stepsAllowed) return { outcome: 'ended', refusal: refuse('limit_exceeded', { detail: 'steps of this round', current: { steps: round.steps } }) };

  const drifted = watchDrift(turn, who, round, payload.next.subject);
  if (drifted === 'end')
    return { outcome: 'ended', refusal: refuse('limit_exceeded', { detail: 'drift: the round turned on one subject', current: { subject: payload.next.subject } }) };
  if (drifted) notices.push(drifted);
  return judge(turn, who, payload.next, notices);
}

/** Judged by the budget alone. One that does not fit ends the round in the same commit: the next begins where there is room again. */
function modelCall(turn: Turn, who: Who, round: Round, next: CallIntent, allowed: number, notices: Notice[]): StepResult {
  if ((round.modelCalls ?? 0) >= allowed)
    return { outcome: 'ended', refusal: refuse('limit_exceeded', { detail: 'model calls of this round', current: { calls: round.modelCalls ?? 0 } }) };
  if (!next.reserve)
    return {
      outcome: 'refused',
      refusal: refuse('schema_invalid', { errors: [{ pointer: '/payload/next/reserve', code: 'required', detail: 'what the call costs at worst' }] }),
      notices,
    };
  return payFor(turn, who, round, next) ?? authorize(turn, who, round, next, next.args, notices);
}

/** Null: it can be paid, or costs nothing. */
function payFor(turn: Turn, who: Who, round: Round, next: CallIntent): StepResult | null {
  const short = unpaid(turn, round, next);
  if (!short) return null;
  turn.emit(who, {
    type: 'call.refused',
    round: round.id,
    call: callId(round),
    tool: next.tool,
    argsBody: turn.body(next.args),
    code: 'budget_exceeded',
    ref: short.limit,
    subject: next.subject,
  });
  turn.emit(hostWho, { type: 'budget.short', round: round.id, target: round.target, short });
  endRound(turn, hostWho, round.id, 'handed_back', 'budget');
  return { outcome: 'ended', refusal: budgetRefusal(short) };
}

const callId = (round: Round) => `${round.id}/${six(round.steps + (round.modelCalls ?? 0) + 1)}`;

function authorize(turn: Turn, who: Who, round: Round, next: CallIntent, args: Json, notices: Notice[], permit?: Permit, repeat?: Json): StepResult {
  const call = callId(round);
  turn.emit(who, {
    type: 'call.authorized',
    round: round.id,
    call,
    tool: next.tool,
    argsBody: turn.body(args),
    argsDigest: turn.digest({ tool: next.tool, args }),
    subject: next.subject,
    ...(permit ? { effect: permit.effect } : {}),
  });
  reserveCall(turn, who, round.id, call, next.reserve);
  return { outcome: 'go', call, args, ...(permit ? { permit } : {}), ...(repeat === undefined ? {} : { repeat }), notices };
}

/** The same `last` again, already on record. */
function repeatedStep(turn: Turn, last: CallResult | undefined, round: Round | undefined): boolean {
  return last !== undefined && round?.call?.id !== last.call && turn.data('call', last.call)?.endedAt !== undefined;
}

function watchDrift(turn: Turn, who: Who, round: Round, subject: string): Notice | 'end' | null {
  const look = driftAfterCall(round, subject, turn.state.limits.drift);
  switch (look.level) {
    case null:
      return null;
    case 'none':
      if (round.drift !== 'none') turn.emit(who, { type: 'drift.noticed', round: round.id, level: 'none', subject });
      return null;
    case 'watch':
      turn.emit(hostWho, { type: 'drift.noticed', round: round.id, level: 'watch', subject });
      return { kind: 'watch', subject, recital: recital(turn) };
    case 'park': {
      const milestone = milestoneOfSubject(turn, subject);
      turn.emit(hostWho, { type: 'drift.noticed', round: round.id, level: 'parked', subject });
      setAside(
        turn,
        { ...hostWho, via: round.id },
        { subject, ...(milestone ? { milestone } : {}), note: 'set aside by the host: the round turned on it and nothing moved' },
        'drift',
        milestone ? membersOf(turn, milestone) : undefined,
      );
      return { kind: 'parked', subject };
    }
    case 'end':
      turn.emit(hostWho, { type: 'drift.noticed', round: round.id, level: 'ended', subject });
      return 'end';
  }
}

/** What the goal is about, said again: the first milestone that is not reached, and the objective's head. */
function recital(turn: Turn): { milestone: string; count: number; target: number | null; objective: string } {
  const { state } = turn;
  const open = state.contract?.milestones.find(({ key }) => state.milestones[key]?.target === null || (state.milestones[key]?.count ?? 0) < (state.milestones[key]?.target ?? 0));
  const version = turn.data('goal_version', six(state.goalVersion));
  const contract = version?.contractBody ? (turn.lookup.body(version.contractBody) as { objective?: string } | undefined) : undefined;
  const milestone = open && state.milestones[open.key];
  return {
    milestone: open?.key ?? '',
    count: milestone?.count ?? 0,
    target: milestone?.target ?? null,
    objective: [...(contract?.objective ?? state.title)].slice(0, RECITAL_CHARS).join(''),
  };
}

/** What others said and nobody handled yet; what this round said itself is none of it. */
function messages(turn: Turn, via: string): Notice[] {
  const open = openMessages(turn.state, turn.lookup, { limit: MESSAGES_TOLD, not: via });
  const last = open.at(-1);
  if (!last) return [];
  return [
    {
      kind: 'messages',
      upTo: last.message,
      texts: open.map((message) => worded(message, turn.state.goalVersion)),
      said: open.map(({ text: _text, ...message }) => message),
    },
  ];
}

function judge(turn: Turn, who: Who, next: CallIntent, notices: Notice[]): StepResult {
  const round = turn.state.rounds[who.via ?? ''];
  if (!round) return { outcome: 'ended', refusal: refuse('round_superseded') };
  const call = callId(round);
  const no = (refusal: Refusal, ref: string): StepResult => {
    turn.emit(who, { type: 'call.refused', round: round.id, call, tool: next.tool, argsBody: turn.body(next.args), code: refusal.code, ref, subject: next.subject });
    return { outcome: 'refused', refusal, notices };
  };

  const resolved = resolveFacts(next.args, next.factOnly, (key) => {
    const fact = turn.data('fact', key);
    return fact ? turn.lookup.body(fact.valueBody) : undefined;
  });
  if (!resolved.ok) return no(refuse(resolved.code, { errors: [{ pointer: resolved.pointer, code: resolved.code }] }), resolved.pointer);
  const intent = { ...next, args: resolved.args };

  // Both what the agent wrote and what would be sent must be free of what a non-goal forbids.
  const nonGoal = forbiddenBy(turn.state.contract?.nonGoals ?? [], next.tool, intent.args) ?? forbiddenBy(turn.state.contract?.nonGoals ?? [], next.tool, next.args);
  if (nonGoal) return no(refuse('non_goal_forbidden', { detail: nonGoal.id, current: { nonGoal: nonGoal.id, text: nonGoal.text } }), nonGoal.id);

  const rules = [...(turn.state.contract?.policies ?? []), ...turn.ctx.policy.rules];
  const policy = policyFor(rules, next.tool, intent.args, next.otherwise);
  if (turn.state.status === 'draft' && (next.effect === 'outside' || policy === 'ask'))
    return no(refuse('forbidden', { detail: 'nothing is sent out before a person confirmed the contract', allowedNext: ['goal.draft'] }), next.tool);
  if ((round.purpose === 'blocker' || round.purpose === 'amend') && (next.effect === 'outside' || policy === 'ask'))
    return no(refuse('forbidden', { detail: 'this round works from the record: nothing is sent out for it' }), next.tool);
  if (policy === 'deny') return no(refuse('policy_denied', { detail: next.tool }), next.tool);
  let approval: string | undefined;
  if (policy === 'ask') {
    const asked = approvalFor(turn, who, intent, next.args);
    if ('refused' in asked) return no(asked, next.tool);
    if ('waiting' in asked) return { outcome: 'waiting', wait: asked.waiting, notices };
    approval = asked.approved;
  }

  const unaffordable = payFor(turn, who, round, next);
  if (unaffordable) return unaffordable;

  let permit: Permit | undefined;
  let repeat: Json | undefined;
  if (next.effect === 'outside') {
    const planned = planEffect(turn, who, intent, approval);
    if ('refused' in planned) return no(planned, next.tool);
    if ('permit' in planned) permit = planned.permit;
    else repeat = planned.repeat;
  }
  if (approval) turn.emit(who, { type: 'approval.used', approval });
  return authorize(turn, who, round, next, intent.args, notices, permit, repeat);
}
