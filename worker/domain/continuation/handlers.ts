/** Rounds and what they wait for: scheduled, claimed, started, stepped, ended; signals, children, messages, time. */
import type { CommandType } from '../commands.ts';
import type { Handlers } from '../handler.ts';
import { BRIEF_BYTES, CHILDREN, CLAIM_WITHIN_MS, NOTE_TOPICS, SIGNAL_KEPT_MS, SIGNALS_KEPT, START_WITHIN_MS } from '../limits.ts';
import { type Refusal, refuse } from '../refusals.ts';
import { minorUnits } from '../money.ts';
import type { RowData } from '../row-data.ts';
import type { CoordinatorPurpose, Round, Spent, Subagent } from '../state.ts';
import type { Turn, Who } from '../turn.ts';
import { type Json, principalOf } from '../values.ts';
import { basisOf, openRoundAt } from '../work/derive.ts';
import { unallotted } from './budget.ts';
import { endAttempt, endRound, endSubagent } from './closing.ts';
import { owed, testify } from './spending.ts';
import { recordLast, step } from './step.ts';

type ContinuationCommands = Extract<
  CommandType,
  `round.${string}` | 'context.record' | `subagent.${string}` | `message.${string}` | `note.${string}` | 'wait.signal' | 'usage.record' | 'clock.tick'
>;

/** A provider may ask to wait; never longer than this. */
const RETRY_CAP_MS = 15 * 60_000;

/** Correlations of the host's own waits and questions: no agent arms a wait under them, and no signal from outside releases one. */
const ownCorrelations = /^(attempt|offer|children|approval|effect|review|blocker|milestone):/;

/** Arms a wait and matches a signal that came before it. */
export function armWait(
  turn: Turn,
  who: Who,
  wait: { kind: 'timer' | 'external' | 'subagent'; correlation: string; target: string; item?: string; due?: number; reason: string },
): void {
  const generation = (turn.state.generations[wait.correlation] ?? 0) + 1;
  const id = turn.id('wait');
  turn.emit(who, { type: 'wait.armed', wait: { id, generation, owner: turn.state.owner, ...wait } });
  const early = turn.state.signals[wait.correlation];
  if (!early) return;
  if (early.generation === generation) turn.emit(who, { type: 'wait.released', wait: id, how: 'released', payloadBody: early.payloadDigest });
  if (early.generation <= generation)
    turn.emit(who, { type: 'signal.dropped', correlation: early.correlation, generation: early.generation, why: early.generation === generation ? 'matched' : 'closed' });
}

/** A round ends for its worker Attempt too, where the outcome says that it cannot go on. */
export function settleAttempt(turn: Turn, who: Who, round: Round, outcome: 'lost' | 'interrupted' | 'failed'): void {
  if (round.lane !== 'worker' || !round.item || round.subagent) return;
  if (turn.state.items[round.item]?.attempt?.id !== round.attempt) return;
  endAttempt(turn, who, round.item, outcome, `round ${outcome}`, true, outcome !== 'failed');
}

function openChildren(turn: Turn, attempt: string | undefined): Subagent[] {
  return Object.values(turn.state.subagents).filter((child) => child.parent === attempt && child.state === 'open');
}

