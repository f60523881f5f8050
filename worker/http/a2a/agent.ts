/**
 * Longhaul as an A2A agent: each operation is a read of a Goal or one command to it. There is no store of tasks: a task is its Goal, under the Goal's id, which is also the id of its context.
 * After a crash or a lost answer the same message id is the same command.
 */
import type { AgentCard, CancelTaskRequest, GetTaskRequest, Message, SendMessageRequest, StreamResponse, SubscribeToTaskRequest, Task } from '@a2a-js/sdk';
import {
  ExtendedAgentCardNotConfiguredError,
  PushNotificationNotSupportedError,
  RequestMalformedError,
  TaskNotCancelableError,
  UnsupportedOperationError,
} from '@a2a-js/sdk/errors';
import type { A2ARequestHandler } from '@a2a-js/sdk/server';
import { type CommandType, envelope } from '../../domain/commands.ts';
import { refuse } from '../../domain/refusals.ts';
import type { RowData } from '../../domain/row-data.ts';
import type { Json } from '../../domain/values.ts';
import { goalIdOf, goalIdPattern } from '../../goal/goal-id.ts';
import type { ReadQuery, ReadValues } from '../../goal/rpc.ts';
import { waitForEvent } from '../events-wait.ts';
import { giveCommand, readGoal } from '../goals.ts';
import { actorOf } from '../identity.ts';
import { schemaRefusal } from '../problem.ts';
import type { Call } from '../route.ts';
import { errorOfRefusal } from './errors.ts';
import { proposalOf, replyOf, saidBy } from './incoming.ts';
import { acceptedFiles, type DeliveredFile, isTerminal, openQuestions, standsStill, taskOf, taskStateOf } from './task-of.ts';

/** Milliseconds that a call which waits for its task is held. A Goal takes hours: who wants more subscribes, or asks again. */
const HELD_MS = 20_000;
/** Milliseconds of one wait of a stream; then it looks whether the caller may still listen. */
const LOOK_MS = 25_000;
/** Milliseconds that a stream lives at most. The caller subscribes again. */
const STREAM_MS = 10 * 60_000;
/** Rows of a page, and pages of one list that a task shows. */
const PAGE = 1000;
const PAGES = 10;

/** The caller in one workspace. `goals`: null, or those that the credential is limited to. `still`: whether the credential still opens the door, as the same. */
export interface Caller {
  call: Call;
  goals: ReadonlySet<string> | null;
  origin: string;
  still(): Promise<boolean>;
}

export class GoalAgent implements A2ARequestHandler {
  readonly #caller: Caller;
  readonly #card: AgentCard;

  constructor(caller: Caller, card: AgentCard) {
    this.#caller = caller;
    this.#card = card;
  }

  getAgentCard = async (): Promise<AgentCard> => this.#card;
  getAuthenticatedExtendedAgentCard = async (): Promise<never> => {
    throw new ExtendedAgentCardNotConfiguredError();
  };

