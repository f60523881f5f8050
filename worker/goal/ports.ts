/** What the Goal's protocol needs from outside. The object gives the real ones, the simulator its own. */
import type { Row } from '../domain/context.ts';
import type { Event } from '../domain/events.ts';
import type { Json } from '../domain/values.ts';

export interface Commit {
  /** `seq` of its last event. */
  seq: number;
  at: number;
  principal: string;
  commandId: string;
  commandType: string;
  bodyDigest: string;
  events: Event[];
  answer: Json;
}

/** Storage of one Goal. Synchronous, as an object's SQLite is. */
export interface Store {
  /** Runs `work` in one transaction: all of it or nothing. */
  transaction<T>(work: () => T): T;
  meta(): { workspace: string; goal: string; erased: boolean } | undefined;
  putMeta(meta: { workspace: string; goal: string; erased: boolean }): void;
  appendCommit(commit: Commit): void;
  commitOf(principal: string, commandId: string): { bodyDigest: string; answer: Json } | undefined;
  /** Events with `seq` > `after`, in order, at most `limit`. */
  events(after: number, limit: number): Event[];
  lastSeq(): number;
  putRows(rows: Row[]): void;
  putBodies(bodies: Record<string, Json>): void;
  eraseBodies(digests: string[]): void;
  row(kind: string, id: string): Row | undefined;
  rows(kind: string, options: { prefix?: string; item?: string; after?: string; limit?: number; newestFirst?: boolean }): Row[];
  /** Rows of any kind whose `seq` is greater, in order of `seq`, at most `limit`: what the book lane sends. */
  rowsSince(seq: number, limit: number): Row[];
  countRows(kind: string, prefix?: string): number;
  body(digest: string): Json | undefined;
  snapshot(): { foldVersion: number; seq: number; state: Json } | undefined;
  putSnapshot(foldVersion: number, seq: number, state: Json): void;
  /** Leases are rows, not events. */
  lease(round: string): { runner: string; fence: number; until: number } | undefined;
  putLease(round: string, lease: { runner: string; fence: number; until: number } | null): void;
  leases(): { round: string; runner: string; fence: number; until: number }[];
  cursor(lane: string): LaneCursor | undefined;
  putCursor(lane: string, cursor: LaneCursor): void;
  /** Arms the one alarm within the transaction. `null` deletes it. */
  setAlarm(at: number | null): void;
  deleteAll(): Promise<void>;
}

export interface LaneCursor {
  /** Everything up to this `seq` was delivered. */
  seq: number;
  tries: number;
  retryAt: number;
  quarantined: number;
}

export interface Clock {
  now(): number;
}

/** D1. `apply` must be repeatable: full images, the higher `seq` wins. */
export interface Book {
  apply(batch: BookBatch): Promise<void>;
}
export interface BookBatch {
  workspace: string;
  goal: string;
  /** Highest `seq` that the batch contains. */
  seq: number;
  rows: Row[];
  /** The goal's own image. */
  goalRow: Json;
  /** Bodies that the book's rows show (titles, reasons), by digest; missing when erased. */
  bodies: Record<string, Json>;
}

/** Hands work to Runners. At least once, any order; correctness never depends on it. */
export interface Dispatch {
  send(messages: DispatchMessage[]): Promise<void>;
}
export type DispatchMessage =
  | { v: 1; kind: 'round'; workspace: string; goal: string; round: string; fence: number }
  | { v: 1; kind: 'check'; workspace: string; goal: string; check: string; fence: number };

/** Hibernating sockets of this Goal. */
export interface Sockets {
  /** Open sockets with what each knows. */
  list(): { id: string; seq: number; expiresAt: number }[];
  send(id: string, frame: Json): void;
  close(id: string, code: number, reason: string): void;
}
