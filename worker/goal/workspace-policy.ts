/** The workspace's rules as a Goal holds them: read when a call is to be judged, never older than `policyMs`. */
import type { PolicyRule } from '../domain/contract/contract.ts';
import type { Refusal } from '../domain/refusals.ts';
import type { OpenAnswer } from '../workspace/rpc.ts';

/** Milliseconds after which a rule that was changed holds for every call. */
export const policyMs = 10_000;

interface Held {
  version: number;
  rules: readonly PolicyRule[];
  /** When it was asked for. */
  at: number;
}

export class WorkspacePolicy {
  readonly #ask: () => Promise<OpenAnswer<'policy'>>;
  readonly #now: () => number;
  #held: Held | undefined;
  #asking: Promise<Refusal | undefined> | undefined;

  constructor(ask: () => Promise<OpenAnswer<'policy'>>, now: () => number) {
    this.#ask = ask;
    this.#now = now;
  }

  /** As it was read last; without rules where nobody asked for `fresh` yet. */
  current(): { version: number; rules: readonly PolicyRule[] } {
    return this.#held ?? { version: 0, rules: [] };
  }

  /** Before a call is judged. A refusal where the rules cannot be had: then nothing is judged, and the call is tried again. */
  async fresh(): Promise<Refusal | undefined> {
    const age = this.#now() - (this.#held?.at ?? Number.NEGATIVE_INFINITY);
    if (age >= 0 && age < policyMs) return undefined;
    this.#asking ??= this.#read().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #read(): Promise<Refusal | undefined> {
    const at = this.#now();
    const answer = await this.#ask();
    if (answer.outcome === 'refused') return answer.refusal;
    this.#held = { version: answer.version, rules: answer.rules, at };
    return undefined;
  }
}
