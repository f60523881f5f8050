/**
 * Where a Goal's object lives: instances that come and go over one disk, its alarm, and the way to it. An instance that was replaced goes on in memory,
 * but its storage is fenced, as the platform's is.
 */
import { d1Book, eraseGoal } from '../../worker/book/d1-book.ts';
import { goalRowOf } from '../../worker/book/goal-row.ts';
import { bodiesOf, projections } from '../../worker/book/images.ts';
import type { Command } from '../../worker/domain/commands.ts';
import type { Context } from '../../worker/domain/context.ts';
import type { State } from '../../worker/domain/state.ts';
import type { Core, Handled } from '../../worker/goal/core.ts';
import { Counters } from '../../worker/goal/counters.ts';
import { checkForm } from '../../worker/goal/form.ts';
import { Crash, type FaultHooks, MemoryStore } from '../../worker/goal/memory-store.ts';
import { GoalProtocol } from '../../worker/goal/protocol.ts';
import type { GoalRpc } from '../../worker/goal/rpc.ts';
import { Process } from '../kernel/loop.ts';
import { chance } from '../kernel/random.ts';
import type { World } from '../world.ts';
import { canRead, coreOf } from './code.ts';
import { type Bound, d1Face } from './database.ts';
import { never } from '../kernel/never.ts';
import { WorkspaceHost } from './workspace.ts';

interface Instance {
  process: Process;
  store: MemoryStore;
  protocol: GoalProtocol;
  fenced: boolean;
  /** Its program does not know everything that is on record. */
  blind: boolean;
  /** Milliseconds that its clock is ahead of the true one. */
  skew: number;
  last?: { before: State; handled: Handled; given: { command: Command; context: Context } };
  /** Answers that are on their way out. */
  pending: Set<(error: Error) => void>;
}

/** What may be said by a healthy process without being wrong. */
const harmless = new Set(['goal.erased', 'lane.failed', 'lane.quarantined', 'commit.failed', 'lease.failed']);

export class GoalHost {
  readonly name: string;
  readonly workspace: string;
  readonly goal: string;
  readonly #world: World;
  #disk = new MemoryStore();
  #instance: Instance | undefined;
  #replaced: Instance | undefined;
  #count = 0;
  readonly #grants: WorkspaceHost | undefined;
  #cancelAlarm: () => void = () => {};
  #ringing = false;
  /** Milliseconds that the clock of its machine is ahead of the true one. */
  #skew = 0;
  #calls = 0;
  /** The newest batch for the book, for one that comes late. */
  lastBatch: readonly Bound[] = [];

  constructor(world: World, workspace: string, goal: string) {
    this.#world = world;
    this.workspace = workspace;
    this.goal = goal;
    this.name = `${workspace}/${goal}`;
    const { places } = world.script.shape;
    this.#grants = places === undefined ? undefined : new WorkspaceHost(world, places);
  }

  /** What must be true of its workspace once it is over and everything is delivered. */
  wrongPlaces(tokens: number): string[] {
    return this.#grants?.wrongAtEnd(tokens) ?? [];
  }

  get door() {
    return { v: 1 as const, workspace: this.workspace, goal: this.goal };
  }

  /** What the disk holds. */
  get disk(): MemoryStore {
    return this.#disk;
  }

  /** A stub as somebody outside holds it: each call goes over the network and may meet a fault on its way. */
  stub(caller: Process | null): GoalRpc {
    const call = (method: string) => (request: never) => this.#call(caller, method, request);
    return Object.fromEntries(['command', 'claim', 'step', 'read', 'poke', 'drain', 'rebuild', 'erase'].map((method) => [method, call(method)])) as unknown as GoalRpc;
  }

  /** What runs cannot read the record. */
  get blind(): boolean {
    return this.#instance?.process.alive === true && this.#instance.blind;
  }

  crash(why: string): void {
    const instance = this.#instance;
    if (!instance?.process.alive) return;
    this.#world.say(`${instance.process.name} dies: ${why}`);
    this.#kill(instance);
  }

