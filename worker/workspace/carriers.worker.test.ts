/** Work for agents in a workspace that gets its model later. */
import { applyD1Migrations, runInDurableObject } from 'cloudflare:test';
import { env as bindings } from 'cloudflare:workers';
import { beforeAll, expect, it, vi } from 'vitest';
import { type Actor, scopes } from '../domain/context.ts';
import type { Json } from '../domain/values.ts';
import type { Env } from '../env.ts';
import { goalStub } from '../goal/goal-stub.ts';
import { commandWorkspace } from './client.ts';
import type { WorkspaceCommandType } from './core/catalogue.ts';

const env = bindings as unknown as Env & { MIGRATIONS: Parameters<typeof applyD1Migrations>[1] };
beforeAll(() => applyD1Migrations(env.DB, env.MIGRATIONS));

const actor: Actor = { kind: 'person', principal: 'person:a', scopes };
const workspace = 'later';
const contract = { title: 'Hello', objective: 'Say hello.', criteria: [{ id: 'said', text: 'It was said', verify: 'attest' }] };
const create = (goal: string) =>
  goalStub(env, workspace, goal).command({
    v: 1,
    workspace,
    goal,
    actor,
    envelope: {
      type: 'goal.create',
      commandId: 'create',
      expected: {},
      payload: { mode: 'goal_only', contract, lanes: { coordinator: { kind: 'agent', profile: 'coordinator' } }, confirmed: true } as unknown as Json,
      dryRun: false,
    },
  });
const rows = async (goal: string) => {
  const read = await goalStub(env, workspace, goal).read({ v: 1, workspace, goal, query: { what: 'rows', kind: 'round', limit: 10 } });
  return read.outcome === 'found' ? (read.value as { data: unknown[] }).data : [];
};
const give = (type: WorkspaceCommandType, payload: Json) =>
  commandWorkspace(env, { v: 1, workspace, actor, envelope: { type, commandId: type, expected: {}, payload, dryRun: false } });

it('stands with its owner until there is one, and then goes on by itself', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  // A goal that was never made leaves no trace in the workspace.
  await goalStub(env, workspace, 'g0').read({ v: 1, workspace, goal: 'g0', query: { what: 'next' } });
  for (const goal of ['g1', 'g2']) expect(await create(goal)).toMatchObject({ outcome: 'applied' });
  const next = await goalStub(env, workspace, 'g1').read({ v: 1, workspace, goal: 'g1', query: { what: 'next' } });
  expect(next).toMatchObject({ value: { who: [{ act: 'carry', missing: 'agent:coordinator' }] } });
  const waiting = () =>
    runInDurableObject(env.WORKSPACES.get(env.WORKSPACES.idFromName(workspace)), (_, state) =>
      state.storage.sql.exec("SELECT goal FROM waiting WHERE until = 'model' ORDER BY goal").toArray(),
    );
  await vi.waitFor(async () => expect(await waiting()).toEqual([{ goal: 'g1' }, { goal: 'g2' }]));
  expect(await rows('g1')).toEqual([]);

  await give('provider.put', { name: 'main', kind: 'openai-compatible', baseUrl: 'http://127.0.0.1:9/v1' });
  expect(await rows('g1')).toEqual([]);
  await give('profile.put', { name: 'default', provider: 'main', model: 'm' });
  for (const goal of ['g1', 'g2']) await vi.waitFor(async () => expect(await rows(goal)).not.toEqual([]), { timeout: 10_000 });
  expect(await waiting()).toEqual([]);
});
