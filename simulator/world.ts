/** One history: the virtual platform, its faults, and what is watched. */
import { hash } from 'node:crypto';
import { overdueGoals } from '../worker/book/queries.ts';
import type { Context } from '../worker/domain/context.ts';
import type { BookBatch, DispatchMessage } from '../worker/goal/ports.ts';
import type { Coverage } from './coverage.ts';
import type { FaultName, PersonAct, Point, Script, Side } from './faults.ts';
import { Loop, type Process } from './kernel/loop.ts';
import { below } from './kernel/random.ts';
import type { Release } from './parts/code.ts';
import { type Database, d1Face } from './parts/database.ts';
import { GoalHost } from './parts/goal-host.ts';
import { Outside } from './parts/outside.ts';
import { Queue } from './parts/queue.ts';
import { RunnerHost } from './parts/runner.ts';
import { Watch } from './watch.ts';

/** As in `worker/rounds/accept.ts`, which needs the platform. */
function runnerName(message: DispatchMessage): string {
  return `${message.workspace}/${message.goal}/${message.kind}/${message.kind === 'round' ? message.round : message.check}/${message.fence}`;
}

export interface WorldOptions {
  /** Where to write what happened; nothing is written without it. */
  trace?: string[];
  /** The n-th of all crash points, for enumerating them. */
  crashAt?: number | undefined;
}

export class World {
  readonly script: Script;
  readonly loop = new Loop(1_800_000_000_000);
  readonly began: number;
  readonly database: Database;
  readonly coverage: Coverage;
  readonly queue: Queue;
  readonly outside: Outside;
  readonly runners = new Map<string, RunnerHost>();
  readonly files = new Map<string, Uint8Array>();
  readonly carriers: Context['carriers'] = { agent: true, skill: () => true };
  readonly options: WorldOptions;
  policy: Context['policy'] = { version: 1, rules: [] };
  /** A person acts; set by the history. */
  person: (act: PersonAct) => void = () => {};
  /** Everybody is honest and everything works from here on. */
  calm = false;
  over = false;
  /** The program that an instance which starts now runs. */
  release: Release = 'new';
  /** Crash points met. */
  points = 0;
  crashes = 0;
  readonly #hosts = new Map<string, GoalHost>();
  readonly #watches = new Map<string, Watch>();
  #armed: { name: FaultName; n: number }[] = [];
  #traps: { point: Point; side: Side; skip: number }[] = [];
  #bookUntil = { fault: '' as '' | 'down' | 'slow' | 'hangs', until: 0 };

  constructor(script: Script, database: Database, coverage: Coverage, options: WorldOptions = {}) {
    this.script = script;
    this.database = database;
    this.coverage = coverage;
    this.options = options;
    this.began = this.loop.now;
    this.queue = new Queue(this);
    this.outside = new Outside(this);
    this.#sweep();
    this.#count();
  }

  get elapsed(): number {
    return this.loop.now - this.began;
  }

  say(line: string): void {
    this.options.trace?.push(`${String(this.elapsed).padStart(7)} ${line}`);
  }

  cover(kind: keyof Coverage, name: string): void {
    const counts = this.coverage[kind];
    counts[name] = (counts[name] ?? 0) + 1;
  }

  sha256(text: string): string {
    return hash('sha256', text, 'hex');
  }

  addGoal(workspace: string, goal: string): GoalHost {
    const host = new GoalHost(this, workspace, goal);
    this.#hosts.set(host.name, host);
    this.#watches.set(workspace, new Watch(this, host));
    return host;
  }

  hostOf(workspace: string, goal: string): GoalHost {
    const host = this.#hosts.get(`${workspace}/${goal}`);
    if (!host) throw new Error(`no goal ${workspace}/${goal}`);
    return host;
  }

  watchOf(host: GoalHost): Watch {
    return this.watchBy(host.workspace);
  }

  watchBy(workspace: string): Watch {
    const watch = this.#watches.get(workspace);
    if (!watch) throw new Error(`nobody watches ${workspace}`);
    return watch;
  }