export const continuationHandlers: Handlers<ContinuationCommands> = {
  'round.schedule': (turn, who, payload) => {
    const { lane, target, executor } = payload;
    if (openRoundAt(turn.state, target)) return refuse('already_claimed', { detail: 'a round is open on this target' });
    const [kind, name = ''] = [target.split(':')[0], target.slice(target.indexOf(':') + 1)];
    const id = turn.id('rnd');
    const child = kind === 'subagent' ? turn.state.subagents[name] : undefined;
    const item = kind === 'item' ? name : kind === 'submission' ? Object.values(turn.state.items).find((entry) => entry.submission?.id === name)?.key : child?.item;
    const question = payload.blocker === undefined ? undefined : turn.state.blockers[payload.blocker];
    const needed = executor.kind === 'agent' ? turn.state.short[target]?.needed : undefined;
    const attempt = kind === 'item' ? turn.state.items[name]?.attempt?.id : child?.parent;
    turn.emit(who, {
      type: 'round.scheduled',
      round: {
        id,
        lane,
        target,
        fence: turn.nextFence(target),
        principal: principalOf(executor),
        executor,
        goalVersion: turn.state.goalVersion,
        planRevision: turn.state.plan?.revision ?? 0,
        scheduledAt: turn.now,
        dueBy: turn.now + CLAIM_WITHIN_MS,
        ...(turn.ctx.grants ? { grant: { state: 'wanted' as const, ...(needed ? { least: { tokens: needed.tokens, money: needed.money } } : {}) } } : {}),
        recovery: (turn.state.streaks[`${lane}:${target}`]?.empty ?? 0) > 0,
        ...(item ? { item } : {}),
        ...(attempt ? { attempt } : {}),
        ...(kind === 'submission' ? { submission: name } : {}),
        ...(child ? { subagent: child.id } : {}),
        ...(payload.purpose ? { purpose: payload.purpose as CoordinatorPurpose } : {}),
        ...(payload.message === undefined ? {} : { message: payload.message }),
        ...(question ? { blocker: { id: question.id, generation: question.generation } } : {}),
      },
    });
    return { round: id };
  },
  'round.grant': (turn, who, payload) => {
    const round = turn.state.rounds[payload.round];
    if (!round) return refuse('round_superseded');
    if (round.fence !== payload.fence) return refuse('fence_stale', { current: { fence: round.fence } });
    const { answer } = payload;
    if (!round.grant) return {};
    if (answer.is === 'granted') {
      const before = round.grant;
      // What comes late, or doubled, takes nothing back.
      if (before.state === 'granted' && answer.tokens <= before.tokens && answer.money <= before.money) return {};
      const most = (limit: 'tokens' | 'money') => Math.max(answer[limit], before.state === 'granted' ? before[limit] : 0);
      const dueBy = before.state === 'granted' ? round.dueBy : turn.now + CLAIM_WITHIN_MS;
      turn.emit(who, { type: 'round.granted', round: round.id, fence: round.fence, dueBy, tokens: most('tokens'), money: most('money') });
    } else if (answer.is === 'held') {
      if (round.grant.state === 'granted') return {};
      const { by, limit, spent, connection, retryAfterMs } = answer;
      turn.emit(who, {
        type: 'round.held',
        round: round.id,
        fence: round.fence,
        by,
        retryAt: turn.now + retryAfterMs,
        ...(limit ? { limit } : {}),
        ...(spent ? { spent } : {}),
        ...(connection ? { connection } : {}),
      });
    } else if (round.phase === 'scheduled' && round.grant.state !== 'granted')
      turn.emit(who, { type: 'round.redispatched', round: round.id, fence: turn.nextFence(round.target), dueBy: turn.now + CLAIM_WITHIN_MS, why: 'grant_over' });
    return {};
  },
  'round.settle': (turn, who, payload) => {
    // What became known in between is told next.
    const settled = payload.settled.flatMap(({ round, fence, asOf }) => (turn.state.settling[`${round}:${fence}`]?.asOf === asOf ? [`${round}:${fence}`] : []));
    if (settled.length > 0) turn.emit(who, { type: 'round.settled', settled });
    return {};
  },
  'round.claim': (turn, who, payload) => {
    const round = turn.state.rounds[payload.round];
    if (!round) return refuse('round_superseded');
    if (round.fence !== payload.fence) return refuse('fence_stale', { current: { fence: round.fence } });
    if (round.grant && round.grant.state !== 'granted')
      return refuse('invalid_transition', { detail: 'its workspace gave it no place yet', current: { grant: round.grant.state } });
    if (round.phase !== 'scheduled') {
      if (round.runner === payload.runner) return { round: round.id, phase: round.phase };
      return refuse('already_claimed', { current: { runner: round.runner ?? null } });
    }
    turn.emit(who, { type: 'round.claimed', round: round.id, fence: round.fence, runner: payload.runner, dueBy: turn.now + START_WITHIN_MS });
    return { round: round.id, phase: 'claimed' };
  },
  'round.start': (turn, who, payload) => {
    const round = turn.state.rounds[payload.round];
    if (!round) return refuse('round_superseded');
    if (round.fence !== payload.fence || round.runner !== payload.runner) return refuse('fence_stale', { current: { fence: round.fence } });
    if (round.phase === 'started') return { round: round.id };
    turn.emit(who, { type: 'round.started', round: round.id, fence: round.fence, ...(payload.model ? { model: payload.model } : {}) });
    const attempt = round.item && !round.subagent && round.lane === 'worker' ? turn.state.items[round.item]?.attempt : null;
    if (round.item && attempt?.state === 'pending' && attempt.id === round.attempt)
      turn.emit(who, { type: 'attempt.started', item: round.item, attempt: attempt.id, fence: round.fence });
    return { round: round.id };
  },
  'round.pin': (turn, who, payload) => {
    const round = who.round;
    if (!round) return refuse('round_superseded');
    const before = turn.data('round', round.id)?.model;
    // A round keeps its model from its first call to its last.
    if (before !== undefined) return before === payload.model ? {} : refuse('invalid_transition', { detail: 'the round is pinned to another model', current: { model: before } });
    turn.emit(who, { type: 'round.pinned', round: round.id, ...payload });
    return {};
  },
  'context.record': (turn, who, payload) => {
    const round = who.round;
    if (!round) return refuse('round_superseded');
    const last = turn.lookup.rows('context', { prefix: `${round.id}/`, newestFirst: true, limit: 1 })[0]?.data as unknown as RowData['context'] | undefined;
    const current = { n: last?.n ?? 0, phase: last?.phase ?? 'done' };
    const open = current.phase === 'begun' || current.phase === 'written';
    const fits = {
      begun: !open && payload.n === current.n + 1,
      written: current.phase === 'begun' && payload.n === current.n,
      done: current.phase === 'written' && payload.n === current.n,
      undone: open && payload.n === current.n,
    };
    if (!fits[payload.phase]) return refuse('invalid_transition', { detail: `a compaction that is ${current.phase}`, current });
    const { snapshot, ...rest } = payload.phase === 'written' ? payload : { ...payload, snapshot: undefined };
    turn.emit(who, { type: 'context.recorded', round: round.id, fence: round.fence, ...rest, ...(snapshot === undefined ? {} : { snapshotBody: turn.body(snapshot) }) });
    return { n: payload.n, phase: payload.phase };
  },
  'round.step': (turn, who, payload) => step(turn, who, payload) as unknown as Json,
  'round.end': (turn, who, payload) => {
    const id = who.via ?? payload.round ?? '';
    const round = turn.state.rounds[id];
    if (!round) return refuse('round_superseded');
    const as: Who = who.via ? who : { ...who, via: id };
    if (payload.wait && ownCorrelations.test(payload.wait.correlation)) return refuse('schema_invalid', { errors: [{ pointer: '/payload/wait/correlation', code: 'reserved' }] });
    if (payload.outcome === 'waiting' && payload.wait?.kind === 'timer' && payload.wait.dueInMs === undefined)
      return refuse('schema_invalid', { errors: [{ pointer: '/payload/wait/dueInMs', code: 'missing_field' }] });
    recordLast(turn, as, payload.last);
    const note = payload.note ?? '';
    const idle = round.progress === 0 ? 'empty' : 'handed_back';
    switch (payload.outcome) {
      case 'waiting': {
        if (round.blocker || round.purpose === 'amend')
          return refuse('invalid_transition', { detail: 'this round is for one thing, and waits for nothing', allowedNext: ['round.end'] });
        const children = round.attempt && !round.subagent ? openChildren(turn, round.attempt) : [];
        if (children.length > 0)
          armWait(turn, as, {
            kind: 'subagent',
            correlation: `children:${round.attempt}`,
            target: round.target,
            ...(round.item ? { item: round.item } : {}),
            reason: `${children.length} children`,
          });
        if (payload.wait) {
          const { kind, correlation, dueInMs, reason } = payload.wait;
          armWait(turn, as, {
            kind,
            correlation,
            target: round.target,
            ...(round.item ? { item: round.item } : {}),
            ...(dueInMs === undefined ? {} : { due: turn.now + dueInMs }),
            reason,
          });
        }
        const spawned = round.attempt !== undefined && !round.subagent && Object.values(turn.state.subagents).some((child) => child.parent === round.attempt);
        const awaited =
          children.length > 0 ||
          payload.wait !== undefined ||
          spawned ||
          Object.values(turn.state.waits).some((wait) => wait.target === round.target) ||
          approvalDecided(turn, round);
        endRound(turn, as, id, awaited ? 'waiting' : idle, note);
        return {};
      }
      case 'failed': {
        const retryAt = payload.retryAfterMs === undefined ? undefined : turn.now + Math.min(payload.retryAfterMs, RETRY_CAP_MS) + jitter(turn, id);
        endRound(turn, as, id, 'failed', note, retryAt);
        return {};
      }
      case 'interrupted':
        endRound(turn, as, id, 'interrupted', note);
        settleAttempt(turn, as, round, 'interrupted');
        return {};
      case 'submitted':
      case 'blocked':
      case 'handed_back':
      case 'empty':
        if (payload.finish && turn.state.mode === 'goal_only' && round.lane === 'coordinator' && !turn.state.finishAsked) turn.emit(as, { type: 'finish.asked' });
        endRound(turn, as, id, payload.finish ? 'handed_back' : idle, note);
        return {};
    }
  },
  'wait.signal': (turn, who, payload) => {
    const { correlation, generation } = payload;
    if (correlation.startsWith('milestone:')) {
      const key = correlation.slice('milestone:'.length);
      if (who.kind !== 'person') return refuse('forbidden', { detail: 'a person confirms a milestone' });
      if (!turn.state.milestones[key]) return refuse('not_found', { detail: `no milestone ${key}` });
      if (!turn.state.milestones[key].confirmedBy) turn.emit(who, { type: 'milestone.confirmed', milestone: key });
      return { milestone: key };
    }
    if (ownCorrelations.test(correlation)) return refuse('forbidden', { detail: 'the host itself waits under that correlation' });
    const wait = Object.values(turn.state.waits).find(
      (entry) => entry.correlation === correlation && entry.generation === generation && (entry.kind === 'external' || entry.kind === 'timer'),
    );
    const current = turn.state.generations[correlation] ?? 0;
    if (wait) {
      turn.emit(who, { type: 'wait.released', wait: wait.id, how: 'released', ...(payload.payload === undefined ? {} : { payloadBody: turn.body(payload.payload) }) });
      return { released: wait.id };
    }
    if (generation <= current) return refuse('invalid_transition', { detail: 'that wait is closed', current: { generation: current } });
    if (Object.keys(turn.state.signals).length >= SIGNALS_KEPT && !turn.state.signals[correlation])
      return refuse('limit_exceeded', { detail: 'signals kept for waiters to come', current: { limit: SIGNALS_KEPT } });
    turn.emit(who, { type: 'signal.kept', correlation, generation, payloadBody: turn.body(payload.payload ?? null) });
    return { kept: true, untilAtMost: turn.now + SIGNAL_KEPT_MS };
  },

  'subagent.spawn': (turn, who, payload) => {
    const { round } = who;
    const item = round?.item ? turn.state.items[round.item] : undefined;
    if (!round?.attempt || !item || item.attempt?.id !== round.attempt || item.attempt.state !== 'running')
      return refuse('invalid_transition', { detail: 'no live parent attempt' });
    const mine = Object.values(turn.state.subagents).filter((child) => child.parent === round.attempt);
    const fresh = payload.children.filter((child) => !mine.some((other) => other.name === child.name));
    if (mine.length + fresh.length > CHILDREN) return refuse('limit_exceeded', { detail: 'children of one attempt', current: { limit: CHILDREN } });
    const wide = fresh.find((child) => (child.briefFile?.size ?? 0) > BRIEF_BYTES);
    if (wide)
      return refuse('limit_exceeded', {
        detail: `the brief of ${wide.name}: ${wide.briefFile?.size} bytes of ${BRIEF_BYTES}; put it into files and name them`,
        current: { limit: 'brief', item: item.key, child: wide.name, bytes: wide.briefFile?.size ?? 0, of: BRIEF_BYTES },
      });
    const basis = turn.digest(basisOf(turn.state, item.key));
    const executorFor = (child: (typeof fresh)[number]) => child.executor ?? round.executor;
    const slices = slicesOf(
      turn,
      item.key,
      fresh.filter((child) => executorFor(child).kind === 'agent'),
    );
    if ('refused' in slices) return slices;
    for (const child of fresh) {
      const slice = slices.byName.get(child.name);
      turn.emit(who, {
        type: 'subagent.spawned',
        briefBody: turn.body(child.brief),
        ...(child.briefFile ? { briefFile: child.briefFile } : {}),
        subagent: { id: turn.id('child'), name: child.name, parent: round.attempt, item: item.key, executor: executorFor(child), basis, ...(slice ? { slice } : {}) },
      });
    }
    const all = Object.values(turn.state.subagents).filter((child) => child.parent === round.attempt);
    return {
      children: Object.fromEntries(payload.children.map(({ name }) => [name, all.find((child) => child.name === name)?.id ?? null])),
      open: all.filter((child) => child.state === 'open').length,
    };
  },
  'subagent.return': (turn, who, payload) => {
    const id = who.round?.subagent ?? (who.via ? turn.data('round', who.via)?.subagent : undefined);
    const child = id ? turn.state.subagents[id] : undefined;
    const past = id && !child ? turn.data('subagent', id) : undefined;
    if (past) {
      turn.emit(who, { type: 'late.recorded', command: 'subagent.return', round: who.via ?? null, attempt: past.parent });
      return { late: true, state: past.state };
    }
    if (!id || !child) return refuse('not_found', { detail: 'this round is no child' });
    if (payload.ok && isEmpty(payload.result)) return refuse('evidence_missing', { detail: 'empty_result', errors: [{ pointer: '/payload/result', code: 'empty_result' }] });
    if (child.state !== 'open') {
      turn.emit(who, { type: 'late.recorded', command: 'subagent.return', round: who.via ?? null, attempt: child.parent });
      return { late: true, state: child.state };
    }
    turn.emit(who, { type: 'subagent.returned', subagent: id, ok: payload.ok, resultBody: turn.body(payload.result), late: false });
    for (const round of Object.values(turn.state.rounds)) if (round.subagent === id) endRound(turn, who, round.id, round.id === who.via ? 'submitted' : 'cancelled', 'returned');
    return { subagent: id };
  },
  'subagent.cancel': (turn, who, payload) => {
    const child = turn.state.subagents[payload.subagent];
    if (!child) {
      const past = turn.data('subagent', payload.subagent);
      return past ? refuse('invalid_transition', { current: { state: past.state } }) : refuse('not_found', { detail: `no subagent ${payload.subagent}` });
    }
    if (who.round && child.parent !== who.round.attempt) return refuse('forbidden', { detail: 'not a child of this attempt' });
    if (child.state !== 'open') return refuse('invalid_transition', { current: { state: child.state } });
    endSubagent(turn, who, child.id, 'cancelled');
    return {};
  },

  'message.post': (turn, who, payload) => {
    if (payload.asks === 'draft' && (turn.state.status !== 'draft' || who.kind === 'round'))
      return refuse('invalid_transition', {
        detail: 'a person asks for another draft, while the goal is one',
        current: { status: turn.state.status },
        allowedNext: ['goal.revise'],
      });
    if (payload.asks === 'change' && (!turn.state.contract || turn.state.status !== 'active' || who.kind === 'round'))
      return refuse('invalid_transition', {
        detail: 'a person asks for another contract, while there is one in force',
        current: { status: turn.state.status },
        allowedNext: ['goal.revise'],
      });
    const message = turn.state.messages.posted + 1;
    turn.emit(who, {
      type: 'message.posted',
      message,
      textBody: turn.body(payload.text),
      asks: payload.asks,
      goalVersion: who.round?.goalVersion ?? turn.state.goalVersion,
      ...(who.via ? { round: who.via } : {}),
    });
    // What an agent of this goal says is not a message it has to handle.
    return { message };
  },
  'message.handle': (turn, who, payload) => {
    const { posted, handled } = turn.state.messages;
    if (payload.upTo > posted) return refuse('not_found', { detail: `no message ${payload.upTo}`, current: { posted } });
    if (payload.upTo > handled) turn.emit(who, { type: 'message.handled', from: handled, upTo: payload.upTo, round: who.via ?? '' });
    return { handled: Math.max(handled, payload.upTo) };
  },
  'note.revise': (turn, who, payload) => {
    const full = topicLimit(turn, payload.topic);
    if (full) return full;
    const current = turn.state.notes[payload.topic]?.revision ?? 0;
    if (payload.revision !== current) return refuse('item_version_stale', { current: { revision: current } });
    turn.emit(who, { type: 'note.revised', topic: payload.topic, revision: current + 1, textBody: turn.body(payload.text) });
    return { revision: current + 1 };
  },
  'note.append': (turn, who, payload) => {
    const full = topicLimit(turn, payload.topic);
    if (full) return full;
    const entry = (turn.state.notes[payload.topic]?.entries ?? 0) + 1;
    turn.emit(who, { type: 'note.appended', topic: payload.topic, entry, textBody: turn.body(payload.text) });
    return { entry };
  },
  'usage.record': (turn, who, payload) => {
    const { call, detail: _detail, ...used } = payload;
    if (call !== undefined) {
      const known = turn.data('call', call);
      if (!known || (who.via && known.round !== who.via)) return refuse('not_found', { detail: `no call ${call} of this round` });
      return { counted: testify(turn, who, call, used) };
    }
    const open = who.via ? turn.state.rounds[who.via] : undefined;
    const row = who.via ? turn.data('round', who.via) : undefined;
    const round = open ?? row;
    turn.emit(who, {
      type: 'usage.recorded',
      round: who.via ?? null,
      tokens: used.tokens,
      money: used.money,
      late: who.kind === 'round' && who.round === undefined,
      ...(round?.item === undefined ? {} : { item: round.item }),
      ...(round?.subagent === undefined ? {} : { subagent: round.subagent }),
      ...(used.cacheRead === undefined ? {} : { cacheRead: used.cacheRead }),
      ...(used.cacheWrite === undefined ? {} : { cacheWrite: used.cacheWrite }),
      ...(open || !row ? {} : owed(row, used)),
    });
    return { counted: true };
  },
  'clock.tick': (turn, who, payload) => {
    for (const { round: id, fence } of payload.leasesOver) {
      const round = turn.state.rounds[id];
      if (!round || round.fence !== fence || round.phase === 'scheduled') continue;
      endRound(turn, who, id, 'lost', 'lease over');
      settleAttempt(turn, who, round, 'lost');
    }
    for (const signal of Object.values(turn.state.signals)) {
      if (signal.at + SIGNAL_KEPT_MS <= turn.now) turn.emit(who, { type: 'signal.dropped', correlation: signal.correlation, generation: signal.generation, why: 'expired' });
    }
    return {};
  },
};

