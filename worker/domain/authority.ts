/** Who gives the command, whether they may, and whether what they decided on is still current. Identity comes from the actor alone. */
import { type Command, type CommandType, catalogue } from './commands.ts';
import type { Context } from './context.ts';
import { type Refusal, refuse } from './refusals.ts';
import type { RowData } from './row-data.ts';
import type { Round, State } from './state.ts';
import { hostWho, type Who } from './turn.ts';
import { attemptRefusal } from './work/attempt-grant.ts';

/** Commands that a round of an older goalVersion may still give: what it learned and how it ended, nothing that claims the new version. */
const allowedAtOldVersion = new Set<CommandType>([
  'fact.record',
  'effect.settle',
  'attempt.end',
  'round.end',
  'usage.record',
  'artifact.put',
  'note.append',
  'note.revise',
  'tasks.set',
  'message.post',
  'subagent.return',
  'round.step',
  'round.pin',
  'context.record',
]);

/** Commands that are given while the goal is paused: settling, judging by people, and ending. */
const allowedWhilePaused = new Set<CommandType>([
  'amendment.decide',
  'goal.resume',
  'goal.cancel',
  'goal.revise',
  'goal.setLimits',
  'criterion.attest',
  'review.record',
  'blocker.resolve',
  'blocker.withdraw',
  'approval.decide',
  'effect.settle',
  'effect.reconcile',
  'effect.probe',
  'wait.signal',
  'round.end',
  'attempt.end',
  'usage.record',
  'subagent.return',
  'check.record',
  'clock.tick',
  'round.settle',
  'message.post',
  'note.append',
  'note.revise',
  'artifact.put',
  'plan.reject',
  'review_list.resolve',
  'evidence.invalidate',
  'acceptance.invalidate',
  'work.cancel',
  'work.release',
  'work.resume',
  'subagent.cancel',
  'fact.record',
  'plan.propose',
  'attempt.heartbeat',
  'execution.abandon',
]);

/** What the host settles alone while the goal is paused. */
const hostWhilePaused = new Set<CommandType>(['check.request', 'goal.audit']);

/** Commands that a terminal goal still takes: a new version, and testimony that settles what was open. */
const allowedWhenTerminal = new Set<CommandType>([
  'amendment.decide',
  'goal.revise',
  'effect.settle',
  'effect.reconcile',
  'effect.probe',
  'usage.record',
  'subagent.return',
  'clock.tick',
  'round.settle',
  'message.post',
  'note.append',
  'review_list.resolve',
]);
const allowedInDraft = new Set<CommandType>([
  'goal.confirm',
  'goal.revise',
  'goal.cancel',
  'goal.setLimits',
  'artifact.put',
  'message.post',
  'note.append',
  'note.revise',
  'clock.tick',
  'plan.propose',
  'plan.reject',
]);
/** What the intake of a draft is made of. Its rounds propose a contract, and change nothing else. */
const intakeOfDraft = new Set<CommandType>([
  'goal.draft',
  'round.pin',
  'context.record',
  'round.schedule',
  'round.claim',
  'round.start',
  'round.pin',
  'context.record',
  'round.step',
  'round.end',
  'usage.record',
  'message.post',
  'message.handle',
  'note.append',
  'note.revise',
  'tasks.set',
  'clock.tick',
  'round.settle',
  'round.grant',
]);

/** Whether the Goal's status lets people and programs give the command. */
export function statusAllows(status: State['status'], type: CommandType): boolean {
  if (status === 'completed' || status === 'cancelled') return allowedWhenTerminal.has(type);
  if (status === 'draft') return allowedInDraft.has(type);
  return status !== 'paused' || allowedWhilePaused.has(type);
}

