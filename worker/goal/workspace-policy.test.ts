import { expect, test } from 'vitest';
import { refuse } from '../domain/refusals.ts';
import type { OpenAnswer } from '../workspace/rpc.ts';
import { policyMs, WorkspacePolicy } from './workspace-policy.ts';

function bench() {
  const world = { now: 1000, asked: 0, answer: { outcome: 'opened', rules: [{ tool: 'a', where: [], then: 'deny' }], version: 1 } as OpenAnswer<'policy'> };
  const policy = new WorkspacePolicy(
    async () => {
      world.asked++;
      return world.answer;
    },
    () => world.now,
  );
  return { world, policy };
}

test('is read once for many calls, and again when it is too old', async () => {
  const { world, policy } = bench();
  await Promise.all([policy.fresh(), policy.fresh()]);
  expect(policy.current()).toMatchObject({ version: 1, rules: [{ tool: 'a' }] });
  world.now += policyMs - 1;
  await policy.fresh();
  expect(world.asked).toBe(1);
  world.answer = { outcome: 'opened', rules: [], version: 2 };
  world.now += 1;
  await policy.fresh();
  expect(world.asked).toBe(2);
  expect(policy.current()).toMatchObject({ version: 2, rules: [] });
});

test('that cannot be read lets no call be judged on old rules', async () => {
  const { world, policy } = bench();
  await policy.fresh();
  world.answer = { outcome: 'refused', refusal: refuse('unavailable') };
  expect(await policy.fresh()).toBeUndefined();
  world.now += policyMs;
  expect(await policy.fresh()).toMatchObject({ code: 'unavailable' });
  expect(await policy.fresh()).toMatchObject({ code: 'unavailable' });
  expect(world.asked).toBe(3);
});

test('a clock that went back does not keep old rules alive', async () => {
  const { world, policy } = bench();
  await policy.fresh();
  world.now -= 500;
  await policy.fresh();
  expect(world.asked).toBe(2);
});
