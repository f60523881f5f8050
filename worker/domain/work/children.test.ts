/** Children of an Attempt that ended without a verdict: taken up by the next one where that works from the same, left where it does not. */
import { expect, it } from 'vitest';
import { accept, begin, owner, planned, submit } from '../cases/scenes.ts';
import { ok, World } from '../testing/world.ts';

const newest = (world: World) => world.state.items.look?.attempt?.id;
const childNamed = (world: World, name: string) => Object.values(world.state.subagents).find((child) => child.name === name && child.parent === newest(world));

function looking(): { world: World; parent: ReturnType<typeof begin> } {
  const world = new World();
  const script = (name: string) => ({ kind: 'skill', skill: 'demo', script: name });
  planned(world, [{ key: 'made' }, { key: 'look', kind: 'verify', executor: script('look.js'), dependsOn: [{ key: 'made' }] }]);
  accept(world, 'made');
  const parent = begin(world, 'look');
  ok(world.give(parent, 'subagent.spawn', { children: [{ name: 'eye', brief: 'look' }] }));
  ok(world.give(parent, 'round.end', { outcome: 'waiting' }));
  const round = world.rounds().find((entry) => entry.subagent !== undefined);
  if (!round) throw new Error('no round for the child');
  ok(world.give(world.start(round), 'subagent.return', { ok: true, result: 'seen' }));
  return { world, parent: begin(world, 'look') };
}

it('a result is kept over an interruption that changed nothing it was made from', () => {
  const { world, parent } = looking();
  ok(world.give(parent, 'work.block', { item: 'look', key: 'which', reason: 'Which one?', form: {} }));
  ok(world.give(owner, 'blocker.resolve', { blocker: 'which', answer: 1 }));
  begin(world, 'look');
  expect(world.state.items.look?.attempt?.number).toBe(2);
  expect(childNamed(world, 'eye')?.state).toBe('returned');
});

it('a result is not taken for one about an input that was delivered anew', () => {
  const { world, parent } = looking();
  ok(world.give(parent, 'acceptance.invalidate', { acceptance: world.state.items.made?.verdict?.id, scene: { summary: 'broken' } }));
  ok(submit(world, begin(world, 'made'), 'made', { artifacts: [{ path: 'made.txt', digest: 'b'.repeat(64), size: 2 }] }));
  const again = begin(world, 'look');
  expect(world.state.items.look?.attempt?.number).toBe(2);
  expect(childNamed(world, 'eye')).toBeUndefined();
  // The same name is a new child.
  ok(world.give(again, 'subagent.spawn', { children: [{ name: 'eye', brief: 'look' }] }));
  expect(childNamed(world, 'eye')?.state).toBe('open');
});
