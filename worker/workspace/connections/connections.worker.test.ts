/** Connections before the first round, on the whole Worker: its objects, its queue, a model server and an MCP server over HTTP. */
import { applyD1Migrations } from 'cloudflare:test';
import { env as bindings } from 'cloudflare:workers';
import { afterEach, beforeAll, expect, inject, it, vi } from 'vitest';
import { RIGHT_KEY } from '../../../testing/model-server/scripts/connections.ts';
import { type Actor, scopes } from '../../domain/context.ts';
import type { Json } from '../../domain/values.ts';
import type { RowData } from '../../domain/row-data.ts';
import type { EventView, GoalBar } from '../../domain/views/types.ts';
import type { Env } from '../../env.ts';
import { goalStub } from '../../goal/goal-stub.ts';
import type { ReadQuery } from '../../goal/rpc.ts';
import { commandWorkspace, readWorkspace, testAgain } from '../client.ts';
import type { WorkspaceCommandType } from '../core/catalogue.ts';

const env = bindings as unknown as Env & { MIGRATIONS: Parameters<typeof applyD1Migrations>[1] };
beforeAll(() => applyD1Migrations(env.DB, env.MIGRATIONS));
afterEach(() => vi.restoreAllMocks());

const person: Actor = { kind: 'person', principal: 'person:a', scopes };
const wrongKey = 'sk-wrong-canary-77aa';
let count = 0;

