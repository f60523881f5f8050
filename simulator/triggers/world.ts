/**
 * One workspace's triggers on virtual time: the real desk, alarm, lane to D1 and store; a platform whose process, alarm and messages fail; Goals that are made once. The class of the
 * object needs the platform, so what it does between them is written again here.
 */
import { createHash } from 'node:crypto';
import { canonical } from '../../worker/domain/digest.ts';
import { isRefusal, refuse } from '../../worker/domain/refusals.ts';
import type { Json } from '../../worker/domain/values.ts';
import type { GoalRpc } from '../../worker/goal/rpc.ts';
import { decideSetting, parseWorkspaceCommand, type SettingCommand } from '../../worker/workspace/core/decide.ts';
import { changed, type WorkspaceState } from '../../worker/workspace/core/state.ts';
import type { BusinessRound } from '../../worker/workspace/core/triggers/rounds.ts';
import { deskOf } from '../../worker/workspace/triggers/desk-of.ts';
import type { TriggerAct } from '../../worker/workspace/triggers/round-commands.ts';
import type { TriggerDesk } from '../../worker/workspace/triggers/trigger-desk.ts';
import { Wakes } from '../../worker/workspace/triggers/wakes.ts';
import { WorkspaceAlarm } from '../../worker/workspace/workspace-alarm.ts';
import { WorkspaceStore } from '../../worker/workspace/workspace-store.ts';
import { below, chance } from '../kernel/random.ts';
import { Disk } from './disk.ts';

export const workspace = 'tenant-a';
export const hookKey = `whsec_${btoa('a key of thirty-two bytes, exactly')}`;
/** Where in its turn a process dies: with nothing of it on record, with all of it and nothing sent, with all of it. */
export const sides = ['before', 'after', 'sent'] as const;
export type Side = (typeof sides)[number];

export const minute = 60_000;
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const settled = () => new Promise((resolve) => setImmediate(resolve));

interface Goal {
  firing: string;
  body: string;
  ended: 'completed' | 'cancelled' | null;
}

/** One process with the object in it. */
export interface Instance {
  dead: boolean;
  desk: TriggerDesk;
  store: WorkspaceStore;
  alarm: WorkspaceAlarm;
  command(type: string, payload: Json, commandId: string): Promise<Json | null>;
  stirred(): void;
}

export class World {
  readonly seed: number;
  readonly disk = new Disk();
  /** Of the platform, milliseconds; the object's own clock shows `skew` more. */
  time: number;
  skew = 0;
  wrong: string | undefined;
  /** Faults and outcomes that happened, counted. */
  readonly happened: Record<string, number> = {};
  readonly goals = new Map<string, Goal>();
  /** Commands told to goals, by id: each has its effect once. */
  readonly told = new Map<string, number>();
  d1: { number: number; at: number } | null = null;
  /** Until then D1 answers nobody. */
  d1Away = 0;
  /** Percent of messages that go wrong. */
  bad: number;
  trap: { side: Side; skip: number } | undefined;
  /** After each turn of the object. */
  check: () => void = () => {};
  readonly trace: string[] | undefined;
  #object: Instance | undefined;
  readonly #events: { at: number; n: number; run: () => void | Promise<void> }[] = [];
  #n = 0;
  #rolls = 0;
  #sends: (() => void)[] = [];
  #inTurn = false;

  constructor(seed: number, began: number, bad: number, trace?: string[]) {
    this.seed = seed;
    this.time = began;
    this.bad = bad;
    this.trace = trace;
  }

  say(text: string): void {
    this.trace?.push(`${new Date(this.time).toISOString()} ${text}`);
  }
  cover(name: string): void {
    this.happened[name] = (this.happened[name] ?? 0) + 1;
  }
  fail(wrong: string): void {
    this.wrong ??= wrong;
    this.say(`WRONG ${wrong}`);
  }
  /** The object's own clock. */
  now(): number {
    return this.time + this.skew;
  }
  after(ms: number, run: () => void | Promise<void>): void {
    this.#events.push({ at: this.time + ms, n: this.#n++, run });
  }

  /** Everything up to then: events in their order, and the platform's alarm. */
  async until(end: number): Promise<void> {
    while (!this.wrong) {
      this.#events.sort((a, b) => a.at - b.at || a.n - b.n);
      const next = this.#events[0];
      const { alarm } = this.disk;
      const rings = alarm === null ? Number.POSITIVE_INFINITY : Math.max(this.time, alarm - this.skew);
      if (Math.min(next?.at ?? Number.POSITIVE_INFINITY, rings) > end) break;
      if (next && next.at <= rings) {
        this.#events.shift();
        this.time = Math.max(this.time, next.at);
        await next.run();
      } else {
        this.time = rings;
        await this.ring(false);
      }
    }
    this.time = Math.max(this.time, end);
  }

