import { expect, it } from 'vitest';
import { defaultLimits } from '../contract/contract.ts';
import { emptyState, type State } from '../state.ts';
import { nextOf } from './next.ts';

it('a goal that stands still for errors asks to be resumed, also while an adoption waits for an Attempt that cannot go on', () => {
  const state: State = {
    ...emptyState(defaultLimits),
    seq: 9,
    status: 'active',
    owner: 'person:ada',
    stop: { kind: 'errors', detail: 'two rounds failed in a row', at: 1 },
    proposals: { p: { id: 'p', digest: 'd', by: 'person:ada', status: 'pending', basedOn: 1, waitsFor: ['a'], needsPerson: false } },
  };
  const next = nextOf(state, 2, { agent: false, skill: () => true });
  expect(next.why.kind).toBe('suspended');
  expect(next.who).toEqual([{ mover: 'person:ada', act: 'resume', ref: 'goal' }]);
});
