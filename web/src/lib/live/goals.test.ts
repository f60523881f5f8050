import { expect, it } from 'vitest';
import { summary } from '../testing/csv-goal.ts';
import { withChanges, withList } from './goals.ts';

const goal = (id: string, seq: number, createdAt: number, more = {}) => summary(id, { goal: id, seq, createdAt, ...more });
const ids = (known: { goals: readonly { goal: string; seq: number }[] }) => known.goals.map((each) => `${each.goal}@${each.seq}`);

it('takes what is newer of each goal, whichever way it came first', () => {
  const read = withList(null, { goals: [goal('b', 4, 2), goal('a', 9, 1)], truncated: false });
  const told = withChanges(read, [goal('b', 6, 2), goal('a', 8, 1), goal('c', 1, 3)], []);
  expect(ids(told)).toEqual(['c@1', 'b@6', 'a@9']);
  // A list that was asked for before comes after.
  expect(ids(withList(told, { goals: [goal('c', 1, 3), goal('b', 4, 2), goal('a', 9, 1)], truncated: true }))).toEqual(['c@1', 'b@6', 'a@9']);
});

it('lets go of a goal that was erased', () => {
  expect(ids(withChanges({ goals: [goal('a', 1, 1)], truncated: false }, [], ['a']))).toEqual([]);
});
