/** The Goal and its Execution: created, confirmed, revised, paused, audited, completed, cancelled. */

import type { CommandType, GoalOrigin } from '../commands.ts';
import { closeApprovals, closeItem, endAttempt, endRound, endSubagent, releaseWaits, takeBackUnstarted } from '../continuation/closing.ts';
import type { Handlers } from '../handler.ts';
import { takeTarget } from '../planes/record-fact.ts';
import { givenPlan } from '../plan/given.ts';
import { isRefusal, refuse } from '../refusals.ts';
import type { Turn, Who } from '../turn.ts';
import type { Json } from '../values.ts';
import { formRefusal, raiseBlocker } from '../work/blockers.ts';
import { itemState } from '../work/derive.ts';
import { auditClass, completionProblems } from './audit.ts';
import { type Contract, contract as contractSchema, defaultLimits, type LaneCarriers } from './contract.ts';
import { contractProblems, leanContract } from './lean.ts';
import { withPatch } from './limits-patch.ts';
import { revise } from './revise.ts';
import { modeOf, shapeProblems } from './shape.ts';

type GoalCommands = Exclude<Extract<CommandType, `goal.${string}` | `execution.${string}` | `criterion.${string}`>, 'goal.amend'>;

function create(
  turn: Turn,
  who: Who,
  given: {
    mode: 'goal_only' | 'graph_only' | 'bound';
    title?: string;
    contract?: Contract;
    limits?: Contract['limits'];
    lanes?: LaneCarriers;
    confirmed: boolean;
    intake?: boolean;
    plan?: Json;
    origin?: GoalOrigin;
  },
) {
  const { mode, contract, origin } = given;
  // Where it comes from is known to the host: nobody says it of their own goal.
  if ((who.kind === 'host') !== (origin !== undefined))
    return who.kind === 'host'
      ? refuse('schema_invalid', { errors: [{ pointer: '/payload/origin', code: 'required' }] })
      : refuse('forbidden', { detail: 'the host alone says what a goal was started from', errors: [{ pointer: '/payload/origin', code: 'host_only' }] });
  if (mode === 'graph_only' && contract) return refuse('schema_invalid', { errors: [{ pointer: '/payload/contract', code: 'no_contract_in_graph_only' }] });
  if (mode !== 'graph_only' && !contract) return refuse('schema_invalid', { errors: [{ pointer: '/payload/contract', code: 'required' }] });
  const errors = contract ? contractProblems(contract, mode) : [];
  if (errors.length > 0) return refuse('schema_invalid', { errors });
  const plan = given.plan === undefined ? null : givenPlan(given.plan, { mode, criteria: contract?.criteria ?? [], lanes: given.lanes });
  if (isRefusal(plan)) return plan;
  const digest = (value: Json) => turn.digest(value);
  turn.emit(who, {
    type: 'goal.created',
    mode,
    title: contract?.title ?? given.title ?? 'Untitled',
    owner: origin?.by ?? who.principal,
    contract: contract ? leanContract(contract, digest) : null,
    contractBody: contract ? turn.body(contract as unknown as Json) : null,
    limits: contract?.limits ?? given.limits ?? defaultLimits,
    lanes: given.lanes ?? { reviewers: [] },
    confirmed: given.confirmed,
    ...(given.intake ? { intake: true } : {}),
    ...(plan ? { planBody: turn.body(plan as unknown as Json) } : {}),
    ...(origin
      ? { origin: { template: origin.template, by: origin.by, parametersBody: turn.body(origin.parameters), ...(origin.trigger ? { trigger: origin.trigger } : {}) } }
      : {}),
  });
  return { goalVersion: 1, status: given.confirmed ? 'active' : 'draft' };
}

/** What has nothing left to wait for once the Goal is complete: rounds, approvals, waits, and the questions and proposals of work that was not required. */
function closeAtCompletion(turn: Turn, who: Who): void {
  for (const round of Object.values(turn.state.rounds)) endRound(turn, who, round.id, 'cancelled', 'goal_completed');
  for (const blocker of Object.values(turn.state.blockers)) turn.emit(who, { type: 'blocker.withdrawn', blocker: blocker.id, by: who.principal });
  supersedeProposals(turn, who);
  closeApprovals(turn, who, () => true);
  releaseWaits(turn, who, () => true);
}

