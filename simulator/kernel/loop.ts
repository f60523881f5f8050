/**
 * One event loop over virtual time. Whatever takes time is an event here; between two events every promise that is ready has gone on. Events of
 * the same moment run in the order they were made, so that a history is a function of its seed and steps.
 */

/** Something that can die or stand still: an object's instance, a Runner. Events of a dead one never run, those of one that stands still wait. */
export class Process {
  readonly name: string;
  alive = true;
  /** It does nothing before this time. */
  stallsUntil = 0;
  #onDeath: (() => void)[] = [];

  constructor(name: string) {
    this.name = name;
  }

  onDeath(work: () => void): void {
    if (this.alive) this.#onDeath.push(work);
  }

  kill(): void {
    if (!this.alive) return;
    this.alive = false;
    for (const work of this.#onDeath.splice(0)) work();
  }
}

interface Entry {
  at: number;
  order: number;
  owner: Process | null;
  work: () => void;
}

export class Loop {
  now: number;
  /** Events that ran. */
  ran = 0;
  #order = 0;
  /** Latest first, so that the next is popped off the end. */
  readonly #entries: Entry[] = [];

  constructor(now: number) {
    this.now = now;
  }

  get waiting(): number {
    return this.#entries.length;
  }

  nextAt(): number | undefined {
    return this.#entries[this.#entries.length - 1]?.at;
  }

  after(ms: number, owner: Process | null, work: () => void): () => void {
    const entry: Entry = { at: this.now + Math.max(0, ms), order: this.#order++, owner, work };
    this.#insert(entry);
    return () => {
      const at = this.#entries.indexOf(entry);
      if (at >= 0) this.#entries.splice(at, 1);
    };
  }

  sleep(ms: number, owner: Process | null): Promise<void> {
    return new Promise((resolve) => {
      this.after(ms, owner, resolve);
    });
  }

  /** Runs the next event and everything that follows from it at once. False: nothing is left, or not before `until`. */
  async step(until: number): Promise<boolean> {
    for (;;) {
      const entry = this.#entries[this.#entries.length - 1];
      if (!entry || entry.at > until) return false;
      this.#entries.pop();
      if (entry.owner && !entry.owner.alive) continue;
      if (entry.owner && entry.owner.stallsUntil > entry.at) {
        this.#insert({ ...entry, at: entry.owner.stallsUntil });
        continue;
      }
      this.now = Math.max(this.now, entry.at);
      this.ran++;
      entry.work();
      await settle();
      return true;
    }
  }

  #insert(entry: Entry): void {
    let low = 0;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = this.#entries[middle] as Entry;
      if (other.at > entry.at || (other.at === entry.at && other.order > entry.order)) low = middle + 1;
      else high = middle;
    }
    this.#entries.splice(low, 0, entry);
  }
}

/** Every promise that is ready goes on, and those that follow. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
