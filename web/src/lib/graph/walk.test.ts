import { expect, it } from 'vitest';
import { step } from './walk.ts';

const box = (x: number, y: number) => ({ x, y, width: 100, height: 40 });
const boxes = new Map([
  ['scope', box(0, 100)],
  ['server', box(200, 40)],
  ['client', box(200, 160)],
  ['check', box(400, 60)],
]);
const edge = (from: string, to: string) => ({ from, to, kind: 'hard' as const, satisfied: false });
const edges = [edge('scope', 'server'), edge('scope', 'client'), edge('server', 'check'), edge('client', 'check')];

it('follows dependencies to the right and back', () => {
  expect(step('server', 'ArrowRight', edges, boxes)).toBe('check');
  expect(step('check', 'ArrowLeft', edges, boxes)).toBe('server');
});
it('stays in the column with up and down', () => {
  expect(step('server', 'ArrowDown', edges, boxes)).toBe('client');
  expect(step('client', 'ArrowUp', edges, boxes)).toBe('server');
});
it('goes nowhere at an end', () => {
  expect(step('check', 'ArrowRight', edges, boxes)).toBeUndefined();
  expect(step('scope', 'ArrowUp', edges, boxes)).toBeUndefined();
});
