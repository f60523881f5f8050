/** The workspace's rules over a Goal's calls, as everything runs. */
import { applyD1Migrations } from 'cloudflare:test';
import { env as bindings } from 'cloudflare:workers';
import { beforeAll, expect, it, vi } from 'vitest';
import { type Actor, scopes } from '../domain/context.ts';
import type { Json } from '../domain/values.ts';
import type { Env } from '../env.ts';
import { goalStub } from '../goal/goal-stub.ts';
import { commandWorkspace } from './client.ts';

const env = bindings as unknown as Env & { MIGRATIONS: Parameters<typeof applyD1Migrations>[1] };
beforeAll(() => applyD1Migrations(env.DB, env.MIGRATIONS));

const person: Actor = { kind: 'person', principal: 'person:a', scopes };
const contract = (policies: Json) => ({ title: 'Hello', objective: 'Write a file.', criteria: [{ id: 'said', text: 'It was said', verify: 'attest' }], policies });

/** Codes with which the goal's calls were refused; null: it went through. Waits for the first call. */
async function firstCall(workspace: string, policies: Json): Promise<string | null> {
  const goal = 'g1';
  const created = await goalStub(env, workspace, goal).command({
    v: 1,
    workspace,
    goal,
    actor: person,
    envelope: {
      type: 'goal.create',
      commandId: 'create',
      expected: {},
      payload: {
        mode: 'goal_only',
        contract: contract(policies),
        lanes: { coordinator: { kind: 'skill', skill: 'examples', script: 'answer.js', input: { path: 'a.md', text: 'a' } } },
        confirmed: true,
      } as unknown as Json,
      dryRun: false,
    },
  });
  expect(created).toMatchObject({ outcome: 'applied' });
  return vi.waitFor(
    async () => {
      const read = await goalStub(env, workspace, goal).read({ v: 1, workspace, goal, query: { what: 'rows', kind: 'call', limit: 1 } });
      const [row] = read.outcome === 'found' ? (read.value as { data: { data: { tool: string; refused?: { code: string } } }[] }).data : [];
      if (!row) throw new Error('no call yet');
      expect(row.data.tool).toBe('files.write');
      return row.data.refused?.code ?? null;
    },
    { timeout: 20_000, interval: 100 },
  );
}
const rules = (workspace: string, then: string) =>
  commandWorkspace(env, {
    v: 1,
    workspace,
    actor: person,
    envelope: { type: 'policy.set', commandId: 'p', expected: {}, payload: { rules: [{ tool: 'files.*', then }] } as unknown as Json, dryRun: false },
  });

it('a rule of the workspace denies what no contract forbids, and no contract loosens it', async () => {
  await rules('strict', 'deny');
  expect(await firstCall('strict', [{ tool: 'files.write', then: 'allow' }])).toBe('policy_denied');
});

it('a rule of the contract is as strict where the workspace allows', async () => {
  await rules('loose', 'allow');
  expect(await firstCall('loose', [{ tool: 'files.write', then: 'deny' }])).toBe('policy_denied');
});

it('without either the call is made, and rules of another workspace are not asked', async () => {
  await rules('elsewhere', 'deny');
  expect(await firstCall('plain', [])).toBeNull();
});
