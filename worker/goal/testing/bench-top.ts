/** A Goal's protocol on a bench: a clock and timers that move by hand, and neighbours that record what reaches them. */
import { createHash } from 'node:crypto';
import type { Envelope } from '../../domain/commands.ts';
import type { Actor } from '../../domain/context.ts';
import type { Json } from '../../domain/values.ts';
import type { Core } from '../core.ts';
import { Counters } from '../counters.ts';
import { type FaultHooks, MemoryStore } from '../memory-store.ts';
import type { BookBatch, DispatchMessage } from '../ports.ts';
import { GoalProtocol } from '../protocol.ts';
import type { ProtocolPorts } from '../protocol-ports.ts';

export const door = { v: 1 as const, workspace: 'acme', goal: 'goal_1' };
export const person: Actor = { kind: 'person', principal: 'person:a', scopes: ['goals:read', 'goals:write'] };

export class Bench {
  now = 1_000_000;
  store: MemoryStore;
  protocol: GoalProtocol;
  counters = new Counters();
  readonly batches: BookBatch[] = [];
  readonly sent: DispatchMessage[] = [];
  readonly frames: { id: string; frame: Json }[] = [];
  readonly closed: { id: string; code: number }[] = [];
  readonly warnings: { code: string; fields: Record<string, Json> }[] = [];
  sockets: { id: string; seq: number; expiresAt: number }[] = [];
  book: (batch: BookBatch) => Promise<void> = async () => {};
  dispatch: () => Promise<void> = async () => {};
  #hooks: FaultHooks = {};
  #timers: { at: number; work: () => void }[] = [];
  readonly #core: Core;
  readonly #more: Partial<ProtocolPorts>;

  constructor(core: Core, more: Partial<ProtocolPorts> = {}) {
    this.#core = core;
    this.#more = more;
    this.store = new MemoryStore();
    this.protocol = this.#start();
  }

  /** Faults of this process and the next ones. */
  set hooks(hooks: FaultHooks) {
    this.#hooks = hooks;
    this.store.hooks = hooks;
  }

  /** The process ended; the next one finds what the disk holds. */
  restart(): void {
    this.store = this.store.copy(this.#hooks);
    this.#timers = [];
    this.protocol = this.#start();
  }

  /** Lets time pass: short timers, and the alarm when it is armed. */
  async pass(ms: number): Promise<void> {
    const end = this.now + ms;
    for (;;) {
      await settle();
      this.#timers.sort((a, b) => a.at - b.at);
      const timer = this.#timers[0];
      const alarm = this.store.alarm;
      const next = Math.min(timer?.at ?? Number.POSITIVE_INFINITY, alarm ?? Number.POSITIVE_INFINITY);
      if (next > end) break;
      this.now = Math.max(this.now, next);
      if (timer && timer.at <= next) {
        this.#timers.shift();
        timer.work();
      } else {
        this.store.takeAlarm();
        void this.protocol.onAlarm();
      }
    }
    this.now = end;
    await settle();
  }

  command(type: Envelope['type'], payload: Json, commandId: string, more: { actor?: Actor; workspace?: string; dryRun?: boolean } = {}) {
    const { actor = person, workspace = door.workspace, dryRun = false } = more;
    return this.protocol.command({ ...door, workspace, actor, envelope: { type, commandId, expected: {}, payload, dryRun } });
  }

  #start(): GoalProtocol {
    return new GoalProtocol({
      store: this.store,
      clock: { now: () => this.now },
      book: {
        apply: async (batch) => {
          await this.book(batch);
          this.batches.push(batch);
        },
      },
      bookShape: {
        keeps: (kind) => kind !== 'call',
        bodiesOf: (row) => (row.kind === 'message' ? [(row.data as { textBody: string }).textBody] : []),
        goalRow: (state) => ({ title: state.title, seq: state.seq }),
      },
      dispatch: {
        send: async (messages) => {
          await this.dispatch();
          this.sent.push(...messages);
        },
      },
      sockets: {
        list: () => this.sockets,
        send: (id, frame) => void this.frames.push({ id, frame }),
        close: (id, code) => {
          this.closed.push({ id, code });
          this.sockets = this.sockets.filter((socket) => socket.id !== id);
        },
      },
      core: this.#core,
      sha256: (text) => createHash('sha256').update(text).digest('hex'),
      form: () => [],
      policy: () => ({ version: 0, rules: [] }),
      carriers: { agent: false, skill: () => true },
      timers: {
        after: (ms, work) => {
          const timer = { at: this.now + ms, work };
          this.#timers.push(timer);
          return () => {
            this.#timers = this.#timers.filter((other) => other !== timer);
          };
        },
      },
      counters: this.counters,
      log: { warn: (code, fields) => void this.warnings.push({ code, fields }) },
      random: () => 0.5,
      ...this.#more,
    });
  }
}

/** Lets promises that are ready go on. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
}
