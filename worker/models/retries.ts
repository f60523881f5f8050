/**
 * The one owner of repeated model calls: the loop that makes a call asks here what to do after it failed. Short waits are spent inside the round; a longer one ends it, and
 * the next round of that provider comes after `retryAfterMs`, at no cost while it waits.
 */
import type { CallError } from './call-error.ts';

/** Times that one call is made again before the round gives up. */
export const resendLimit = 5;
/** Longest wait inside a round, milliseconds. */
export const waitInRound = 60_000;
/** Longest wait that a provider's word is believed, milliseconds: an hour. A quota that ends later is a person's matter. */
export const waitCap = 3_600_000;

export type RetryVerdict =
  /** Make the same call again after this. */
  | { then: 'again'; afterMs: number }
  /** End the round; the item goes on after this. */
  | { then: 'later'; retryAfterMs: number; error: CallError }
  /** Waiting does not help. */
  | { then: 'stop'; error: CallError };

/** Of one call: a fresh one for the next. `random` is in [0, 1). */
export class Retries {
  #made = 0;
  readonly #random: () => number;

  constructor(random: () => number = Math.random) {
    this.#random = random;
  }

  /** How often it was made again. */
  get made(): number {
    return this.#made;
  }

  /** `left` is what the round has left, milliseconds. */
  after(error: CallError, left = Number.POSITIVE_INFINITY): RetryVerdict {
    if (error.kind !== 'retry') return { then: 'stop', error };
    const wait = this.#wait(error.afterMs);
    if (this.#made >= resendLimit || wait > waitInRound || wait > left) return { then: 'later', retryAfterMs: Math.min(waitCap, Math.max(wait, laterAtLeast)), error };
    this.#made += 1;
    return { then: 'again', afterMs: wait };
  }

  /** Before a call of which others were sent away: spent here where it is short, else the round ends. Counts as no repetition. */
  held(ms: number, left = Number.POSITIVE_INFINITY): { then: 'again'; afterMs: number } | { then: 'later'; retryAfterMs: number } {
    const wait = this.#wait(ms);
    return wait > waitInRound || wait > left ? { then: 'later', retryAfterMs: Math.min(waitCap, Math.max(wait, laterAtLeast)) } : { then: 'again', afterMs: wait };
  }

  /** As the provider asked, and up to a quarter more, so that those it sent away do not return together; else one second, doubling to half a minute, each half by chance. */
  #wait(asked: number | undefined): number {
    if (asked !== undefined) return Math.ceil(Math.min(asked, waitCap) * (1 + this.#random() / 4));
    const step = Math.min(30_000, 1000 * 2 ** this.#made);
    return Math.ceil(step / 2 + (this.#random() * step) / 2);
  }
}

/** A round that gave up is not scheduled again before this, milliseconds. */
const laterAtLeast = 30_000;
