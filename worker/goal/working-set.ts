/**
 * What one Goal's process holds in memory: the folded state and the heads of what is beside it (leases, cursors).
 * It is thrown away whenever a write may have failed, and folded anew by the next call.
 */

import type { State } from '../domain/state.ts';
import type { Core } from './core.ts';
import type { Counters } from './counters.ts';
import type { Store } from './ports.ts';
import type { Log } from './protocol-ports.ts';

export interface Meta {
  workspace: string;
  goal: string;
  erased: boolean;
}
export interface Lease {
  runner: string;
  fence: number;
  until: number;
}
export interface Live {
  kind: 'live';
  meta: Meta;
  state: State;
  leases: Map<string, Lease>;
  /** `seq` of the last snapshot. */
  snapshotSeq: number;
}
export type Opened = { kind: 'absent' } | { kind: 'broken'; meta: Meta; detail: string } | Live;

const page = 2000;
/** Events between two snapshots of a small Goal. */
const snapshotMin = 200;
const snapshotMax = 2000;

/** A large state (about 2,000 characters an item) is written less often, so that the cost per event stays bounded. */
export function snapshotEvery(state: State): number {
  return Math.min(snapshotMax, Math.max(snapshotMin, Object.keys(state.items).length));
}

export class WorkingSet {
  readonly #store: Store;
  readonly #core: Core;
  readonly #counters: Counters;
  readonly #log: Log;
  #opened: Opened | undefined;

  constructor(ports: { store: Store; core: Core; counters: Counters; log: Log }) {
    this.#store = ports.store;
    this.#core = ports.core;
    this.#counters = ports.counters;
    this.#log = ports.log;
  }

  /** Folds on the first call after a start or a discard. Writes nothing. */
  open(): Opened {
    this.#opened ??= this.#load();
    return this.#opened;
  }

  /** The live set, or undefined where there is none (never created, or unreadable). */
  live(): Live | undefined {
    const opened = this.open();
    return opened.kind === 'live' ? opened : undefined;
  }

  /** A Goal that was just created. */
  adopt(live: Live): void {
    this.#opened = live;
  }

  discard(): void {
    this.#opened = undefined;
  }

  #load(): Opened {
    const meta = this.#store.meta();
    if (!meta) return { kind: 'absent' };
    const began = performance.now();
    try {
      const kept = this.#store.snapshot();
      const usable = kept && kept.foldVersion === this.#core.foldVersion;
      let state = usable ? (kept.state as unknown as State) : this.#core.empty();
      let folded = 0;
      for (;;) {
        const events = this.#store.events(state.seq, page);
        if (events.length === 0) break;
        state = this.#core.fold(state, events);
        folded += events.length;
        if (events.length < page) break;
      }
      this.#counters.folded(folded, performance.now() - began);
      const leases = new Map(this.#store.leases().map(({ round, ...lease }) => [round, lease]));
      const snapshotSeq = usable ? kept.seq : 0;
      return { kind: 'live', meta, state, leases, snapshotSeq };
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      this.#counters.defect();
      this.#log.warn('goal.unreadable', { detail });
      return { kind: 'broken', meta, detail };
    }
  }
}
