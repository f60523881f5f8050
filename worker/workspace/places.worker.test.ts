/** A round of a Goal waits for its place in the workspace, and goes on when it is rung: as everything runs. */
import { applyD1Migrations, runInDurableObject } from 'cloudflare:test';
import { env as bindings } from 'cloudflare:workers';
import { beforeAll, expect, it, vi } from 'vitest';
import { type Actor, scopes } from '../domain/context.ts';
import type { Json } from '../domain/values.ts';
import type { Env } from '../env.ts';
import { goalStub } from '../goal/goal-stub.ts';
import { commandWorkspace, grant, readWorkspace, settle } from './client.ts';

const env = bindings as unknown as Env & { MIGRATIONS: Parameters<typeof applyD1Migrations>[1] };
beforeAll(() => applyD1Migrations(env.DB, env.MIGRATIONS));

const actor: Actor = { kind: 'person', principal: 'person:a', scopes };
const workspace = 'narrow';
const goal = 'g1';
const elsewhere = { v: 1, workspace, goal: 'elsewhere', round: 'r1', fence: 1 } as const;
const rounds = async () => {
  const read = await goalStub(env, workspace, goal).read({ v: 1, workspace, goal, query: { what: 'rows', kind: 'round', limit: 10 } });
  return read.outcome === 'found' ? (read.value as { data: { data: { phase: string } }[] }).data.map((row) => row.data.phase) : [];
};
const waiting = () =>
  runInDurableObject(env.WORKSPACES.get(env.WORKSPACES.idFromName(workspace)), (_, state) => state.storage.sql.exec("SELECT goal FROM waiting WHERE until = 'settled'").toArray());

it('holds a round while all places are taken, and lets it go when one is free', async () => {
  const budget = { currency: 'USD', parallelRounds: 1 };
  expect(await commandWorkspace(env, { v: 1, workspace, actor, envelope: { type: 'budget.set', commandId: 'b', expected: {}, payload: budget, dryRun: false } })).toMatchObject({
    outcome: 'applied',
  });
  expect(await grant(env, { ...elsewhere, tokens: 0, money: 0 })).toMatchObject({ outcome: 'granted' });

  const contract = { title: 'Hello', objective: 'Write a file.', criteria: [{ id: 'said', text: 'It was said', verify: 'attest' }] };
  const lanes = { coordinator: { kind: 'skill', skill: 'examples', script: 'answer.js', input: { path: 'a.md', text: 'a' } } };
  const payload = { mode: 'goal_only', contract, lanes, confirmed: true } as unknown as Json;
  expect(
    await goalStub(env, workspace, goal).command({ v: 1, workspace, goal, actor, envelope: { type: 'goal.create', commandId: 'c', expected: {}, payload, dryRun: false } }),
  ).toMatchObject({ outcome: 'applied' });
  await vi.waitFor(async () => expect(await waiting()).toEqual([{ goal }]), { timeout: 10_000 });
  expect(await rounds()).toEqual(['scheduled']);

  await settle(env, { ...elsewhere, used: { tokens: 5, money: 0 }, asOf: 1 });
  await vi.waitFor(async () => expect(await rounds()).toEqual(['ended']), { timeout: 20_000 });
  // What it held is given back.
  await vi.waitFor(
    async () =>
      expect(await readWorkspace(env, { v: 1, workspace, query: { what: 'usage', days: 1 } })).toMatchObject({
        value: {
          parallelRounds: { running: 0, limit: 1 },
          total: { reserved: { tokens: 0 } },
          goals: [
            { goal: 'elsewhere', tokens: 5 },
            { goal, rounds: 1 },
          ],
        },
      }),
    { timeout: 10_000 },
  );
});
