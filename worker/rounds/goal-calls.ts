/**
 * Calls on a Goal that outlive its resets. Every call there is repeatable (same caller, same question, same answer), so whatever is thrown is
 * tried again with a fresh stub and a growing pause; a command whose result is `unknown` is asked again under the same id.
 */
import type { CommandType } from '../domain/commands.ts';
import type { Actor } from '../domain/context.ts';
import { type Refusal, refuse } from '../domain/refusals.ts';
import type { Json } from '../domain/values.ts';
import type { ClaimAnswer, ClaimRequest, Door, GoalForRounds, ReadQuery, StepAnswer, StepRequest, StreamRequest } from '../goal/rpc.ts';

/** Pauses between tries, milliseconds. Together under the lease of a script, so that a reset does not cost the round. */
const pauses = [50, 150, 400, 1000, 2000, 4000, 6000];

export type CommandResult = { ok: true; result: Json } | { ok: false; refusal: Refusal };

export class GoalCalls {
  readonly #door: Door;
  readonly #fresh: () => GoalForRounds;
  readonly #pause: (ms: number) => Promise<void>;

  /** `fresh` gives a new stub: one whose object was reset is broken for good. */
  constructor(workspace: string, goal: string, fresh: () => GoalForRounds, pause: (ms: number) => Promise<void> = (ms) => new Promise((resolve) => setTimeout(resolve, ms))) {
    this.#door = { v: 1, workspace, goal };
    this.#fresh = fresh;
    this.#pause = pause;
  }

  claim(request: Omit<ClaimRequest, keyof Door>): Promise<ClaimAnswer> {
    return this.#insist((goal) => goal.claim({ ...this.#door, ...request }));
  }

  step(request: Omit<StepRequest, keyof Door>): Promise<StepAnswer> {
    return this.#insist(
      (goal) => goal.step({ ...this.#door, ...request }),
      (answer) => answer.outcome === 'refused' && answer.refusal.code === 'unavailable',
    );
  }

  async command(actor: Actor, type: CommandType, commandId: string, payload: Json): Promise<CommandResult> {
    const answer = await this.#insist(
      (goal) => goal.command({ ...this.#door, actor, envelope: { type, commandId, expected: {}, payload, dryRun: false } }),
      (each) => each.outcome === 'unknown' || (each.outcome === 'rejected' && each.refusal.code === 'unavailable'),
    );
    if (answer.outcome === 'applied') return { ok: true, result: answer.result };
    return { ok: false, refusal: answer.outcome === 'rejected' ? answer.refusal : refuse('unavailable', { detail: answer.detail }) };
  }

  /** Undefined when it is not there or may not be read. */
  async read(query: ReadQuery): Promise<Json | undefined> {
    const answer = await this.#insist((goal) => goal.read({ ...this.#door, query }));
    return answer.outcome === 'found' ? answer.value : undefined;
  }

  /** Once, and without a word where it fails: nobody waits for it. False: nobody watches. */
  async stream(request: Omit<StreamRequest, keyof Door>): Promise<boolean> {
    try {
      return (await this.#fresh().stream?.({ ...this.#door, ...request }))?.watched ?? false;
    } catch {
      // A watcher misses a piece of text that the record does not need.
      return false;
    }
  }

  /** Throws the last error when every try threw; gives the last answer when it stayed unclear. */
  async #insist<T>(ask: (goal: GoalForRounds) => Promise<T>, unclear: (answer: T) => boolean = () => false): Promise<T> {
    for (let n = 0; ; n++) {
      const pause = pauses[n];
      try {
        const answer = await ask(this.#fresh());
        if (!unclear(answer) || pause === undefined) return answer;
      } catch (error) {
        if (pause === undefined) throw error;
      }
      await this.#pause(pause);
    }
  }
}
