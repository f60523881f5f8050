/**
 * Providers that asked for fewer calls, and until when. The Workspace object keeps one for its rounds, and each isolate one for those that run in it: a limit belongs to a key, so it
 * slows that provider in that workspace and nothing else. It is a courtesy and no promise: what is lost with memory, the provider says again.
 */
/** Entries kept; beyond, those that are over are dropped. */
const kept = 1000;

export class SlowDowns {
  readonly #until = new Map<string, number>();

  /** `now` in milliseconds. A shorter wait does not shorten a longer one. */
  note(name: string, now: number, forMs: number): void {
    if (this.#until.size >= kept) for (const [each, end] of this.#until) if (end <= now) this.#until.delete(each);
    this.#until.set(name, Math.max(this.#until.get(name) ?? 0, now + forMs));
  }

  /** Milliseconds until it may be called again; 0: now. */
  left(name: string, now: number): number {
    return Math.max(0, (this.#until.get(name) ?? 0) - now);
  }
}

/** What a round asks before a call, and says after one that was sent away. */
export interface SlowDown {
  left(now: number): number;
  note(now: number, forMs: number): void;
}
