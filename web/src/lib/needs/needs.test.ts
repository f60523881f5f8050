import { expect, it } from 'vitest';
import { needsYouOf as countedByServer } from '../../../../worker/domain/views/needs-you.ts';
import type { GoalBar } from '../api/types.ts';
import { question, snapshot } from '../testing/csv-goal.ts';
import { needsOf, needsYouOf } from './needs.ts';

const barWith = (who: GoalBar['next']['who'], more: Partial<GoalBar> = {}): GoalBar => ({ ...snapshot.bar, blockers: [], next: { ...snapshot.bar.next, who }, ...more });

it('names everything that a person can settle here, each once', () => {
  const owner = 'person:local';
  const bar = barWith(
    [
      { mover: owner, act: 'answer', ref: 'blocker:q' },
      { mover: owner, act: 'attest', ref: 'criterion:pleasant' },
      { mover: owner, act: 'attest', ref: 'milestone:m' },
      { mover: owner, act: 'decide', ref: 'approval:a1' },
      { mover: owner, act: 'decide', ref: 'proposal:p1' },
      { mover: owner, act: 'decide', ref: 'item:server' },
      { mover: owner, act: 'decide', ref: 'check:k' },
      { mover: owner, act: 'review', ref: 'submission:s1' },
      { mover: owner, act: 'review', ref: 'submission:s1' },
      { mover: owner, act: 'reconcile', ref: 'effect:e1' },
      { mover: owner, act: 'raise_limit', ref: 'tokens' },
      { mover: owner, act: 'resume', ref: 'item:server' },
      { mover: owner, act: 'carry', ref: 'worker:item:server', missing: 'agent:worker' },
      { mover: 'host', act: 'time', ref: 'x' },
      { mover: 'host', act: 'decide', ref: 'approval:a2' },
    ],
    { blockers: [question] },
  );
  expect(needsOf(bar).map(({ kind, id }) => `${kind} ${id}`)).toEqual([
    `blocker ${question.id}`,
    'attest pleasant',
    'milestone m',
    'approval a1',
    'proposal p1',
    'rejected server',
    'other check:k',
    'review s1',
    'reconcile e1',
    'limit tokens',
    'resume item:server',
    'carry worker:item:server',
  ]);
});

it('a pause is nobody’s task, what waits beside it is; a finished goal asks nothing', () => {
  const who: GoalBar['next']['who'] = [
    { mover: 'person:local', act: 'resume', ref: 'goal' },
    { mover: 'person:local', act: 'decide', ref: 'approval:a1' },
  ];
  const paused = barWith(who, { next: { ...snapshot.bar.next, why: { kind: 'paused' }, who } });
  expect(needsOf(paused)).toEqual([{ kind: 'approval', id: 'a1' }]);
  expect(needsOf(barWith([], { blockers: [question], next: { ...snapshot.bar.next, why: { kind: 'terminal', status: 'cancelled' }, who: [] } }))).toEqual([]);
});

it('counts what the list of goals counts', () => {
  const acts: GoalBar['next']['who'][number]['act'][] = [
    'confirm',
    'resume',
    'raise_limit',
    'set_connection',
    'answer',
    'decide',
    'review',
    'attest',
    'reconcile',
    'carry',
    'signal',
    'time',
    'run',
    'check',
  ];
  const who = acts.flatMap((act) => ['person:local', 'host'].map((mover) => ({ mover, act, ref: 'goal' })));
  const next: GoalBar['next'] = { ...snapshot.bar.next, who };
  expect(needsYouOf(next)).toBe(10);
  expect(needsYouOf({ ...next, why: { kind: 'paused' } })).toBe(0);
  for (const one of who) expect(needsYouOf({ ...next, who: [one] }), `${one.mover} ${one.act}`).toBe(countedByServer({ ...next, who: [one] }));
});
