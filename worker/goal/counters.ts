/** What an operator asks first. In memory, per object, from its last start; `doctor` shows them. Clocks of the platform stand still while code runs, so fold time reads 0 there: see `events`. */
import type { Json } from '../domain/values.ts';
import type { Count } from '../observe/metrics.ts';

export interface LaneCount {
  sent: number;
  failed: number;
  quarantined: number;
}

export class Counters {
  #commits = 0;
  #replays = 0;
  #defects = 0;
  readonly #refusals = new Map<string, number>();
  readonly #rounds = new Map<string, number>();
  readonly #lanes = new Map<string, LaneCount>();
  readonly #count: Count;
  readonly #fold = { opens: 0, events: 0, lastMs: 0, maxMs: 0, snapshots: 0 };

  /** `count` adds them up over all Goals, for operators. */
  constructor(count: Count = () => {}) {
    this.#count = count;
  }

  committed(type: string): void {
    this.#commits++;
    this.#count('command', type);
  }
  replayed(): void {
    this.#replays++;
    this.#count('replay', 'command');
  }
  /** Something threw that should not have. */
  defect(): void {
    this.#defects++;
    this.#count('defect', 'goal');
  }
  refused(code: string): void {
    this.#count('refusal', code);
    this.#refusals.set(code, (this.#refusals.get(code) ?? 0) + 1);
  }
  roundEnded(outcome: string): void {
    this.#count('round_ended', outcome);
    this.#rounds.set(outcome, (this.#rounds.get(outcome) ?? 0) + 1);
  }
  /** A journal was opened: events folded after its snapshot. What that costs grows with them. */
  folded(events: number, ms: number): void {
    this.#count('fold', events < 100 ? 'under 100 events' : events < 1000 ? 'under 1,000 events' : events < 10_000 ? 'under 10,000 events' : 'over 10,000 events');
    this.#fold.opens++;
    this.#fold.events += events;
    this.#fold.lastMs = ms;
    this.#fold.maxMs = Math.max(this.#fold.maxMs, ms);
  }
  /** How old the oldest thing was that a lane has just delivered or failed to, milliseconds. */
  laneAge(name: string, ms: number, ok: boolean): void {
    this.#count(ok ? 'lane_delivered' : 'lane_failed', `${name}/${ms < 1000 ? 'under 1 s' : ms < 10_000 ? 'under 10 s' : ms < 60_000 ? 'under 1 min' : 'over 1 min'}`);
  }
  snapshotted(): void {
    this.#fold.snapshots++;
  }
  lane(name: string): LaneCount {
    let found = this.#lanes.get(name);
    if (!found) {
      found = { sent: 0, failed: 0, quarantined: 0 };
      this.#lanes.set(name, found);
    }
    return found;
  }

  view(): Json {
    return {
      commits: this.#commits,
      replays: this.#replays,
      defects: this.#defects,
      refusals: Object.fromEntries(this.#refusals),
      roundsEnded: Object.fromEntries(this.#rounds),
      fold: { ...this.#fold },
      lanes: Object.fromEntries([...this.#lanes].map(([name, count]) => [name, { ...count }])),
    };
  }
}
