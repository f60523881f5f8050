/** A core small enough to see through: create, post, and rounds of one lane. Folds and rows are the real ones. For tests of the protocol alone. */

import { type Command, catalogue, type Payload } from '../../domain/commands.ts';
import type { Bodies, Context, Row } from '../../domain/context.ts';
import { defaultLimits } from '../../domain/contract/contract.ts';
import { digestOf } from '../../domain/digest.ts';
import type { Event, EventBody } from '../../domain/events.ts';
import { FOLD_VERSION, fold } from '../../domain/evolve.ts';
import { type Refusal, refuse } from '../../domain/refusals.ts';
import { rowsOf } from '../../domain/rows.ts';
import { emptyState, type State } from '../../domain/state.ts';
import { upcast } from '../../domain/upcast.ts';
import type { Json } from '../../domain/values.ts';
import type { Next } from '../../domain/views/types.ts';
import type { Core, Handled } from '../core.ts';

/** Milliseconds a dispatched round may take to be claimed. */
export const claimWithinMs = 60_000;

class Turn {
  state: State;
  readonly events: Event[] = [];
  readonly rows: Row[] = [];
  readonly bodies: Bodies = {};
  readonly context: Context;

  constructor(state: State, context: Context) {
    this.state = state;
    this.context = context;
  }

  emit(body: EventBody): void {
    const { actor, now, lookup } = this.context;
    const by = actor.kind === 'host' ? 'host' : actor.kind === 'round' ? (this.state.rounds[actor.round]?.principal ?? 'host') : actor.principal;
    const event = { ...body, seq: this.state.seq + 1, at: now, by } as Event;
    this.state = fold(this.state, [event]);
    this.events.push(event);
    this.rows.push(...rowsOf(event, this.state, lookup));
  }

  body(value: Json): string {
    const digest = digestOf(this.context.sha256, value);
    this.bodies[digest] = value;
    return digest;
  }

  schedule(): void {
    const fence = (this.state.fences.goal ?? 0) + 1;
    this.emit({
      type: 'round.scheduled',
      v: 1,
      round: {
        id: `r${fence}`,
        lane: 'coordinator',
        target: 'goal',
        fence,
        principal: 'skill:toy/run',
        executor: { kind: 'skill', skill: 'toy', script: 'run.js' },
        goalVersion: 1,
        planRevision: 0,
        scheduledAt: this.context.now,
        dueBy: this.context.now + claimWithinMs,
        recovery: false,
      },
    });
  }
}

export const toyCore: Core = {
  foldVersion: FOLD_VERSION,
  empty: () => emptyState(defaultLimits),
  fold: (state, events) => fold(state, upcast(events)),
  rowsOf,
  parse: (envelope) => {
    const payload = catalogue[envelope.type].payload.safeParse(envelope.payload);
    return payload.success ? ({ type: envelope.type, expected: envelope.expected, payload: payload.data } as Command) : refuse('schema_invalid');
  },
  handle: (state, command, context): Refusal | Handled => {
    const turn = new Turn(state, context);
    const result = decide(turn, command);
    if (command.type === 'plan.propose') {
      turn.emit({ type: 'plan.refused', v: 1, errors: [] });
      return { state: turn.state, events: turn.events, rows: turn.rows, bodies: turn.bodies, result: null, refusal: refuse('plan_invalid') };
    }
    if (typeof result === 'object' && result !== null && 'refused' in result) return result as unknown as Refusal;
    return { state: turn.state, events: turn.events, rows: turn.rows, bodies: turn.bodies, result: result as Json };
  },
  allowedNext: () => [],
  dueTimes: (state) => Object.values(state.rounds).flatMap((round) => (round.phase === 'scheduled' ? [round.dueBy] : [])),
  nextOf: (state): Next => ({ goalVersion: state.goalVersion, seq: state.seq, why: { kind: 'draft' }, who: [] }),
  structureOf: () => null,
  evidenceView: () => {
    throw new Error('no evidence here');
  },
  askedDecisions: () => ({ count: 0, data: [] }),
  goalBar: (state) => ({ title: state.title, seq: state.seq }) as ReturnType<Core['goalBar']>,
  graphView: (state) =>
    ({
      seq: state.seq,
      revision: 0,
      nodes: [
        { key: 'messages', version: state.messages.posted },
        { key: 'still', version: 0 },
      ],
      edges: [],
      process: [],
      truncated: false,
    }) as unknown as ReturnType<Core['graphView']>,
  itemView: () => ({}) as ReturnType<Core['itemView']>,
  eventView: (event) => ({ seq: event.seq, at: event.at, type: event.type, by: event.by, data: null }),
  assignmentView: () => undefined,
  grantOf: () => refuse('not_found'),
  attemptReadRefusal: () => null,
  resumePacket: () => ({}) as ReturnType<Core['resumePacket']>,
  roundContext: (state, round, _lookup, leaseMs) => ({ round, fence: state.rounds[round]?.fence, leaseMs }) as ReturnType<Core['roundContext']>,
  checkJob: () => undefined,
};

