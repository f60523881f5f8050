/**
 * Tells the workspace how this Goal stands, for those who follow its lists. Only the newest counts, so that many commits are one call; nothing waits for it, and what gets lost is told
 * again: the cursor is written with the next commit, as that of the book.
 */
import type { Json } from '../../domain/values.ts';
import type { LaneCursor } from '../ports.ts';
import type { ProtocolPorts } from '../protocol-ports.ts';
import type { WorkingSet } from '../working-set.ts';
import { Lane, sendTimeoutMs, type Turn, withTimeout } from './lane.ts';

/** Milliseconds between two tellings: a list need not move faster than people read. */
const paceMs = 1000;

export class ListLane extends Lane {
  readonly name = 'lists';
  readonly #set: WorkingSet;
  /** Told up to this `seq`; undefined: not read yet. */
  #told: number | undefined;
  #written: number | undefined;

  constructor(ports: ProtocolPorts, set: WorkingSet) {
    super(ports);
    this.#set = set;
  }

  pending(): boolean {
    const live = this.ports.lists ? this.#set.live() : undefined;
    return live !== undefined && !live.meta.erased && this.#at() < live.state.seq;
  }

  protected pace(): number {
    return paceMs;
  }

  protected details(): { [key: string]: Json } {
    return { told: this.#at() };
  }

  protected async turn(): Promise<Turn> {
    const live = this.#set.live();
    const { lists, bookShape, core, clock, carriers } = this.ports;
    if (!live || !lists) return 'done';
    const { state, meta } = live;
    const { seq } = state;
    const row = bookShape.goalRow(state, core.nextOf(state, Math.max(clock.now(), state.at), carriers));
    const counted = this.ports.counters.lane(this.name);
    await withTimeout(this.ports.timers, sendTimeoutMs, lists.changed({ workspace: meta.workspace, goal: meta.goal, row }));
    counted.sent++;
    this.#told = Math.max(seq, this.#told ?? 0);
    return 'done';
  }

  /** Memory was thrown away: the cursor is read again. */
  forget(): void {
    this.#told = undefined;
    this.#written = undefined;
  }

  /** Within a transaction. */
  persist(): void {
    if (this.#told === undefined || this.#told === this.#written) return;
    const cursor: LaneCursor = { seq: this.#told, tries: 0, retryAt: 0, quarantined: 0 };
    this.ports.store.putCursor(this.name, cursor);
    this.#written = this.#told;
  }

  #at(): number {
    if (this.#told === undefined) {
      this.#told = this.ports.store.cursor(this.name)?.seq ?? 0;
      this.#written = this.#told;
    }
    return this.#told;
  }
}
