/** Sizes of cards, known before anything is drawn: from the plan alone, so that what happens later moves nothing. */
import type { GraphNode, GraphView } from '../api/types.ts';

export type Detail = 'full' | 'compact';
export interface Size {
  width: number;
  height: number;
}

/** Up to so many items each is a whole card. */
export const fullCards = 60;
/** Above so many, drawing helps nobody: the table shows them. */
export const drawnCards = 400;

export const detailOf = (graph: GraphView): Detail => (graph.nodes.length <= fullCards ? 'full' : 'compact');

const fullWidth = 238;
const inner = fullWidth - 34;

/** Estimated width of a title at 14 px semibold, in pixels, in a wide face: wide scripts take a whole em. */
function textWidth(text: string): number {
  let width = 0;
  for (const char of text) width += (char.codePointAt(0) ?? 0) > 0x2e80 ? 14.2 : 8.6;
  return width;
}

/** Lines its title may take; what does not fit ends with an ellipsis. */
export const titleLines = (node: GraphNode): 1 | 2 => (textWidth(node.title) > inner ? 2 : 1);

export function sizeOf(node: GraphNode, detail: Detail): Size {
  if (detail === 'compact') return { width: 190, height: 56 };
  return { width: fullWidth, height: 80 + (titleLines(node) - 1) * 19 + (node.milestone ? 22 : 0) };
}