/**
 * What each child may use, out of what the Attempt has left. Who asks for no share gets an equal part of what the others leave, one part staying with the parent. Asking for more
 * than there is is refused: a child that cannot pay is no help.
 */
function slicesOf(turn: Turn, item: string, children: { name: string; limits?: { tokens?: number; money?: number } }[]): { byName: Map<string, Spent> } | Refusal {
  const { state } = turn;
  const rest = unallotted(state, item);
  const perMinor = minorUnits(state.limits.money?.currency ?? 'USD');
  const asked = {
    tokens: children.map((child) => child.limits?.tokens),
    money: children.map((child) => (child.limits?.money === undefined ? undefined : child.limits.money * perMinor)),
  };
  const shares = { tokens: 0, money: 0 };
  for (const limit of ['tokens', 'money'] as const) {
    const wanted = asked[limit].reduce<number>((sum, each) => sum + (each ?? 0), 0);
    if (wanted > rest[limit])
      return refuse('budget_exceeded', {
        detail: `${limit}: ${rest[limit]} are left for children, ${wanted} were asked for`,
        current: { limit, left: rest[limit], needed: wanted },
      });
    const unasked = asked[limit].filter((each) => each === undefined).length;
    shares[limit] = Math.floor((rest[limit] - wanted) / (unasked + 1));
    if (limit === 'tokens' && unasked > 0 && shares.tokens === 0)
      return refuse('budget_exceeded', {
        detail: `tokens: ${rest.tokens - wanted} are left for ${unasked} children`,
        current: { limit, left: rest.tokens - wanted, needed: unasked },
      });
  }
  return { byName: new Map(children.map((child, n) => [child.name, { tokens: asked.tokens[n] ?? shares.tokens, money: asked.money[n] ?? shares.money }])) };
}

