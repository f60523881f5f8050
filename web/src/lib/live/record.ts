/**
 * What the page knows of one Goal: the server's last projection, patched frame by frame. Applying a frame twice, or one that was
 * overtaken, changes nothing, so a resume may repeat what it likes.
 */
import type { Contract, EventView, Frame, GoalBar, GraphEdge, GraphNode, GraphView } from '../api/types.ts';

export interface GoalRecord {
  /** Number of the last event this projection contains. */
  seq: number;
  bar: GoalBar;
  graph: GraphView;
  contract: Contract | null;
  /** Ascending by `seq`, without doubles; the newest `keptEvents`. */
  events: readonly EventView[];
}

/** Events held in memory. Older ones are read again when somebody scrolls to them. */
export const keptEvents = 5000;

type Projection = Extract<Frame, { kind: 'snapshot' | 'update' }>;

/** Returns the same object where the frame brings nothing new, and null where an update came before any snapshot. */
export function applyFrame(record: GoalRecord | null, frame: Projection): GoalRecord | null {
  if (frame.kind === 'snapshot') {
    if (record && frame.seq < record.seq) return record;
    // The snapshot holds only the tail; what was read before stays where the two meet.
    const events = record ? mergeEvents(record.events, frame.events) : frame.events.slice(-keptEvents);
    return { seq: frame.seq, bar: frame.bar, graph: frame.graph, contract: frame.contract, events };
  }
  if (!record) return null;
  if (frame.seq <= record.seq) return record;
  return {
    seq: frame.seq,
    bar: frame.bar,
    graph: frame.graph ?? patchGraph(record.graph, frame),
    contract: frame.contract === undefined ? record.contract : frame.contract,
    events: mergeEvents(record.events, frame.events),
  };
}

/** Puts events that were read (older ones, or a repeat) where they belong. */
export function mergeEvents(known: readonly EventView[], incoming: readonly EventView[]): readonly EventView[] {
  const first = incoming[0];
  if (!first) return known;
  const last = known.at(-1);
  const joined =
    !last || first.seq > last.seq ? [...known, ...incoming] : [...new Map([...known, ...incoming].map((event) => [event.seq, event])).values()].sort((a, b) => a.seq - b.seq);
  return joined.length > keptEvents ? joined.slice(-keptEvents) : joined;
}

function patchGraph(graph: GraphView, frame: { seq: number; nodes?: GraphNode[]; edges?: GraphEdge[]; process?: GraphView['process'] }): GraphView {
  if (!frame.nodes && !frame.edges && !frame.process) return graph;
  const nodes = frame.nodes ? patch(graph.nodes, frame.nodes, (node) => node.key) : graph.nodes;
  // Edges and what happened come whole where they changed.
  return { ...graph, seq: frame.seq, nodes, edges: frame.edges ?? graph.edges, process: frame.process ?? graph.process };
}

/** Replaces what has the same identity, in place; appends what is new. */
function patch<T>(known: readonly T[], incoming: readonly T[], identity: (value: T) => string): T[] {
  const byId = new Map(incoming.map((value) => [identity(value), value]));
  const replaced = known.map((value) => {
    const id = identity(value);
    const next = byId.get(id);
    byId.delete(id);
    return next ?? value;
  });
  return [...replaced, ...byId.values()];
}
