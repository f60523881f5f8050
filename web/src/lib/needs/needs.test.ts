import { expect, it } from 'vitest';
import type { GoalBar } from '../api/types.ts';
import { bar, question } from '../testing/csv-goal.ts';
import { needsOf } from './needs.ts';

const withWho = (who: GoalBar['next']['who'], more: Partial<GoalBar> = {}): GoalBar => ({ ...bar, ...more, next: { ...bar.next, who } });

it('lists what a person can settle, each once', () => {
  const me = 'person:local';
  const needs = needsOf(
    withWho(
      [
        { mover: me, act: 'answer', ref: `blocker:${question.id}` },
        { mover: me, act: 'attest', ref: 'criterion:pleasant' },
        { mover: me, act: 'decide', ref: 'proposal:prop_1' },
        { mover: me, act: 'decide', ref: 'approval:apr_1' },
        { mover: me, act: 'review', ref: 'submission:sub_2' },
      ],
      { blockers: [question] },
    ),
  );
  expect(needs.map(({ kind, id }) => `${kind} ${id}`)).toEqual(['blocker blk_program', 'attest pleasant', 'proposal prop_1', 'approval apr_1', 'review sub_2']);
});
it('asks nothing of a person where the host moves next', () => {
  expect(
    needsOf(
      withWho([
        { mover: 'host', act: 'check', ref: 'check:chk_1' },
        { mover: 'host', act: 'time', ref: 'item:server' },
      ]),
    ),
  ).toEqual([]);
});
