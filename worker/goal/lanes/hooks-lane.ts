/**
 * Tells the workspace's outbox what of this Goal matters to somebody who does not watch it: what the events since the cursor say, and what waits for a person now. At least once:
 * the outbox knows each by its key. The cursor is written with the next commit or ring, as that of the book; what was said before a crash is said again.
 */
import { needsOf, type Notice, noticesOf } from '../../domain/notices/notices.ts';
import type { Json } from '../../domain/values.ts';
import type { LaneCursor } from '../ports.ts';
import type { ProtocolPorts } from '../protocol-ports.ts';
import type { Live, WorkingSet } from '../working-set.ts';
import { Lane, sendTimeoutMs, type Turn, withTimeout } from './lane.ts';

/** Events looked at in one turn. */
const batchEvents = 500;
/** Notices told at once. */
const batchNotices = 100;
/** Milliseconds between two tellings: nobody outside waits for less. */
const paceMs = 1000;

export class HooksLane extends Lane {
  readonly name = 'hooks';
  readonly #set: WorkingSet;
  #cursor: LaneCursor | undefined;
  #written: LaneCursor | undefined;
  /** Keys of what waits for a person and was told by this process; pruned to what still waits. */
  #told = new Set<string>();

  constructor(ports: ProtocolPorts, set: WorkingSet) {
    super(ports);
    this.#set = set;
  }

  pending(): boolean {
    const live = this.#live();
    return live !== undefined && this.#at().seq < live.state.seq;
  }

  /** Memory was thrown away: the cursor is read again. */
  forget(): void {
    this.#cursor = undefined;
    this.#written = undefined;
    this.#told = new Set();
  }

  /** Within a transaction. */
  persist(): void {
    if (!this.#cursor || this.#cursor === this.#written) return;
    this.ports.store.putCursor(this.name, this.#cursor);
    this.#written = this.#cursor;
  }

  protected pace(): number {
    return paceMs;
  }

  protected details(): { [key: string]: Json } {
    return { cursor: this.#at().seq };
  }

  protected async turn(): Promise<Turn> {
    const live = this.#live();
    const { hooks } = this.ports;
    if (!live || !hooks) return 'done';
    const now = Math.max(this.ports.clock.now(), live.state.at);
    const events = this.ports.store.events(this.#at().seq, batchEvents);
    const upTo = events.length < batchEvents ? live.state.seq : (events.at(-1)?.seq ?? live.state.seq);
    const needs = needsOf(live.state, this.ports.core.nextOf(live.state, now, this.ports.carriers));
    const open = new Set(needs.map(({ key }) => key));
    for (const key of this.#told) if (!open.has(key)) this.#told.delete(key);
    const fresh = needs.filter(({ key }) => !this.#told.has(key));
    const notices = [...noticesOf(live.state, events, now), ...fresh];
    for (let at = 0; at < notices.length; at += batchNotices) await this.#tell(hooks, live, notices.slice(at, at + batchNotices));
    for (const { key } of fresh) this.#told.add(key);
    this.ports.counters.lane(this.name).sent += notices.length;
    this.#cursor = { seq: upTo, tries: 0, retryAt: 0, quarantined: 0 };
    return this.pending() ? 'more' : 'done';
  }

  #tell(hooks: NonNullable<ProtocolPorts['hooks']>, live: Live, notices: Notice[]): Promise<void> {
    const { workspace, goal } = live.meta;
    return withTimeout(this.ports.timers, sendTimeoutMs, hooks.tell({ v: 1, workspace, goal, notices }));
  }

  #live(): Live | undefined {
    const live = this.ports.hooks ? this.#set.live() : undefined;
    return live?.meta.erased ? undefined : live;
  }

  #at(): LaneCursor {
    if (!this.#cursor) {
      this.#cursor = this.ports.store.cursor(this.name) ?? { seq: 0, tries: 0, retryAt: 0, quarantined: 0 };
      this.#written = this.#cursor;
    }
    return this.#cursor;
  }
}