function decide(turn: Turn, command: Command): Json | Refusal {
  const { state, context } = turn;
  const { actor } = context;
  const round = actor.kind === 'round' ? state.rounds[actor.round] : undefined;
  if (actor.kind === 'round') {
    if (!round) return refuse('round_superseded');
    if (round.fence !== actor.fence) return refuse('fence_stale');
    if (context.lookup.lease(round.id)?.runner !== actor.runner) return refuse('lease_lost');
  }
  switch (command.type) {
    case 'goal.create':
      if (state.seq > 0) return refuse('invalid_transition');
      turn.emit({
        type: 'goal.created',
        v: 1,
        mode: 'graph_only',
        title: command.payload.title ?? '',
        owner: 'person:a',
        contract: null,
        contractBody: null,
        limits: defaultLimits,
        lanes: { reviewers: [] },
        confirmed: true,
      });
      return null;
    case 'message.post': {
      if (command.payload.text === 'throw') throw new Error('a defect of the core');
      if (command.payload.text === 'refuse') return refuse('forbidden');
      turn.emit({ type: 'message.posted', v: 1, message: state.messages.posted + 1, by: 'person:a', textBody: turn.body(command.payload.text), asks: 'nothing' });
      return { message: turn.state.messages.posted };
    }
    case 'message.handle':
      return null;
    case 'round.schedule':
      turn.schedule();
      return null;
    case 'round.claim':
    case 'round.start':
      return claimed(turn, command.type, command.payload);
    case 'round.step': {
      const { last, next } = command.payload;
      if (last) turn.emit({ type: 'call.recorded', v: 1, round: round?.id ?? '', call: last.call, ok: last.ok, summaryBody: turn.body(last.summary) });
      const call = `${round?.id}/${(round?.steps ?? 0) + 1}`;
      if (next)
        turn.emit({
          type: 'call.authorized',
          v: 1,
          round: round?.id ?? '',
          call,
          tool: next.tool,
          argsBody: turn.body(next.args),
          argsDigest: digestOf(context.sha256, next.args),
          subject: next.subject,
        });
      return { outcome: 'go', call, args: next?.args ?? null, notices: [] };
    }
    case 'round.end':
      turn.emit({ type: 'round.ended', v: 1, round: round?.id ?? '', outcome: command.payload.outcome, progress: false, why: 'ended' });
      return null;
    case 'clock.tick':
      for (const over of command.payload.leasesOver) {
        if (turn.state.rounds[over.round]?.fence !== over.fence) continue;
        turn.emit({ type: 'round.ended', v: 1, round: over.round, outcome: 'lost', progress: false, why: 'lease' });
        turn.schedule();
      }
      for (const open of Object.values(turn.state.rounds)) {
        if (open.phase === 'scheduled' && open.dueBy <= context.now)
          turn.emit({ type: 'round.redispatched', v: 1, round: open.id, fence: open.fence + 1, dueBy: context.now + claimWithinMs, why: 'not_claimed' });
      }
      return null;
    default:
      return refuse('forbidden');
  }
}

function claimed(turn: Turn, type: 'round.claim' | 'round.start', payload: Payload<'round.claim'>): Json | Refusal {
  const round = turn.state.rounds[payload.round];
  if (!round) return refuse('round_superseded');
  if (round.fence !== payload.fence) return refuse('fence_stale');
  if (type === 'round.claim') {
    if (round.phase !== 'scheduled') return refuse('already_claimed');
    turn.emit({ type: 'round.claimed', v: 1, round: round.id, fence: round.fence, runner: payload.runner, dueBy: turn.context.now + claimWithinMs });
  } else turn.emit({ type: 'round.started', v: 1, round: round.id, fence: round.fence });
  return null;
}
