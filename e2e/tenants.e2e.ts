/** Agents of two workspaces at work at once, with profiles, secrets and files of the same names: nothing of the one is in what the other sends, keeps or exports. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Client } from '../scripts/client.ts';
import { isTest, passesTest, type Script } from '../testing/model-server/script.ts';
import { type ModelServer, startModelServer } from '../testing/model-server/server.ts';
import { type Longhaul, startLonghaul } from './harness.ts';

const workspaces = ['alpha', 'beta'] as const;
type Workspace = (typeof workspaces)[number];
const other = (workspace: Workspace): Workspace => (workspace === 'alpha' ? 'beta' : 'alpha');
const canary = (workspace: Workspace) => `canary-of-${workspace}`;
const keyOf = (workspace: Workspace) => `sk-${canary(workspace)}-key`;
/** Each fails twice and stops: a hundred rounds. */
const goalsEach = 25;

/** Requests that are not answered until one of the other key is there too, so that rounds of both are under way at once. */
const held: { key: string; answer(): void }[] = [];
let overlaps = 0;
let provider: ModelServer;
let worker: Longhaul;

/** The connection works; of what is asked in a round nothing is taken. */
const script: Script = passesTest(async ({ headers }) => {
  const key = headers.authorization ?? '';
  const partner = held.findIndex((each) => each.key !== key);
  if (partner >= 0) {
    overlaps++;
    held.splice(partner, 1)[0]?.answer();
  } else
    await new Promise<void>((answer) => {
      held.push({ key, answer });
      // The last of one workspace have no partner.
      setTimeout(answer, 1000).unref();
    });
  return { kind: 'error', status: 400, message: 'no', type: 'invalid_request_error' };
});

beforeAll(async () => {
  provider = await startModelServer({ script });
  worker = await startLonghaul({ vars: { LONGHAUL_DEV_WORKSPACES: workspaces.join(',') } });
});
afterAll(async () => {
  await worker?.stop();
  await provider?.close();
});

test('B89 two workspaces, agents of one name, a hundred rounds: no foreign word in any prompt, record, archive or setting', async () => {
  const ask = (workspace: Workspace, path: string, body?: object) =>
    fetch(`${worker.url}/v1/workspaces/${workspace}/${path}`, body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) });
  for (const workspace of workspaces)
    for (const [type, payload] of [
      ['secret.put', { name: 'key', value: keyOf(workspace) }],
      ['provider.put', { name: 'main', kind: 'openai-compatible', baseUrl: provider.url, secret: 'key' }],
      ['profile.put', { name: 'default', provider: 'main', model: 'm', window: 32_000, output: 1000, instructions: `You work for ${canary(workspace)}.` }],
    ] as const)
      expect((await ask(workspace, 'commands', { type, commandId: type, payload })).status).toBe(200);

  const goals = workspaces.flatMap((workspace) => Array.from({ length: goalsEach }, (_, n) => ({ workspace, name: `goal-${n}`, client: new Client(worker.url, workspace) })));
  const made = await Promise.all(
    goals.map(async ({ workspace, name, client }) => ({
      workspace,
      client,
      goal: (
        await client.create(name, {
          mode: 'goal_only',
          contract: {
            title: 'Research',
            objective: `Say ${canary(workspace)}.`,
            criteria: [{ id: 'said', text: 'It was said', verify: 'attest' }],
            limits: { tokens: 100_000, money: { amount: 100, currency: 'USD' } },
          },
          lanes: { coordinator: { kind: 'agent', profile: 'coordinator' } },
          confirmed: true,
        })
      ).goal,
    })),
  );
  expect(made).toHaveLength(2 * goalsEach);
  for (const { client, goal } of made) {
    for (;;) {
      const bar = await client.bar(goal);
      if (bar.next.why.kind === 'suspended') break;
      await client.events(goal, bar.seq, 5);
    }
  }

  const received = provider.seen.filter(({ body }) => !isTest(JSON.parse(body)));
  expect(received.length).toBeGreaterThanOrEqual(4 * goalsEach);
  expect(overlaps).toBeGreaterThan(goalsEach);
  for (const { headers, body } of received) {
    const key = headers.authorization;
    const workspace = key === `Bearer ${keyOf('alpha')}` ? 'alpha' : 'beta';
    expect(key).toBe(`Bearer ${keyOf(workspace)}`);
    expect(body).toContain(`Say ${canary(workspace)}.`);
    expect(body).toContain(`You work for ${canary(workspace)}.`);
    expect(body).not.toContain(canary(other(workspace)));
  }
  for (const { workspace, goal } of made) {
    const archive = Buffer.from(await (await ask(workspace, `goals/${goal}/export`)).arrayBuffer()).toString('latin1');
    expect(archive).toContain(canary(workspace));
    expect(archive).not.toContain(canary(other(workspace)));
    expect((await ask(other(workspace), `goals/${goal}`)).status).toBe(404);
  }
  for (const workspace of workspaces)
    for (const path of ['settings', 'secrets', 'audit', 'usage', 'goals?limit=200', 'rounds?limit=200'])
      expect(await (await ask(workspace, path)).text(), path).not.toContain(canary(other(workspace)));
  for (const line of worker.lines()) expect(line).not.toContain('canary-of-');
});
