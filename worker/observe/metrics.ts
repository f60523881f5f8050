/**
 * Counters for operators. Each is counted twice: in this isolate since it started, which an endpoint shows, and in Workers Analytics Engine where it is bound,
 * which adds up over all isolates and time. Names and labels are codes; no ids of people, no content.
 */

/** What is bound as `METRICS`. */
export interface MetricsSink {
  writeDataPoint(point: { indexes?: string[]; blobs?: string[]; doubles?: number[] }): void;
}

/** Labels of one counter that are kept apart; more are added up under `other`. */
const mostLabels = 200;

export class Totals {
  readonly since = Date.now();
  readonly #counts = new Map<string, Map<string, number>>();

  add(name: string, label: string, n: number): void {
    let labels = this.#counts.get(name);
    if (!labels) {
      labels = new Map();
      this.#counts.set(name, labels);
    }
    const key = labels.has(label) || labels.size < mostLabels ? label : 'other';
    labels.set(key, (labels.get(key) ?? 0) + n);
  }

  view(): Record<string, Record<string, number>> {
    return Object.fromEntries([...this.#counts].map(([name, labels]) => [name, Object.fromEntries([...labels].sort())]));
  }
}

/** Of this isolate. */
export const totals = new Totals();

export type Count = (name: string, label: string, n?: number) => void;

/** `index` is what Analytics Engine samples by: the workspace. */
export function counter(sink: MetricsSink | undefined, index: string, into: Totals = totals): Count {
  return (name, label, n = 1) => {
    into.add(name, label, n);
    try {
      sink?.writeDataPoint({ indexes: [index.slice(0, 96)], blobs: [name, label.slice(0, 200)], doubles: [n] });
    } catch {
      // Counting must never be what fails.
    }
  };
}
