/** Effects and approvals: a call that changes something outside is on record before it is sent, and asked for where a policy says so. */

import type { CallIntent } from '../commands.ts';
import { releaseWaits } from '../continuation/closing.ts';
import type { Handlers } from '../handler.ts';
import { APPROVAL_MS, BODY_BYTES, EFFECT_MARGIN_MS, SEND_WITHIN_MS } from '../limits.ts';
import { type Refusal, refuse } from '../refusals.ts';
import type { RowData } from '../row-data.ts';
import { bytesOver, type Turn, type Who } from '../turn.ts';
import type { Json } from '../values.ts';
import { blockItem, raiseBlocker } from '../work/blockers.ts';
import { recordProbe } from './probe.ts';

export interface Permit {
  effect: string;
  nonce: string;
  key: string;
  sendWithin: number;
  timeout: number;
}

/** Digest of the exact call: tool and resolved arguments. */
export function callDigest(turn: Turn, call: Pick<CallIntent, 'tool' | 'args'>): string {
  return turn.digest({ tool: call.tool, args: call.args });
}

/** Same work, same call: one key. A repeat after reconciliation reuses it. */
function effectKey(turn: Turn, who: Who, digest: string): string {
  return turn.digest({ target: who.round?.target ?? who.principal, created: turn.state.createdAt, owner: turn.state.owner, call: digest }).slice(0, 40);
}

/** Registers the effect and gives its permit; or the answer of the same call that succeeded before; or a refusal while it is unknown. */
export function planEffect(turn: Turn, who: Who, call: CallIntent, approval: string | undefined): { permit: Permit } | { repeat: Json } | Refusal {
  const digest = callDigest(turn, call);
  const key = effectKey(turn, who, digest);
  for (const effect of Object.values(turn.state.effects)) {
    if (effect.key === key)
      return refuse('effect_unknown', { detail: `${effect.tool} was sent and its outcome is not known`, current: { effect: effect.id, state: effect.state } });
  }
  const known = turn.data('effect_key', key);
  const earlier = known && turn.data('effect', known.effect);
  if (earlier?.outcome === 'succeeded') {
    return { repeat: { effect: earlier.id, result: (earlier.resultBody ? turn.lookup.body(earlier.resultBody) : null) ?? null } };
  }
  const id = turn.id('eff');
  const sendWithin = SEND_WITHIN_MS;
  const timeout = call.timeoutMs ?? 30_000;
  const nonce = turn.ctx.sha256(`${id}/${key}/${turn.now}/${turn.state.seq}`).slice(0, 32);
  turn.emit(who, {
    type: 'effect.planned',
    effect: {
      id,
      tool: call.tool,
      key,
      callDigest: digest,
      ...(who.round?.item ? { item: who.round.item } : {}),
      ...(who.round?.attempt ? { attempt: who.round.attempt } : {}),
      round: who.via ?? '',
      nonce,
      sendWithin,
      timeout,
      horizon: turn.now + sendWithin + timeout + EFFECT_MARGIN_MS,
      ...(approval ? { approval } : {}),
      ...(call.probe === undefined ? {} : { probe: { body: turn.body(call.probe), tries: 0, nextAt: null, dueBy: null } }),
    },
  });
  return { permit: { effect: id, nonce, key, sendWithin, timeout } };
}

/** Approvals read at once. */
const approvalPage = 200;

/** The newest approval of exactly this call, however many others were asked for since. */
function newestApproval(turn: Turn, digest: string, item: string | undefined): RowData['approval'] | undefined {
  for (let after: string | undefined; ; ) {
    const page = turn.lookup.rows('approval', { newestFirst: true, limit: approvalPage, ...(item ? { item } : {}), ...(after === undefined ? {} : { after }) });
    const found = page.map((row) => row.data as unknown as RowData['approval']).find((row) => row.callDigest === digest);
    if (found || page.length < approvalPage) return found;
    after = page.at(-1)?.id;
  }
}

/**
 * The approval that covers exactly this call, or what became of asking for it. `written`: the arguments as the agent wrote them, with references to facts where `call` has
 * their values; they are kept where they differ, for it is them that must be repeated.
 */
export function approvalFor(turn: Turn, who: Who, call: CallIntent, written: Json = call.args): { approved: string } | { waiting: string } | Refusal {
  const digest = callDigest(turn, call);
  const mine = Object.values(turn.state.approvals).find((approval) => approval.callDigest === digest && approval.item === who.round?.item);
  if (mine?.state === 'approved') return { approved: mine.id };
  if (mine) return { waiting: mine.id };
  const refused = newestApproval(turn, digest, who.round?.item);
  if (refused?.state === 'refused') return refuse('policy_denied', { detail: 'a person refused exactly this call', current: { approval: refused.id } });
  const id = turn.id('apr');
  const askedAt = turn.now;
  turn.emit(who, {
    type: 'approval.asked',
    callBody: turn.body({
      tool: call.tool,
      args: call.args,
      subject: call.subject,
      effect: call.effect,
      ...(callDigest(turn, { tool: call.tool, args: written }) === digest ? {} : { written }),
    }),
    approval: { id, round: who.via ?? '', ...(who.round?.item ? { item: who.round.item } : {}), tool: call.tool, callDigest: digest, askedAt, expiresAt: askedAt + APPROVAL_MS },
  });
  turn.emit(who, {
    type: 'wait.armed',
    wait: {
      id: turn.id('wait'),
      kind: 'approval',
      correlation: `approval:${id}`,
      generation: 1,
      ...(who.round ? { target: who.round.target } : {}),
      ...(who.round?.item ? { item: who.round.item } : {}),
      owner: turn.state.owner,
      due: askedAt + APPROVAL_MS,
      reason: call.tool,
    },
  });
  return { waiting: id };
}

