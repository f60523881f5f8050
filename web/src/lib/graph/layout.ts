/** Positions by ELK, in its own web worker. One layout per plan revision: what happens to the work does not move it. */
import ELK, { type ElkNode } from 'elkjs/lib/elk-api.js';
import workerUrl from 'elkjs/lib/elk-worker.min.js?url';
import type { GraphView } from '../api/types.ts';
import type { Box, Point } from './geometry.ts';
import { type Detail, sizeOf } from './sizes.ts';

export interface Layout {
  boxes: ReadonlyMap<string, Box>;
  /** Bend points of each dependency by `edgeId`, ends included. */
  lines: ReadonlyMap<string, Point[]>;
}

export const edgeId = (edge: { from: string; to: string; kind: string }): string => `${edge.from}>${edge.to}:${edge.kind}`;

/** Same text, same positions. */
export function layoutKey(graph: GraphView, detail: Detail): string {
  return JSON.stringify([graph.revision, detail, graph.nodes.map((node) => [node.key, sizeOf(node, detail).height]), graph.edges.map(edgeId)]);
}

let elk: InstanceType<typeof ELK> | undefined;
const known = new Map<string, Promise<Layout>>();

export function layOut(graph: GraphView, detail: Detail): Promise<Layout> {
  const key = layoutKey(graph, detail);
  let layout = known.get(key);
  if (!layout) {
    layout = compute(graph, detail);
    known.set(key, layout);
    layout.catch(() => known.delete(key));
  }
  return layout;
}

const options = {
  'elk.algorithm': 'layered',
  'elk.direction': 'RIGHT',
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES',
  'elk.layered.nodePlacement.strategy': 'NETWORK_SIMPLEX',
  'elk.layered.nodePlacement.favorStraightEdges': 'true',
  'elk.layered.spacing.nodeNodeBetweenLayers': '72',
  'elk.layered.spacing.edgeNodeBetweenLayers': '26',
  'elk.layered.spacing.edgeEdgeBetweenLayers': '14',
  'elk.spacing.nodeNode': '44',
  'elk.spacing.edgeNode': '24',
  'elk.spacing.edgeEdge': '14',
  'elk.separateConnectedComponents': 'true',
  'elk.spacing.componentComponent': '60',
};

async function compute(graph: GraphView, detail: Detail): Promise<Layout> {
  elk ??= new ELK({ workerUrl });
  const keys = new Set(graph.nodes.map((node) => node.key));
  const root: ElkNode = {
    id: 'root',
    layoutOptions: options,
    children: graph.nodes.map((node) => ({ id: node.key, ...sizeOf(node, detail) })),
    edges: graph.edges.filter((edge) => keys.has(edge.from) && keys.has(edge.to)).map((edge) => ({ id: edgeId(edge), sources: [edge.from], targets: [edge.to] })),
  };
  const placed = await elk.layout(root);
  const boxes = new Map((placed.children ?? []).map((child) => [child.id, { x: child.x ?? 0, y: child.y ?? 0, width: child.width ?? 0, height: child.height ?? 0 }]));
  const lines = new Map(
    (placed.edges ?? []).map((edge) => {
      const section = edge.sections?.[0];
      return [edge.id, section ? [section.startPoint, ...(section.bendPoints ?? []), section.endPoint] : []];
    }),
  );
  return { boxes, lines };
}
