/** The messages of a goal, read over its socket, and again when one is posted or handled. */
import type { Json } from '../api/types.ts';
import type { GoalLive } from '../live/goal-live.svelte.ts';
import { field } from '../record/rows.ts';

export interface Said {
  message: number;
  by: string;
  at: number;
  /** Null: erased. */
  text: string | null;
  goalVersion: number;
  asks?: 'plan' | 'draft' | 'change';
  handledBy?: string;
  became?: number;
}

/** Messages shown at first; earlier ones on request. */
const page = 50;

const text = (value: Json | undefined): string | undefined => (typeof value === 'string' ? value : undefined);

export class Messages {
  said = $state.raw<Said[] | null>(null);
  failed = $state(false);
  more = $state(false);
  #live: GoalLive;
  #wanted = page;
  #reading = false;
  #again = false;
  readonly #texts = new Map<string, string | null>();

  constructor(live: GoalLive) {
    this.#live = live;
  }

  /** Reads them; called again whenever a count of the goal bar moved. */
  async follow(): Promise<void> {
    if (this.#reading) {
      this.#again = true;
      return;
    }
    this.#reading = true;
    do {
      this.#again = false;
      await this.#load();
    } while (this.#again);
    this.#reading = false;
  }

  async earlier(): Promise<void> {
    this.#wanted += page;
    await this.follow();
  }

  async #load(): Promise<void> {
    const answer = await this.#live.read({ what: 'rows', kind: 'message', newestFirst: true, limit: this.#wanted });
    this.failed = answer.outcome !== 'found';
    if (answer.outcome !== 'found') return;
    const rows = answer.value.data.map((row) => row.data).reverse();
    await Promise.all(rows.map((row) => this.#textOf(text(field(row, 'textBody')) ?? '')));
    this.more = answer.value.next !== null;
    this.said = rows.map((row): Said => {
      const asks = text(field(row, 'asks'));
      const became = field(row, 'became');
      const handledBy = text(field(row, 'handledBy'));
      return {
        message: Number(field(row, 'message')),
        by: text(field(row, 'by')) ?? '',
        at: Number(field(row, 'at')),
        text: this.#texts.get(text(field(row, 'textBody')) ?? '') ?? null,
        goalVersion: Number(field(row, 'goalVersion') ?? 1),
        ...(asks === 'plan' || asks === 'draft' || asks === 'change' ? { asks } : {}),
        ...(handledBy === undefined ? {} : { handledBy }),
        ...(typeof became === 'number' ? { became } : {}),
      };
    });
  }

  async #textOf(digest: string): Promise<void> {
    if (this.#texts.has(digest)) return;
    const body = await this.#live.read({ what: 'body', digest });
    if (body.outcome === 'found' && typeof body.value === 'string') this.#texts.set(digest, body.value);
    else if (body.outcome === 'refused' && body.refusal.code === 'not_found') this.#texts.set(digest, null);
  }
}
