/**
 * The executor of `{kind: 'agent'}`: pins the model, then one call of it after another until a tool ends the round. What it takes up, it takes from the
 * record; a crash loses the conversation and nothing else.
 */
import { isRefusal } from '../../domain/refusals.ts';
import type { ModelSource } from '../../models/model-source.ts';
import type { RoundExecutor } from '../executors/executor.ts';
import type { Session } from '../session.ts';
import { AgentLoop } from './agent-loop.ts';

/** Milliseconds between heartbeats; the lease of a model's round is 90 s. */
const HEARTBEAT = 20_000;
/** A round without a model comes again after this, milliseconds: somebody may have set one. */
const NO_MODEL = 60_000;

export interface AgentPorts {
  models: ModelSource;
  /** Repeats work until the returned function is called. */
  every?(ms: number, work: () => void): () => void;
  /** Resolves after that long, or when the signal aborts. */
  pause?(ms: number, signal: AbortSignal): Promise<void>;
  /** In [0, 1). */
  random?(): number;
  now(): number;
}

export class AgentRound implements RoundExecutor {
  readonly #ports: Required<AgentPorts>;
  readonly #profile: string;

  constructor(ports: AgentPorts, executor: { profile: string }) {
    const { models, every = repeat, pause = pauseFor, random = Math.random } = ports;
    this.#ports = { models, every, pause, random, now: () => ports.now() };
    this.#profile = executor.profile;
  }

  async run(session: Session): Promise<void> {
    const stop = new AbortController();
    void session.over.then(() => stop.abort());
    const quiet = this.#ports.every(HEARTBEAT, () => void session.heartbeat().catch(() => {}));
    try {
      const pinned = await this.#ports.models.pin(this.#profile);
      if (isRefusal(pinned)) return session.close('failed', `no model for the profile ${this.#profile}: ${pinned.code} ${pinned.detail ?? ''}`.trim(), { retryAfterMs: NO_MODEL });
      for (const secret of pinned.secrets) session.redactor.add(secret, 'model key');
      await new AgentLoop(session, pinned, { signal: stop.signal, now: this.#ports.now, random: this.#ports.random, pause: this.#ports.pause }).run();
    } finally {
      quiet();
      stop.abort();
    }
  }
}

function repeat(ms: number, work: () => void): () => void {
  const timer = setInterval(work, ms);
  return () => clearInterval(timer);
}

function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
