/** Rounds with their calls, what they use and what people say to them. */
import type { Draft } from '../draft.ts';
import { MODEL_CALL } from '../model-call.ts';
import type { Round, State } from '../state.ts';
import { type Folds, inRecordOnly } from './fold.ts';
import { forgetChange, forgetTarget } from './forgetting.ts';
import { streakOf } from './names.ts';

const emptyStreak: State['streaks'][string] = { empty: 0, lost: 0, failed: 0 };

/** Its place, and what is left of its share, go back to the workspace. Whether an ask that is under way was granted is not known: then too. */
function oweGrant(draft: Draft, round: Round, asOf: number): void {
  if (!round.grant) return;
  // Under a fence that nobody started nothing was used.
  const used = draft.state.rounds[round.id]?.used ?? { tokens: 0, money: 0 };
  draft.own('settling')[`${round.id}:${round.fence}`] = { round: round.id, fence: round.fence, tokens: used.tokens, money: used.money, asOf };
}

function spend(draft: Draft, of: string, tokens: number, money: number): void {
  const before = draft.state.spent[of];
  draft.own('spent')[of] = { tokens: (before?.tokens ?? 0) + tokens, money: (before?.money ?? 0) + money };
}

export const roundsFolds = {
  'tasks.set': inRecordOnly,
  'finish.asked': (_draft, event, s) => {
    s.finishAsked = true;
    // An audit that found something missing was of the work before: the wish to finish is answered by one of its own.
    if (Object.keys(s.uncovered).length > 0) s.touched = { ...s.touched, acceptances: event.seq };
  },
  'round.scheduled': (draft, event, s) => {
    const { round } = event;
    draft.own('rounds')[round.id] = { ...round, phase: 'scheduled', steps: 0, recent: [], movedAtStep: 0, drift: 'none', progress: 0 };
    draft.own('fences')[round.target] = round.fence;
    if (s.short[round.target]) delete draft.own('short')[round.target];
    s.budget = { ...s.budget, rounds: s.budget.rounds + 1 };
    if (round.purpose === 'intake' && s.intake) s.intake = { ...s.intake, rounds: s.intake.rounds + 1 };
    if (round.item)
      draft.item(round.item, (item) => (item.assignment && round.lane === 'worker' && !round.subagent ? { assignment: { ...item.assignment, fence: round.fence } } : {}));
    if (round.subagent) {
      const child = s.subagents[round.subagent];
      if (child) draft.own('subagents')[round.subagent] = { ...child, attempts: child.attempts + 1 };
    }
  },
  'round.redispatched': (draft, event, s) => {
    const round = s.rounds[event.round];
    if (!round) return;
    oweGrant(draft, round, event.seq);
    draft.round(event.round, {
      phase: 'scheduled',
      fence: event.fence,
      dueBy: event.dueBy,
      runner: undefined,
      ...(round.grant ? { grant: { state: 'wanted', ...(round.grant.least ? { least: round.grant.least } : {}) } } : {}),
    });
    draft.own('fences')[round.target] = event.fence;
    if (round.item && round.lane === 'worker' && !round.subagent)
      draft.item(round.item, (item) => (item.assignment ? { assignment: { ...item.assignment, fence: event.fence } } : {}));
    const key = streakOf(round.lane, round.target);
    draft.own('streaks')[key] = { ...(s.streaks[key] ?? emptyStreak), lost: (s.streaks[key]?.lost ?? 0) + 1 };
  },
  'round.granted': (draft, event) => {
    draft.round(event.round, { dueBy: event.dueBy, grant: { state: 'granted', tokens: event.tokens, money: event.money } });
  },
  'round.held': (draft, event, s) => {
    const least = s.rounds[event.round]?.grant?.least;
    const { by, retryAt, limit, spent, connection } = event;
    draft.round(event.round, {
      grant: { state: 'held', by, retryAt, ...(limit ? { limit } : {}), ...(spent ? { spent } : {}), ...(connection ? { connection } : {}), ...(least ? { least } : {}) },
    });
  },
  'round.settled': (draft, event) => {
    for (const key of event.settled) delete draft.own('settling')[key];
  },
  'round.claimed': (draft, event) => {
    draft.round(event.round, { phase: 'claimed', runner: event.runner, dueBy: event.dueBy });
  },
  'round.started': (draft, event) => {
    draft.round(event.round, { phase: 'started' });
  },
  'round.pinned': inRecordOnly,
  'context.recorded': inRecordOnly,
  'round.ended': (draft, event, s) => {
    const round = s.rounds[event.round];
    if (!round) return;
    const key = streakOf(round.lane, round.target);
    if (event.progress) {
      if (s.streaks[key]) delete draft.own('streaks')[key];
      if (s.stop?.kind === 'no_progress') s.stop = null;
    } else {
      const streak = s.streaks[key] ?? emptyStreak;
      // A round that could not pay for its next call is not one that turned on the spot.
      const unpaid = s.short[round.target] !== undefined;
      if ((event.outcome === 'empty' || event.outcome === 'handed_back') && !unpaid) draft.own('streaks')[key] = { ...streak, empty: streak.empty + 1 };
      else if (event.outcome === 'lost') draft.own('streaks')[key] = { ...streak, lost: streak.lost + 1 };
      else if (event.outcome === 'waiting') draft.own('streaks')[key] = { ...streak, waits: (streak.waits ?? 0) + 1 };
      else if (event.outcome === 'failed') draft.own('streaks')[key] = { ...streak, failed: streak.failed + 1, ...(event.retryAt === undefined ? {} : { retryAt: event.retryAt }) };
    }
    oweGrant(draft, round, event.seq);
    delete draft.own('rounds')[event.round];
    if (round.submission && s.items[round.item ?? '']?.submission?.id !== round.submission) forgetTarget(draft, round.target);
    if (round.message !== undefined) {
      // Its one round has come and gone, as with a question.
      if (s.changeAsked === round.message && !['lost', 'cancelled', 'failed'].includes(event.outcome)) forgetChange(draft);
      else if (s.changeAsked !== round.message) forgetTarget(draft, round.target);
    }
    if (round.blocker && s.blockers[round.blocker.id]?.route !== 'coordinator') forgetTarget(draft, round.target);
    if (round.subagent && s.subagents[round.subagent]?.state !== 'open') forgetTarget(draft, round.target);
  },
  'call.authorized': (draft, event, s) => {
    const round = s.rounds[event.round];
    if (!round) return;
    draft.round(event.round, {
      ...(event.tool === MODEL_CALL ? { modelCalls: (round.modelCalls ?? 0) + 1 } : { steps: round.steps + 1, recent: [...round.recent, event.subject].slice(-100) }),
      call: { id: event.call, tool: event.tool, argsDigest: event.argsDigest, subject: event.subject, ...(event.effect ? { effect: event.effect } : {}) },
    });
  },
  'call.refused': (draft, event, s) => {
    const round = s.rounds[event.round];
    if (round && event.tool === MODEL_CALL) draft.round(event.round, { modelCalls: (round.modelCalls ?? 0) + 1 });
    else if (round) draft.round(event.round, { steps: round.steps + 1, recent: [...round.recent, event.subject].slice(-100) });
  },
  'call.recorded': (draft, event) => {
    draft.round(event.round, { call: undefined });
  },
  'drift.noticed': (draft, event) => {
    draft.round(event.round, { drift: event.level === 'ended' ? 'parked' : event.level });
  },
  'message.posted': (draft, event, s) => {
    s.messages = { ...s.messages, posted: event.message };
    if (event.asks === 'change') {
      forgetChange(draft);
      s.changeAsked = event.message;
    }
    if (event.asks === 'plan') s.planAsked = { by: event.by, message: String(event.message) };
    if (event.asks === 'draft') {
      s.intake = { rounds: s.intake?.rounds ?? 0, proposal: s.intake?.proposal ?? null, wanted: true };
      if (s.streaks[streakOf('coordinator', 'goal')]) delete draft.own('streaks')[streakOf('coordinator', 'goal')];
    }
  },
  'message.handled': (draft, event, s) => {
    s.messages = { ...s.messages, handled: Math.max(s.messages.handled, event.upTo) };
    // Who handled the message that asked for another plan, and made none, has judged that none is needed.
    if (s.changeAsked !== undefined && s.changeAsked <= event.upTo) forgetChange(draft);
    if (s.planAsked && Number(s.planAsked.message) <= event.upTo) s.planAsked = null;
  },
  'note.revised': (draft, event, s) => {
    draft.own('notes')[event.topic] = { revision: event.revision, entries: s.notes[event.topic]?.entries ?? 0 };
  },
  'note.appended': (draft, event, s) => {
    draft.own('notes')[event.topic] = { revision: s.notes[event.topic]?.revision ?? 0, entries: event.entry };
  },
  'usage.recorded': (draft, event, s) => {
    const { instead, released } = event;
    const tokens = event.tokens - (instead?.tokens ?? 0);
    const money = event.money - (instead?.money ?? 0);
    s.budget = {
      ...s.budget,
      tokens: s.budget.tokens + tokens,
      money: s.budget.money + money,
      reservedTokens: s.budget.reservedTokens - (released?.tokens ?? 0),
      reservedMoney: s.budget.reservedMoney - (released?.money ?? 0),
    };
    if (event.item !== undefined) spend(draft, `item:${event.item}`, tokens, money);
    // The slice of a child that is over is nobody's any more.
    if (event.subagent !== undefined && s.subagents[event.subagent]) spend(draft, `subagent:${event.subagent}`, tokens, money);
    if (event.owed) draft.own('settling')[`${event.owed.round}:${event.owed.fence}`] = { ...event.owed, asOf: event.seq };
    const round = event.round === null ? undefined : s.rounds[event.round];
    if (round?.grant) draft.round(round.id, { used: { tokens: (round.used?.tokens ?? 0) + tokens, money: (round.used?.money ?? 0) + money } });
    if (round?.call && released) draft.round(round.id, { call: { ...round.call, reserve: undefined } });
  },
  'budget.reserved': (draft, event, s) => {
    s.budget = { ...s.budget, reservedTokens: s.budget.reservedTokens + event.tokens, reservedMoney: s.budget.reservedMoney + event.money };
    const open = s.rounds[event.round]?.call;
    if (open) draft.round(event.round, { call: { ...open, reserve: { tokens: event.tokens, money: event.money } } });
  },
  'budget.short': (draft, event) => {
    draft.own('short')[event.target] = event.short;
  },
  'late.recorded': inRecordOnly,
} satisfies Partial<Folds>;
