/** How a Runner takes a round and calls under it. Every id is derived from the round and its fence, so that asking twice is asking once. */

import type { Envelope } from '../domain/commands.ts';
import type { Actor } from '../domain/context.ts';
import { canonical } from '../domain/digest.ts';
import { type Refusal, type RefusalCode, refuse } from '../domain/refusals.ts';
import type { Json } from '../domain/values.ts';
import type { Applier, Outcome } from './apply.ts';
import { leaseMsOf } from './leases.ts';
import { lookupOf } from './lookup.ts';
import type { ProtocolPorts } from './protocol-ports.ts';
import type { ClaimAnswer, ClaimRequest, StepAnswer, StepRequest } from './rpc.ts';
import type { Meta, WorkingSet } from './working-set.ts';

const host: Actor = { kind: 'host' };

/** A round that meets one of these is over for its Runner. */
const ending: ReadonlySet<RefusalCode> = new Set(['round_superseded', 'fence_stale', 'lease_lost', 'goal_paused', 'goal_not_active', 'not_found']);

export function hostEnvelope(type: Envelope['type'], commandId: string, payload: Json): Envelope {
  return { type, commandId, expected: {}, payload, dryRun: false };
}

export interface ClaimPorts {
  ports: ProtocolPorts;
  set: WorkingSet;
  applier: Applier;
  /** After a commit: frames, lanes. */
  committed(outcome: Outcome): void;
}

export function claim({ ports, set, applier, committed }: ClaimPorts, meta: Meta, request: ClaimRequest): ClaimAnswer {
  const run = (type: Envelope['type'], commandId: string, payload: Json, lease?: { round: string; runner: string; ms: number }): Refusal | undefined => {
    const outcome = applier.apply({ meta, actor: host, envelope: hostEnvelope(type, commandId, payload), ...(lease ? { lease } : {}) });
    committed(outcome);
    if (outcome.kind === 'refused') return outcome.refusal;
    return outcome.kind === 'unknown' ? refuse('unavailable', { detail: outcome.detail }) : undefined;
  };
  const refused = (refusal: Refusal): ClaimAnswer => ({ outcome: 'refused', refusal });

  const live = set.live();
  if (!live) return refused(refuse(set.open().kind === 'broken' ? 'unavailable' : 'not_found'));
  const round = live.state.rounds[request.round];
  if (!round) return refused(refuse('round_superseded'));
  if (round.fence !== request.fence) return refused(refuse('fence_stale', { current: { fence: round.fence } }));
  const now = Math.max(ports.clock.now(), live.state.at);
  const lease = live.leases.get(round.id);
  const held = lease !== undefined && lease.fence === round.fence;
  const mine = held ? lease.runner === request.runner : round.phase !== 'scheduled' && round.runner === request.runner;

  const over = held && lease.until <= now;
  if ((request.again && mine && round.phase !== 'scheduled') || over) {
    // The old run is lost: its end is recorded, and the domain schedules the round anew under a higher fence.
    const lost = run('clock.tick', `lost:${round.id}:${round.fence}:${live.state.seq}`, { leasesOver: [{ round: round.id, fence: round.fence }] });
    return refused(lost ?? refuse('round_superseded'));
  }
  if (held && !mine) return { outcome: 'refused', refusal: refuse('already_claimed', { current: { runner: lease.runner } }), retryAfterMs: Math.max(1, lease.until - now) };

  const ms = leaseMsOf(round);
  const payload = { round: round.id, fence: round.fence, runner: request.runner };
  const id = `${round.id}:${round.fence}:${request.runner}`;
  const refusal = run('round.claim', `claim:${id}`, payload, { round: round.id, runner: request.runner, ms }) ?? run('round.start', `start:${id}`, payload);
  if (refusal) return refused(refusal);
  const after = set.live();
  if (!after?.state.rounds[round.id]) return refused(refuse('round_superseded'));
  return { outcome: 'granted', context: ports.core.roundContext(after.state, round.id, lookupOf(ports.store, after.leases), ms) };
}

export interface Stepped {
  answer: StepAnswer;
  outcome?: Outcome;
}

export function step({ ports, set, applier, committed }: ClaimPorts, meta: Meta, request: StepRequest): Stepped {
  const actor: Actor = { kind: 'round', round: request.round, fence: request.fence, runner: request.runner };
  if (!request.last && !request.next) {
    if (applier.heartbeat(actor)) return { answer: { outcome: 'go', call: '', args: null, notices: [] } };
    return { answer: { outcome: 'ended', refusal: refuse('lease_lost') } };
  }
  const payload = JSON.parse(JSON.stringify({ last: request.last, next: request.next })) as Json;
  const steps = set.live()?.state.rounds[request.round]?.steps ?? 0;
  // `n` makes a repeat recognizable. Without it the call that is reported does; a first or refused-before call is told apart by the count.
  const number = request.n ?? request.last?.call ?? `s${steps}`;
  const commandId = `step:${request.fence}:${number}${request.n === undefined ? `:${ports.sha256(canonical(payload)).slice(0, 16)}` : ''}`;
  const outcome = applier.apply({ meta, actor, envelope: { type: 'round.step', commandId, expected: {}, payload, dryRun: false } });
  committed(outcome);
  return { answer: stepAnswer(outcome), outcome };
}

function stepAnswer(outcome: Outcome): StepAnswer {
  if (outcome.kind === 'applied') return outcome.answer.result as unknown as StepAnswer;
  const refusal = outcome.kind === 'refused' ? outcome.refusal : refuse('unavailable', { detail: outcome.detail });
  return ending.has(refusal.code) ? { outcome: 'ended', refusal } : { outcome: 'refused', refusal, notices: [] };
}
