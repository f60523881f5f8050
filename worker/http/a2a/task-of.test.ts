/** The state of a task by the state of its Goal, and what a message means to it. */
import { type Message, TaskState } from '@a2a-js/sdk';
import { expect, it } from 'vitest';
import { Scenario } from '../../domain/views/views.test-data.ts';
import { goalBar } from '../../domain/views/goal-bar.ts';
import type { BlockerView, GoalBar, Next } from '../../domain/views/types.ts';
import type { Json } from '../../domain/values.ts';
import { proposalOf, replyOf, saidBy } from './incoming.ts';
import { acceptedFiles, isTerminal, standsStill, taskOf, taskStateOf } from './task-of.ts';

const base = goalBar(new Scenario().state, 5000, { agent: false, skill: () => true });
const bar = (status: GoalBar['status'], why: Next['why'], who: Next['who'] = [], more: Partial<GoalBar> = {}): GoalBar => ({
  ...base,
  status,
  next: { ...base.next, why, who },
  ...more,
});
const question = (more: Partial<BlockerView> = {}): BlockerView => ({
  id: 'q1',
  reason: 'Which program?',
  form: { type: 'object', properties: { program: { type: 'string' } }, required: ['program'] },
  owner: 'person:owner',
  raisedAt: 1,
  generation: 3,
  ...more,
});
const running: Next['why'] = { kind: 'running', rounds: [] };
const owner = (act: Next['who'][number]['act'], ref = 'goal') => ({ mover: 'person:owner', act, ref });
const runner = { mover: 'agent:worker', act: 'run', ref: 'round:r' } as const;

it.each<[string, GoalBar, TaskState]>([
  ['a draft whose intake is at work', bar('draft', { kind: 'draft' }, [runner]), TaskState.TASK_STATE_SUBMITTED],
  ['a draft that waits to be confirmed', bar('draft', { kind: 'draft' }, [owner('confirm')]), TaskState.TASK_STATE_INPUT_REQUIRED],
  ['a running goal', bar('active', running, [runner]), TaskState.TASK_STATE_WORKING],
  ['a goal whose rounds wait for the host', bar('active', { kind: 'waiting', kinds: ['timer'] }, [{ mover: 'host', act: 'time', ref: 'x' }]), TaskState.TASK_STATE_WORKING],
  ['B99: a question while rounds run', bar('active', running, [runner, owner('answer')], { blockers: [question()] }), TaskState.TASK_STATE_INPUT_REQUIRED],
  ['a question that a coordinator looks at first', bar('active', running, [runner], { blockers: [question({ route: 'coordinator' })] }), TaskState.TASK_STATE_WORKING],
  ['an offer to a person while rounds run', bar('active', running, [runner, owner('carry')]), TaskState.TASK_STATE_WORKING],
  ['a review that nothing goes on beside', bar('active', { kind: 'waiting', kinds: ['review'] }, [owner('review')]), TaskState.TASK_STATE_INPUT_REQUIRED],
  ['a paused goal', bar('paused', { kind: 'paused' }, [owner('resume')]), TaskState.TASK_STATE_WORKING],
  ['a paused goal with a question', bar('paused', { kind: 'paused' }, [owner('resume')], { blockers: [question()] }), TaskState.TASK_STATE_INPUT_REQUIRED],
  ['everything accepted and not audited', bar('active', { kind: 'checking', checks: ['c'] }, [], { graphClosed: true }), TaskState.TASK_STATE_WORKING],
  ['everything proven and not completed', bar('active', running, [runner], { graphClosed: true, goalAudited: true }), TaskState.TASK_STATE_WORKING],
  ['an earlier version completed', bar('active', running, [runner], { completions: [{ goalVersion: 1, at: 1 }] }), TaskState.TASK_STATE_WORKING],
  ['completed', bar('completed', { kind: 'terminal', status: 'completed' }), TaskState.TASK_STATE_COMPLETED],
  ['cancelled', bar('cancelled', { kind: 'terminal', status: 'cancelled' }), TaskState.TASK_STATE_CANCELED],
])('%s', (_, given, state) => {
  expect(TaskState[taskStateOf(given)]).toBe(TaskState[state]);
});

