/** Longhaul as an A2A agent, asked by the SDK's own client: over the Worker, real objects and credentials. */
import { type AgentCard, type Message, type Part, Role, type StreamResponse, type Task, TaskState } from '@a2a-js/sdk';
import { type Client, ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory } from '@a2a-js/sdk/client';
import { applyD1Migrations } from 'cloudflare:test';
import { env as bindings } from 'cloudflare:workers';
import { createHash } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { scopes } from '../domain/context.ts';
import type { Json } from '../domain/values.ts';
import type { Env } from '../env.ts';
import { app, type Browser, freshId, newPerson, newToken, newWorkspace, origin } from './testing/people.ts';

const env = bindings as unknown as Env & { MIGRATIONS: Parameters<typeof applyD1Migrations>[1] };
let ada: Browser;
let workspace: string;
beforeAll(async () => {
  await applyD1Migrations(env.DB, env.MIGRATIONS);
  ada = await newPerson(env, 'Ada');
  workspace = await newWorkspace(ada, 'Acme');
}, 60_000);

type Headers = Record<string, string>;
const fetchAs = (headers: Headers) =>
  (async (input: RequestInfo | URL, init?: RequestInit) => {
    const request = new Request(input, init);
    for (const [name, value] of Object.entries(headers)) request.headers.set(name, value);
    return app.fetch(request, env);
  }) as typeof fetch;

/** `version`: the client takes only that interface of the card. */
async function clientAs(headers: Headers, version?: string): Promise<Client> {
  const fetchImpl = fetchAs(headers);
  const card: AgentCard = await new DefaultAgentCardResolver({ fetchImpl }).resolve(origin);
  return new ClientFactory({ transports: [new JsonRpcTransportFactory({ fetchImpl, legacyCompat: { enabled: true } })] }).createFromAgentCard({
    ...card,
    supportedInterfaces: card.supportedInterfaces.filter(({ protocolVersion }) => version === undefined || protocolVersion === version),
  });
}
const robot = async (asked: readonly string[] = ['goals:read', 'goals:write'], more: object = {}) => clientAs((await newToken(ada, workspace, asked, more)).headers);

const part = (value: string | Json): Part => ({
  content: typeof value === 'string' ? { $case: 'text', value } : { $case: 'data', value },
  metadata: undefined,
  filename: '',
  mediaType: '',
});
function sending(parts: (string | Json)[], message: Partial<Message> = {}, tenant = '') {
  return {
    tenant,
    message: {
      messageId: freshId('message'),
      contextId: '',
      taskId: '',
      role: Role.ROLE_USER,
      parts: parts.map(part),
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
      ...message,
    },
    configuration: { acceptedOutputModes: [], taskPushNotificationConfig: undefined, returnImmediately: true },
    metadata: undefined,
  };
}
async function sent(client: Client, ...given: Parameters<typeof sending>): Promise<Task> {
  const answer = await client.sendMessage(sending(...given));
  if (!('status' in answer)) throw new Error('a task is expected');
  return answer;
}
const stateOf = (task: Task) => TaskState[task.status?.state ?? -1];
const dataOf = (task: Task) => task.status?.message?.parts.flatMap(({ content }) => (content?.$case === 'data' ? [content.value] : [])) ?? [];
const named = (id: string) => ({ tenant: '', id });
const ofTask = ({ id }: Task) => ({ tenant: '', id, metadata: undefined });
const contract = { title: 'Hello', objective: 'Say hello.', criteria: [{ id: 'said', text: 'It was said', verify: 'attest' }] };
const lanes = { coordinator: { kind: 'person' } };

async function give(goal: string, type: string, payload: object, expected: object = {}): Promise<Record<string, never>> {
  const { status, body } = await ada.ask<{ result: Record<string, never> }>(`/v1/workspaces/${workspace}/goals/${goal}/commands`, {
    body: { type, commandId: freshId(type), payload, expected },
  });
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body.result;
}
/** A confirmed task with one item, which a person carries. */
async function underWay(client: Client): Promise<Task> {
  const draft = await sent(client, [{ contract, lanes }]);
  await sent(client, [{ confirm: { goalVersion: 1 } }], { taskId: draft.id });
  const { proposal } = await give(
    draft.id,
    'plan.propose',
    { document: { mode: 'bound', items: [{ key: 'w1', title: 'w1', executor: { kind: 'person' } }] } },
    { planRevision: 0 },
  );
  await give(draft.id, 'plan.adopt', { proposal }, { planRevision: 0 });
  return draft;
}