function supersedeProposals(turn: Turn, who: Who): void {
  for (const proposal of Object.values(turn.state.proposals)) turn.emit(who, { type: 'plan.rejected', proposal: proposal.id, status: 'superseded' });
}

/** Contract checks whose receipt says no, each with the ids that it found missing or too many. */
function failedChecks(turn: Turn): [string, Json][] {
  return Object.values(turn.state.receipts).flatMap((receipt): [string, Json][] => {
    if (receipt.pass || receipt.unknown || receipt.goalVersion !== turn.state.goalVersion) return [];
    const row = turn.data('receipt', receipt.id);
    const scene = row?.sceneBody ? (turn.lookup.body(row.sceneBody) as { [key: string]: Json } | undefined) : undefined;
    return [[receipt.key, { summary: scene?.summary ?? '', missing: scene?.missing ?? [], extra: scene?.extra ?? [] }]];
  });
}

export const goalHandlers: Handlers<GoalCommands> = {
  'goal.propose': (turn, who, payload) => {
    const contract =
      payload.contract ??
      contractSchema.parse({
        title: [...payload.sentence].slice(0, 120).join(''),
        objective: payload.sentence,
        criteria: [{ id: 'as-asked', text: payload.sentence.length <= 4000 ? payload.sentence : 'Everything that the objective asks for, in full.', verify: 'attest' }],
        limits: withPatch(defaultLimits, payload.limits ?? {}),
      });
    return create(turn, who, { mode: payload.mode, contract, lanes: payload.lanes, confirmed: false, intake: payload.contract === undefined && payload.intake });
  },
  'goal.draft': (turn, who, payload) => {
    const { state } = turn;
    if (state.status !== 'draft' || who.round?.purpose !== 'intake')
      return refuse('invalid_transition', { detail: 'only an intake round of a draft proposes its contract', current: { status: state.status } });
    const mode = modeOf(payload.shape, payload.mode);
    const limits = withPatch(state.limits, payload.contract.limits);
    const contract = contractSchema.parse({ ...payload.contract, limits });
    const errors = [...shapeProblems(payload.shape, payload.because, payload.mode), ...contractProblems(contract, mode)];
    if (errors.length > 0) return refuse('schema_invalid', { errors });
    const goalVersion = state.goalVersion + 1;
    turn.emit(who, {
      type: 'goal.drafted',
      goalVersion,
      mode,
      title: contract.title,
      contract: leanContract(contract, (value) => turn.digest(value)),
      contractBody: turn.body(contract as unknown as Json),
      limits,
      shape: payload.shape,
      because: payload.because,
      noteBody: turn.body({ why: payload.why, questions: payload.questions }),
    });
    endRound(turn, who, who.round.id, 'handed_back', 'drafted');
    return { goalVersion, mode, shape: payload.shape };
  },
  'goal.create': (turn, who, payload) => create(turn, who, payload),
  'goal.confirm': (turn, who) => {
    if (turn.state.status !== 'draft') return refuse('invalid_transition', { current: { status: turn.state.status } });
    // What an intake round would still propose comes too late.
    for (const round of Object.values(turn.state.rounds)) endRound(turn, who, round.id, 'cancelled', 'goal_confirmed');
    releaseWaits(turn, who, () => true);
    turn.emit(who, { type: 'goal.confirmed', goalVersion: turn.state.goalVersion });
    return { goalVersion: turn.state.goalVersion };
  },
  'goal.revise': (turn, who, payload, command) => {
    if (!command.reason) return refuse('schema_invalid', { errors: [{ pointer: '/reason', code: 'required' }] });
    return revise(turn, who, payload, command.reason);
  },
  'goal.pause': (turn, who) => {
    if (turn.state.status !== 'active')
      return refuse('invalid_transition', { current: { status: turn.state.status }, allowedNext: turn.state.status === 'paused' ? ['goal.resume', 'goal.cancel'] : [] });
    turn.emit(who, { type: 'goal.paused' });
    takeBackUnstarted(turn, who, 'goal_paused');
    return {};
  },
  'goal.resume': (turn, who) => {
    const { state } = turn;
    const stopped = state.stop !== null || Object.keys(state.streaks).length > 0 || Object.values(state.items).some((item) => item.stop);
    if (state.status === 'draft' || (state.status === 'active' && !stopped))
      return refuse('invalid_transition', { detail: 'nothing is paused or stopped', current: { status: state.status } });
    turn.emit(who, { type: 'goal.resumed' });
    return {};
  },
  'goal.setLimits': (turn, who, payload) => {
    const next = withPatch(turn.state.limits, payload.limits);
    const unknown = Object.keys(payload.items ?? {}).filter((key) => !turn.state.items[key]);
    if (unknown.length > 0) return refuse('not_found', { errors: unknown.map((key) => ({ pointer: `/payload/items/${key}`, code: 'unknown_item' })) });
    const items = payload.items && Object.fromEntries(Object.entries(payload.items).map(([key, limits]) => [key, { ...turn.state.itemLimits[key], ...limits }]));
    turn.emit(who, { type: 'goal.limitsSet', limits: next, ...(items ? { items } : {}) });
    return { limits: next, ...(items ? { items } : {}) } as unknown as Json;
  },
  'goal.block': (turn, who, payload) => {
    const moving = Object.values(turn.state.items).filter((item) => ['ready', 'running', 'assigned', 'submitted', 'changes_requested'].includes(itemState(turn.state, item.key)));
    if (moving.length > 0) return refuse('invalid_transition', { detail: 'independent items can still move', current: { items: moving.map((item) => item.key) } });
    return formRefusal(turn, payload) ?? raiseBlocker(turn, who, payload);
  },
  'goal.cancel': (turn, who) => {
    for (const round of Object.values(turn.state.rounds)) endRound(turn, who, round.id, 'cancelled', 'goal_cancelled');
    for (const item of Object.values(turn.state.items)) endAttempt(turn, who, item.key, 'cancelled', 'goal_cancelled', true);
    for (const child of Object.values(turn.state.subagents)) endSubagent(turn, who, child.id, 'goal_cancelled');
    for (const blocker of Object.values(turn.state.blockers)) turn.emit(who, { type: 'blocker.withdrawn', blocker: blocker.id, by: who.principal });
    closeApprovals(turn, who, () => true);
    releaseWaits(turn, who, (wait) => wait.kind !== 'reconcile');
    supersedeProposals(turn, who);
    if (turn.state.amendment) turn.emit(who, { type: 'amendment.closed', amendment: turn.state.amendment.id, how: 'superseded' });
    turn.emit(who, { type: 'goal.cancelled' });
    return {};
  },
  'goal.audit': (turn, who, payload) => {
    const { state } = turn;
    if (!state.contract) return refuse('invalid_transition', { detail: 'a graph-only run has no contract to audit' });
    const notes: Record<string, string> = {};
    const classes: Record<string, { class: 'proven' | 'contradicted' | 'insufficient' | 'missing'; evidence: string[] }> = {};
    for (const criterion of state.contract.criteria) {
      const host = auditClass(state, criterion, turn.now);
      const claim = payload.classes.find((entry) => entry.criterion === criterion.id);
      // A claim may lower what the host finds, never raise it.
      classes[criterion.id] = claim && claim.class !== 'proven' && host.class === 'proven' ? { class: claim.class, evidence: claim.evidence } : host;
      if (claim?.note) notes[criterion.id] = claim.note;
    }
    const unknown = payload.classes.filter((entry) => !classes[entry.criterion]);
    if (unknown.length > 0)
      return refuse('schema_invalid', {
        errors: unknown.map((entry) => ({ pointer: `/payload/classes/${payload.classes.indexOf(entry)}/criterion`, code: 'unknown_criterion', detail: entry.criterion })),
      });
    const uncovered = state.contract.criteria
      .filter((criterion) => classes[criterion.id]?.class !== 'proven' && !(criterion.verify === 'attest' && classes[criterion.id]?.class === 'missing'))
      .map((criterion) => criterion.id);
    turn.emit(who, { type: 'goal.audited', audit: { goalVersion: state.goalVersion, by: who.principal, classes }, uncovered, notesBody: turn.body(notes) });
    return { classes, uncovered } as unknown as Json;
  },
  'goal.complete': (turn, who) => {
    const problems = completionProblems(turn.state, turn.now);
    if (problems.length > 0) {
      const failed = failedChecks(turn);
      const code = problems.some((problem) => problem.startsWith('effect:'))
        ? 'effect_unknown'
        : problems.some((problem) => /^(item|attempt|submission|subagent|proposal|plan|round)/.test(problem))
          ? 'graph_open'
          : failed.length > 0
            ? 'needs_rework'
            : 'criterion_unproven';
      return refuse(code, { current: { missing: problems, ...(failed.length > 0 ? { checks: Object.fromEntries(failed) } : {}) } });
    }
    closeAtCompletion(turn, who);
    turn.emit(who, { type: 'goal.completed', goalVersion: turn.state.goalVersion });
    return { goalVersion: turn.state.goalVersion };
  },
  'criterion.attest': (turn, who, payload) => {
    const criterion = turn.state.contract?.criteria.find((entry) => entry.id === payload.criterion);
    if (!criterion) return refuse('not_found', { detail: `no criterion ${payload.criterion}` });
    if (who.kind !== 'person') return refuse('forbidden', { detail: 'a named person attests' });
    if (criterion.verify !== 'attest') return refuse('invalid_transition', { detail: `verified by ${criterion.verify}`, allowedNext: ['goal.revise'] });
    turn.emit(who, {
      type: 'criterion.attested',
      statementBody: turn.body(payload.statement),
      attestation: { criterion: criterion.id, criterionDigest: criterion.digest, holds: payload.holds, by: who.principal, goalVersion: turn.state.goalVersion },
    });
    return {};
  },

  'execution.open': (turn, who, payload, command) => {
    const open = turn.state.execution?.status === 'open' ? turn.state.execution : null;
    if (open && !(payload.supersede && command.reason))
      return refuse('invalid_transition', { detail: 'an execution is open; superseding it needs `supersede` and a reason', current: { execution: open.id } });
    if (open) {
      for (const item of Object.values(turn.state.items)) closeItem(turn, who, item.key, 'execution_superseded');
      supersedeProposals(turn, who);
      turn.emit(who, { type: 'execution.ended', execution: open.id, status: 'superseded' });
    }
    const execution = turn.id('exec');
    turn.emit(who, { type: 'execution.opened', execution });
    return { execution };
  },
  'execution.promote': (turn, who, payload) => {
    if (turn.state.mode !== 'graph_only') return refuse('invalid_transition', { current: { mode: turn.state.mode } });
    const errors = contractProblems(payload.contract, 'bound');
    if (errors.length > 0) return refuse('schema_invalid', { errors });
    turn.emit(who, {
      type: 'execution.promoted',
      contract: leanContract(payload.contract, (value) => turn.digest(value)),
      contractBody: turn.body(payload.contract as unknown as Json),
      limits: payload.contract.limits,
      title: payload.contract.title,
    });
    for (const milestone of payload.contract.milestones) takeTarget(turn, who, milestone);
    return { mode: 'bound' };
  },
  'execution.complete': (turn, who) => {
    const { state } = turn;
    if (state.mode !== 'graph_only' || state.execution?.status !== 'open') return refuse('invalid_transition', { current: { mode: state.mode } });
    const problems = completionProblems(state, turn.now);
    if (problems.length > 0) return refuse('graph_open', { current: { missing: problems } });
    closeAtCompletion(turn, who);
    turn.emit(who, { type: 'execution.ended', execution: state.execution.id, status: 'completed' });
    return {};
  },
  'execution.abandon': (turn, who, _payload, command) => {
    const { execution } = turn.state;
    if (execution?.status !== 'open') return refuse('invalid_transition', { detail: 'no execution is open' });
    for (const round of Object.values(turn.state.rounds)) endRound(turn, who, round.id, 'cancelled', 'execution_abandoned');
    for (const item of Object.values(turn.state.items)) closeItem(turn, who, item.key, command.reason ?? 'execution_abandoned');
    closeApprovals(turn, who, () => true);
    supersedeProposals(turn, who);
    releaseWaits(turn, who, (wait) => wait.kind !== 'reconcile');
    turn.emit(who, { type: 'execution.ended', execution: execution.id, status: 'abandoned' });
    return {};
  },
};
