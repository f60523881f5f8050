/** Questions about the directed graph of a plan: cycles with their path, and what lies downstream of what. Keys are nodes; edges point at what a node names. */

export type Edges = ReadonlyMap<string, readonly string[]>;

/**
 * One cycle for each group of nodes that reach each other, as its path with the first node repeated at the end: `[a, b, a]`.
 * The shortest one through the group's first node in the order of `edges`, if there is one through it. Linear in nodes and edges per group.
 */
export function cyclesOf(edges: Edges): string[][] {
  const cycles: string[][] = [];
  for (const group of components(edges)) {
    const first = group.nodes[0];
    if (first === undefined) continue;
    if (group.nodes.length === 1 && !(edges.get(first) ?? []).includes(first)) continue;
    cycles.push(shortestCycle(edges, first, new Set(group.nodes)));
  }
  return cycles;
}

function shortestCycle(edges: Edges, start: string, within: Set<string>): string[] {
  const cameFrom = new Map<string, string>();
  let front = [start];
  while (front.length > 0) {
    const next: string[] = [];
    for (const node of front) {
      for (const to of edges.get(node) ?? []) {
        if (to === start) {
          const path = [start];
          for (let at: string | undefined = node; at !== undefined && at !== start; at = cameFrom.get(at)) path.push(at);
          return [...path, start].reverse();
        }
        if (!within.has(to) || cameFrom.has(to)) continue;
        cameFrom.set(to, node);
        next.push(to);
      }
    }
    front = next;
  }
  return [start, start];
}

/** Strongly connected groups (Tarjan), without recursion: a chain of a thousand items must not meet the stack's limit. Nodes in the order of `edges`. */
function components(edges: Edges): { nodes: string[] }[] {
  const order = [...edges.keys()];
  const place = new Map(order.map((node, index) => [node, index]));
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const open: string[] = [];
  const isOpen = new Set<string>();
  const groups: { nodes: string[] }[] = [];
  for (const root of order) {
    if (index.has(root)) continue;
    const work: { node: string; next: number }[] = [{ node: root, next: 0 }];
    while (work.length > 0) {
      const frame = work.at(-1) as { node: string; next: number };
      const { node } = frame;
      if (frame.next === 0) {
        index.set(node, index.size);
        low.set(node, index.get(node) as number);
        open.push(node);
        isOpen.add(node);
      }
      const to = (edges.get(node) ?? [])[frame.next];
      if (to !== undefined) {
        frame.next += 1;
        if (!edges.has(to)) continue;
        if (!index.has(to)) work.push({ node: to, next: 0 });
        else if (isOpen.has(to)) low.set(node, Math.min(low.get(node) as number, index.get(to) as number));
        continue;
      }
      work.pop();
      const parent = work.at(-1);
      if (parent) low.set(parent.node, Math.min(low.get(parent.node) as number, low.get(node) as number));
      if (low.get(node) === index.get(node)) {
        const nodes: string[] = [];
        for (;;) {
          const member = open.pop() as string;
          isOpen.delete(member);
          nodes.push(member);
          if (member === node) break;
        }
        groups.push({ nodes: nodes.sort((a, b) => (place.get(a) as number) - (place.get(b) as number)) });
      }
    }
  }
  return groups.sort((a, b) => (place.get(a.nodes[0] as string) as number) - (place.get(b.nodes[0] as string) as number));
}

/** Everything that can be reached from `start` over `edges`, without `start` itself unless it lies on a cycle. */
export function reachable(edges: Edges, start: string): Set<string> {
  const seen = new Set<string>();
  const work = [...(edges.get(start) ?? [])];
  for (let node = work.pop(); node !== undefined; node = work.pop()) {
    if (seen.has(node)) continue;
    seen.add(node);
    work.push(...(edges.get(node) ?? []));
  }
  return seen;
}
