/**
 * What watchers see: a snapshot first, then one update for each commit (or for several, when a large graph changes fast).
 * The projection is computed only while somebody watches. A frame is at most 900,000 characters; a larger one is cut and says so.
 */

import type { Event } from '../domain/events.ts';
import type { Json } from '../domain/values.ts';
import type { EventView, Frame, GraphNode, GraphView } from '../domain/views/types.ts';
import { contractOf } from './contract-of.ts';
import { lookupOf } from './lookup.ts';
import type { ProtocolPorts } from './protocol-ports.ts';
import type { Live, WorkingSet } from './working-set.ts';

/** Characters of one frame. UTF-8 may need three bytes each, the platform takes 1 MB: text that is not Latin is cut earlier. */
const frameBytes = 900_000;
/** Characters of one piece of live text, the newest. */
export const STREAM_CHARACTERS = 100_000;
/** A watcher that is at most this many events behind gets the events; another one a snapshot. */
const resumeEvents = 1000;
/** Events that come with a snapshot, the newest. */
const snapshotEvents = 100;
/** Nodes of the graph that are compared each millisecond, at most: bounds what watching a large graph costs. */
const nodesPerMs = 10;

export const closeCodes = { ticketExpired: 4001, notFound: 4004 } as const;

interface Shown {
  nodes: Map<string, string>;
  edges: string;
  process: string;
  revision: number;
  goalVersion: number;
}

export class Frames {
  readonly #ports: ProtocolPorts;
  readonly #set: WorkingSet;
  /** What the watchers have. Undefined: unknown, the next update carries the whole graph. */
  #shown: Shown | undefined;
  #unsent: EventView[] = [];
  #notBefore = 0;
  #scheduled = false;

  constructor(ports: ProtocolPorts, set: WorkingSet) {
    this.#ports = ports;
    this.#set = set;
  }

  /** A socket was opened: it gets what it missed since `after`, or everything. */
  connect(id: string, after: number | undefined): void {
    const live = this.#set.live();
    if (!live) {
      this.#ports.sockets.send(id, { kind: 'error', code: 'not_found' });
      this.#ports.sockets.close(id, closeCodes.notFound, 'not_found');
      return;
    }
    this.flush(id);
    const behind = after !== undefined && after > 0 && after <= live.state.seq && live.state.seq - after <= resumeEvents ? this.#catchUp(live, after) : undefined;
    // A resume is exact or it is none: what does not fit into one frame is a snapshot, and its events can be read.
    this.#send(id, fitted(behind && bytesOf(behind) <= frameBytes ? behind : this.#snapshot(live)));
  }

