/** The MCP server with the official clients, of the revision of 2026 and of that of 2025: an agent outside finds work, does it and sees the review. */
import { applyD1Migrations } from 'cloudflare:test';
import { env as bindings } from 'cloudflare:workers';
import { Client, type FetchLike, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { beforeAll, expect, it } from 'vitest';
import type { Env } from '../env.ts';
import { app, ask, type Browser, freshId, newPerson, newToken, newWorkspace, origin } from './testing/people.ts';

const { LIMIT_CALLERS: _callers, ...bound } = bindings as unknown as Env & { MIGRATIONS: Parameters<typeof applyD1Migrations>[1] };
const env = { ...bound, LONGHAUL_CALLS_PER_MINUTE: '1000000' };
let ada: Browser;
let workspace: string;
beforeAll(async () => {
  await applyD1Migrations(env.DB, env.MIGRATIONS);
  ada = await newPerson(env, 'Mcpada');
  workspace = await newWorkspace(ada, 'Mcp');
}, 60_000);

type Headers = Record<string, string>;
interface Said {
  isError: boolean;
  body: Record<string, never> & { code?: string; fence: number; token: string; artifact: object };
}
interface Agent {
  client: Client;
  call(name: string, args?: object): Promise<Said>;
}

async function agent(headers: Headers, revision?: string): Promise<Agent> {
  const client = new Client({ name: 'test', version: '1' }, revision === undefined ? {} : { versionNegotiation: { mode: { pin: revision } } });
  const fetch = (async (url: string | URL, init?: RequestInit) => app.fetch(new Request(url, init), env)) as unknown as FetchLike;
  await client.connect(new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { requestInit: { headers }, fetch }));
  return {
    client,
    async call(name, args = {}) {
      const { isError = false, structuredContent } = await client.callTool({ name, arguments: { ...args } });
      return { isError, body: structuredContent as Said['body'] };
    },
  };
}

async function hers(path: string, body: object): Promise<Record<string, never>> {
  const answered = await ada.ask<Record<string, never>>(path, { body });
  if (answered.status >= 300) throw new Error(`${answered.status} ${JSON.stringify(answered.body)}`);
  return answered.body;
}
const command = (goal: string, type: string, payload: object, more: object = {}) =>
  hers(`/v1/workspaces/${workspace}/goals/${goal}/commands`, { type, commandId: freshId(type), payload, ...more });

async function goalWith(...keys: string[]): Promise<string> {
  const made = await hers(`/v1/workspaces/${workspace}/goals`, { type: 'goal.create', commandId: freshId('g'), payload: { mode: 'graph_only', title: 'G', confirmed: true } });
  const goal = String(made.goal);
  const items = keys.map((key) => ({ key, title: key, executor: { kind: 'external', name: 'robot' }, review: [{ by: 'person' }] }));
  const proposed = await command(goal, 'plan.propose', { document: { mode: 'graph_only', items } }, { expected: { planRevision: 0 } });
  await command(goal, 'plan.adopt', { proposal: (proposed.result as unknown as { proposal: string }).proposal }, { expected: { planRevision: 0 } });
  return goal;
}