  /** Another instance starts while this one still believes in itself. */
  split(): boolean {
    if (!this.#instance?.process.alive || this.#replaced?.process.alive) return false;
    const old = this.#instance;
    this.#replaced = old;
    old.fenced = true;
    this.#instance = undefined;
    this.#world.loop.after(20_000, null, () => this.#kill(old));
    this.#boot();
    return true;
  }

  discard(why: string): void {
    this.crash(why);
    if (this.#replaced) this.#kill(this.#replaced);
  }

  /** The clock of the instance that runs, and of the next ones. */
  setSkew(ms: number): void {
    this.#skew = ms;
    if (this.#instance) this.#instance.skew = ms;
    this.#schedule(this.#disk);
  }

  /** A snapshot that another program wrote. */
  plantSnapshot(): void {
    this.crash('to be opened by another program');
    const { disk } = this;
    disk.transaction(() => disk.putSnapshot(9999, Math.max(1, disk.lastSeq() - 1), { not: 'a state of this fold' }));
    this.#disk = disk;
  }

  #kill(instance: Instance): void {
    instance.process.kill();
    for (const reject of instance.pending) this.#world.loop.after(1, null, () => reject(new Error('the object was reset')));
    instance.pending.clear();
    if (this.#instance === instance) {
      this.#disk = instance.store.copy();
      this.#instance = undefined;
      // The platform rings again when a handler died.
      if (this.#ringing) {
        this.#ringing = false;
        this.#world.loop.after(2000, null, () => this.#ring(true));
      }
    }
  }

  #boot(): Instance {
    const world = this.#world;
    const process = new Process(`${this.workspace}#${++this.#count}`);
    const hooks: FaultHooks = {};
    const store = this.#disk.copy(hooks);
    this.#disk = store;
    const instance = { process, store, fenced: false, blind: !canRead(world.release, store.events(0, 100_000)), skew: this.#skew, pending: new Set() } as unknown as Instance;
    hooks.beforeWrite = (writes) => {
      if (!process.alive) throw new Crash('earlier: this process is dead');
      if (instance.fenced) {
        world.cover('fault', 'two instances');
        throw new Error('another instance holds the storage');
      }
      if (world.point('goal.write', 'before')) this.#die(instance, `before ${writes.join('+')}`);
    };
    hooks.afterWrite = (writes) => {
      if (writes.includes('alarm')) this.#schedule(store);
      if (instance.blind && writes.some((kind) => kind !== 'alarm')) world.watchOf(this).fail(`code: a program that cannot read the record wrote ${writes.join('+')}`);
      const { last } = instance;
      if (writes.includes('commit') && last) {
        this.#world.watchOf(this).committed(last.before, last.handled, last.given, store);
        instance.last = undefined;
      }
      if (world.point('goal.write', 'after')) this.#die(instance, `after ${writes.join('+')}`);
    };
    const core = coreOf(world.release);
    if (instance.blind) world.cover('reached', 'a record that the program cannot read');
    const database = d1Face(world.database, (batch) => this.#toBook(instance, batch));
    const book = d1Book(database);
    instance.protocol = new GoalProtocol({
      store,
      clock: { now: () => Math.max(0, world.loop.now + instance.skew) },
      book: { apply: (batch) => (world.refusesRow(this, batch) ? Promise.reject(Object.assign(new Error('datatype mismatch'), { permanent: true })) : book.apply(batch)) },
      bookShape: { keeps: (kind) => kind in projections, bodiesOf, goalRow: goalRowOf },
      dispatch: {
        send: async (messages) => {
          if (!process.alive) return never();
          if (world.take('queue down')) throw new Error('the queue does not answer');
          if (world.point('goal.dispatch', 'before')) return this.#dieAsync(instance, 'before dispatch');
          for (const message of messages) world.queue.put(message);
          if (world.point('goal.dispatch', 'after')) return this.#dieAsync(instance, 'after dispatch');
          await world.loop.sleep(2, process);
        },
      },
      sockets: { list: () => [], send: () => {}, close: () => {} },
      core: this.#recording(core, instance),
      sha256: (text) => world.sha256(text),
      form: checkForm,
      policy: () => world.policy,
      carriers: world.carriers,
      timers: { after: (ms, work) => world.loop.after(ms, process, work) },
      counters: new Counters(),
      log: {
        warn: (code, fields) => {
          if (!process.alive) return;
          world.say(`  ${process.name} warns ${code} ${JSON.stringify(fields).slice(0, 300)}`);
          if (code === 'lane.quarantined') world.cover('reached', 'a row is quarantined');
          if (!harmless.has(code) && !instance.fenced && !(instance.blind && code === 'goal.unreadable'))
            world.watchOf(this).fail(`protocol: ${code} ${JSON.stringify(fields).slice(0, 600)}`);
        },
      },
      random: () => 0.5,
      outside: {
        erase: (workspace, goal) =>
          eraseGoal(
            d1Face(world.database, async (list) => world.database.batch(list)),
            workspace,
            goal,
          ),
      },
      name: this.name,
      ...(this.#grants ? { grants: this.#grants.grantsFor(this, process) } : {}),
    });
    this.#instance = instance;
    if (!instance.blind) world.watchOf(this).opened(store, core);
    return instance;
  }

  #die(instance: Instance, where: string): never {
    this.#world.say(`${instance.process.name} dies ${where}`);
    // Once what called the storage has been told; nothing of this process reaches anything from here on.
    instance.process.kill();
    queueMicrotask(() => this.#kill(instance));
    throw new Crash(where);
  }

  #dieAsync(instance: Instance, where: string): Promise<never> {
    this.#world.say(`${instance.process.name} dies ${where}`);
    this.#kill(instance);
    return never();
  }

  #recording(core: Core, instance: Instance): Core {
    return {
      ...core,
      handle: (state: State, command, context: Context) => {
        const handled = core.handle(state, command, context);
        if (!('refused' in handled)) instance.last = { before: state, handled, given: { command, context } };
        return handled;
      },
    };
  }

  #schedule(store: MemoryStore): void {
    this.#cancelAlarm();
    const at = store.alarm;
    // The platform's alarm goes by the clock of the machine that the object is on.
    if (at !== null) this.#cancelAlarm = this.#world.loop.after(at - this.#world.loop.now - this.#skew, null, () => this.#ring(false));
  }

  #ring(again: boolean): void {
    if (!again && this.#world.take('alarm lost')) {
      this.#disk.takeAlarm();
      return;
    }
    const instance = this.#instance?.process.alive ? this.#instance : this.#boot();
    instance.store.takeAlarm();
    this.#ringing = true;
    void instance.protocol.onAlarm().then(() => {
      if (this.#instance === instance) this.#ringing = false;
    });
  }

  async #toBook(instance: Instance, batch: readonly Bound[]): Promise<void> {
    const { loop, database } = this.#world;
    const { process } = instance;
    if (!process.alive) return never();
    this.#world.cover('lane', 'book');
    this.lastBatch = batch;
    const fault = this.#world.bookFault();
    if (fault === 'down') throw new Error('D1 is not there');
    if (this.#world.point('goal.book', 'before')) return this.#dieAsync(instance, 'before a batch');
    if (fault === 'hangs') {
      await loop.sleep(700_000, process);
      throw new Error('D1 hung');
    }
    if (fault === 'late') {
      // It is still on its way when the lane has long given up, and arrives after newer ones.
      loop.after(45_000, null, () => {
        if (!this.#world.over) database.batch(batch);
      });
      await loop.sleep(700_000, process);
      throw new Error('D1 hung');
    }
    if (fault === 'slow') await loop.sleep(6000, process);
    else await loop.sleep(3, process);
    database.batch(batch);
    if (fault === 'unknown') throw new Error('Network connection lost');
    if (this.#world.point('goal.book', 'after')) return this.#dieAsync(instance, 'after a batch');
  }

  #call(caller: Process | null, method: string, request: { [key: string]: unknown }): Promise<never> {
    const world = this.#world;
    if (caller && !caller.alive) return never();
    const n = ++this.#calls;
    const { seed } = world.script;
    return new Promise((resolve, reject) => {
      const send = () => {
        if (world.take('request lost')) {
          world.loop.after(500, caller, () => reject(new Error('the request was lost')));
          return;
        }
        const doubled = method !== 'drain' && world.take('call doubled');
        if (doubled) this.#deliver(method, structuredClone(request), n, undefined);
        this.#deliver(method, structuredClone(request), n, (answer, error) => {
          if (world.takeReply(method)) world.loop.after(300, caller, () => reject(new Error('the reply was lost')));
          else if (error) world.loop.after(1, caller, () => reject(error));
          else {
            world.beforeReply(caller, answer);
            world.loop.after(1 + (roll4(seed, n) & 7), caller, () => resolve(answer as never));
          }
        });
      };
      const wait = Math.max(0, (caller?.stallsUntil ?? 0) - world.loop.now);
      world.loop.after(wait + 1 + (roll4(seed, n) & 15), caller, send);
    });
  }

