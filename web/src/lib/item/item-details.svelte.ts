/**
 * The details of the open item, read over the socket: once when it opens, and again when an event of its own arrives, so that what is
 * shown follows the record without a request. Several events in a burst are one read.
 */
import type { ItemView } from '../api/types.ts';
import type { GoalLive } from '../live/goal-live.svelte.ts';

const burstMs = 120;

export class ItemDetails {
  view = $state.raw<ItemView | null>(null);
  failed = $state(false);
  #live: GoalLive;
  #key = '';
  #timer: ReturnType<typeof setTimeout> | undefined;
  #turn = 0;

  constructor(live: GoalLive) {
    this.#live = live;
  }

  /** `mark` grows with everything that happens to the item. */
  follow(key: string, _mark: number): () => void {
    if (key !== this.#key) {
      this.#key = key;
      this.view = null;
      this.failed = false;
      void this.#load();
    } else {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => void this.#load(), burstMs);
    }
    return () => clearTimeout(this.#timer);
  }

  async #load(): Promise<void> {
    const turn = ++this.#turn;
    const answer = await this.#live.read({ what: 'item', item: this.#key });
    if (turn !== this.#turn) return;
    if (answer.outcome === 'found') this.view = answer.value;
    this.failed = answer.outcome !== 'found';
  }
}
