/**
 * The same Store in memory, for tests and the simulator: atomic transactions, faults before and after each write, a copy of all of it.
 * After a `Crash` the store is dead, as the process would be: `copy()` gives what the disk holds for the next process.
 */

import type { Row } from '../domain/context.ts';
import type { Event } from '../domain/events.ts';
import type { Json } from '../domain/values.ts';
import type { Commit, KeptAnswerRow, LaneCursor, Store } from './ports.ts';

/** A fault that ends the process. Thrown by hooks. */
export class Crash extends Error {
  constructor(where: string) {
    super(`crash ${where}`);
    this.name = 'Crash';
  }
}

/** What one transaction writes: one word for each kind of write, in order, e.g. `['commit', 'rows', 'alarm']`. */
export type WriteKind = 'meta' | 'commit' | 'rows' | 'bodies' | 'snapshot' | 'lease' | 'cursor' | 'alarm' | 'erase' | 'stage';

export interface FaultHooks {
  /** Before the transaction is durable: throwing leaves nothing of it. */
  beforeWrite?(writes: readonly WriteKind[]): void;
  /** After it is durable: throwing loses only what the process would have done next. */
  afterWrite?(writes: readonly WriteKind[]): void;
}

interface Kept {
  commit: Commit;
  /** `seq` before its first event. */
  after: number;
}

interface Data {
  meta: { workspace: string; goal: string; erased: boolean } | undefined;
  commits: Kept[];
  answers: Map<string, { bodyDigest: string; answer: Json }>;
  rows: Map<string, Map<string, Row>>;
  bodies: Map<string, Json>;
  snapshot: { foldVersion: number; seq: number; text: string } | undefined;
  leases: Map<string, { runner: string; fence: number; until: number }>;
  cursors: Map<string, LaneCursor>;
  alarm: number | null;
  staged: { batch: string; parts: Map<number, { part: number; name: string; text: string }> };
}

function emptyData(): Data {
  return {
    meta: undefined,
    commits: [],
    answers: new Map(),
    rows: new Map(),
    bodies: new Map(),
    snapshot: undefined,
    leases: new Map(),
    cursors: new Map(),
    alarm: null,
    staged: { batch: '', parts: new Map() },
  };
}

export class MemoryStore implements Store {
  hooks: FaultHooks;
  #data: Data = emptyData();
  #sorted = new Map<string, string[]>();
  /** Undoes the open transaction, newest first. */
  #undo: (() => void)[] | undefined;
  #writes: WriteKind[] = [];
  #dead = false;

  constructor(hooks: FaultHooks = {}) {
    this.hooks = hooks;
  }

