import type { History } from '../book/queries.ts';

/** The name in the address of each history. The ledger is not among them: it takes more parameters. */
export const historyNames: Record<string, History> = {
  executions: 'executions',
  versions: 'goal_versions',
  proposals: 'plan_proposals',
  plans: 'plan_revisions',
  items: 'work_items',
  assignments: 'assignments',
  attempts: 'attempts',
  submissions: 'submissions',
  reviews: 'reviews',
  acceptances: 'acceptances',
  rounds: 'rounds',
  blockers: 'blockers',
  waits: 'waits',
  approvals: 'approvals',
  effects: 'effects',
};