/** A workspace of its own, with one goal in it. */
class Scene {
  readonly #workspace: string;
  constructor(workspace: string) {
    this.#workspace = workspace;
  }
  async set(type: WorkspaceCommandType, payload: Json): Promise<void> {
    count += 1;
    const envelope = { type, commandId: `s${count}`, expected: {}, payload, dryRun: false };
    expect(await commandWorkspace(env, { v: 1, workspace: this.#workspace, actor: person, envelope })).toMatchObject({ outcome: 'applied' });
  }
  async give(type: string, payload: Json): Promise<void> {
    count += 1;
    const envelope = { type, commandId: `g${count}`, expected: {}, payload, dryRun: false };
    const answer = await goalStub(env, this.#workspace, 'g').command({ v: 1, workspace: this.#workspace, goal: 'g', actor: person, envelope } as never);
    expect(answer).toMatchObject({ outcome: 'applied' });
  }
  /** A goal that one agent carries, to a file with 42 in it. */
  begin(model = 'default'): Promise<void> {
    return this.give('goal.create', {
      mode: 'goal_only',
      contract: {
        title: 'One answer',
        objective: 'Write the answer.',
        criteria: [{ id: 'answered', text: 'The answer is written', verify: 'check', checks: ['answer'] }],
        checks: [{ key: 'answer', kind: 'matches', file: { path: 'answer.md' }, pattern: '42' }],
      },
      lanes: { coordinator: { kind: 'agent', profile: model } },
      confirmed: true,
    });
  }
  async read<T>(query: ReadQuery): Promise<T> {
    const answer = await goalStub(env, this.#workspace, 'g').read({ v: 1, workspace: this.#workspace, goal: 'g', query });
    if (answer.outcome !== 'found') throw new Error(JSON.stringify(answer));
    return answer.value as unknown as T;
  }
  bar = async () => (await this.read<{ bar: GoalBar }>({ what: 'goal' })).bar;
  async rows<K extends keyof RowData>(kind: K): Promise<RowData[K][]> {
    return (await this.read<{ data: { data: RowData[K] }[] }>({ what: 'rows', kind, limit: 100 })).data.map((row) => row.data);
  }
  async events(type: string): Promise<EventView[]> {
    return (await this.read<{ data: EventView[] }>({ what: 'events', after: 0, limit: 500 })).data.filter((event) => event.type === type);
  }
  async connections() {
    const answer = await readWorkspace(env, { v: 1, workspace: this.#workspace, query: { what: 'settings' } });
    if (answer.outcome !== 'found') throw new Error(JSON.stringify(answer));
    return (answer.value as { connections: Json[] }).connections;
  }
  again = (setting: string) => testAgain(env, { v: 1, workspace: this.#workspace, setting });
  until = (ready: (bar: GoalBar) => boolean) => vi.waitFor(async () => expect(await this.bar()).toSatisfy(ready), { timeout: 20_000, interval: 50 });
}
const held = (code: string) => (bar: GoalBar) => bar.next.why.kind === 'queued' && bar.next.why.connection?.code === code;
const completed = (bar: GoalBar) => bar.status === 'completed';

/** Conversations of the script that reached the model server, by whether the host tested it. */
async function seenOf(model: string): Promise<{ body: string }[]> {
  return ((await (await fetch(`${new URL(inject('modelServer')).origin}/_seen?model=${model}`)).json()) as { seen: { body: string }[] }).seen;
}
async function asked(model: string): Promise<{ tests: number; rounds: number }> {
  const seen = await seenOf(model);
  const tests = seen.filter(({ body }) => body.includes('read_back')).length;
  return { tests, rounds: seen.length - tests };
}

it('with a wrong key no round begins: the goal says why and who moves, asks the provider once, and goes on by itself with the right one', async () => {
  const scene = new Scene('keyed');
  await scene.set('secret.put', { name: 'key', value: wrongKey });
  await scene.set('provider.put', { name: 'main', kind: 'openai-compatible', baseUrl: inject('modelServer'), secret: 'key' });
  await scene.set('profile.put', { name: 'default', provider: 'main', model: 'keyed-answer' });
  await scene.begin();
  await scene.until(held('key'));
  const { next, budget } = await scene.bar();
  expect(next.why).toMatchObject({
    kind: 'queued',
    by: 'connection',
    connection: { setting: 'provider:main', code: 'key', detail: expect.stringContaining('Incorrect API key'), person: true },
  });
  expect(next.who).toMatchObject([
    { mover: 'person:admin', act: 'set_connection', ref: 'provider:main' },
    { mover: 'host', act: 'time' },
  ]);
  // The provider quotes the key that it refuses.
  expect(JSON.stringify([next, await scene.events('round.held'), await scene.connections()])).not.toContain(wrongKey);
  expect(await scene.connections()).toMatchObject([{ setting: 'provider:main', shown: 'main/keyed-answer', standing: 'refused', code: 'key' }]);
  // What is rung, pushed and changed beside it asks the provider no more.
  await goalStub(env, 'keyed', 'g').poke({ v: 1, workspace: 'keyed', goal: 'g' });
  await scene.set('policy.set', { rules: [] });
  await scene.set('profile.put', { name: 'writer', provider: 'main', model: 'keyed-answer' });
  await scene.until(held('key'));
  expect(await asked('keyed-answer')).toEqual({ tests: 1, rounds: 0 });
  expect(await scene.events('round.claimed')).toEqual([]);
  expect(budget.tokens.used).toBe(0);

  await scene.set('secret.put', { name: 'key', value: RIGHT_KEY });
  await scene.until(completed);
  expect((await asked('keyed-answer')).tests).toBe(3);
  expect(await scene.events('round.ended')).not.toContainEqual(expect.objectContaining({ data: expect.objectContaining({ outcome: 'failed' }) }));
  expect(await scene.connections()).toMatchObject([{ setting: 'provider:main', standing: 'works', code: null }]);
});

it('what fails for a while is no wrong key: nobody is asked at first, it is tried again later, and at once when somebody tested it', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  const scene = new Scene('down');
  await scene.set('provider.put', { name: 'main', kind: 'openai-compatible', baseUrl: inject('modelServer') });
  await scene.set('profile.put', { name: 'default', provider: 'main', model: 'down' });
  await scene.begin();
  await scene.until(held('overloaded'));
  const { next } = await scene.bar();
  expect(next.why).toMatchObject({ connection: { setting: 'provider:main', person: false } });
  expect(next.who).toMatchObject([{ mover: 'host', act: 'time', due: expect.any(Number) }]);
  expect((await scene.connections())[0]).toMatchObject({ standing: 'later', again: expect.any(Number) });
  const before = await asked('down');
  for (const tries of [2, 3]) {
    await scene.again('provider:main');
    await vi.waitFor(async () => expect((await asked('down')).tests).toBe(before.tests + tries - 1), { timeout: 10_000 });
  }
  // Three times in a row: somebody may have to look after it.
  await scene.until((bar) => bar.next.who.some((who) => who.act === 'set_connection'));
  expect(await asked('down')).toMatchObject({ rounds: 0 });
});

it('the tools of an MCP server that the workspace put: read, refused, asked for and sent once, each on record; and tested before the round', async () => {
  const scene = new Scene('remote');
  await scene.set('provider.put', { name: 'main', kind: 'openai-compatible', baseUrl: inject('modelServer') });
  await scene.set('profile.put', { name: 'default', provider: 'main', model: 'asks-remote' });
  await scene.set('mcp.put', { name: 'scripted', url: `${inject('modelServer')}/nothing`, tools: ['look', 'send'], readOnly: ['look'] });
  await scene.begin();
  await scene.until(held('request'));
  expect((await scene.bar()).next.who[0]).toMatchObject({ act: 'set_connection', ref: 'mcp:scripted' });
  expect(await scene.events('round.claimed')).toEqual([]);

  await scene.set('mcp.put', { name: 'scripted', url: inject('mcpServer'), tools: ['look', 'send'], readOnly: ['look'] });
  await scene.until((bar) => bar.next.who.some((who) => who.act === 'decide'));
  const remote = async () =>
    (await scene.rows('call')).filter(({ tool }) => tool.startsWith('mcp')).map(({ tool, effect, ok, refused }) => `${tool}${effect ? ' outside' : ''} ${refused?.code ?? ok}`);
  expect(await remote()).toEqual(['mcp.scripted.look true']);
  const [approval] = await scene.rows('approval');
  expect(approval).toMatchObject({ tool: 'mcp.scripted.send', state: 'asked' });
  await scene.give('approval.decide', { approval: approval?.id ?? '', decision: 'approved', callDigest: approval?.callDigest ?? '' });
  await scene.until(completed);

  expect(await remote()).toEqual(['mcp.scripted.look true', 'mcp.scripted.send outside true']);
  expect(await scene.rows('effect')).toMatchObject([{ tool: 'mcp.scripted.send', state: 'succeeded' }]);
  // To the model each answer came once; what is not on the list is no tool of its round, and it was told so.
  const conversations = (await seenOf('asks-remote')).map(({ body }) => (JSON.parse(body) as { messages: { role: string; content: string }[]; tools?: Json[] }).messages);
  const told = new Set(conversations.flat().flatMap(({ role, content }) => (role === 'tool' ? [String(content)] : [])));
  const saying = (text: string) => [...told].filter((content) => content.includes(text)).length;
  expect([saying('seen order 7'), saying('sent hello'), saying('there is no tool mcp_scripted_erase in this round'), saying('erased')]).toEqual([1, 1, 1, 0]);
});
