import { expect, test } from 'vitest';
import { refuse } from '../domain/refusals.ts';
import type { OpenAnswer } from '../workspace/rpc.ts';
import { viewMs, WorkspaceView } from './workspace-view.ts';

const opened = (version: number, tool: string, agents = false): OpenAnswer<'policy'> => ({ outcome: 'opened', rules: [{ tool, where: [], then: 'deny' }], agents, version });

function bench() {
  const world = { now: 1000, asked: 0, waiting: 0, answer: opened(1, 'a') as OpenAnswer<'policy'> | Promise<never>, passed: () => {} };
  const view = new WorkspaceView({
    ask: async (wait) => {
      world.asked++;
      if (wait) world.waiting++;
      return world.answer;
    },
    now: () => world.now,
    pause: () =>
      new Promise((resolve) => {
        world.passed = resolve;
      }),
  });
  return { world, view };
}

test('is read once for many calls, and again when it is too old', async () => {
  const { world, view } = bench();
  await Promise.all([view.fresh(), view.fresh()]);
  expect(view.rules()).toMatchObject({ version: 1, rules: [{ tool: 'a' }] });
  world.now += viewMs - 1;
  await view.fresh();
  expect(world.asked).toBe(1);
  world.answer = opened(2, 'b');
  world.now += 1;
  await view.fresh();
  expect(world.asked).toBe(2);
  expect(view.rules()).toMatchObject({ version: 2, rules: [{ tool: 'b' }] });
});

test('that cannot be read lets no call be judged on old rules', async () => {
  const { world, view } = bench();
  await view.fresh();
  world.answer = { outcome: 'refused', refusal: refuse('unavailable') };
  expect(await view.fresh()).toBeUndefined();
  world.now += viewMs;
  expect(await view.fresh()).toMatchObject({ code: 'unavailable' });
  expect(await view.fresh()).toMatchObject({ code: 'unavailable' });
  expect(world.asked).toBe(3);
});

test('a clock that went back does not keep old rules alive', async () => {
  const { world, view } = bench();
  await view.fresh();
  world.now -= 500;
  await view.fresh();
  expect(world.asked).toBe(2);
});

test('a workspace that hangs does not keep a goal from starting, and hides no agent', async () => {
  const { world, view } = bench();
  world.answer = new Promise<never>(() => {});
  const started = view.start();
  world.passed();
  await started;
  expect(view.agents).toBe(true);
});

test('a model that comes is seen at the ring, once', async () => {
  const { world, view } = bench();
  await view.start();
  expect(view.agents).toBe(false);
  expect(await view.rung(async () => true)).toBeUndefined();
  world.answer = opened(5, 'a', true);
  expect(await view.rung(async () => true)).toEqual({ version: 5 });
  const { asked } = world;
  expect(await view.rung(async () => true)).toBeUndefined();
  expect(world.asked).toBe(asked);
});

test('a goal that is not there waits for nothing', async () => {
  const { world, view } = bench();
  await view.start();
  expect(await view.rung(async () => false)).toBeUndefined();
  expect(world.waiting).toBe(0);
});

test('who stands without a model says so once, and again where that was not heard', async () => {
  const { world, view } = bench();
  await view.start();
  expect(world.waiting).toBe(0);
  world.answer = { outcome: 'refused', refusal: refuse('unavailable') };
  expect(await view.wait()).toBeUndefined();
  world.answer = opened(1, 'a');
  expect(await view.wait()).toBeUndefined();
  expect(await view.wait()).toBeUndefined();
  expect(world.waiting).toBe(2);
});

test('a model that came before it was said is not missed', async () => {
  const { world, view } = bench();
  await view.start();
  world.answer = opened(7, 'a', true);
  expect(await view.wait()).toEqual({ version: 7 });
});
