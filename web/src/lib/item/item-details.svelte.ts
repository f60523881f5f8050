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
  #reading = false;
  /** Something happened since the read that is on its way was sent. */
  #again = false;

  constructor(live: GoalLive) {
    this.#live = live;
  }

  /** `mark` grows with everything that happens to the item. */
  follow(key: string, _mark: number): void {
    if (key !== this.#key) {
      this.#key = key;
      this.view = null;
      this.failed = false;
      this.#again = false;
      void this.#load();
    } else if (this.#reading) this.#again = true;
    else {
      this.#reading = true;
      setTimeout(() => void this.#load(), burstMs);
    }
  }

  async #load(): Promise<void> {
    const key = this.#key;
    this.#reading = true;
    this.#again = false;
    const answer = await this.#live.read({ what: 'item', item: key });
    if (key !== this.#key) return;
    if (answer.outcome === 'found') this.view = answer.value;
    this.failed = answer.outcome !== 'found';
    this.#reading = false;
    if (this.#again) this.follow(key, 0);
  }
}
