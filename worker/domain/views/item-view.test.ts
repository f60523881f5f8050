import { expect, it } from 'vitest';
import { itemView } from './item-view.ts';
import { Scenario } from './views.test-data.ts';

it('shows every attempt and submission, each with its verdicts, votes and checks', () => {
  const given = new Scenario();
  const item = given.item({
    key: 'a',
    objective: 'Do it',
    acceptance: [{ id: 'x', text: 'is x' }],
    checks: [{ key: 'k', title: 'There', kind: 'file_exists', file: { path: 'f' } }],
  });
  given.attempt(item);
  given.submission(item, ['f'], 'first try');
  given.verdict(item, 'changes_requested', 'not yet');
  given.row(
    'review',
    'sub_a_1/000000001',
    { submission: 'sub_a_1', item: 'a', by: 'agent:reviewer', verdict: 'changes_requested', criteria: [], stage: 1, sceneBody: null, at: 15 },
    { item: 'a' },
  );
  given.row(
    'review',
    'sub_a_1/000000000',
    { submission: 'sub_a_1', item: 'a', by: 'agent:other', verdict: 'cannot_judge', criteria: [], stage: 1, sceneBody: null, at: 12 },
    { item: 'a' },
  );
  given.row(
    'receipt',
    'rec_1',
    {
      id: 'rec_1',
      key: 'k',
      submission: 'sub_a_1',
      item: 'a',
      pass: false,
      checkDigest: '',
      goalVersion: 1,
      asOf: 1,
      at: 11,
      sceneBody: given.body({ summary: 'no file' }),
      inputs: {},
      checker: 'v1',
    },
    { item: 'a' },
  );
  given.attempt(item);
  given.submission(item, ['f'], 'second try');
  given.verdict(item, 'accepted');
  const view = itemView(given.state, 'a', given.lookup);
  expect(view.spec).toMatchObject({ objective: 'Do it', acceptanceTexts: [{ id: 'x', text: 'is x' }], acceptance: ['x'] });
  expect(view.attempts.map((attempt) => attempt.number)).toEqual([1, 2]);
  expect(view.submissions.map((submission) => submission.summary)).toEqual(['first try', 'second try']);
  expect(view.submissions[0]?.verdicts.map(({ by, verdict, scene }) => [by, verdict, scene?.summary])).toEqual([
    ['agent:other', 'cannot_judge', undefined],
    ['agent:reviewer', 'changes_requested', 'not yet'],
  ]);
  expect(view.submissions[0]?.checks).toEqual([{ key: 'k', title: 'There', pass: false, at: 11, scene: { summary: 'no file' } }]);
  expect(view.submissions[1]?.verdicts.map((verdict) => verdict.verdict)).toEqual(['accepted']);
  expect(view.node.state).toBe('accepted');
});

it('an erased body leaves its place empty', () => {
  const given = new Scenario();
  const item = given.item({ key: 'a', objective: 'Secret' });
  given.attempt(item);
  given.submission(item, [], 'names a person');
  const spec = given.lookup.row('item_spec', item.specDigest)?.data as { specBody: string };
  const submission = given.lookup.row('submission', 'sub_a_1')?.data as { summaryBody: string };
  given.lookup.eraseBodies([spec.specBody, submission.summaryBody]);
  const view = itemView(given.state, 'a', given.lookup);
  expect(view.spec.objective).toBe('');
  expect(view.submissions[0]?.summary).toBe('');
});