it('says what it is to anybody, and takes nobody without a credential', async () => {
  const card = await new DefaultAgentCardResolver({ fetchImpl: fetchAs({}) }).resolve(origin);
  expect(card).toMatchObject({
    name: 'Longhaul',
    supportedInterfaces: [
      { url: `${origin}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      { url: `${origin}/a2a`, protocolVersion: '0.3' },
    ],
    capabilities: { streaming: true },
  });
  await expect((await clientAs({})).getTask(named('x'))).rejects.toThrow(/401|unauthenticated/);
});

it('makes a goal of a message once, confirms it, takes what is said and cancels it', async () => {
  const client = await robot();
  const messageId = freshId('once');
  const draft = await sent(client, [{ contract, lanes }], { messageId });
  expect(stateOf(draft)).toBe('TASK_STATE_INPUT_REQUIRED');
  expect(dataOf(draft)[0]).toMatchObject({ confirm: { goalVersion: 1 }, contract: { title: 'Hello' } });
  expect((await sent(client, [{ contract, lanes }], { messageId })).id).toBe(draft.id);
  await expect(sent(client, ['Something else'], { messageId })).rejects.toThrow(/command_reused/);
  await expect(sent(client, [{ confirm: { goalVersion: 7 } }], { taskId: draft.id })).rejects.toThrow(/goal_version_stale/);
  const confirmed = await sent(client, [{ confirm: { goalVersion: 1 } }], { taskId: draft.id, contextId: draft.contextId });
  expect(confirmed.metadata).toMatchObject({ status: 'active', goalVersion: 1 });
  await sent(client, ['And keep it short.', { unheard: { of: true } }], { taskId: draft.id });
  const messages = await ada.ask<{ bar: { messages: { posted: number } } }>(`/v1/workspaces/${workspace}/goals/${draft.id}`);
  expect(messages.body.bar.messages.posted).toBe(1);
  expect(stateOf(await client.cancelTask(ofTask(draft)))).toBe('TASK_STATE_CANCELED');
  expect(stateOf(await client.cancelTask(ofTask(draft)))).toBe('TASK_STATE_CANCELED');
  await expect(sent(client, ['Still there?'], { taskId: draft.id })).rejects.toThrow(/goal_not_active/);
});

it('makes a draft of a sentence', async () => {
  const client = await robot();
  const draft = await sent(client, ['Reconcile the invoices of March.']);
  expect(draft.metadata).toMatchObject({ status: 'draft' });
  expect(['TASK_STATE_SUBMITTED', 'TASK_STATE_INPUT_REQUIRED']).toContain(stateOf(draft));
  await expect(sent(client, [{ contract: { title: 1 } }])).rejects.toThrow(/schema_invalid/);
  await expect(sent(client, ['In a context of mine'], { contextId: 'mine' })).rejects.toThrow(/contextId/);
});

it('B99: a question is visible with its text and form, is answered by its form, and delivers what was accepted; completed comes with the audit', async () => {
  const client = await robot();
  const task = await underWay(client);
  const form = { type: 'object', properties: { program: { type: 'string', enum: ['a', 'b'] } }, required: ['program'], additionalProperties: false };
  await give(task.id, 'work.block', { item: 'w1', key: 'program', reason: 'Which program?', form });
  const asked = await client.getTask(named(task.id));
  expect(stateOf(asked)).toBe('TASK_STATE_INPUT_REQUIRED');
  expect(asked.status?.message?.parts[0]?.content).toEqual({ $case: 'text', value: 'Which program?' });
  const blocker = String(dataOf(asked)[0].blocker);
  expect(dataOf(asked)[0]).toMatchObject({ form, generation: expect.any(Number) });
  await expect(sent(client, ['c'], { taskId: task.id })).rejects.toThrow(/schema_invalid/);
  expect(dataOf(await client.getTask(named(task.id)))[0]).toMatchObject({ blocker });
  const answered = await sent(client, ['b'], { taskId: task.id });
  expect(dataOf(answered)[0]).not.toHaveProperty('blocker');
  await expect(sent(client, [{ blocker, answer: { program: 'a' } }], { taskId: task.id })).rejects.toThrow();

  const { fence } = await give(task.id, 'work.claim', { item: 'w1' });
  await give(task.id, 'attempt.start', { item: 'w1', fence });
  const path = `/v1/workspaces/${workspace}/goals/${task.id}/files/out.txt`;
  expect((await app.fetch(new Request(`${origin}${path}`, { method: 'PUT', headers: { cookie: ada.cookie, origin }, body: 'made' }), env)).status).toBe(201);
  const digest = createHash('sha256').update('made').digest('hex');
  const submitted = await give(task.id, 'submission.submit', { item: 'w1', artifacts: [{ path: 'out.txt', digest, size: 4 }], summary: 'Made.' });
  const accepted = await client.getTask(named(task.id));
  expect(submitted).toHaveProperty('submission');
  // Accepted work is there to be read, and is not the end.
  expect(stateOf(accepted)).not.toBe('TASK_STATE_COMPLETED');
  expect(accepted.artifacts).toMatchObject([{ name: 'out.txt', metadata: { digest, size: 4, item: 'w1' } }]);
  const content = accepted.artifacts[0]?.parts[0]?.content;
  const address = content?.$case === 'url' ? content.value : '';
  const reader = await newToken(ada, workspace, ['goals:read']);
  expect(await (await fetchAs(reader.headers)(address)).text()).toBe('made');
  await give(task.id, 'criterion.attest', { criterion: 'said', holds: true, statement: 'I heard it.' }, { goalVersion: 1 });
  const done = await client.getTask(named(task.id));
  expect(stateOf(done)).toBe('TASK_STATE_COMPLETED');
  await expect(client.cancelTask(ofTask(task))).rejects.toThrow(/completed/);
  // An answer after the end opens nothing.
  await expect(sent(client, [{ blocker, answer: { program: 'a' } }], { taskId: task.id })).rejects.toThrow(/goal_not_active/);
});

it('tells what happens as a stream, until it stands still', async () => {
  const client = await robot();
  const draft = await sent(client, [{ contract, lanes }]);
  await sent(client, [{ confirm: { goalVersion: 1 } }], { taskId: draft.id });
  await give(draft.id, 'goal.pause', {});
  const seen: string[] = [];
  for await (const event of client.resubscribeTask(named(draft.id))) {
    const task = event.payload?.$case === 'task' || event.payload?.$case === 'statusUpdate' ? event.payload.value : undefined;
    seen.push(`${event.payload?.$case} ${TaskState[task?.status?.state ?? -1]}`);
    if (seen.length === 1) await give(draft.id, 'goal.cancel', {});
  }
  expect(seen).toEqual(['task TASK_STATE_WORKING', 'statusUpdate TASK_STATE_CANCELED']);
  await expect(client.resubscribeTask(named(draft.id)).next()).rejects.toThrow(/over/);
});

it('begins a stream with the message that makes the task, ends it at a question, and goes on when it is subscribed to again', async () => {
  const client = await robot();
  const states = async (events: AsyncGenerator<StreamResponse>) => {
    const seen: string[] = [];
    let id = '';
    for await (const { payload } of events) {
      if (payload?.$case !== 'task' && payload?.$case !== 'statusUpdate') continue;
      id = payload.$case === 'task' ? payload.value.id : payload.value.taskId;
      seen.push(`${payload.$case} ${TaskState[payload.value.status?.state ?? -1]}`);
    }
    return { id, seen };
  };
  // The contract waits to be confirmed: nothing more comes until somebody acts.
  const { id, seen } = await states(client.sendMessageStream(sending([{ contract, lanes }])));
  expect(seen).toEqual(['task TASK_STATE_INPUT_REQUIRED']);
  expect(await states(client.resubscribeTask(named(id)))).toEqual({ id, seen });
  const old = await clientAs((await newToken(ada, workspace, ['goals:read', 'goals:write'])).headers, '0.3');
  expect(await states(old.resubscribeTask(named(id)))).toEqual({ id, seen });
  const stranger = await robot(['goals:write']);
  await expect(stranger.resubscribeTask(named(id)).next()).rejects.toThrow(/scope_missing/);
});

it('tells nothing more to a token that was revoked', async () => {
  const client = await robot();
  const { id: token, headers } = await newToken(ada, workspace, ['goals:read']);
  const draft = await sent(client, [{ contract, lanes }]);
  await sent(client, [{ confirm: { goalVersion: 1 } }], { taskId: draft.id });
  await give(draft.id, 'goal.pause', {});
  const events = (await clientAs(headers)).resubscribeTask(named(draft.id));
  expect((await events.next()).value?.payload?.$case).toBe('task');
  const revoked = await ada.ask(`/v1/workspaces/${workspace}/people/commands`, { body: { type: 'token.revoke', commandId: freshId('revoke'), payload: { token } } });
  expect(revoked.status).toBe(200);
  await give(draft.id, 'goal.cancel', {});
  expect(await events.next()).toEqual({ done: true, value: undefined });
});

it('speaks 0.3 as well, where members of unions say their kind', async () => {
  const { headers } = await newToken(ada, workspace, ['goals:read', 'goals:write']);
  const old = await clientAs(headers, '0.3');
  const task = await sent(old, [{ contract, lanes }]);
  expect(stateOf(task)).toBe('TASK_STATE_INPUT_REQUIRED');
  const raw = await fetchAs({ ...headers, 'content-type': 'application/json' })(`${origin}/a2a`, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { id: task.id, unheard: 'of' } }),
  });
  expect(await raw.json()).toMatchObject({
    result: { kind: 'task', id: task.id, status: { state: 'input-required', message: { kind: 'message', parts: [{ kind: 'text' }, { kind: 'data' }, { kind: 'data' }] } } },
  });
  const other = await fetchAs({ ...headers, 'a2a-version': '9.0' })(`${origin}/a2a`, { method: 'POST', body: '{"jsonrpc":"2.0","id":1,"method":"GetTask","params":{"id":"x"}}' });
  expect(await other.json()).toMatchObject({ error: { code: -32009 } });
});

it('opens what the credential opens, and no more: scopes, goals, workspaces', async () => {
  const client = await robot();
  const task = await sent(client, [{ contract, lanes }]);
  const bob = await newPerson(env, 'Bob');
  const other = await newWorkspace(bob, 'Others');
  const stranger = await clientAs((await newToken(bob, other, scopes)).headers);
  await expect(stranger.getTask(named(task.id))).rejects.toThrow(/not_found/);
  await expect(stranger.cancelTask(ofTask(task))).rejects.toThrow(/not_found/);
  await expect(sent(stranger, ['Let me in'], { taskId: task.id })).rejects.toThrow(/not_found/);
  await expect(stranger.getTask({ ...named(task.id), tenant: workspace })).rejects.toThrow(/404|not_found/);
  const reader = await robot(['goals:read']);
  expect((await reader.getTask(named(task.id))).id).toBe(task.id);
  await expect(reader.cancelTask(ofTask(task))).rejects.toThrow(/scope_missing/);
  await expect(sent(reader, ['Something new'])).rejects.toThrow(/scope_missing/);
  const writer = await robot(['goals:write']);
  await expect(writer.getTask(named(task.id))).rejects.toThrow(/scope_missing/);
  const limited = await robot(['goals:read', 'goals:write'], { goals: [task.id] });
  expect((await limited.getTask(named(task.id))).id).toBe(task.id);
  await expect(sent(limited, ['Something new'])).rejects.toThrow(/forbidden/);
  await expect(limited.getTask(named((await sent(client, ['Another'])).id))).rejects.toThrow(/not_found/);
  expect(stateOf(await client.getTask(named(task.id)))).toBe('TASK_STATE_INPUT_REQUIRED');
});