  #deliver(method: string, request: { [key: string]: unknown }, n: number, done: ((answer: unknown, error?: Error) => void) | undefined): void {
    const world = this.#world;
    const old = this.#replaced?.process.alive && method !== 'drain' && chance(50, world.script.seed, 'route', n) ? this.#replaced : undefined;
    const instance = old ?? (this.#instance?.process.alive ? this.#instance : this.#boot());
    const fail = (error: Error) => done?.(undefined, error);
    instance.pending.add(fail);
    const method_ = (instance.protocol as unknown as Record<string, (request: unknown) => Promise<unknown>>)[method];
    void method_?.call(instance.protocol, request).then(
      (answer) => {
        if (!instance.process.alive) return;
        instance.pending.delete(fail);
        if (!instance.fenced) world.watchOf(this).answered(method, request, answer);
        done?.(structuredClone(answer));
      },
      (error: unknown) => {
        if (!instance.process.alive) return;
        instance.pending.delete(fail);
        if (!instance.fenced) world.watchOf(this).fail(`protocol: ${method} threw ${String(error)}`);
        fail(error instanceof Error ? error : new Error(String(error)));
      },
    );
  }
}

function roll4(seed: number, n: number): number {
  return (Math.imul(seed ^ n, 0x9e3779b1) >>> 20) & 255;
}
