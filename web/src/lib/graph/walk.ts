/** Arrow keys in the graph: right and left follow dependencies, up and down stay in the column. */
import type { GraphEdge } from '../api/types.ts';
import type { Box } from './geometry.ts';

export type Direction = 'ArrowRight' | 'ArrowLeft' | 'ArrowUp' | 'ArrowDown';
export const isDirection = (key: string): key is Direction => key === 'ArrowRight' || key === 'ArrowLeft' || key === 'ArrowUp' || key === 'ArrowDown';

/** The item that the key leads to, or undefined at an end. Of several, the one nearest in height. */
export function step(from: string, direction: Direction, edges: readonly GraphEdge[], boxes: ReadonlyMap<string, Box>): string | undefined {
  const here = boxes.get(from);
  if (!here) return undefined;
  const middle = (box: Box) => box.y + box.height / 2;
  const nearest = (keys: readonly string[]) =>
    keys
      .map((key) => ({ key, box: boxes.get(key) }))
      .filter((entry): entry is { key: string; box: Box } => entry.box !== undefined && entry.key !== from)
      .sort((a, b) => Math.abs(middle(a.box) - middle(here)) - Math.abs(middle(b.box) - middle(here)))[0]?.key;
  switch (direction) {
    case 'ArrowRight':
      return nearest(edges.filter((edge) => edge.from === from).map((edge) => edge.to));
    case 'ArrowLeft':
      return nearest(edges.filter((edge) => edge.to === from).map((edge) => edge.from));
    case 'ArrowUp':
    case 'ArrowDown': {
      const down = direction === 'ArrowDown';
      const column = [...boxes].filter(([, box]) => box.x < here.x + here.width && box.x + box.width > here.x && (down ? middle(box) > middle(here) : middle(box) < middle(here)));
      return nearest(column.map(([key]) => key));
    }
    default:
      return direction satisfies never;
  }
}