it.each(['2026-07-28', undefined])('is an external executor: finds, claims, works, submits, and sees the review (revision %s, else of 2025)', async (revision) => {
  const robot = await newToken(ada, workspace, ['work:submit', 'goals:read']);
  const { client, call } = await agent(robot.headers, revision);
  expect(client.getServerVersion()).toMatchObject({ name: 'longhaul' });
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['goals_list', 'work_claim', 'submit', 'ask', 'command']));
  const { inputSchema } = tools.find(({ name }) => name === 'command') as unknown as { inputSchema: { properties: { type: { enum: string[] } } } };
  const types = inputSchema.properties.type.enum;
  expect(types).toContain('work.claim');
  expect(types).not.toContain('review.record');
  expect(types).not.toContain('round.claim');

  const goal = await goalWith('a', 'b');
  expect(await call('work_ready', { goal })).toMatchObject({ body: { data: [{ goal, item: 'a', executor: 'robot' }, { item: 'b' }] } });
  const claimed = await call('work_claim', { goal, item: 'a' });
  expect(claimed).toMatchObject({
    isError: false,
    body: { item: 'a', leaseUntil: expect.any(Number), token: expect.stringMatching(/^lha_/), assignment: { state: 'running', item: { key: 'a' } } },
  });
  const held = { goal, item: 'a', fence: claimed.body.fence };
  expect(await call('work_ready', { goal })).toMatchObject({ body: { data: [{ item: 'b' }] } });
  expect(await call('work_heartbeat', held)).toMatchObject({ isError: false, body: { leaseUntil: expect.any(Number) } });
  const stored = await call('file_put', { ...held, path: 'out/a b.txt', text: 'made' });
  expect(stored).toMatchObject({ isError: false, body: { artifact: { path: 'out/a b.txt', size: 4 } } });
  const { digest } = stored.body.artifact as { digest: string };
  expect(await call('file_get', { ...held, digest })).toMatchObject({ body: { encoding: 'text', content: 'made' } });
  const submitted = await call('submit', { ...held, artifacts: [stored.body.artifact], summary: 'Made.' });
  expect(submitted).toMatchObject({ isError: false, body: { outcome: 'applied' } });
  // It is over for this fence, and says so.
  expect(await call('work_heartbeat', held)).toMatchObject({ isError: true, body: { code: 'round_superseded', todo: expect.any(String), effect: 'none' } });

  const { submission, digest: of } = submitted.body.result as unknown as { submission: string; digest: string };
  await command(goal, 'review.record', { submission, digest: of, verdict: 'changes_requested', scene: { summary: 'Once more.' }, criteria: [] });
  expect(await call('item_get', { goal, item: 'a' })).toMatchObject({ body: { submissions: [{ id: submission, verdicts: [{ verdict: 'changes_requested' }] }] } });
  // It came back to whoever delivered it, as another Attempt. The token of an Attempt alone: of another item it does nothing.
  const { attempts } = (await call('item_get', { goal, item: 'a' })).body as unknown as { attempts: { fence: number }[] };
  const again = await call('work_assignment', { goal, item: 'a', fence: attempts.at(-1)?.fence });
  expect(again).toMatchObject({ isError: false, body: { assignment: { state: 'running' } } });
  const own = await agent({ authorization: `Bearer ${again.body.token}` }, revision);
  expect(await own.call('work_heartbeat', { ...held, fence: again.body.fence })).toMatchObject({ isError: false });
  expect(await own.call('work_claim', { goal, item: 'b' })).toMatchObject({ isError: true, body: { code: 'forbidden' } });
  expect(await own.call('goals_list')).toMatchObject({ isError: true, body: { code: 'forbidden' } });
  // A question goes to a person, and the item is free again after its answer.
  const form = { type: 'object', properties: { which: { type: 'string' } }, required: ['which'] };
  expect(await call('ask', { ...held, fence: again.body.fence, key: 'which', reason: 'Which?', form })).toMatchObject({ isError: false });
  expect(await call('goal_get', { goal })).toMatchObject({ body: { bar: { blockers: [{ item: 'a', reason: 'Which?' }] } } });

  const { contents } = await client.readResource({ uri: `longhaul://goals/${goal}/graph` });
  expect(JSON.parse((contents[0] as { text: string }).text)).toMatchObject({ nodes: [{ key: 'a' }, { key: 'b' }] });
  await expect(client.readResource({ uri: 'longhaul://goals/none' })).rejects.toMatchObject({ code: -32602 });
});