  async sendMessage(params: SendMessageRequest): Promise<Task> {
    const goal = await this.#take(messageIn(params));
    if (params.configuration?.returnImmediately) return this.#task(goal);
    const until = Date.now() + HELD_MS;
    for (;;) {
      const { bar } = await this.#read(goal, { what: 'goal' });
      const left = until - Date.now();
      if (standsStill(taskStateOf(bar)) || left <= 0) return this.#task(goal);
      await waitForEvent(this.#caller.call, goal, bar.seq, left);
      // Nothing new: the time is over, or the wait was cut off.
      if ((await this.#read(goal, { what: 'goal' })).bar.seq === bar.seq) return this.#task(goal);
    }
  }

  async *sendMessageStream(params: SendMessageRequest): AsyncGenerator<StreamResponse, void, undefined> {
    yield* this.#follow(await this.#take(messageIn(params)));
  }

  async getTask({ id }: GetTaskRequest): Promise<Task> {
    return this.#task(this.#named(id));
  }

  async cancelTask({ id }: CancelTaskRequest): Promise<Task> {
    const goal = this.#named(id);
    const { bar } = await this.#read(goal, { what: 'goal' });
    // Asked again it is what it was asked for.
    if (bar.status === 'completed') throw new TaskNotCancelableError('The goal is completed.');
    if (bar.status !== 'cancelled') await this.#give(goal, 'goal.cancel', `a2a.cancel.v${bar.goalVersion}`, {});
    return this.#task(goal);
  }

  async *resubscribe({ id }: SubscribeToTaskRequest): AsyncGenerator<StreamResponse, void, undefined> {
    const goal = this.#named(id);
    if (isTerminal(taskStateOf((await this.#read(goal, { what: 'goal' })).bar))) throw new UnsupportedOperationError('The task is over; nothing more comes of it.');
    yield* this.#follow(goal);
  }

  async listTasks(): Promise<never> {
    throw new UnsupportedOperationError('Goals are listed by GET /v1/workspaces/{workspace}/goals.');
  }

  createTaskPushNotificationConfig = noPush;
  getTaskPushNotificationConfig = noPush;
  listTaskPushNotificationConfigs = noPush;
  deleteTaskPushNotificationConfig = noPush;

  /** Makes a Goal of the message, or hands it to the one that it names. */
  async #take(message: Message): Promise<string> {
    const said = saidBy(message);
    const commandId = `a2a.${message.messageId}`;
    if (message.taskId === '') {
      if (message.contextId !== '') throw new RequestMalformedError('A context is one goal here, and is made with it: leave contextId out, or name the task too.');
      if (this.#caller.goals) throw errorOfRefusal(refuse('forbidden', { detail: 'This token is for single goals.' }));
      const goal = goalIdOf(this.#caller.call.workspace, [this.#caller.call.member.principal, commandId]);
      await this.#give(goal, 'goal.propose', commandId, proposalOf(said));
      return goal;
    }
    const goal = this.#named(message.taskId);
    if (message.contextId !== '' && message.contextId !== goal) throw new RequestMalformedError('contextId is not that of the task.');
    const { bar } = await this.#read(goal, { what: 'goal' });
    if (isTerminal(taskStateOf(bar))) throw errorOfRefusal(refuse('goal_not_active', { detail: 'The task is over.', current: { status: bar.status } }));
    const reply = replyOf(said, openQuestions(bar));
    if (reply.kind === 'confirm') await this.#give(goal, 'goal.confirm', commandId, {}, { goalVersion: reply.goalVersion });
    else if (reply.kind === 'say') await this.#give(goal, 'message.post', commandId, { text: reply.text, asks: bar.intake ? 'draft' : 'nothing' });
    else {
      const { kind: _, ...answer } = reply;
      await this.#give(goal, 'blocker.resolve', commandId, answer);
    }
    return goal;
  }

  async #give(goal: string, type: CommandType, commandId: string, payload: Json, expected?: { goalVersion: number }): Promise<void> {
    const { env, workspace, member } = this.#caller.call;
    const parsed = envelope.safeParse({ type, commandId, payload, ...(expected ? { expected } : {}) });
    if (!parsed.success) throw errorOfRefusal(schemaRefusal(parsed.error));
    const given = await giveCommand(env, { v: 1, workspace, goal, actor: actorOf(member), envelope: parsed.data });
    if (given.outcome === 'rejected') throw errorOfRefusal(given.refusal);
    // Whether it was done is not known: the same message id again says it.
    if (given.outcome === 'unknown') throw errorOfRefusal(refuse('unavailable', { detail: given.detail }));
  }

  /** The id of a Goal that the credential may know of. */
  #named(id: string): string {
    if (!goalIdPattern.test(id) || (this.#caller.goals && !this.#caller.goals.has(id))) throw errorOfRefusal(refuse('not_found'));
    return id;
  }

  async #read<W extends 'goal' | 'rows'>(goal: string, query: Extract<ReadQuery, { what: W }>): Promise<ReadValues[W]> {
    const { env, workspace, member } = this.#caller.call;
    if (!member.scopes.includes('goals:read')) throw errorOfRefusal(refuse('scope_missing', { current: { scope: 'goals:read' } }));
    const found = await readGoal(env, workspace, goal, query);
    if (!found.ok) throw errorOfRefusal(found.refusal);
    return found.value.value as unknown as ReadValues[W];
  }

  async #task(goal: string): Promise<Task> {
    const { bar, contract } = await this.#read(goal, { what: 'goal' });
    const files = bar.items.accepted > 0 ? await this.#accepted(goal) : [];
    return taskOf({ goal, bar, contract, files, filesUrl: `${this.#caller.origin}/v1/workspaces/${this.#caller.call.workspace}/goals/${goal}/artifacts` });
  }

  async #accepted(goal: string): Promise<DeliveredFile[]> {
    const [acceptances, submissions] = await Promise.all([this.#rows(goal, 'acceptance'), this.#rows(goal, 'submission')]);
    return acceptedFiles(acceptances as unknown as RowData['acceptance'][], submissions as unknown as RowData['submission'][]);
  }

  async #rows(goal: string, kind: 'acceptance' | 'submission'): Promise<Json[]> {
    const rows: Json[] = [];
    let after: string | null = null;
    for (let page = 0; page < PAGES; page++) {
      const found: ReadValues['rows'] = await this.#read(goal, { what: 'rows', kind, limit: PAGE, ...(after === null ? {} : { after }) });
      rows.push(...found.data.map(({ data }) => data));
      after = found.next;
      if (after === null) return rows;
    }
    throw errorOfRefusal(refuse('limit_exceeded', { detail: 'This goal delivered more than a task can show. Read its record.' }));
  }

  /** The task, then what changes of it, until it stands still. Ends early where the credential no longer opens the door, or where waiting is cut off. */
  async *#follow(goal: string): AsyncGenerator<StreamResponse, void, undefined> {
    const { call, still } = this.#caller;
    const end = Date.now() + STREAM_MS;
    let task = await this.#task(goal);
    let sent = new Set(task.artifacts.map(({ artifactId }) => artifactId));
    yield { payload: { $case: 'task', value: task } };
    while (task.status && !standsStill(task.status.state) && Date.now() < end) {
      const seq = Number(task.metadata?.seq);
      const before = said(task);
      const began = Date.now();
      await waitForEvent(call, goal, seq, LOOK_MS);
      if (call.request.signal.aborted || !(await still())) return;
      task = await this.#task(goal);
      if (Number(task.metadata?.seq) === seq) {
        if (Date.now() - began < LOOK_MS) return;
        continue;
      }
      const { id: taskId, contextId, status, artifacts } = task;
      for (const artifact of artifacts)
        if (!sent.has(artifact.artifactId))
          yield { payload: { $case: 'artifactUpdate', value: { taskId, contextId, artifact, append: false, lastChunk: true, metadata: undefined } } };
      sent = new Set(artifacts.map(({ artifactId }) => artifactId));
      // Much happens in a goal of which its task says nothing.
      if (said(task) !== before) yield { payload: { $case: 'statusUpdate', value: { taskId, contextId, status, metadata: task.metadata } } };
    }
  }
}

/** What a status says, without when. */
const said = ({ status }: Task) => JSON.stringify([status?.state, status?.message?.parts]);

async function noPush(): Promise<never> {
  throw new PushNotificationNotSupportedError();
}

function messageIn({ message }: SendMessageRequest): Message {
  if (!message || message.messageId === '') throw new RequestMalformedError('A message needs a messageId: sent again, it is the same message.');
  return message;
}
