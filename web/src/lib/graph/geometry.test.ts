import { describe, expect, it } from 'vitest';
import { arcs, type Box, roundedPath } from './geometry.ts';

const boxes = new Map<string, Box>([
  ['a', { x: 0, y: 100, width: 100, height: 50 }],
  ['between', { x: 200, y: 20, width: 100, height: 50 }],
  ['b', { x: 400, y: 100, width: 100, height: 50 }],
]);

describe('returns above the flow', () => {
  it('clears every card it passes, also one that stands higher than both ends', () => {
    const [arc] = arcs([{ from: 'b', to: 'a' }], boxes);
    expect(arc?.label.y).toBeLessThan(20);
    expect(arc?.label.x).toBe(250);
  });
  it('stacks two returns over the same stretch instead of drawing one over the other', () => {
    const [long, short] = arcs(
      [
        { from: 'b', to: 'a' },
        { from: 'between', to: 'a' },
      ],
      boxes,
    );
    expect(Math.abs((long?.label.y ?? 0) - (short?.label.y ?? 0))).toBeGreaterThanOrEqual(28);
    expect(long?.label.y).toBeLessThan(short?.label.y ?? 0);
  });
  it('draws a return of an item to itself over its own card, and nothing for an unknown item', () => {
    const [own, unknown] = arcs(
      [
        { from: 'a', to: 'a' },
        { from: 'gone', to: 'a' },
      ],
      boxes,
    );
    expect(own?.label).toEqual({ x: 50, y: 70 });
    expect(unknown).toBeNull();
  });
});

describe('roundedPath', () => {
  it('begins and ends exactly at the given points', () => {
    const path = roundedPath(
      [
        { x: 0, y: 0 },
        { x: 50, y: 0 },
        { x: 50, y: 40 },
      ],
      8,
    );
    expect(path).toBe('M0 0L42 0Q50 0 50 8L50 40');
  });
  it('shrinks the radius on a short segment', () => {
    expect(
      roundedPath(
        [
          { x: 0, y: 0 },
          { x: 4, y: 0 },
          { x: 4, y: 40 },
        ],
        8,
      ),
    ).toContain('L2 0Q4 0 4 2');
  });
});
