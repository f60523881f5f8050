/**
 * What D1 knows of when a workspace's triggers want to be looked after, so that the sweep finds an alarm that was lost. A lane of its own: what D1 was told is on record in the object, the
 * object's alarm stays near until D1 has answered, and D1 hears before a trigger is set that somebody is to look a minute later. A time in D1 that is too early is harmless: whoever is poked
 * says anew when. Each word has a number, so that one that arrives late replaces none that is newer.
 */
import { errorOf, log } from '../../observe/log.ts';
import type { TriggerStore } from './trigger-store.ts';

/** After the setting of a trigger was begun, D1 has the workspace looked at, milliseconds: by then it has been told more. */
const aheadMs = 60_000;
/** While there are triggers the sweep looks in at least so often, milliseconds: a firing that comes from outside is told nobody beforehand. */
export const lookInMs = 3_600_000;

export interface WakePorts {
  workspace: string;
  store: TriggerStore;
  transaction<T>(work: () => T): T;
  now(): number;
  /** When triggers want to be looked after, and whether there are any. */
  wanted(): { at: number | null; any: boolean };
  /** Tells D1: null, nothing is there to look after. A lower number than D1 has changes nothing. */
  write(number: number, at: number | null): Promise<void>;
}

export class Wakes {
  readonly #ports: WakePorts;
  #telling: Promise<void> | undefined;

  constructor(ports: WakePorts) {
    this.#ports = ports;
  }

  /** Whether D1 has the workspace looked after in time, as far as is on record here. */
  isTold(): boolean {
    const { known, told } = this.#ports.store.wake();
    const should = this.#should();
    if (!known || told === null || should === null) return known && told === should;
    return told === should || (told < should && told > this.#ports.now());
  }

  /** Before a trigger is set: whatever dies then, somebody looks. A D1 that is away keeps nobody from setting one. */
  async ahead(): Promise<void> {
    const at = this.#ports.now() + aheadMs;
    const { known, told } = this.#ports.store.wake();
    // Not counted as told: what is to be said anew stands once the trigger is set.
    if (!known || told === null || told > at) await this.#write(at);
  }

  /** Somebody found that what D1 has is not so. */
  doubt(): void {
    this.#ports.transaction(() => this.#ports.store.numberWake());
  }

  /** Tells D1 what it does not know. Single-flight; what fails is tried again when the alarm rings. */
  tell(): Promise<void> {
    this.#telling ??= (async () => {
      while (!this.isTold()) {
        const at = this.#should();
        const number = await this.#write(at);
        if (number === null) return;
        this.#ports.transaction(() => this.#ports.store.wakeTold(number, at));
      }
    })().finally(() => {
      this.#telling = undefined;
    });
    return this.#telling;
  }

  #should(): number | null {
    const { at, any } = this.#ports.wanted();
    return at === null && !any ? null : Math.min(at ?? Number.POSITIVE_INFINITY, this.#ports.now() + lookInMs);
  }

  /** The number of the word, where D1 answered. In doubt from here on. */
  async #write(at: number | null): Promise<number | null> {
    const { workspace, store, transaction } = this.#ports;
    const number = transaction(() => store.numberWake());
    try {
      await this.#ports.write(number, at);
    } catch (error) {
      log('warn', 'triggers', 'wake.untold', { workspace, error: errorOf(error) });
      return null;
    }
    return number;
  }
}