it('refuses a fence that is not the current one, commands of the host, and what does not fit', async () => {
  const robot = await newToken(ada, workspace, ['work:submit', 'goals:read']);
  const { call } = await agent(robot.headers);
  const goal = await goalWith('a');
  const first = await call('work_claim', { goal, item: 'a' });
  expect(await call('work_release', { goal, item: 'a', fence: first.body.fence })).toMatchObject({ isError: false });
  const second = await call('work_claim', { goal, item: 'a' });
  expect(second.body.fence).toBeGreaterThan(first.body.fence);
  const stale = { isError: true, body: { code: 'fence_stale', current: { fence: second.body.fence } } };
  for (const [tool, more] of Object.entries({
    work_heartbeat: {},
    file_put: { path: 'a.txt', text: 'x' },
    submit: { artifacts: [], summary: 'x' },
    ask: { key: 'k', reason: 'r', form: {} },
    work_release: {},
    work_assignment: {},
  }))
    expect(await call(tool, { goal, item: 'a', fence: first.body.fence, ...more }), tool).toMatchObject(stale);
  expect(await call('command', { goal, type: 'round.claim', payload: {} })).toMatchObject({ isError: true, body: { code: 'forbidden' } });
  expect(await call('command', { goal, type: 'goal.pause' })).toMatchObject({ isError: true, body: { code: 'scope_missing', current: { scope: 'goals:write' } } });
  expect(await call('work_claim', { goal, itme: 'a' })).toMatchObject({
    isError: true,
    body: { code: 'schema_invalid', errors: expect.arrayContaining([{ pointer: '/itme', code: 'unrecognized_key' }]) },
  });
  expect(await call('work_claim', { goal, item: 'a', commandId: 'one' })).toMatchObject({ isError: true, body: { code: 'already_claimed', commandId: 'one' } });
  expect(await call('goal_get', { goal: '..' })).toMatchObject({ isError: true, body: { code: 'not_found' } });
});

it('is closed without a credential, lets a viewer claim nothing, and knows nothing of another workspace', async () => {
  const goal = await goalWith('a');
  expect(await ask(env, '/mcp', { body: {} })).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
  const viewer = await newToken(ada, workspace, ['goals:read']);
  expect((await ask(env, '/mcp', { headers: viewer.headers })).status).toBe(405);
  const looks = await agent(viewer.headers);
  expect(await looks.call('work_claim', { goal, item: 'a' })).toMatchObject({ isError: true, body: { code: 'scope_missing', current: { scope: 'work:submit' } } });
  const other = await newWorkspace(ada, 'Beside');
  const stranger = await agent((await newToken(ada, other, ['goals:read', 'work:submit'])).headers);
  const without = ({ requestId: _, commandId: __, ...rest }: Record<string, unknown>) => rest;
  for (const [tool, more] of Object.entries({ goal_get: {}, graph_get: {}, work_claim: { item: 'a' }, work_ready: {} })) {
    const theirs = await stranger.call(tool, { goal, ...more });
    expect(theirs, tool).toMatchObject({ isError: true, body: { code: 'not_found' } });
    expect(without(theirs.body), tool).toEqual(without((await stranger.call(tool, { goal: `goal_${'0'.repeat(32)}`, ...more })).body));
  }
});

it('gives one of sixty-four who race for an item the item, and the others a clear refusal (B31)', async () => {
  const goal = await goalWith('a');
  const tokens = [];
  for (let n = 0; n < 64; n++) tokens.push(await newToken(ada, workspace, ['work:submit']));
  const workers = await Promise.all(tokens.map(({ headers }) => agent(headers)));
  const answers = await Promise.all(workers.map(({ call }) => call('work_claim', { goal, item: 'a' })));
  const owners = answers.flatMap(({ isError }, at) => (isError ? [] : [at]));
  expect(owners).toHaveLength(1);
  const [owner = -1] = owners;
  const refused = answers.filter(({ isError }) => isError);
  expect(refused).toHaveLength(63);
  for (const { body } of refused) expect(body).toMatchObject({ code: 'already_claimed', current: { holder: `token:${tokens[owner]?.id}` }, todo: expect.any(String) });
}, 60_000);