  get hosts(): GoalHost[] {
    return [...this.#hosts.values()];
  }

  /** The first thing that is wrong. */
  get wrong(): string | undefined {
    for (const watch of this.#watches.values()) if (watch.wrong) return watch.wrong;
    return undefined;
  }

  runnerOf(message: DispatchMessage): RunnerHost {
    const name = runnerName(message);
    let runner = this.runners.get(name);
    if (!runner) {
      runner = new RunnerHost(this, name, message);
      this.runners.set(name, runner);
    }
    return runner;
  }

  arm(name: FaultName, n: number): void {
    this.#armed.push({ name, n });
  }

  trap(point: Point, side: Side, skip: number): void {
    this.#traps.push({ point, side, skip });
  }

  /** Whether the armed fault of that name happens now. */
  take(name: FaultName): boolean {
    const at = this.#armed.findIndex((fault) => fault.name === name);
    if (at < 0) return false;
    this.#armed.splice(at, 1);
    this.cover('fault', name);
    this.say(`fault: ${name}`);
    return true;
  }

  takeReply(method: string): boolean {
    return (method === 'command' || method === 'step' || method === 'claim') && this.take('reply lost');
  }

  /** A place where the process may end. */
  point(point: Point, side: Side): boolean {
    if (this.over) return false;
    const n = this.points++;
    if (this.options.crashAt !== undefined) {
      if (n !== this.options.crashAt) return false;
    } else {
      const trap = this.#traps.find((each) => each.point === point && each.side === side);
      if (!trap || trap.skip-- > 0) return false;
      this.#traps.splice(this.#traps.indexOf(trap), 1);
    }
    this.crashes++;
    this.cover('fault', 'crash');
    this.cover('crash', `${side} ${point}`);
    return true;
  }

  bookFault(): '' | 'down' | 'slow' | 'hangs' | 'unknown' | 'late' {
    if (this.take('book unknown')) return 'unknown';
    if (this.take('book batch late')) return 'late';
    for (const fault of ['down', 'slow', 'hangs'] as const) {
      if (this.take(`book ${fault}`)) this.#bookUntil = { fault, until: this.loop.now + 5000 + below(60_000, this.script.seed, 'book', this.elapsed) };
    }
    if (this.#bookUntil.until > this.loop.now) return this.#bookUntil.fault;
    return '';
  }

  #refused: string | undefined;
  /** A row that the book will never take. */
  refusesRow(host: GoalHost, batch: BookBatch): boolean {
    if (this.calm) return false;
    if (this.#refused === undefined) {
      const row = batch.rows.find((each) => each.kind === 'round');
      if (!row || !this.take('book refuses a row')) return false;
      this.#refused = `${host.name} ${row.kind}/${row.id}@${row.seq}`;
    }
    return batch.rows.some((row) => `${host.name} ${row.kind}/${row.id}@${row.seq}` === this.#refused);
  }

  get quarantined(): boolean {
    return this.#refused !== undefined;
  }

  /** An answer reaches who asked; a permit may be held long after. */
  beforeReply(caller: Process | null, answer: unknown): void {
    if (!caller || typeof answer !== 'object' || answer === null || !('permit' in answer)) return;
    if (!this.take('permit held')) return;
    // Past its lease; most times also past what a person says about the effect meanwhile.
    const long = below(3, this.script.seed, 'held') > 0;
    caller.stallsUntil = this.loop.now + (long ? 150_000 : 40_000);
    if (long) this.loop.after(125_000, null, () => this.person('reconcile'));
  }

  /** Faults cease. */
  quiet(): void {
    this.calm = true;
    this.#armed = [];
    this.#traps = [];
    this.#bookUntil = { fault: '', until: 0 };
    this.policy = { version: this.policy.version + 1, rules: [] };
    this.release = 'new';
    for (const host of this.#hosts.values()) {
      host.setSkew(0);
      if (host.blind) host.discard('a release that can read the record');
    }
    for (const runner of this.runners.values()) if (runner.process && runner.process.stallsUntil > this.loop.now) runner.process.stallsUntil = this.loop.now;
  }

  /** What the workspace does once a day (`worker/workspace/quotas/counting.ts`), within the time that a history has: wakes Goals that it admitted and the book never heard of. */
  #count(): void {
    this.loop.after(6 * 3_600_000, null, () => {
      if (this.over) return;
      for (const host of this.#hosts.values())
        if (!this.database.hasGoal(host.workspace, host.goal))
          void host
            .stub(null)
            .poke(host.door)
            .catch(() => {});
      this.#count();
    });
  }

  /** The cron: pokes Goals that the book shows as overdue. */
  #sweep(): void {
    this.loop.after(60_000, null, () => {
      if (this.over) return;
      const face = d1Face(this.database, async () => {});
      void overdueGoals(face, this.loop.now, 200).then((found) => {
        for (const { workspace, goal } of found) {
          const host = this.#hosts.get(`${workspace}/${goal}`);
          if (!host) continue;
          this.cover('reached', 'the sweep finds a goal');
          void host
            .stub(null)
            .poke(host.door)
            .catch(() => {});
        }
      });
      this.#sweep();
    });
  }
}
