/** A destination of the record. Single-flight, with its own pace; none waits for another, and no caller waits for one. */

import type { Json } from '../../domain/values.ts';
import type { ProtocolPorts, Timers } from '../protocol-ports.ts';

/** Milliseconds one delivery may take. After it the lane tries again while the old one may still arrive: deliveries are repeatable. */
export const sendTimeoutMs = 10_000;
const backOffMs = 250;
const backOffMaxMs = 30_000;
/** A pending timer keeps the object awake, and that is billed: longer waits are the alarm's. */
const longestTimerMs = 1000;
/** Batches of one run, so that a run ends whatever happens. */
const mostTurns = 10_000;

export class LaneTimeout extends Error {}

/** One turn of a lane. `more`: there is a full batch left, go on at once. */
export type Turn = 'done' | 'more' | 'failed';

export abstract class Lane {
  abstract readonly name: string;
  protected readonly ports: ProtocolPorts;
  /** Not before this time: the pace after a success, the back-off after a failure. Milliseconds since the epoch. */
  protected notBefore = 0;
  protected tries = 0;
  protected lastError: string | null = null;
  /** When the oldest undelivered thing was first seen. */
  #waitingSince: number | null = null;
  #running: Promise<void> | null = null;
  #cancelTimer: (() => void) | null = null;

  constructor(ports: ProtocolPorts) {
    this.ports = ports;
  }

  /** Whether anything is undelivered. */
  abstract pending(): boolean;
  /** Delivers one batch; throws when it was not taken. */
  protected abstract turn(): Promise<Turn>;
  /** How long to wait after a batch that took `tookMs`. */
  protected abstract pace(tookMs: number): number;
  protected abstract details(): { [key: string]: Json };

  /** Called after every commit. Returns at once. A long wait is left to the alarm, so that the object can sleep meanwhile. */
  kick(): void {
    if (this.#running || this.#cancelTimer || !this.pending()) return;
    const now = this.ports.clock.now();
    this.#waitingSince ??= now;
    const wait = Math.max(0, this.#dueAt(now) - now);
    if (wait > longestTimerMs) return;
    this.#cancelTimer = this.ports.timers.after(wait, () => {
      this.#cancelTimer = null;
      const work = this.run();
      this.ports.background?.(work);
    });
  }

  /** Delivers what is due. `force` does not wait for pace or back-off. Never rejects. */
  run(force = false): Promise<void> {
    // Reading what is pending may fail too, where storage does.
    this.#running ??= this.#deliver(force)
      .catch((error: unknown) => this.failed(error))
      .finally(() => {
        this.#running = null;
        try {
          this.kick();
        } catch (error) {
          this.failed(error);
        }
      });
    return this.#running;
  }

  /** When the alarm should look after this lane; null: nothing is undelivered. */
  wakeAt(): number | null {
    if (this.#running) return this.ports.clock.now() + sendTimeoutMs;
    return this.pending() ? Math.max(this.#dueAt(this.ports.clock.now()), this.ports.clock.now() + 1000) : null;
  }

  status(): { [key: string]: Json } {
    const now = this.ports.clock.now();
    const pending = this.pending();
    const counted = this.ports.counters.lane(this.name);
    return {
      lane: this.name,
      pending,
      ageMs: pending && this.#waitingSince !== null ? now - this.#waitingSince : 0,
      tries: this.tries,
      retryAt: this.tries > 0 ? this.notBefore : null,
      lastError: this.lastError,
      sent: counted.sent,
      failed: counted.failed,
      ...this.details(),
    };
  }

  /** A lane never waits longer than its longest back-off: what is further off was reckoned on a clock that has gone back since. */
  #dueAt(now: number): number {
    return this.notBefore - now > backOffMaxMs ? now : this.notBefore;
  }

  async #deliver(force: boolean): Promise<void> {
    for (let turns = 0; turns < mostTurns; turns++) {
      const began = this.ports.clock.now();
      if (!force && began < this.#dueAt(began)) return;
      if (!this.pending()) {
        this.#waitingSince = null;
        return;
      }
      this.#waitingSince ??= began;
      try {
        const turn = await this.turn();
        const ended = this.ports.clock.now();
        if (turn === 'failed') return;
        this.ports.counters.laneAge(this.name, ended - (this.#waitingSince ?? ended), true);
        this.tries = 0;
        this.lastError = null;
        this.#waitingSince = this.pending() ? ended : null;
        if (turn === 'done') {
          this.notBefore = ended + this.pace(ended - began);
          if (!force) return;
        }
      } catch (error) {
        this.failed(error);
        return;
      }
    }
  }

  protected failed(error: unknown): void {
    this.tries++;
    this.lastError = error instanceof Error ? error.message : String(error);
    this.ports.counters.lane(this.name).failed++;
    this.ports.counters.laneAge(this.name, this.ports.clock.now() - (this.#waitingSince ?? this.ports.clock.now()), false);
    const wait = Math.min(backOffMaxMs, backOffMs * 2 ** Math.min(this.tries, 10));
    this.notBefore = this.ports.clock.now() + Math.round(wait * (0.5 + this.ports.random() / 2));
    this.ports.log.warn('lane.failed', { lane: this.name, tries: this.tries, error: this.lastError });
  }
}

/** Waits for `work`, but not longer than `ms`; the work goes on. */
export async function within(timers: Timers, ms: number, work: Promise<unknown>): Promise<void> {
  let cancel = () => {};
  const enough = new Promise<void>((resolve) => {
    cancel = timers.after(ms, resolve);
  });
  await Promise.race([work, enough]);
  cancel();
}

export async function withTimeout<T>(timers: Timers, ms: number, work: Promise<T>): Promise<T> {
  let cancel = () => {};
  const timeout = new Promise<never>((_, reject) => {
    cancel = timers.after(ms, () => reject(new LaneTimeout(`no answer within ${ms} ms`)));
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    cancel();
  }
}
