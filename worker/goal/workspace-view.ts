/**
 * What a Goal holds of its workspace: the rules for calls, and whether a model is set that can carry agents. Read once when the Goal's object starts; before a call is judged it is never
 * older than `viewMs`. A Goal that stands without a model is rung by the workspace when there is one.
 */
import type { PolicyRule } from '../domain/contract/contract.ts';
import type { Refusal } from '../domain/refusals.ts';
import type { OpenAnswer } from '../workspace/rpc.ts';

/** Milliseconds after which a rule that was changed holds for every call. */
export const viewMs = 10_000;
/** Milliseconds that the start of a Goal waits for its workspace. */
const patienceMs = 1000;

interface Held {
  version: number;
  rules: readonly PolicyRule[];
  agents: boolean;
  /** When it was asked for. */
  at: number;
}

export interface ViewPorts {
  /** `wait`: the Goal is there and wants to be rung when a model is. */
  ask(wait: boolean): Promise<OpenAnswer<'policy'>>;
  now(): number;
  pause(ms: number): Promise<void>;
}

export class WorkspaceView {
  readonly #ports: ViewPorts;
  #held: Held | undefined;
  #asking: Promise<Refusal | undefined> | undefined;
  /** Whether the workspace knows that this Goal waits for a model. */
  #waits = false;

  constructor(ports: ViewPorts) {
    this.#ports = ports;
  }

  /** As they were read last. No call is judged before `fresh` said so. */
  rules(): { version: number; rules: readonly PolicyRule[] } {
    return this.#held ?? { version: 0, rules: [] };
  }

  /** Not known: a round that finds no model says so, while a round that is never given out says nothing. */
  get agents(): boolean {
    return this.#held?.agents ?? true;
  }

  /** At the start. Work goes on without an answer where the workspace gives none. */
  async start(): Promise<void> {
    await Promise.race([this.#read(), this.#ports.pause(patienceMs)]);
  }

  /** Before a call is judged. A refusal where the rules cannot be had: then nothing is judged, and the call is tried again. */
  async fresh(): Promise<Refusal | undefined> {
    const age = this.#ports.now() - (this.#held?.at ?? Number.NEGATIVE_INFINITY);
    return age >= 0 && age < viewMs ? undefined : this.#read();
  }

  /** Whether `wait` has something to say: asked after every command, so it costs nothing. */
  get tells(): boolean {
    return !this.agents && !this.#waits;
  }

  /** After a command: while there is no model the workspace is told once who waits. Gives the version with a model where one came meanwhile. */
  async wait(): Promise<{ version: number } | undefined> {
    if (!this.tells) return undefined;
    this.#waits = true;
    return this.#gained();
  }

  /** After a ring: whether a model is there now that was not before. Whoever was rung is off the list and says again that it waits; a Goal that is not there waits for nothing. */
  async rung(there: () => Promise<boolean>): Promise<{ version: number } | undefined> {
    return this.agents || !(await there()) ? undefined : this.#gained();
  }

  async #gained(): Promise<{ version: number } | undefined> {
    this.#waits = (await this.#ask(true)) === undefined && !this.agents;
    return this.agents ? { version: this.rules().version } : undefined;
  }

  #read(): Promise<Refusal | undefined> {
    this.#asking ??= this.#ask(false).finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #ask(wait: boolean): Promise<Refusal | undefined> {
    const at = this.#ports.now();
    const answer = await this.#ports.ask(wait);
    if (answer.outcome === 'refused') return answer.refusal;
    this.#held = { version: answer.version, rules: answer.rules, agents: answer.agents, at };
    return undefined;
  }
}
