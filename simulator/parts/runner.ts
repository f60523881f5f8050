/**
 * A Runner's object: what `worker/rounds/runner.ts` does around `runRound` and `runCheck`, on storage that can be cut off before and after each write.
 * The two must say the same; the object itself needs the platform's classes and cannot be loaded here.
 */

import type { DispatchMessage } from '../../worker/goal/ports.ts';
import { afterRun, type HandOver } from '../../worker/rounds/hand-over.ts';
import type { ClaimAnswer, RoundContext } from '../../worker/goal/rpc.ts';
import { Redactor } from '../../worker/observe/redactor.ts';
import { closedRules } from '../../worker/outgoing/address.ts';
import { fixedWorld } from '../../worker/outgoing/world.ts';
import { runCheck } from '../../worker/rounds/checks/run-check.ts';
import { GoalCalls } from '../../worker/rounds/goal-calls.ts';
import { type RoundRun, runRound } from '../../worker/rounds/run-round.ts';
import type { ScriptJob, ScriptResult } from '../../worker/rounds/sandbox/sandbox.ts';
import type { Files } from '../../worker/tools/tool.ts';
import { play } from '../agents/play.ts';
import { Process } from '../kernel/loop.ts';
import type { World } from '../world.ts';
import { modelOf } from './model.ts';
import { never } from '../kernel/never.ts';

/** As in the object. */
const sliceMs = 15 * 60_000;
const safetyMs = 1000;

export class RunnerHost {
  readonly name: string;
  readonly #world: World;
  readonly #message: DispatchMessage;
  #work: HandOver | undefined;
  #alarm: number | null = null;
  #cancel: () => void = () => {};
  #process: Process | undefined;
  #running = false;
  #count = 0;

  constructor(world: World, name: string, message: DispatchMessage) {
    this.#world = world;
    this.name = name;
    this.#message = message;
  }

  get process(): Process | undefined {
    return this.#process?.alive ? this.#process : undefined;
  }

  accept(answer: (taken: boolean) => void): void {
    const process = this.#boot();
    process.onDeath(() => answer(false));
    void this.#accept(process).then(() => {
      if (this.#world.point('runner.ack', 'before')) return this.#die('before its acknowledgement');
      answer(true);
      if (this.#world.point('runner.ack', 'after')) this.#die('after its acknowledgement');
    });
  }

  /** A deploy, or a crash. */
  kill(why: string): void {
    if (this.#process?.alive) this.#die(why);
  }

  async #accept(process: Process): Promise<void> {
    if (this.#running) return;
    if (!this.#work)
      await this.#write(process, () => {
        this.#work = { message: this.#message, begun: false, tries: 0 };
      });
    await this.#write(process, () => this.#arm(this.#world.loop.now));
  }