  /** After a commit. */
  changed(events: readonly Event[]): void {
    if (this.#ports.sockets.list().length === 0) {
      this.#shown = undefined;
      this.#unsent = [];
      return;
    }
    for (const event of events) this.#unsent.push(this.#ports.core.eventView(event));
    const wait = this.#notBefore - this.#ports.clock.now();
    if (wait <= 0) this.flush();
    else if (!this.#scheduled) {
      this.#scheduled = true;
      this.#ports.timers.after(wait, () => {
        this.#scheduled = false;
        this.flush();
      });
    }
  }

  /** A piece of live text to all who watch; false where nobody does. */
  stream(frame: Extract<Frame, { kind: 'stream' }>): boolean {
    const now = this.#ports.clock.now();
    const sockets = this.#ports.sockets.list().filter((socket) => socket.expiresAt > now);
    for (const socket of sockets) this.#send(socket.id, frame);
    return sockets.length > 0;
  }

  forget(): void {
    this.#shown = undefined;
    this.#unsent = [];
  }

  /** Sends what is waiting. `newcomer` gets it with its first frame. */
  flush(newcomer?: string): void {
    const live = this.#set.live();
    const sockets = this.#ports.sockets.list().filter((socket) => socket.id !== newcomer);
    if (sockets.length === 0) this.#unsent = [];
    if (!live || this.#unsent.length === 0) return;
    const frame = fitted(this.#update(live));
    const now = this.#ports.clock.now();
    for (const socket of sockets) {
      if (socket.expiresAt <= now) this.#ports.sockets.close(socket.id, closeCodes.ticketExpired, 'ticket_expired');
      else this.#send(socket.id, frame);
    }
    this.#unsent = [];
    this.#notBefore = now + Math.floor((this.#shown?.nodes.size ?? 0) / nodesPerMs);
  }

  /** A watcher that cannot be reached stops nobody. */
  #send(id: string, frame: Frame): void {
    try {
      this.#ports.sockets.send(id, frame as unknown as Json);
    } catch (error) {
      this.#ports.log.warn('socket.failed', { detail: error instanceof Error ? error.message : String(error) });
    }
  }

  #update(live: Live): Frame {
    const { core } = this.#ports;
    const lookup = lookupOf(this.#ports.store, live.leases);
    const view = core.graphView(live.state, lookup);
    const before = this.#shown;
    this.#shown = shownOf(view, live.state.goalVersion);
    const frame: Extract<Frame, { kind: 'update' }> = { kind: 'update', seq: live.state.seq, events: this.#unsent, bar: this.#bar(live) };
    if (!before || before.revision !== view.revision) frame.graph = view;
    else {
      const nodes: GraphNode[] = view.nodes.filter((node) => before.nodes.get(node.key) !== this.#shown?.nodes.get(node.key));
      if (nodes.length > 0) frame.nodes = nodes;
      if (before.edges !== this.#shown.edges) frame.edges = view.edges;
      if (before.process !== this.#shown.process) frame.process = view.process;
    }
    if (!before || before.goalVersion !== live.state.goalVersion) frame.contract = contractOf(live.state, lookup);
    return frame;
  }

  #catchUp(live: Live, after: number): Frame {
    const { core, store } = this.#ports;
    const lookup = lookupOf(store, live.leases);
    const events = store.events(after, resumeEvents).map((event) => core.eventView(event));
    const graph = this.#whole(live);
    return { kind: 'update', seq: live.state.seq, events, bar: this.#bar(live), graph, contract: contractOf(live.state, lookup) };
  }

  #snapshot(live: Live): Frame {
    const { core, store } = this.#ports;
    const lookup = lookupOf(store, live.leases);
    const events = store.events(Math.max(0, live.state.seq - snapshotEvents), snapshotEvents).map((event) => core.eventView(event));
    const graph = this.#whole(live);
    return { kind: 'snapshot', seq: live.state.seq, bar: this.#bar(live), graph, events, contract: contractOf(live.state, lookup) };
  }

  /** The graph for a newcomer. Every other watcher has it too, as nothing is waiting to be sent: later frames carry only what changed. */
  #whole(live: Live): GraphView {
    const view = this.#ports.core.graphView(live.state, lookupOf(this.#ports.store, live.leases));
    this.#shown = shownOf(view, live.state.goalVersion);
    return view;
  }

  #bar(live: Live) {
    return this.#ports.core.goalBar(live.state, Math.max(this.#ports.clock.now(), live.state.at), this.#ports.carriers);
  }
}

function shownOf(view: GraphView, goalVersion: number): Shown {
  return {
    nodes: new Map(view.nodes.map((node) => [node.key, JSON.stringify(node)])),
    edges: JSON.stringify(view.edges),
    process: JSON.stringify(view.process),
    revision: view.revision,
    goalVersion,
  };
}

function bytesOf(frame: Frame): number {
  const text = JSON.stringify(frame);
  // A character is at most three bytes; counting exactly is needed only near the limit.
  return text.length * 3 <= frameBytes ? text.length : new TextEncoder().encode(text).length;
}

/** Older events go first (they can be read through the API), then process edges, then nodes; the graph then says that it is truncated. */
function fitted(frame: Frame): Frame {
  if (frame.kind === 'error' || frame.kind === 'stream' || bytesOf(frame) <= frameBytes) return frame;
  let cut: Frame = { ...frame, events: frame.events.slice(-20) };
  if (bytesOf(cut) <= frameBytes) return cut;
  cut = { ...cut, events: cut.events.slice(-1).map((event) => ({ ...event, data: null })) };
  const graph = cut.graph;
  if (!graph) {
    // Too many changed nodes for one update: the rest is there for the asking.
    if (cut.kind === 'update' && cut.nodes) {
      const nodes = [...cut.nodes];
      while (nodes.length > 0 && bytesOf({ ...cut, nodes }) > frameBytes) nodes.length = Math.floor(nodes.length / 2);
      return { ...cut, nodes };
    }
    return cut;
  }
  let nodes = graph.nodes;
  for (;;) {
    const kept = new Set(nodes.map((node) => node.key));
    const next: Frame = { ...cut, graph: { ...graph, nodes, edges: graph.edges.filter((edge) => kept.has(edge.from) && kept.has(edge.to)), process: [], truncated: true } };
    if (nodes.length === 0 || bytesOf(next) <= frameBytes) return next;
    nodes = nodes.slice(0, Math.floor(nodes.length / 2));
  }
}
