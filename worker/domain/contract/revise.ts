/** A new version of the contract: what it does to what was delivered, and to everything that is open. */
import { closeItem, endRound, takeBackUnstarted } from '../continuation/closing.ts';
import { takeTarget } from '../planes/record-fact.ts';
import { type Refusal, refuse } from '../refusals.ts';
import type { LaneCarriers } from './contract.ts';
import type { State } from '../state.ts';
import type { Turn, Who } from '../turn.ts';
import type { Json } from '../values.ts';
import { isAccepted, itemState } from '../work/derive.ts';
import { relockDownstream } from '../work/verdict.ts';
import type { Contract } from './contract.ts';
import { contractProblems, impactOf, leanContract } from './lean.ts';

interface Revision {
  contract: Contract;
  lanes?: LaneCarriers | undefined;
  mode?: 'goal_only' | 'bound' | undefined;
  message?: number | undefined;
}

/** What a contract would do in the place of the one in force: items that are delivered or accepted by class, and criteria by what became of them. */
export function impactIn(turn: Turn, contract: Contract): ReturnType<typeof impactOf> {
  const { state } = turn;
  return impactOf(
    state,
    leanContract(contract, (value) => turn.digest(value)),
    deliveredIn(state),
  );
}

const deliveredIn = (state: State): string[] =>
  Object.values(state.items)
    .filter((item) => isAccepted(item) || itemState(state, item.key) === 'submitted')
    .map((item) => item.key);

export function revise(turn: Turn, who: Who, given: Revision, reason: string): Refusal | Json {
  const { state } = turn;
  if (state.status === 'cancelled') return refuse('goal_not_active', { current: { status: state.status } });
  if (state.mode === 'graph_only') return refuse('invalid_transition', { detail: 'a graph-only run has no contract', allowedNext: ['execution.promote'] });
  if (given.mode !== undefined && state.status !== 'draft')
    return refuse('invalid_transition', { detail: 'the mode is chosen while the goal is a draft', current: { mode: state.mode } });
  const mode = given.mode ?? state.mode;
  const errors = contractProblems(given.contract, mode);
  if (errors.length > 0) return refuse('schema_invalid', { errors });
  if (given.message !== undefined && given.message > state.messages.posted) return refuse('not_found', { detail: `no message ${given.message}` });
  // A person took the contract over: what an intake round would still propose comes too late.
  if (state.status === 'draft') for (const round of Object.values(state.rounds)) endRound(turn, who, round.id, 'cancelled', 'goal_revised');
  const next = leanContract(given.contract, (value) => turn.digest(value));
  const { impact, criteria, byCriterion } = impactOf(state, next, deliveredIn(state));
  takeBackUnstarted(turn, who, 'goal_revised');
  for (const key of impact.superseded) closeItem(turn, who, key, 'goal_revised');
  turn.emit(who, {
    type: 'goal.revised',
    goalVersion: state.goalVersion + 1,
    title: given.contract.title,
    contract: next,
    contractBody: turn.body(given.contract as unknown as Json),
    limits: given.contract.limits,
    lanes: given.lanes ?? state.lanes,
    reason,
    impact,
    criteria,
    byCriterion,
    ...(mode === state.mode ? {} : { mode }),
    ...(given.message === undefined ? {} : { message: given.message }),
  });
  // What was proposed for the version before is over.
  if (turn.state.amendment) turn.emit(who, { type: 'amendment.closed', amendment: turn.state.amendment.id, how: 'superseded' });
  withdrawHostQuestions(turn, who);
  for (const milestone of next.milestones) takeTarget(turn, who, milestone);
  for (const key of impact.reaffirm) turn.emit(who, { type: 'item.reaffirmed', item: key, why: 'goal_revised', detail: `version ${turn.state.goalVersion}` });
  for (const key of [...impact.reaffirm, ...impact.superseded]) relockDownstream(turn, who, key);
  return { goalVersion: turn.state.goalVersion, impact, criteria, byCriterion } as unknown as Json;
}

/** What the host asked about the old version (a criterion that stays uncovered, a check that cannot be run, plans that could not be sealed) is answered by the new one. */
function withdrawHostQuestions(turn: Turn, who: Who): void {
  for (const blocker of Object.values(turn.state.blockers)) {
    if (blocker.raisedBy === 'host' && blocker.item === undefined) turn.emit(who, { type: 'blocker.withdrawn', blocker: blocker.id, by: who.principal });
  }
}