  /** What a next process finds. Values are shared: nothing that was stored is ever changed in place. */
  copy(hooks: FaultHooks = {}): MemoryStore {
    const next = new MemoryStore(hooks);
    const { meta, commits, answers, rows, bodies, snapshot, leases, cursors, alarm, staged } = this.#data;
    next.#data = {
      meta,
      commits: [...commits],
      answers: new Map(answers),
      rows: new Map([...rows].map(([kind, ofKind]) => [kind, new Map(ofKind)])),
      bodies: new Map(bodies),
      snapshot,
      leases: new Map(leases),
      cursors: new Map(cursors),
      alarm,
      staged: { batch: staged.batch, parts: new Map(staged.parts) },
    };
    return next;
  }

  /** The armed alarm, milliseconds since the epoch. */
  get alarm(): number | null {
    return this.#data.alarm;
  }

  /** The platform takes the alarm when it rings. */
  takeAlarm(): void {
    this.#data.alarm = null;
  }

  /** Every commit, oldest first: for predicates over the journal. */
  journal(): readonly Commit[] {
    return this.#data.commits.map((kept) => kept.commit);
  }

  /** Every row, for comparing records. */
  allRows(): Row[] {
    return [...this.#data.rows.values()].flatMap((ofKind) => [...ofKind.values()]);
  }

  get dead(): boolean {
    return this.#dead;
  }

  transaction<T>(work: () => T): T {
    this.#alive();
    if (this.#undo) return work();
    this.#undo = [];
    this.#writes = [];
    let result: T;
    try {
      result = work();
      this.hooks.beforeWrite?.(this.#writes);
    } catch (error) {
      for (const undo of this.#undo.reverse()) undo();
      this.#undo = undefined;
      this.#sorted.clear();
      if (error instanceof Crash) this.#dead = true;
      throw error;
    }
    this.#undo = undefined;
    try {
      this.hooks.afterWrite?.(this.#writes);
    } catch (error) {
      if (error instanceof Crash) this.#dead = true;
      throw error;
    }
    return result;
  }

  meta() {
    this.#alive();
    return this.#data.meta;
  }
  putMeta(meta: { workspace: string; goal: string; erased: boolean }): void {
    const before = this.#data.meta;
    this.#write('meta', () => {
      this.#data.meta = before;
    });
    this.#data.meta = meta;
  }

  appendCommit(commit: Commit): boolean {
    this.#alive();
    const key = answerKey(commit.principal, commit.commandId);
    if (this.#data.answers.has(key)) return false;
    const after = this.lastSeq();
    if (commit.events.length > 0 && commit.seq !== after + commit.events.length) throw new Error(`constraint failed: commit ${commit.seq} does not follow ${after}`);
    this.#write('commit', () => {
      this.#data.answers.delete(key);
      if (commit.events.length > 0) this.#data.commits.pop();
    });
    // What was stored must not change when a caller later changes its objects.
    this.#data.answers.set(key, { bodyDigest: commit.bodyDigest, answer: structuredClone(commit.answer) });
    if (commit.events.length > 0) this.#data.commits.push({ commit: structuredClone(commit), after });
    return true;
  }

  commitOf(principal: string, commandId: string) {
    this.#alive();
    return this.#data.answers.get(answerKey(principal, commandId));
  }

  commits(after: number, limit: number): Commit[] {
    this.#alive();
    return this.#data.commits
      .filter((kept) => kept.commit.seq > after)
      .slice(0, limit)
      .map((kept) => structuredClone(kept.commit));
  }

  answers(after: { principal: string; commandId: string } | undefined, limit: number): KeptAnswerRow[] {
    this.#alive();
    const committed = new Set(this.#data.commits.map(({ commit }) => answerKey(commit.principal, commit.commandId)));
    const order = (a: { principal: string; commandId: string }, b: { principal: string; commandId: string }) =>
      a.principal < b.principal ? -1 : a.principal > b.principal ? 1 : a.commandId < b.commandId ? -1 : a.commandId > b.commandId ? 1 : 0;
    return [...this.#data.answers]
      .filter(([key]) => !committed.has(key))
      .map(([key, kept]) => {
        const [principal, commandId] = JSON.parse(key) as [string, string];
        return { principal, commandId, bodyDigest: kept.bodyDigest, answer: structuredClone(kept.answer) };
      })
      .sort(order)
      .filter((kept) => after === undefined || order(kept, after) > 0)
      .slice(0, limit);
  }

  events(after: number, limit: number): Event[] {
    this.#alive();
    const { commits } = this.#data;
    let low = 0;
    let high = commits.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((commits[middle]?.commit.seq ?? 0) <= after) low = middle + 1;
      else high = middle;
    }
    const events: Event[] = [];
    for (let index = low; index < commits.length && events.length < limit; index++) {
      for (const event of commits[index]?.commit.events ?? []) if (event.seq > after && events.length < limit) events.push(structuredClone(event));
    }
    return events;
  }

  lastSeq(): number {
    return this.#data.commits[this.#data.commits.length - 1]?.commit.seq ?? 0;
  }

  putRows(rows: Row[]): void {
    for (const row of rows) {
      let ofKind = this.#data.rows.get(row.kind);
      if (!ofKind) {
        ofKind = new Map();
        this.#data.rows.set(row.kind, ofKind);
      }
      const target = ofKind;
      const before = target.get(row.id);
      this.#write('rows', () => {
        if (before) target.set(row.id, before);
        else target.delete(row.id);
      });
      if (!before) this.#sorted.delete(row.kind);
      target.set(row.id, structuredClone(row));
    }
  }

  putBodies(bodies: Record<string, Json>): void {
    for (const [digest, body] of Object.entries(bodies)) {
      if (this.#data.bodies.has(digest)) continue;
      this.#write('bodies', () => this.#data.bodies.delete(digest));
      this.#data.bodies.set(digest, structuredClone(body));
    }
  }

  eraseBodies(digests: string[]): void {
    for (const digest of digests) {
      const before = this.#data.bodies.get(digest);
      if (before === undefined) continue;
      this.#write('erase', () => this.#data.bodies.set(digest, before));
      this.#data.bodies.delete(digest);
    }
  }

  row(kind: string, id: string): Row | undefined {
    this.#alive();
    return this.#data.rows.get(kind)?.get(id);
  }

  rows(kind: string, options: { prefix?: string; item?: string; after?: string; limit?: number; newestFirst?: boolean }): Row[] {
    this.#alive();
    const ofKind = this.#data.rows.get(kind);
    if (!ofKind) return [];
    const ids = this.#idsOf(kind, ofKind);
    const { prefix = '', item, after, newestFirst = false } = options;
    const limit = options.limit ?? Number.POSITIVE_INFINITY;
    const found: Row[] = [];
    const start = newestFirst ? ids.length - 1 : lowerBound(ids, after !== undefined && after > prefix ? after : prefix);
    for (let index = start; newestFirst ? index >= 0 : index < ids.length; index += newestFirst ? -1 : 1) {
      if (found.length >= limit) break;
      const id = ids[index] ?? '';
      if (!id.startsWith(prefix)) {
        if (!newestFirst) break;
        continue;
      }
      if (after !== undefined && (newestFirst ? id >= after : id <= after)) continue;
      const row = ofKind.get(id);
      if (row && (item === undefined || row.item === item)) found.push(row);
    }
    return found;
  }

  rowsSince(seq: number, limit: number): Row[] {
    this.#alive();
    const newer = this.allRows()
      .filter((row) => row.seq > seq)
      .sort((a, b) => a.seq - b.seq);
    const cut = newer[limit - 1];
    return cut ? newer.filter((row) => row.seq <= cut.seq) : newer;
  }

  countRows(kind: string, prefix = ''): number {
    this.#alive();
    const ofKind = this.#data.rows.get(kind);
    if (!ofKind) return 0;
    if (prefix === '') return ofKind.size;
    const ids = this.#idsOf(kind, ofKind);
    let index = lowerBound(ids, prefix);
    const first = index;
    while (index < ids.length && ids[index]?.startsWith(prefix)) index++;
    return index - first;
  }

  body(digest: string): Json | undefined {
    this.#alive();
    return this.#data.bodies.get(digest);
  }

  bodies(after: string, limit: number): { digest: string; body: Json }[] {
    this.#alive();
    return [...this.#data.bodies]
      .map(([digest, body]) => ({ digest, body }))
      .filter((each) => each.digest > after)
      .sort((a, b) => (a.digest < b.digest ? -1 : 1))
      .slice(0, limit);
  }
  mentioned(digests: readonly string[]): string[] {
    this.#alive();
    const text = JSON.stringify([this.allRows().map((row) => row.data), [...this.#data.bodies.values()]]);
    return digests.filter((digest) => text.includes(digest));
  }

  snapshot() {
    this.#alive();
    const kept = this.#data.snapshot;
    return kept && { foldVersion: kept.foldVersion, seq: kept.seq, state: JSON.parse(kept.text) as Json };
  }
  putSnapshot(foldVersion: number, seq: number, state: Json): void {
    const before = this.#data.snapshot;
    this.#write('snapshot', () => {
      this.#data.snapshot = before;
    });
    this.#data.snapshot = { foldVersion, seq, text: JSON.stringify(state) };
  }

  lease(round: string) {
    this.#alive();
    return this.#data.leases.get(round);
  }
  putLease(round: string, lease: { runner: string; fence: number; until: number } | null): void {
    const before = this.#data.leases.get(round);
    this.#write('lease', () => {
      if (before) this.#data.leases.set(round, before);
      else this.#data.leases.delete(round);
    });
    if (lease) this.#data.leases.set(round, { ...lease });
    else this.#data.leases.delete(round);
  }
  leases() {
    this.#alive();
    return [...this.#data.leases].map(([round, lease]) => ({ round, ...lease }));
  }

  cursor(lane: string): LaneCursor | undefined {
    this.#alive();
    return this.#data.cursors.get(lane);
  }
  putCursor(lane: string, cursor: LaneCursor): void {
    const before = this.#data.cursors.get(lane);
    this.#write('cursor', () => {
      if (before) this.#data.cursors.set(lane, before);
      else this.#data.cursors.delete(lane);
    });
    this.#data.cursors.set(lane, { ...cursor });
  }

  stage(batch: string, part: number, name: string, text: string): void {
    const before = this.#data.staged;
    this.#write('stage', () => {
      this.#data.staged = before;
    });
    const parts = new Map(before.batch === batch ? before.parts : []);
    parts.set(part, { part, name, text });
    this.#data.staged = { batch, parts };
  }
  staged(batch: string, after: number, limit: number) {
    this.#alive();
    const { staged } = this.#data;
    if (staged.batch !== batch) return [];
    return [...staged.parts.values()]
      .filter((each) => each.part > after)
      .sort((a, b) => a.part - b.part)
      .slice(0, limit);
  }
  dropStaged(): void {
    const before = this.#data.staged;
    if (before.parts.size === 0) return;
    this.#write('stage', () => {
      this.#data.staged = before;
    });
    this.#data.staged = { batch: '', parts: new Map() };
  }
  dropRows(): void {
    const before = this.#data.rows;
    this.#write('rows', () => {
      this.#data.rows = before;
      this.#sorted.clear();
    });
    this.#data.rows = new Map();
    this.#sorted.clear();
  }
  wipe(): void {
    const before = this.#data;
    this.#write('erase', () => {
      this.#data = before;
      this.#sorted.clear();
    });
    this.#data = { ...emptyData(), meta: before.meta, alarm: before.alarm };
    this.#sorted.clear();
  }

  setAlarm(at: number | null): void {
    const before = this.#data.alarm;
    this.#write('alarm', () => {
      this.#data.alarm = before;
    });
    this.#data.alarm = at;
  }

  async deleteAll(): Promise<void> {
    this.#alive();
    this.#data = emptyData();
    this.#sorted.clear();
  }

  #alive(): void {
    if (this.#dead) throw new Crash('earlier: this process is dead');
  }

  #write(kind: WriteKind, undo: () => void): void {
    this.#alive();
    if (!this.#undo) throw new Error('a write outside a transaction');
    this.#undo.push(undo);
    if (this.#writes[this.#writes.length - 1] !== kind) this.#writes.push(kind);
  }

  #idsOf(kind: string, ofKind: Map<string, Row>): string[] {
    let ids = this.#sorted.get(kind);
    if (!ids) {
      ids = [...ofKind.keys()].sort();
      this.#sorted.set(kind, ids);
    }
    return ids;
  }
}

function answerKey(principal: string, commandId: string): string {
  return JSON.stringify([principal, commandId]);
}

/** First index whose id is not less than `id`. */
function lowerBound(ids: readonly string[], id: string): number {
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ids[middle] ?? '') < id) low = middle + 1;
    else high = middle;
  }
  return low;
}
