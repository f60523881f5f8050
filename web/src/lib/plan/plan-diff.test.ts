import { expect, it } from 'vitest';
import { planDiff, uncovered } from './plan-diff.ts';

const item = (key: string, more: object = {}) => ({ key, title: key.toUpperCase(), objective: 'do', covers: [], dependsOn: [], review: [{ by: 'checks' }], ...more });
const plan = (...items: object[]) => ({ mode: 'bound', items }) as never;

it('says what is added, changed, removed and kept, field by field', () => {
  const before = plan(item('a'), item('b', { executor: { kind: 'agent', profile: 'worker' } }), item('c'));
  const after = plan(
    item('a'),
    item('b', {
      executor: { kind: 'person' },
      dependsOn: [
        { key: 'a', kind: 'hard' },
        { key: 'd', kind: 'soft' },
      ],
    }),
    item('d'),
  );
  expect(planDiff(before, after).map(({ key, kind, fields }) => ({ key, kind, fields }))).toEqual([
    { key: 'a', kind: 'kept', fields: [] },
    {
      key: 'b',
      kind: 'changed',
      fields: [
        { name: 'dependsOn', before: '', after: 'a\n(d)' },
        { name: 'executor', before: 'agent: worker', after: 'person' },
      ],
    },
    { key: 'd', kind: 'added', fields: [] },
    { key: 'c', kind: 'removed', fields: [] },
  ]);
});

it('a first plan is all new, and a document that is none has no items', () => {
  expect(planDiff(null, plan(item('a'))).map(({ kind }) => kind)).toEqual(['added']);
  expect(planDiff(null, 'nothing')).toEqual([]);
});

it('names the criteria that are to be reviewed and that no item covers', () => {
  const criteria = [
    { id: 'x', verify: 'review' },
    { id: 'y', verify: 'review' },
    { id: 'z', verify: 'attest' },
  ];
  expect(uncovered(plan(item('a', { covers: ['x'] })), criteria)).toEqual(['y']);
});