function topicLimit(turn: Turn, topic: string): Refusal | null {
  return turn.state.notes[topic] || Object.keys(turn.state.notes).length < NOTE_TOPICS
    ? null
    : refuse('limit_exceeded', { detail: 'topics of notes', current: { limit: NOTE_TOPICS } });
}

/** An approval of this round was decided before the round ended: it has nothing left to wait for, and was not empty. */
function approvalDecided(turn: Turn, round: Round): boolean {
  return turn.lookup.rows('approval', { newestFirst: true, limit: 50 }).some((row) => (row.data as unknown as { round: string }).round === round.id);
}

/** Words that only point at a text which the parent never sees. */
const pointsElsewhere =
  /^\W*((please )?(see|as|refer to)|the (report|result|answer|summary) (is|was))\b.{0,40}\b(above|before|earlier|previous|preceding)\b.{0,20}$|^\W*(见|如|同)?(上|前)(文|述|面)?\W*$/isu;

/** Nothing, or nothing but such words, however it is wrapped. */
function isEmpty(value: Json): boolean {
  if (value === null) return true;
  if (typeof value === 'string') return value.trim() === '' || pointsElsewhere.test(value.trim());
  if (typeof value !== 'object') return false;
  return Object.values(value).every(isEmpty);
}

/** Up to two seconds, from the round's id: deterministic, and different for every round. */
function jitter(turn: Turn, id: string): number {
  return Number.parseInt(turn.ctx.sha256(id).slice(0, 6), 16) % 2000;
}
