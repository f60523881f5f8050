/** How far the book is behind while commands come as fast as they are taken: in events, and as the age of the oldest commit that a list does not show yet. */
import { goalsPath } from './goal.ts';
import { type Connection, quantile, rounded } from './load.ts';

/** Milliseconds between two looks at the list. */
const everyMs = 50;

export interface Lag {
  looks: number;
  events: { p50: number; max: number };
  ms: { p50: number; p99: number; max: number };
}

export class LagWatch {
  /** When each `seq` of the watched Goal was answered, on this process's clock. */
  readonly #answered: number[] = [];
  #last = 0;
  readonly #ms: number[] = [];
  readonly #events: number[] = [];

  /** To be called with every answer of a command on the watched Goal. */
  answered(seq: number, at: number): void {
    this.#answered[seq] = at;
    this.#last = Math.max(this.#last, seq);
  }

  /** Looks until `going` ends. */
  async watch(connection: Connection, goal: string, going: Promise<unknown>): Promise<void> {
    let open = true;
    const over = () => {
      open = false;
    };
    // Whether it went wrong is for who waits for it.
    void going.then(over, over);
    while (open) {
      const asked = performance.now();
      const newest = this.#last;
      const { body } = await connection.get(`${goalsPath}?limit=100`);
      const shown = (JSON.parse(body) as { data: { goal: string; seq: number }[] }).data.find((each) => each.goal === goal)?.seq ?? 0;
      if (newest > 0) {
        // Only what was answered before the question can be missed in its answer.
        this.#events.push(Math.max(0, newest - shown));
        const oldest = shown < newest ? this.#after(shown) : undefined;
        this.#ms.push(oldest === undefined ? 0 : Math.max(0, asked - oldest));
      }
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
  }

  #after(seq: number): number | undefined {
    for (let next = seq + 1; next <= this.#last; next++) if (this.#answered[next] !== undefined) return this.#answered[next];
    return undefined;
  }

  result(): Lag {
    const ms = this.#ms.sort((a, b) => a - b);
    const events = this.#events.sort((a, b) => a - b);
    return {
      looks: ms.length,
      events: { p50: quantile(events, 0.5), max: quantile(events, 1) },
      ms: { p50: rounded(quantile(ms, 0.5), 0), p99: rounded(quantile(ms, 0.99), 0), max: rounded(quantile(ms, 1), 0) },
    };
  }
}
