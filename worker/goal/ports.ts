/** What the Goal's protocol needs from outside. The object gives the real ones, the simulator its own. */
import type { Row } from '../domain/context.ts';
import type { Event } from '../domain/events.ts';
import type { Notice } from '../domain/notices/notices.ts';
import type { Json } from '../domain/values.ts';
import type { GrantAnswer, GrantRequest, SettleAnswer, SettleRequest } from '../workspace/rpc.ts';

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
  /** False: this principal has an answer under this id already, and nothing was written. */
  appendCommit(commit: Commit): boolean;
  commitOf(principal: string, commandId: string): { bodyDigest: string; answer: Json } | undefined;
  /** Whole commits with `seq` > `after`, in order, at most `limit`. Those that changed nothing are not among them: see `answers`. */
  commits(after: number, limit: number): Commit[];
  /** Answers of commands that changed nothing, in order of `(principal, commandId)`, after the one that is given. */
  answers(after: { principal: string; commandId: string } | undefined, limit: number): KeptAnswerRow[];
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
  /** Bodies in order of digest, after the one that is given, at most `limit`. */
  bodies(after: string, limit: number): { digest: string; body: Json }[];
  /** Those of the digests that a row or a body names anywhere. Reads all of them: for the sweep, never on the path of a command. */
  mentioned(digests: readonly string[]): string[];
  snapshot(): { foldVersion: number; seq: number; state: Json } | undefined;
  putSnapshot(foldVersion: number, seq: number, state: Json): void;
  /** Leases are rows, not events. */
  lease(round: string): { runner: string; fence: number; until: number } | undefined;
  putLease(round: string, lease: { runner: string; fence: number; until: number } | null): void;
  leases(): { round: string; runner: string; fence: number; until: number }[];
  cursor(lane: string): LaneCursor | undefined;
  putCursor(lane: string, cursor: LaneCursor): void;
  /** Parts of an archive that is being brought in: they count for nothing until they are taken into the record. A new `batch` drops those of another. */
  stage(batch: string, part: number, name: string, text: string): void;
  /** Parts of the batch with a number > `after`, in order, at most `limit`. */
  staged(batch: string, after: number, limit: number): { part: number; name: string; text: string }[];
  dropStaged(): void;
  /** Deletes the record's rows, to be derived anew. Within a transaction. */
  dropRows(): void;
  /** Deletes all there is but `meta`. Within a transaction; the alarm stays. */
  wipe(): void;
  /** Arms the one alarm within the transaction. `null` deletes it. */
  setAlarm(at: number | null): void;
  deleteAll(): Promise<void>;
}

/** The kept answer of a command that changed nothing. */
export interface KeptAnswerRow {
  principal: string;
  commandId: string;
  bodyDigest: string;
  answer: Json;
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
  /** The book may have lost what it took before: nothing may be left out because it was sent already. */
  whole?: boolean;
}

/** The workspace's outbox. Repeatable: it knows each notice by its key. Throws where it was not taken. */
export interface Hooks {
  tell(request: { v: 1; workspace: string; goal: string; notices: Notice[] }): Promise<void>;
}

/** Hands work to Runners. At least once, any order; correctness never depends on it. */
/** Whoever follows the workspace is told how its Goals stand. Repeatable; the higher `seq` wins. */
export interface Lists {
  /** `row` is the image that the book gets; null: the Goal was erased. */
  changed(told: { workspace: string; goal: string; row: Json | null }): Promise<void>;
}

/** The workspace's budget and places. What is thrown, and the refusal `unavailable`, mean that its answer is not known. */
export interface Grants {
  grant(request: GrantRequest): Promise<GrantAnswer>;
  settle(request: SettleRequest): Promise<SettleAnswer>;
}

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
