/** Who waits is rung once by one ring, also where it has to wait on. */
import { expect, it } from 'vitest';
import { type RingPorts, ring } from './rings.ts';

function waiting(goals: string[], again: boolean): RingPorts & { rung: string[]; list: string[] } {
  const list = [...goals];
  const rung: string[] = [];
  return {
    list,
    rung,
    waiting: () => list.length,
    take: () => list.shift(),
    poke: async (goal) => {
      rung.push(goal);
      if (rung.length > 100) throw new Error('rung without end');
      if (again) list.push(goal);
    },
  };
}
const goals = Array.from({ length: 20 }, (_, n) => `goal-${n}`);

it('each goal that waits is rung, in the order in which they wait', async () => {
  const ports = waiting(goals, false);
  await ring(ports, 'raised');
  expect(ports.rung).toEqual(goals);
});
it('goals that have to wait on are rung once, and are on the list for the next ring', async () => {
  const ports = waiting(goals, true);
  await ring(ports, 'connection');
  expect(ports.rung).toEqual(goals);
  expect(ports.list.toSorted()).toEqual(goals.toSorted());
});
it('no more than there is room for', async () => {
  const ports = waiting(goals, false);
  await ring(ports, 'settled', 3);
  expect(ports.rung).toEqual(goals.slice(0, 3));
});