  #boot(): Process {
    if (!this.#process?.alive) {
      this.#process = new Process(`runner ${this.name.split('/').slice(2).join('/')}#${++this.#count}`);
      this.#running = false;
    }
    return this.#process;
  }

  #die(why: string): void {
    this.#world.say(`${this.#process?.name} dies: ${why}`);
    this.#process?.kill();
    this.#running = false;
  }

  async #write(process: Process, change: () => void): Promise<void> {
    if (!process.alive) return never();
    if (this.#world.point('runner.write', 'before')) {
      this.#die('before a write');
      return never();
    }
    change();
    if (this.#world.point('runner.write', 'after')) {
      this.#die('after a write');
      return never();
    }
  }

  #arm(at: number | null): void {
    this.#cancel();
    this.#alarm = at;
    if (at !== null) this.#cancel = this.#world.loop.after(at - this.#world.loop.now, null, () => this.#ring());
  }

  #ring(): void {
    if (this.#alarm === null) return;
    this.#alarm = null;
    const process = this.#boot();
    if (this.#running) return;
    this.#running = true;
    // The platform rings again when a handler died before it armed anything.
    process.onDeath(() => {
      if (this.#alarm === null && this.#work) this.#arm(this.#world.loop.now + 2000);
    });
    // It ends a handler that takes longer.
    const limit = this.#world.loop.after(sliceMs, process, () => this.#die('its slice is over'));
    void this.#handle(process).then(() => {
      limit();
      this.#running = false;
    });
  }

  async #handle(process: Process): Promise<void> {
    await this.#write(process, () => this.#arm(this.#world.loop.now + safetyMs));
    const work = this.#work;
    if (!work) return this.#write(process, () => this.#arm(null));
    const again = work.begun;
    await this.#write(process, () => {
      this.#work = { ...work, begun: true };
    });
    let run: RoundRun | 'threw';
    try {
      run = await this.#run(process, work.message, again);
    } catch (error) {
      this.#world.say(`  ${process.name}: ${String(error)}`);
      run = 'threw';
    }
    const next = afterRun(work, run);
    if (next.kind === 'over') return this.#write(process, () => this.#forget());
    await this.#write(process, () => {
      this.#work = next.work;
    });
    await this.#write(process, () => this.#arm(this.#world.loop.now + next.afterMs));
  }

  #forget(): void {
    this.#work = undefined;
    this.#arm(null);
  }

  #run(process: Process, message: DispatchMessage, again: boolean): Promise<RoundRun> {
    const world = this.#world;
    const host = world.hostOf(message.workspace, message.goal);
    const stub = host.stub(process);
    const goal = new ClaimedGoal(
      message.workspace,
      message.goal,
      () => stub,
      (ms) => world.loop.sleep(ms, process),
    );
    // A call of a dying process goes nowhere.
    const point = (name: 'runner.call' | 'runner.file' | 'runner.model' | 'runner.compaction', side: 'before' | 'after') => {
      if (!process.alive) return true;
      if (!world.point(name, side)) return false;
      this.#die(`${side} a ${name.slice(7)}`);
      return true;
    };
    const files = filesOf(world, `${message.workspace}/${message.goal}`, point);
    const sandbox = {
      run: async (job: ScriptJob): Promise<ScriptResult> => {
        if (!process.alive) return { kind: 'stopped' };
        const dead = new Promise<ScriptResult>((resolve) => process.onDeath(() => resolve({ kind: 'stopped' })));
        const stopped = new Promise<ScriptResult>((resolve) => job.signal.addEventListener('abort', () => resolve({ kind: 'stopped' })));
        const call = job.call;
        const guarded: ScriptJob = {
          ...job,
          call: async (tool, args) => {
            if (job.signal.aborted || point('runner.call', 'before')) return never();
            const answer = structuredClone(await call(tool, structuredClone(args)));
            return point('runner.call', 'after') ? never() : answer;
          },
        };
        const played = play(world, host, guarded, process).then(
          (value): ScriptResult => ({ kind: 'returned', value }),
          (error: unknown): ScriptResult => ({ kind: 'threw', message: error instanceof Error ? error.message : String(error) }),
        );
        return Promise.race([played, dead, stopped]);
      },
    };
    if (message.kind === 'check') return runCheck(message, { goal, files, sandbox, world: fixedWorld(closedRules) });
    const url = (service: string) => `https://${service}.outside/${message.workspace}/${encodeURIComponent(this.name)}`;
    return runRound(message, this.name, again, {
      goal,
      files,
      sandbox,
      // In every other history it can be asked; in the rest it is people who find out.
      services: { supplierUrl: url('supplier'), bankUrl: url('bank'), ...(world.script.seed % 2 === 0 ? { supplierProbe: 'https://probe.outside/{key}' } : {}) },
      world: fixedWorld(closedRules),
      redactor: new Redactor(),
      models: { pin: async (profile) => modelOf({ world, host, process, point, context: () => goal.context }, profile) },
      every: (ms, work) => every(world, process, ms, work),
      pause: (ms, signal) => Promise.race([world.loop.sleep(ms, process), new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))]),
      random: () => 0.5,
      now: () => world.loop.now,
      sliceEnds: world.loop.now + sliceMs,
    });
  }
}

/** Remembers what the claim was answered, which the model's script is about. */
class ClaimedGoal extends GoalCalls {
  context: RoundContext | undefined;

  override async claim(request: Parameters<GoalCalls['claim']>[0]): Promise<ClaimAnswer> {
    const answer = await super.claim(request);
    if (answer.outcome === 'granted') this.context = answer.context;
    return answer;
  }
}

function every(world: World, process: Process, ms: number, work: () => void): () => void {
  let cancel = () => {};
  const arm = () => {
    cancel = world.loop.after(ms, process, () => {
      arm();
      work();
    });
  };
  arm();
  return () => cancel();
}

function filesOf(world: World, goal: string, point: (name: 'runner.file', side: 'before' | 'after') => boolean): Files {
  const stored = world.files;
  const unused = () => Promise.reject(new Error('no agent here writes a file in parts'));
  return {
    put: async (bytes) => {
      if (point('runner.file', 'before')) return never();
      const digest = world.sha256(new TextDecoder().decode(bytes));
      stored.set(`${goal}/${digest}`, bytes.slice());
      return point('runner.file', 'after') ? never() : { digest, size: bytes.length };
    },
    get: async (digest) => stored.get(`${goal}/${digest}`),
    range: async (digest, offset, length) => stored.get(`${goal}/${digest}`)?.subarray(offset, offset + length),
    stage: unused,
    assemble: unused,
    discard: async () => {},
  };
}
