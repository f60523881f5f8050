/**
 * A Goal as an A2A task. Derived from the goal bar each time it is asked for; nothing of A2A is stored. `completed` is the Goal's own status, which only the audit gives: no reply and no accepted
 * delivery makes a task terminal.
 */
import { type Artifact as A2aArtifact, type Message, type Part, Role, type Task, TaskState } from '@a2a-js/sdk';
import type { Contract } from '../../domain/contract/contract.ts';
import type { RowData } from '../../domain/row-data.ts';
import type { Artifact, Json } from '../../domain/values.ts';
import { needsYouOf } from '../../domain/views/needs-you.ts';
import type { BlockerView, GoalBar, Next } from '../../domain/views/types.ts';
import { typeOf } from '../files.ts';

/** What goes on without anybody: somebody may be asked beside it, and the task is at work. */
const moves: ReadonlySet<Next['why']['kind']> = new Set(['running', 'ready', 'checking']);

/** Questions that a person is asked now; not those that a coordinator looks at first. */
export function openQuestions(bar: GoalBar): BlockerView[] {
  return bar.blockers.filter((blocker) => blocker.route !== 'coordinator');
}

/** The state of the task. An open question makes it `input-required`, whatever else goes on: a caller who only looks at the state must not miss it. */
export function taskStateOf(bar: GoalBar): TaskState {
  switch (bar.status) {
    case 'completed':
      return TaskState.TASK_STATE_COMPLETED;
    case 'cancelled':
      return TaskState.TASK_STATE_CANCELED;
    case 'draft':
      return needsYouOf(bar.next) > 0 ? TaskState.TASK_STATE_INPUT_REQUIRED : TaskState.TASK_STATE_SUBMITTED;
    case 'paused':
      return openQuestions(bar).length > 0 ? TaskState.TASK_STATE_INPUT_REQUIRED : TaskState.TASK_STATE_WORKING;
    case 'active':
      if (openQuestions(bar).length > 0) return TaskState.TASK_STATE_INPUT_REQUIRED;
      return needsYouOf(bar.next) > 0 && !moves.has(bar.next.why.kind) ? TaskState.TASK_STATE_INPUT_REQUIRED : TaskState.TASK_STATE_WORKING;
    default:
      return bar.status satisfies never;
  }
}

export function isTerminal(state: TaskState): boolean {
  return state === TaskState.TASK_STATE_COMPLETED || state === TaskState.TASK_STATE_CANCELED || state === TaskState.TASK_STATE_FAILED || state === TaskState.TASK_STATE_REJECTED;
}

/** Nothing more comes until somebody acts: a stream ends here, and so does the wait of a call that waits. It is not the end of the task. */
export function standsStill(state: TaskState): boolean {
  return isTerminal(state) || state === TaskState.TASK_STATE_INPUT_REQUIRED || state === TaskState.TASK_STATE_AUTH_REQUIRED;
}

export interface TaskSource {
  goal: string;
  bar: GoalBar;
  contract: Contract | null;
  files: readonly DeliveredFile[];
  /** Address of the goal's files, without a slash at its end. A file is read with the credential of the task. */
  filesUrl: string;
}

export interface DeliveredFile {
  submission: string;
  item: string | null;
  file: Artifact;
}

/** The files of the live acceptances, in the order of acceptance. */
export function acceptedFiles(acceptances: readonly RowData['acceptance'][], submissions: readonly RowData['submission'][]): DeliveredFile[] {
  const byId = new Map(submissions.map((submission) => [submission.id, submission]));
  return acceptances
    .filter((acceptance) => acceptance.verdict === 'accepted' && acceptance.live)
    .sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
    .flatMap(({ submission, item }) => (byId.get(submission)?.artifacts ?? []).map((file) => ({ submission, item, file })));
}

export function taskOf(source: TaskSource): Task {
  const { goal, bar } = source;
  const state = taskStateOf(bar);
  return {
    id: goal,
    contextId: goal,
    status: { state, message: statusMessage(source, state), timestamp: new Date(bar.at).toISOString() },
    artifacts: source.files.map((delivered) => artifactOf(delivered, source.filesUrl)),
    history: [],
    metadata: { title: bar.title, status: bar.status, goalVersion: bar.goalVersion, seq: bar.seq },
  };
}

function statusMessage({ goal, bar, contract }: TaskSource, state: TaskState): Message {
  const asked = state === TaskState.TASK_STATE_INPUT_REQUIRED;
  const questions = asked ? openQuestions(bar) : [];
  const confirm = asked && bar.next.who.some((who) => who.act === 'confirm');
  const parts: Part[] = [
    ...questions.flatMap((question) => [textPart(question.reason), dataPart(questionData(question))]),
    ...(confirm ? [textPart('The contract waits to be confirmed.'), dataPart({ confirm: { goalVersion: bar.goalVersion }, contract: contract as unknown as Json })] : []),
    ...(bar.status === 'paused' ? [textPart('The goal is paused.')] : []),
    // Codes and parameters: why it stands as it does and who moves it next.
    dataPart({ why: bar.next.why as unknown as Json, who: bar.next.who as unknown as Json }),
  ];
  return { messageId: `${goal}.s${bar.seq}`, contextId: goal, taskId: goal, role: Role.ROLE_AGENT, parts, metadata: undefined, extensions: [], referenceTaskIds: [] };
}

function questionData({ id, generation, form, recommended, item, owner }: BlockerView): Json {
  return { blocker: id, generation, form, owner, ...(recommended === undefined ? {} : { recommended }), ...(item === undefined ? {} : { item }) };
}

function artifactOf({ submission, item, file }: DeliveredFile, filesUrl: string): A2aArtifact {
  return {
    artifactId: `${submission}/${file.path}`,
    name: file.path,
    description: '',
    parts: [
      {
        content: { $case: 'url', value: `${filesUrl}/${file.digest}` },
        metadata: undefined,
        filename: file.path.split('/').at(-1) ?? file.path,
        mediaType: typeOf(file.path),
      },
    ],
    metadata: { submission, digest: file.digest, size: file.size, ...(item === null ? {} : { item }) },
    extensions: [],
  };
}

function textPart(value: string): Part {
  return { content: { $case: 'text', value }, metadata: undefined, filename: '', mediaType: 'text/plain' };
}

function dataPart(value: Json): Part {
  return { content: { $case: 'data', value }, metadata: undefined, filename: '', mediaType: 'application/json' };
}