it('input-required and auth-required stand still and are not the end', () => {
  for (const state of [TaskState.TASK_STATE_INPUT_REQUIRED, TaskState.TASK_STATE_AUTH_REQUIRED]) expect([standsStill(state), isTerminal(state)]).toEqual([true, false]);
  for (const state of [TaskState.TASK_STATE_SUBMITTED, TaskState.TASK_STATE_WORKING, TaskState.TASK_STATE_UNSPECIFIED])
    expect([standsStill(state), isTerminal(state)]).toEqual([false, false]);
});

it('B99: the question is in the status with its text, its form and its generation', () => {
  const task = taskOf({
    goal: 'g',
    bar: bar('active', running, [owner('answer')], { blockers: [question({ recommended: { program: 'excel' } })] }),
    contract: null,
    files: [],
    filesUrl: 'u',
  });
  expect(task.status?.message?.parts.map(({ content }) => content?.value)).toMatchObject([
    'Which program?',
    { blocker: 'q1', generation: 3, form: { required: ['program'] }, recommended: { program: 'excel' } },
    { why: { kind: 'running' } },
  ]);
});

it('only files of live acceptances are artifacts, by their address', () => {
  const file = { path: 'out/a.csv', digest: 'd'.repeat(64), size: 3 };
  const acceptance = (id: string, submission: string, more: object = {}) => ({ id, item: 'a', submission, verdict: 'accepted', live: true, at: 1, ...more }) as never;
  const submissions = ['s1', 's2', 's3'].map((id) => ({ id, artifacts: [{ ...file, path: `${id}.csv` }] }) as never);
  const files = acceptedFiles([acceptance('x', 's1', { live: false }), acceptance('y', 's2', { verdict: 'rejected' }), acceptance('z', 's3')], submissions);
  expect(files.map(({ file: { path } }) => path)).toEqual(['s3.csv']);
  expect(taskOf({ goal: 'g', bar: base, contract: null, files, filesUrl: 'https://h/files' }).artifacts).toMatchObject([
    {
      artifactId: 's3/s3.csv',
      name: 's3.csv',
      parts: [{ content: { $case: 'url', value: `https://h/files/${file.digest}` }, mediaType: 'text/csv; charset=utf-8' }],
      metadata: { item: 'a', size: 3 },
    },
  ]);
});

const said = (...parts: (string | Json)[]) =>
  saidBy({
    parts: parts.map((value) => ({ content: typeof value === 'string' ? { $case: 'text', value } : { $case: 'data', value }, metadata: undefined, filename: '', mediaType: '' })),
  } as Message);

it('a reply answers the open question, confirms, or is said; it never guesses between questions', () => {
  const one = [question()];
  expect(replyOf(said('excel'), one)).toEqual({ kind: 'answer', blocker: 'q1', generation: 3, answer: { program: 'excel' } });
  expect(replyOf(said('excel'), [question({ form: { type: 'string' } })])).toMatchObject({ answer: 'excel' });
  expect(replyOf(said({ blocker: 'q1', answer: { program: 'x' } }), [])).toEqual({ kind: 'answer', blocker: 'q1', answer: { program: 'x' } });
  expect(() => replyOf(said('excel'), [question(), question({ id: 'q2' })])).toThrow(/q1, q2/);
  expect(() => replyOf(said({ answer: 1 }), [])).toThrow(/No question/);
  expect(replyOf(said({ confirm: { goalVersion: 2 } }), [])).toEqual({ kind: 'confirm', goalVersion: 2 });
  // What nobody here knows is kept in the words of the message.
  expect(replyOf(said('Look at this', { unheard: { of: [1] } }), one)).toEqual({ kind: 'say', text: 'Look at this\n{"unheard":{"of":[1]}}' });
});

it('a first message is a sentence, with what a data part adds', () => {
  expect(proposalOf(said('Reconcile.', { mode: 'goal_only' }))).toEqual({ sentence: 'Reconcile.', mode: 'goal_only' });
  expect(proposalOf(said({ contract: { objective: 'Say hello.' } }))).toEqual({ sentence: 'Say hello.', contract: { objective: 'Say hello.' } });
  expect(() => said()).toThrow(/needs a text part/);
  expect(() => said([1])).toThrow(/parts\/0\/data/);
});
