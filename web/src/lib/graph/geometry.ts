/** Lines of the graph, as SVG paths. Pure. */
export interface Point {
  x: number;
  y: number;
}
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Straight segments with rounded corners. The radius gives way on short segments. */
export function roundedPath(points: readonly Point[], radius: number): string {
  const [first, ...rest] = points;
  const last = points.at(-1);
  if (!first || !last) return '';
  let path = `M${first.x} ${first.y}`;
  for (let index = 0; index < rest.length - 1; index++) {
    const before = points[index];
    const corner = rest[index];
    const after = rest[index + 1];
    if (!before || !corner || !after) continue;
    const r = Math.min(radius, distance(before, corner) / 2, distance(corner, after) / 2);
    const enter = toward(corner, before, r);
    const leave = toward(corner, after, r);
    path += `L${enter.x} ${enter.y}Q${corner.x} ${corner.y} ${leave.x} ${leave.y}`;
  }
  return `${path}L${last.x} ${last.y}`;
}

const distance = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);
function toward(from: Point, to: Point, by: number): Point {
  const whole = distance(from, to) || 1;
  return { x: from.x + ((to.x - from.x) / whole) * by, y: from.y + ((to.y - from.y) / whole) * by };
}

/** An arrow head that points right and ends at `tip`. */
export const head = (tip: Point, size = 8): string => `M${tip.x - size} ${tip.y - size / 2}L${tip.x} ${tip.y}L${tip.x - size} ${tip.y + size / 2}Z`;

export interface Arc {
  path: string;
  label: Point;
  /** Where it arrives; the head points down. */
  tip: Point;
}

/** The highest edge of any box within a span of x. */
export function topWithin(boxes: Iterable<Box>, from: number, to: number): number {
  let top = Number.POSITIVE_INFINITY;
  for (const box of boxes) if (box.x < to && box.x + box.width > from) top = Math.min(top, box.y);
  return top;
}

export interface ArcInput {
  from: string;
  to: string;
}

/** Returns run above everything they pass. Those that overlap are stacked, short ones nearest to the work. */
export function arcs(inputs: readonly ArcInput[], boxes: ReadonlyMap<string, Box>, gap = 30, step = 28): (Arc | null)[] {
  const spans = inputs.map(({ from, to }) => {
    const a = boxes.get(from);
    const b = boxes.get(to);
    if (!a || !b) return null;
    // A return of an item to itself leaves near its right end and comes back near its left.
    const start = from === to ? a.x + a.width * 0.8 : a.x + a.width / 2;
    const end = from === to ? b.x + b.width * 0.2 : b.x + b.width / 2;
    return { a, b, start, end, left: Math.min(start, end), right: Math.max(start, end) };
  });
  const order = spans
    .map((span, index) => ({ span, index }))
    .filter((entry) => entry.span !== null)
    .sort((x, y) => (x.span?.right ?? 0) - (x.span?.left ?? 0) - ((y.span?.right ?? 0) - (y.span?.left ?? 0)));
  const taken: { left: number; right: number; apex: number }[] = [];
  const result: (Arc | null)[] = inputs.map(() => null);
  for (const { span, index } of order) {
    if (!span) continue;
    let apex = topWithin(boxes.values(), span.left - 60, span.right + 60) - gap;
    for (const other of taken.sort((x, y) => y.apex - x.apex)) {
      if (other.left < span.right + 60 && other.right > span.left - 60 && Math.abs(other.apex - apex) < step) apex = other.apex - step;
    }
    taken.push({ left: span.left, right: span.right, apex });
    const points = [
      { x: span.start, y: span.a.y },
      { x: span.start, y: apex },
      { x: span.end, y: apex },
      { x: span.end, y: span.b.y - 7 },
    ];
    result[index] = { path: roundedPath(points, 16), label: { x: (span.left + span.right) / 2, y: apex }, tip: { x: span.end, y: span.b.y - 1 } };
  }
  return result;
}
