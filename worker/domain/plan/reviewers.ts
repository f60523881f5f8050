import type { State } from '../state.ts';

/** Who reviews where a stage names nobody: the goal's reviewers, else the built-in reviewer profile. */
export function defaultReviewers(state: Pick<State, 'lanes'>): State['lanes']['reviewers'] {
  return state.lanes.reviewers.length > 0 ? state.lanes.reviewers : [{ kind: 'agent', profile: 'reviewer' }];
}
