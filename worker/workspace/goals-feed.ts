/**
 * What those who follow a workspace's lists are sent: a snapshot from the book first, then the Goals that changed, several in one frame. What changed is kept in memory, the newest of each
 * Goal, so that a watcher who comes back within that gets what it missed; after longer, or after a restart, a snapshot again.
 */
import type { Json } from '../domain/values.ts';
import type { GoalSummary, GoalsFrame } from '../domain/views/types.ts';

/** Milliseconds in which changes are put into one frame. */
const coalesceMs = 200;
/** Goals whose newest change is kept. */
const keptGoals = 1000;
/** Goals of one frame; a list that is longer is read page by page. */
export const goalsOfSnapshot = 200;

export interface FeedPorts {
  now(): number;
  /** From the book: the newest, those that need somebody also where they are old. */
  read(): Promise<{ goals: GoalSummary[]; truncated: boolean }>;
  after(ms: number, work: () => void): void;
  sockets: { list(): { id: string; expiresAt: number }[]; send(id: string, frame: Json): void; close(id: string, code: number, reason: string): void };
}

export class GoalsFeed {
  readonly #ports: FeedPorts;
  /** Null: erased. In order of change, the oldest first. */
  readonly #changes = new Map<string, { seq: number; summary: GoalSummary | null }>();
  /** Every change with a greater `seq` is among the changes. */
  #since: number;
  #seq: number;
  readonly #unsent = new Set<string>();
  /** Watchers whose snapshot is being read. */
  readonly #opening = new Set<string>();

  constructor(ports: FeedPorts) {
    this.#ports = ports;
    this.#since = ports.now();
    this.#seq = this.#since;
  }

  /** An image that was overtaken says nothing new, and nothing brings back what was erased. */
  changed(goal: string, summary: GoalSummary | null): void {
    const known = this.#changes.get(goal);
    if (known && (known.summary === null || (summary && known.summary.seq >= summary.seq))) return;
    // A clock that goes back must not give a number twice; one that restarts must not begin anew.
    this.#seq = Math.max(this.#seq + 1, this.#ports.now());
    this.#changes.delete(goal);
    this.#changes.set(goal, { seq: this.#seq, summary });
    for (const [oldest, { seq }] of this.#changes) {
      if (this.#changes.size <= keptGoals) break;
      this.#changes.delete(oldest);
      this.#since = seq;
    }
    if (this.#ports.sockets.list().length === 0) return;
    if (this.#unsent.size === 0) this.#ports.after(coalesceMs, () => this.flush());
    this.#unsent.add(goal);
  }

  /** A socket was opened. `after`: the `seq` of the last frame it has. */
  async connect(id: string, after: number | undefined): Promise<void> {
    if (after !== undefined && after >= this.#since && after <= this.#seq) {
      this.#send(id, this.#changesAfter(after));
      return;
    }
    this.#opening.add(id);
    const seq = this.#seq;
    try {
      const { goals, truncated } = await this.#ports.read();
      this.#send(id, { kind: 'snapshot', seq, goals: this.#overlaid(goals), truncated });
      // What changed while it was read.
      if (this.#seq > seq) this.#send(id, this.#changesAfter(seq));
    } catch {
      this.#send(id, { kind: 'error', code: 'unavailable' });
      this.#ports.sockets.close(id, 1013, 'unavailable');
    } finally {
      this.#opening.delete(id);
    }
  }

  /** Sends what is waiting. */
  flush(): void {
    const waiting = [...this.#unsent];
    this.#unsent.clear();
    const changes = waiting.flatMap((goal) => {
      const change = this.#changes.get(goal);
      return change ? [{ goal, ...change }] : [];
    });
    if (changes.length === 0) return;
    const frame = this.#frame(changes);
    const now = this.#ports.now();
    for (const socket of this.#ports.sockets.list()) {
      if (socket.expiresAt <= now) this.#ports.sockets.close(socket.id, 4001, 'ticket_expired');
      else if (!this.#opening.has(socket.id)) this.#send(socket.id, frame);
    }
  }

  #changesAfter(after: number): GoalsFrame {
    return this.#frame([...this.#changes].filter(([, { seq }]) => seq > after).map(([goal, change]) => ({ goal, ...change })));
  }

  #frame(changes: readonly { goal: string; summary: GoalSummary | null }[]): GoalsFrame {
    return {
      kind: 'update',
      seq: this.#seq,
      goals: changes.flatMap(({ summary }) => (summary ? [summary] : [])),
      gone: changes.flatMap(({ goal, summary }) => (summary ? [] : [goal])),
    };
  }

  /** The book may be a moment behind what was told here. */
  #overlaid(goals: readonly GoalSummary[]): GoalSummary[] {
    const known = new Map(goals.map((summary) => [summary.goal, summary]));
    for (const [goal, { summary }] of this.#changes) {
      if (!summary) known.delete(goal);
      else if ((known.get(goal)?.seq ?? 0) < summary.seq) known.set(goal, summary);
    }
    return [...known.values()].sort((a, b) => b.createdAt - a.createdAt || (a.goal < b.goal ? 1 : -1));
  }

  /** A watcher that cannot be reached stops nobody. */
  #send(id: string, frame: GoalsFrame): void {
    try {
      this.#ports.sockets.send(id, frame as unknown as Json);
    } catch {
      // It was closed meanwhile, and resumes with the last `seq` it has.
    }
  }
}