/** An approval nobody decided in time. The second time for the same call it becomes a question for the owner. */
export function expireApproval(turn: Turn, who: Who, id: string): void {
  const approval = turn.state.approvals[id];
  if (!approval) return;
  turn.emit(who, { type: 'approval.expired', approval: id });
  releaseWaits(turn, who, (wait) => wait.correlation === `approval:${id}`, 'expired');
  if (approval.state === 'asked' && (turn.state.expiries[approval.callDigest] ?? 0) >= 2) {
    const form = { type: 'object', properties: { decision: { enum: ['ask_again', 'leave_it'] } }, required: ['decision'], additionalProperties: false };
    const question = { key: `approval-${approval.callDigest.slice(0, 12)}`, reason: `${approval.tool}: nobody decided twice`, form };
    if (approval.item) blockItem(turn, who, question, approval.item);
    else raiseBlocker(turn, who, question);
  }
}

/** What the other side answered; of an answer that no row holds only its size. The outcome is never lost for it. */
function kept(result: Json): Json {
  const bytes = bytesOver(JSON.stringify(result), BODY_BYTES);
  return bytes === null ? result : { omitted: 'too large to keep', bytes };
}

type EffectCommands = 'effect.plan' | 'effect.settle' | 'effect.reconcile' | 'effect.probe' | 'approval.request' | 'approval.decide';

export const effectHandlers: Handlers<EffectCommands> = {
  'effect.plan': (turn, who, payload) => {
    const planned = planEffect(turn, who, payload.call, undefined);
    return 'refused' in planned ? planned : (planned as unknown as Json);
  },
  'effect.settle': (turn, who, payload) => {
    const effect = turn.state.effects[payload.effect];
    const row = turn.data('effect', payload.effect);
    if (!row) return refuse('not_found', { detail: `no effect ${payload.effect}` });
    if (!effect) {
      turn.emit(who, { type: 'late.recorded', command: 'effect.settle', round: who.via ?? null, attempt: row.attempt ?? null });
      return { late: true, outcome: row.outcome ?? null };
    }
    if (effect.nonce !== payload.nonce) return refuse('forbidden', { detail: 'not the permit of this effect' });
    const late = effect.state === 'unknown' || who.round === undefined;
    if (payload.outcome === 'unknown' && effect.state === 'unknown') return { late: true, outcome: 'unknown' };
    turn.emit(who, {
      type: 'effect.settled',
      effect: effect.id,
      outcome: payload.outcome,
      resultBody: payload.result === undefined ? null : turn.body(kept(payload.result)),
      late,
    });
    const correlation = `effect:${effect.id}`;
    if (payload.outcome === 'unknown') {
      turn.emit(who, {
        type: 'wait.armed',
        wait: {
          id: turn.id('wait'),
          kind: 'reconcile',
          correlation,
          generation: 1,
          ...(effect.item ? { item: effect.item } : {}),
          owner: turn.state.owner,
          reason: `${effect.tool}: outcome unknown`,
        },
      });
    } else releaseWaits(turn, who, (wait) => wait.correlation === correlation, 'released');
    return { outcome: payload.outcome, late };
  },
  'effect.reconcile': (turn, who, payload) => {
    const effect = turn.state.effects[payload.effect];
    if (!effect)
      return turn.data('effect', payload.effect)
        ? refuse('invalid_transition', { current: { state: turn.data('effect', payload.effect)?.state ?? null } })
        : refuse('not_found', { detail: `no effect ${payload.effect}` });
    if (effect.state !== 'unknown') return refuse('invalid_transition', { detail: 'it is still in flight', current: { state: effect.state } });
    if (payload.outcome === 'not_applied' && turn.now < effect.horizon)
      return refuse('invalid_transition', { detail: 'too early to conclude that it did not happen', current: { notBefore: effect.horizon } });
    turn.emit(who, { type: 'effect.reconciled', effect: effect.id, outcome: payload.outcome, evidenceBody: turn.body(payload.evidence) });
    releaseWaits(turn, who, (wait) => wait.correlation === `effect:${effect.id}`, 'released');
    return { outcome: payload.outcome };
  },
  'effect.probe': recordProbe,
  'approval.request': (turn, who, payload) => {
    const asked = approvalFor(turn, who, payload.call);
    return 'refused' in asked ? asked : (asked as unknown as Json);
  },
  'approval.decide': (turn, who, payload) => {
    const approval = turn.state.approvals[payload.approval];
    if (!approval) {
      const past = turn.data('approval', payload.approval);
      return past
        ? refuse('invalid_transition', { detail: 'already decided', current: { state: past.state, decidedBy: past.decidedBy ?? null } })
        : refuse('not_found', { detail: `no approval ${payload.approval}` });
    }
    if (approval.callDigest !== payload.callDigest) return refuse('approval_mismatch', { current: { callDigest: approval.callDigest } });
    if (approval.state !== 'asked')
      return refuse('invalid_transition', { detail: 'the first decision stands', current: { state: approval.state, decidedBy: approval.decidedBy ?? null } });
    turn.emit(who, { type: 'approval.decided', approval: approval.id, decision: payload.decision });
    releaseWaits(turn, who, (wait) => wait.correlation === `approval:${approval.id}`, 'released');
    return { decision: payload.decision };
  },
};
