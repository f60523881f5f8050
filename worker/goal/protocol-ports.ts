/** All that `GoalProtocol` needs from outside, in one place. The object and the simulator each fill it. */

import type { Context, Row } from '../domain/context.ts';
import type { State } from '../domain/state.ts';
import type { Json } from '../domain/values.ts';
import type { Next } from '../domain/views/types.ts';
import type { Core } from './core.ts';
import type { Counters } from './counters.ts';
import type { Book, Clock, Dispatch, Grants, Hooks, Lists, Sockets, Store } from './ports.ts';

/** How far the Goal is once a commit is in, and whether it is of a round that is still at work. */
export interface Progress {
  /** By key. */
  milestones: Record<string, number>;
  /** Items that are accepted. */
  accepted: number;
  inRound: boolean;
}

/** Short timers in memory: lost at a crash, so whatever hangs on one is also covered by the alarm. */
export interface Timers {
  /** Runs `work` once after `ms` milliseconds; the returned function cancels it. */
  after(ms: number, work: () => void): () => void;
}

export interface Log {
  /** One structured line. `code` is stable, `fields` never hold bodies. */
  warn(code: string, fields: Record<string, Json>): void;
}

/** What the book keeps of the record. Rows of other kinds stay with the Goal and are not sent. */
export interface BookShape {
  keeps(kind: Row['kind']): boolean;
  /** Digests of the bodies that the book shows with this row. */
  bodiesOf(row: Row): string[];
  goalRow(state: State, next: Next): Json;
}

export interface ProtocolPorts {
  store: Store;
  clock: Clock;
  book: Book;
  bookShape: BookShape;
  dispatch: Dispatch;
  /** Absent: nobody has to be asked before a round is handed over. */
  grants?: Grants;
  /** Absent: nobody follows the workspace. */
  lists?: Lists;
  /** Absent: nobody is told what happens here. */
  hooks?: Hooks;
  sockets: Sockets;
  core: Core;
  /** SHA-256 of the UTF-8 text, hex. */
  sha256(text: string): string;
  form: Context['form'];
  /** The workspace's policy, at most 10 s old. */
  policy(): Context['policy'];
  carriers: Context['carriers'];
  timers: Timers;
  counters: Counters;
  log: Log;
  /** Deletes what is kept of an erased Goal outside its object. Repeatable. */
  outside?: { erase(workspace: string, goal: string): Promise<void> };
  /** 0 <= x < 1, for jitter. */
  random(): number;
  /** `<workspace>/<goal>` where the host knows its own name: a request for another one is `not_found` even before creation. */
  name?: string;
  /** Keeps the process alive for work that nobody awaits. */
  background?(work: Promise<void>): void;
  /** Development only: keeps back the answer of a commit. Consulted after the commit. */
  hold?(progress: Progress): Promise<void> | undefined;
}
