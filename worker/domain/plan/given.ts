/** A plan that comes with a goal: judged when the goal is made, sealed when its work starts. */
import type { LaneCarriers } from '../contract/contract.ts';
import { type Refusal, refuse } from '../refusals.ts';
import type { State } from '../state.ts';
import { hostWho, type Turn } from '../turn.ts';
import { principalOf } from '../values.ts';
import type { PlanDocument } from './document.ts';
import { defaultReviewers } from './reviewers.ts';
import { validatePlan } from './validate.ts';

/** The whole document with its defaults; `plan_invalid` with every place that is wrong, under `/payload/plan`. */
export function givenPlan(
  document: unknown,
  goal: { mode: State['mode']; criteria: readonly { id: string; verify: string }[]; lanes: LaneCarriers | undefined },
): PlanDocument | Refusal {
  if (goal.mode === 'goal_only') return refuse('schema_invalid', { errors: [{ pointer: '/payload/plan', code: 'no_plan_in_goal_only' }] });
  const verdict = validatePlan(document, { mode: goal.mode, criteria: goal.criteria, reviewers: defaultReviewers({ lanes: goal.lanes ?? { reviewers: [] } }).map(principalOf) });
  return verdict.ok ? verdict.document : refuse('plan_invalid', { errors: verdict.errors.map((error) => ({ ...error, pointer: `/payload/plan${error.pointer}` })) });
}

/** The contract, or who carries its lanes, may be another one since: then the plan does not fit, which is on record, and a coordinator plans. Always does one thing. */
export function sealGiven(turn: Turn, digest: string): true {
  const { state } = turn;
  const document = turn.lookup.body(digest);
  const verdict =
    document === undefined || state.mode === 'goal_only'
      ? { ok: false as const, errors: [{ pointer: '', code: 'not_readable' }] }
      : validatePlan(document, { mode: state.mode, criteria: state.contract?.criteria ?? [], reviewers: defaultReviewers(state).map(principalOf) });
  if (!verdict.ok) turn.emit(hostWho, { type: 'plan.refused', errors: verdict.errors.slice(0, 20).map(({ pointer, code }) => ({ pointer, code })) });
  else
    turn.emit(hostWho, {
      type: 'plan.proposed',
      documentBody: digest,
      warnings: verdict.warnings.map(({ pointer, code }) => ({ pointer, code })),
      proposal: { id: turn.id('prop'), digest, by: 'host', status: 'sealed', basedOn: 0, waitsFor: [], needsPerson: false },
    });
  return true;
}
