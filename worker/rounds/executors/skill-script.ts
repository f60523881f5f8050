/** A round carried by a script of a Skill. The script is run from its start; what it takes up, it takes from the record. */
import type { Json } from '../../domain/values.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Session } from '../session.ts';
import type { RoundExecutor } from './executor.ts';

/** CPU time of one round's script, milliseconds: a hundred thousand rows of CSV take about a tenth of it. */
const CPU_MS = 60_000;

export class SkillScriptExecutor implements RoundExecutor {
  readonly #sandbox: Sandbox;
  readonly #skill: string;
  readonly #script: string;
  readonly #every: (ms: number, work: () => void) => () => void;

  /** `every` repeats work until the returned function is called. */
  constructor(sandbox: Sandbox, executor: { skill: string; script: string }, every: (ms: number, work: () => void) => () => void = repeat) {
    this.#sandbox = sandbox;
    this.#skill = executor.skill;
    this.#script = executor.script;
    this.#every = every;
  }

  async run(session: Session): Promise<void> {
    const { context } = session;
    const stop = new AbortController();
    void session.over.then(() => stop.abort());
    const quiet = this.#every(Math.max(1000, Math.floor(context.leaseMs / 3)), () => void session.heartbeat().catch(() => {}));
    try {
      const input = await this.#inputOf(session);
      if (input === null) return;
      const result = await this.#sandbox.run({
        skill: this.#skill,
        script: this.#script,
        input,
        call: async (tool, args) => (await session.call(tool, args)) as unknown as Json,
        signal: stop.signal,
        cpuMs: CPU_MS,
        calls: context.stepsPerRound,
      });
      switch (result.kind) {
        case 'stopped':
          return;
        case 'refused':
          return await this.#failed(session, result.reason);
        case 'threw':
          return await this.#failed(session, result.message);
        case 'returned':
          if (context.brief) return await this.#returned(session, result.value);
          return session.close(session.changes > 0 ? 'handed_back' : 'empty', noteOf(result.value));
      }
    } finally {
      quiet();
      stop.abort();
    }
  }

  /** Null: a child cannot be given what it is to work on; the round is over with that. */
  async #inputOf(session: Session): Promise<Json | null> {
    try {
      return (await session.wholeContext()) as unknown as Json;
    } catch (error) {
      await this.#failed(session, error instanceof Error ? error.message : String(error));
      return null;
    }
  }

  /** What a child's script returns is its result; nothing is not one. */
  async #returned(session: Session, result: Json): Promise<void> {
    const answer = await session.command('subagent.return', 'return', { ok: true, result });
    if (answer.ok) return session.close('submitted', 'returned', { said: true });
    await this.#failed(session, `its result was refused: ${answer.refusal.code} ${answer.refusal.detail ?? ''}`);
  }

  /** A child's failure is its result, so that the parent can act on it. */
  async #failed(session: Session, message: string): Promise<void> {
    if (session.context.brief) {
      const answer = await session.command('subagent.return', 'failure', { ok: false, result: { error: message } });
      if (answer.ok) return session.close('submitted', message, { said: true });
    }
    session.close('failed', message);
  }
}

function noteOf(value: Json): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function repeat(ms: number, work: () => void): () => void {
  const timer = setInterval(work, ms);
  return () => clearInterval(timer);
}