export function resolveWho(state: State, command: Command, ctx: Context): Who | Refusal {
  const { actor } = ctx;
  const spec = catalogue[command.type];
  if (actor.kind === 'host') return spec.by.host ? hostWho : refuse('forbidden', { detail: 'not a command of the host' });
  if (actor.kind === 'person' || actor.kind === 'token') {
    if (!spec.by.scope) return refuse('forbidden', { detail: spec.by.lanes ? `only rounds of: ${spec.by.lanes.join(', ')}` : 'only the host gives this command' });
    if (!actor.scopes.includes(spec.by.scope)) return refuse('scope_missing', { detail: spec.by.scope });
    return { principal: actor.principal, kind: actor.kind, scopes: actor.scopes };
  }
  if (actor.kind === 'attempt') {
    if (!spec.by.attempt) return refuse('forbidden', { detail: 'This token is for one attempt.' });
    const item = itemOf(command);
    if (item !== undefined && item !== actor.item) return refuse('forbidden', { detail: 'This token is for one attempt.', current: { item: actor.item } });
    const at = { item: actor.item, attempt: actor.attempt };
    return attemptRefusal(state, actor, ctx.now) ?? { principal: actor.principal, kind: 'attempt', scopes: [], at };
  }
  if (actor.kind !== 'round') throw new Error('unknown kind of actor');
  const round = state.rounds[actor.round];
  if (!round) {
    const ended = ctx.lookup.row('round', actor.round)?.data as unknown as RowData['round'] | undefined;
    if (!ended) return refuse('not_found', { detail: 'no such round' });
    if (!spec.testimony) return refuse('round_superseded', { current: { outcome: ended.outcome ?? null } });
    return { principal: ended.principal, kind: 'round', scopes: [], lane: ended.lane, via: ended.id };
  }
  const who: Who = { principal: round.principal, kind: 'round', scopes: [], lane: round.lane, round, via: round.id };
  if (round.fence !== actor.fence || round.runner !== actor.runner || round.phase === 'scheduled') {
    return spec.testimony ? { ...who, round: undefined } : refuse('fence_stale', { current: { fence: round.fence } });
  }
  const lease = ctx.lookup.lease(round.id);
  if (lease && lease.until < ctx.now && !spec.testimony) return refuse('lease_lost', { current: { until: lease.until } });
  if (round.phase === 'claimed' && !spec.testimony && command.type !== 'round.end')
    return refuse('invalid_transition', { detail: 'the round has not started', current: { phase: round.phase } });
  if (!mayGive(command.type, round)) return refuse('forbidden', { detail: `not a command of the ${round.lane} lane` });
  return who;
}

function mayGive(type: CommandType, round: Round): boolean {
  const { by } = catalogue[type];
  if (!by.lanes?.includes(round.lane)) return false;
  if (round.subagent) return !['submission.submit', 'work.block', 'subagent.spawn', 'attempt.end', 'acceptance.invalidate'].includes(type);
  return type !== 'subagent.return';
}

/** Status, versions and fences. Host commands carry none: they are decided on the state itself. */
export function checkCurrent(state: State, command: Command, who: Who): Refusal | null {
  const { type, expected } = command;
  const create = type === 'goal.create' || type === 'goal.propose';
  if (create !== (state.seq === 0)) return create ? refuse('invalid_transition', { detail: 'the goal exists' }) : refuse('not_found');
  if (create) return null;

  const terminal = state.status === 'completed' || state.status === 'cancelled';
  if (terminal && !allowedWhenTerminal.has(type)) return refuse('goal_not_active', { current: { status: state.status } });
  if (state.status === 'draft' && who.kind === 'round' && !intakeOfDraft.has(type))
    return refuse('forbidden', { detail: 'the goal is a draft: an intake round proposes a contract and changes nothing else', allowedNext: ['goal.draft'] });
  if (state.status === 'draft' && who.kind !== 'round' && !(who.kind === 'host' ? intakeOfDraft.has(type) : allowedInDraft.has(type)))
    return refuse('goal_not_active', { current: { status: 'draft' }, allowedNext: ['goal.confirm', 'goal.revise', 'goal.cancel'] });
  if (state.status === 'paused' && !allowedWhilePaused.has(type) && !(who.kind === 'host' && hostWhilePaused.has(type)))
    return refuse('goal_paused', { current: { status: 'paused' } });

  if (who.kind === 'round' && who.round && who.round.goalVersion !== state.goalVersion && !allowedAtOldVersion.has(type)) {
    return refuse('goal_version_stale', { current: { goalVersion: state.goalVersion } });
  }
  if (who.kind === 'person' || who.kind === 'token') {
    for (const key of catalogue[type].expects ?? []) {
      if (expected[key] === undefined) return refuse('version_required', { detail: key, current: currentVersions(state, command) });
    }
  }
  if (expected.goalVersion !== undefined && expected.goalVersion !== state.goalVersion) return refuse('goal_version_stale', { current: currentVersions(state, command) });
  if (expected.planRevision !== undefined && expected.planRevision !== (state.plan?.revision ?? 0))
    return refuse('plan_revision_stale', { current: currentVersions(state, command) });
  const item = itemOf(command);
  if (item !== undefined && !state.items[item]) return refuse('not_found', { detail: `no work item ${item}` });
  if (item !== undefined && expected.itemVersion !== undefined && state.items[item]?.version !== expected.itemVersion)
    return refuse('item_version_stale', { current: currentVersions(state, command) });
  if (item !== undefined && expected.fence !== undefined && state.items[item]?.assignment?.fence !== expected.fence)
    return refuse('fence_stale', { current: { fence: state.items[item]?.assignment?.fence ?? null } });
  return null;
}

function itemOf(command: Command): string | undefined {
  return 'item' in command.payload && typeof command.payload.item === 'string' ? command.payload.item : undefined;
}

export function currentVersions(state: State, command: Command): Record<string, number> {
  const item = itemOf(command);
  const version = item === undefined ? undefined : state.items[item]?.version;
  return { goalVersion: state.goalVersion, planRevision: state.plan?.revision ?? 0, ...(version === undefined ? {} : { itemVersion: version }) };
}