  /** The platform keeps an alarm until its handler has ended; here its first turn. */
  async ring(poked: boolean): Promise<void> {
    const rang = this.disk.alarm;
    this.say(poked ? 'poked' : 'alarm');
    if (!poked) this.disk.alarm = null;
    const kept = await this.turn((object) => void object.alarm.ring(poked).catch(() => {}));
    if (!kept && !poked) this.disk.alarm = rang;
  }

  /** The sweep of the cron. */
  async sweep(): Promise<void> {
    if (this.d1Away > this.time || this.d1 === null || this.d1.at > this.time - 30_000) return;
    this.cover('swept');
    await this.ring(true);
  }

  /** The process ends; what is on record and what was sent stays. */
  die(): void {
    if (this.#object) this.#object.dead = true;
    this.#object = undefined;
  }

  /** Whether what it wrote is on record. */
  async turn(work: (object: Instance) => unknown): Promise<boolean> {
    this.disk.begin();
    this.#sends = [];
    this.#inTurn = true;
    try {
      this.#object ??= this.#start();
      await work(this.#object);
    } catch (error) {
      this.fail(`threw: ${error instanceof Error ? error.stack : String(error)}`);
    }
    await settled();
    await settled();
    this.#inTurn = false;
    const trapped = this.trap && (this.disk.dirty || this.#sends.length > 0) && this.trap.skip-- <= 0 ? this.trap.side : undefined;
    if (trapped) {
      this.trap = undefined;
      this.cover(`crash ${trapped}`);
      this.say(`dies, ${trapped}`);
    }
    if (trapped === 'before') this.disk.rollback();
    else this.disk.commit();
    if (trapped !== 'before' && trapped !== 'after') for (const send of this.#sends) send();
    if (trapped) this.die();
    this.#sends = [];
    this.check();
    return trapped !== 'before';
  }

  /** A message to somebody else and back. It may get lost, its answer too, and it may land long after whoever sent it has given up. */
  #call<T>(object: Instance, name: string, lands: () => T): Promise<T> {
    const answer = Promise.withResolvers<T>();
    if (object.dead) return answer.promise;
    const back = (ms: number, settle: () => void) => this.after(ms, async () => void (object.dead || (await this.turn(settle))));
    const send = () => {
      const roll = this.#rolls++;
      const delay = 20 + below(400, this.seed, 'delay', roll);
      const lost = () => answer.reject(new Error(`${name} lost`));
      if (!chance(this.bad, this.seed, 'bad', roll))
        return this.after(delay, () =>
          back(
            delay,
            (
              (given) => () =>
                answer.resolve(given)
            )(lands()),
          ),
        );
      const kind = below(3, this.seed, 'kind', roll);
      this.cover(`${name} ${['lost', 'answer lost', 'late'][kind]}`);
      if (kind === 1) this.after(delay, () => void lands());
      if (kind === 2) this.after(5000 + below(30 * minute, this.seed, 'late', roll), () => void lands());
      back(5000, lost);
    };
    if (this.#inTurn) this.#sends.push(send);
    else this.fail(`${name} was sent outside of a turn`);
    return answer.promise;
  }

  #start(): Instance {
    this.cover('started');
    const { disk } = this;
    const store = new WorkspaceStore(disk.storage(), workspace);
    let state: WorkspaceState | undefined;
    const transaction = <T>(work: () => T): T => {
      if (object.dead) throw new Error('the process is over');
      return store.transaction(work);
    };
    const guarded = { triggers: store.triggers, transaction, template: (name: string, version: number) => store.template(name, version) } as unknown as WorkspaceStore;
    const live = () => (state ??= store.load());
    const now = () => this.now();
    const goals = { idFromName: (name: string) => name, get: (name: string) => ({ command: (request: Parameters<GoalRpc['command']>[0]) => this.#goal(object, name, request) }) };
    const desk = deskOf({ env: { GOALS: goals as never }, workspace, store: guarded, state: live, now, secret: async () => hookKey });
    const wakes = new Wakes({
      workspace,
      store: store.triggers,
      transaction,
      now,
      wanted: () => ({ at: desk.clock.wakeAt(), any: live().settings.trigger.size > 0 }),
      write: (number, at) => this.#writeD1(object, number, at),
    });
    const alarm = new WorkspaceAlarm({
      desk,
      wakes,
      now,
      set: (at) => {
        if (!object.dead) disk.alarm = at;
      },
      looked: () => this.now(),
      look: async () => {},
      background: (work) => void work.catch(() => {}),
    });
    let line: Promise<unknown> = Promise.resolve();
    const given = async (type: string, payload: Json, commandId: string): Promise<Json | null> => {
      const before = live();
      if (store.kept('person:ann', commandId)) return null;
      const command = parseWorkspaceCommand({ type: type as never, expected: {}, payload: payload as never });
      if (isRefusal(command)) throw new Error(JSON.stringify(command));
      const version = before.version + 1;
      const applied = { principal: 'person:ann', commandId, bodyDigest: '', type, at: now(), version, from: null };
      if (type === 'trigger.fire' || type.startsWith('business_round.')) {
        const done = desk.commands.act(command as TriggerAct, 'person:ann', commandId);
        if (isRefusal(done)) return null;
        const { subject, result } = done;
        transaction(() => {
          store.keep({ ...applied, change: null, subject, result, before: done.before, audit: done.after });
          done.write();
        });
        state = { ...before, version };
        object.stirred();
        return result;
      }
      const decided = decideSetting(before, command as SettingCommand, { template: (name, of) => store.template(name, of), sha256, hook: () => sha256(commandId).slice(0, 32) });
      if (isRefusal(decided)) throw new Error(JSON.stringify(decided));
      const { change, template } = decided;
      if (change.kind === 'trigger') await wakes.ahead();
      const had = change.kind === 'trigger' ? before.settings.trigger.get(change.name)?.value : undefined;
      transaction(() => {
        store.keep({ ...applied, change, before: decided.before, audit: decided.audit, ...(template ? { template } : {}) });
        desk.clock.set(change, had, applied.at);
      });
      state = changed(before, change, version, applied.at, 'person:ann');
      if (change.kind === 'trigger') object.stirred();
      return null;
    };
    const object: Instance = {
      dead: false,
      desk,
      store,
      alarm,
      stirred: () => alarm.stirred(),
      command: (type, payload, commandId) => {
        const turn = line.then(() => given(type, payload, commandId));
        line = turn.catch(() => {});
        return turn;
      },
    };
    live();
    alarm.arm();
    return object;
  }

  #writeD1(object: Instance, number: number, at: number | null): Promise<void> {
    return this.#call(object, 'word to D1', () => {
      if (this.d1Away > this.time) {
        this.cover('D1 away');
        return;
      }
      if (this.d1 && this.d1.number >= number) return;
      this.d1 = at === null ? null : { number, at };
    }).then(() => {
      if (this.d1Away > this.time) throw new Error('D1 is away');
    });
  }

  /** A Goal: one creation under one command id, and each thing told once. */
  #goal(object: Instance, name: string, { envelope, goal: id }: Parameters<GoalRpc['command']>[0]): ReturnType<GoalRpc['command']> {
    return this.#call(object, 'command to a goal', () => {
      const roll = this.#rolls++;
      const goal = this.goals.get(id);
      const applied = { outcome: 'applied', seq: 1 };
      if (envelope.type !== 'goal.create') {
        if (!goal) return { outcome: 'rejected', refusal: refuse('not_found') };
        this.told.set(envelope.commandId, (this.told.get(envelope.commandId) ?? 0) + 1);
        return applied;
      }
      const body = canonical(envelope.payload as Json);
      if (goal) return goal.body === body ? applied : { outcome: 'rejected', refusal: refuse('command_reused') };
      if (chance(Math.min(20, this.bad), this.seed, 'busy', roll)) return { outcome: 'rejected', refusal: refuse('unavailable') };
      const { origin } = envelope.payload as { origin?: { trigger?: { firing?: string } } };
      const made: Goal = { firing: origin?.trigger?.firing ?? name, body, ended: null };
      this.goals.set(id, made);
      this.cover('goal made');
      this.say(`goal ${id.slice(5, 13)} for ${made.firing}`);
      this.after(below(90 * minute, this.seed, 'lives', roll), () => this.#ends(id, made, roll));
      return applied;
    }) as ReturnType<GoalRpc['command']>;
  }

  /** Says so until it was heard. */
  async #ends(id: string, goal: Goal, roll: number): Promise<void> {
    goal.ended ??= chance(70, this.seed, 'how', roll) ? 'completed' : 'cancelled';
    this.say(`goal ${id.slice(5, 13)} ${goal.ended}`);
    const heard = await this.turn((object) => {
      if (object.desk.performing.ended(id, goal.ended ?? '')) object.stirred();
    });
    if (!heard || chance(this.bad, this.seed, 'again', this.#rolls++)) this.after(30_000, () => this.#ends(id, goal, roll));
  }

  /** Those of these names, and those after `seq`. */
  rounds(ids: readonly string[], seq: number): (BusinessRound & { seq: number })[] {
    const found = this.disk.all<{ seq: number; data: string }>(
      'SELECT seq, data FROM business_rounds WHERE seq > ? OR id IN (SELECT value FROM json_each(?)) ORDER BY seq',
      seq,
      JSON.stringify(ids),
    );
    return found.map((row) => ({ ...(JSON.parse(row.data) as BusinessRound), seq: row.seq }));
  }
}
