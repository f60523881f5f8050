/**
 * The one alarm of a workspace's object: for triggers that are due and for what D1 was not told of them, and once a day for a look at everything. It is armed in the same turn as what it is for
 * is written, and armed anew before anything is done, so that what is broken off is taken up again.
 */
import type { TriggerDesk } from './triggers/trigger-desk.ts';
import type { Wakes } from './triggers/wakes.ts';

/** Milliseconds between two looks at everything, and until an alarm that was broken off rings again. */
const dayMs = 86_400_000;
const againMs = 60_000;

export interface AlarmPorts {
  desk: TriggerDesk;
  wakes: Wakes;
  now(): number;
  /** Sets the platform's alarm, with what was written in this turn. */
  set(at: number): void;
  /** When everything was looked at last; 0: never. */
  looked(): number;
  /** Looks at everything: goals and files are counted again, what the log of people has is taken in. */
  look(now: number): Promise<void>;
  /** Goes on beside whoever waits for an answer, and reports what it throws. */
  background(work: Promise<void>): void;
}

export class WorkspaceAlarm {
  readonly #ports: AlarmPorts;
  /** What it is set for; null: for the daily look, as triggers want nothing; undefined: not known. */
  #armed: number | null | undefined;

  constructor(ports: AlarmPorts) {
    this.#ports = ports;
  }

  /** For what comes first. In the turn that wrote it. */
  arm(): void {
    const { desk, wakes } = this.#ports;
    const now = this.#ports.now();
    const wakeAt = desk.clock.wakeAt();
    const told = wakes.isTold();
    const at = told ? wakeAt : Math.min(wakeAt ?? Number.POSITIVE_INFINITY, now + againMs);
    const armed = this.#armed;
    // A workspace without triggers is woken once a day by whoever counts something there.
    if (at === armed || (at === null && armed === undefined)) return;
    if (!told && at !== null && typeof armed === 'number' && armed > now && armed <= at) return;
    this.#armed = at;
    this.#ports.set(Math.max(1, Math.min(at ?? Number.POSITIVE_INFINITY, now + dayMs)));
  }

  /** Something fired, or was set: done at once. The alarm sees to what is cut off. */
  stirred(): void {
    this.arm();
    this.#ports.background(this.#work());
  }

  /** `poked`: somebody found that it should have rung. */
  async ring(poked: boolean): Promise<void> {
    const { desk, wakes } = this.#ports;
    const now = this.#ports.now();
    if (poked) wakes.doubt();
    const wanted = desk.clock.wakeAt();
    const idle = wanted === null && wakes.isTold();
    this.#ports.set(now + (idle ? dayMs : againMs));
    this.#armed = idle ? undefined : now + againMs;
    if (wanted !== null && wanted <= now) desk.clock.tick();
    await this.#work();
    const looked = this.#ports.looked();
    if ((idle && !poked) || ((wanted === null || wanted > now) && looked + dayMs <= now) || looked + 2 * dayMs <= now) await this.#ports.look(now);
    this.arm();
  }

  async #work(): Promise<void> {
    await this.#ports.desk.performing.work();
    this.arm();
    await this.#ports.wakes.tell();
    this.arm();
  }
}
