/** Such a list on a page. */
import { type Page, readAgain } from './newest-first.ts';

export class NewestFirst<T extends { seq: number }> {
  /** Null: not read yet. */
  shown = $state.raw<T[] | null>(null);
  /** Where the older ones begin; null: there are none. */
  cursor = $state<string | null>(null);

  newest({ data, nextCursor }: Page<T>): void {
    if (this.shown === null) this.cursor = nextCursor;
    this.shown = readAgain(data, this.shown ?? []);
  }
  older({ data, nextCursor }: Page<T>): void {
    this.shown = [...(this.shown ?? []), ...data];
    this.cursor = nextCursor;
  }
  /** Another list: nothing of this one stays. */
  clear(): void {
    this.shown = null;
    this.cursor = null;
  }
}
