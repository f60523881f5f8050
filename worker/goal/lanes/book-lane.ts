/**
 * The record follows into D1: whole row images since the cursor, so that applying a batch twice, late or after another one is harmless.
 * The cursor is written after the batch was taken, with the next commit or the next ring of the alarm, so that it costs no write of its own;
 * a crash in between sends the batch again.
 */

import type { Row } from '../../domain/context.ts';
import type { Json } from '../../domain/values.ts';
import type { BookBatch, LaneCursor } from '../ports.ts';
import type { ProtocolPorts } from '../protocol-ports.ts';
import type { Live, WorkingSet } from '../working-set.ts';
import { Lane, sendTimeoutMs, type Turn, withTimeout } from './lane.ts';

/** Rows of one batch. */
const batchRows = 2000;
/** Characters of rows and bodies in one batch: D1 takes 2 MB in one parameter. */
const batchCharacters = 600_000;
const paceMs = 250;
const slowestPaceMs = 30_000;
/**
 * A lane keeps the book busy at most this part of the time. The book is shared: when many Goals change at once its answers come later, and all of them send
 * fewer and larger batches.
 */
const busyPart = 1 / 20;
/** A batch refused this often by an error that will not pass is taken apart. */
const triesBeforeQuarantine = 5;
/** Ids of quarantined rows that `doctor` shows. */
const shownQuarantined = 50;

export class BookLane extends Lane {
  readonly name = 'book';
  readonly #set: WorkingSet;
  #cursor: LaneCursor | undefined;
  /** The cursor as the store has it. */
  #written: LaneCursor | undefined;
  #permanentTries = 0;
  /** The next batch counts on nothing that was sent before. */
  #whole = false;
  readonly #quarantined: string[] = [];

  constructor(ports: ProtocolPorts, set: WorkingSet) {
    super(ports);
    this.#set = set;
  }

  pending(): boolean {
    const live = this.#set.live();
    return live !== undefined && !live.meta.erased && this.#at().seq < live.state.seq;
  }

  /** Everything is sent again. Rows that the book already has are replaced by equal ones. */
  restart(): void {
    this.#cursor = { ...this.#at(), seq: 0, tries: 0, retryAt: 0 };
    this.ports.store.transaction(() => this.persist());
    this.#whole = true;
    this.notBefore = 0;
  }

  /** Memory was thrown away: the cursor is read again. */
  forget(): void {
    this.#cursor = undefined;
    this.#written = undefined;
  }

  protected pace(tookMs: number): number {
    return Math.min(slowestPaceMs, Math.max(paceMs, tookMs / busyPart));
  }

  protected details(): { [key: string]: Json } {
    const seq = this.#set.live()?.state.seq ?? 0;
    const cursor = this.#at();
    return { cursor: cursor.seq, behind: Math.max(0, seq - cursor.seq), quarantined: cursor.quarantined, quarantinedRows: this.#quarantined };
  }

  protected async turn(): Promise<Turn> {
    const live = this.#set.live();
    if (!live) return 'done';
    const cursor = this.#at();
    const read = this.ports.store.rowsSince(cursor.seq, batchRows);
    const whole = read.length < batchRows;
    const kept = read.filter((row) => this.ports.bookShape.keeps(row.kind));
    const batches = this.#split(live, kept, whole ? live.state.seq : (read[read.length - 1]?.seq ?? live.state.seq));
    for (const batch of batches) {
      if (!(await this.#deliver(batch))) return 'failed';
    }
    return whole ? 'done' : 'more';
  }

  /** Cuts only between two `seq`s, so that the cursor names a whole event; one event that is larger alone is one batch. */
  #split(live: Live, rows: Row[], upTo: number): BookBatch[] {
    const batches: BookBatch[] = [];
    let current: Row[] = [];
    let bodies: Record<string, Json> = {};
    let size = 0;
    const goalRow = this.ports.bookShape.goalRow(live.state, this.ports.core.nextOf(live.state, Math.max(this.ports.clock.now(), live.state.at), this.ports.carriers));
    const close = (seq: number) => {
      batches.push({ workspace: live.meta.workspace, goal: live.meta.goal, seq, rows: current, goalRow, bodies, ...(this.#whole ? { whole: true } : {}) });
      current = [];
      bodies = {};
      size = 0;
    };
    for (const row of rows) {
      const last = current[current.length - 1];
      if (last && size > batchCharacters && last.seq < row.seq) close(last.seq);
      current.push(row);
      size += JSON.stringify(row.data).length;
      for (const digest of this.ports.bookShape.bodiesOf(row)) {
        if (digest in bodies) continue;
        const body = this.ports.store.body(digest);
        if (body === undefined) continue;
        bodies[digest] = body;
        size += JSON.stringify(body).length;
      }
    }
    close(upTo);
    return batches;
  }

  async #deliver(batch: BookBatch): Promise<boolean> {
    const counted = this.ports.counters.lane(this.name);
    try {
      await withTimeout(this.ports.timers, sendTimeoutMs, this.ports.book.apply(batch));
    } catch (error) {
      if (!isPermanent(error)) {
        this.#permanentTries = 0;
        this.failed(error);
        return false;
      }
      this.#permanentTries++;
      if (this.#permanentTries < triesBeforeQuarantine) {
        this.failed(error);
        return false;
      }
      if (!(await this.#takeApart(batch))) return false;
    }
    this.#permanentTries = 0;
    if (batch.whole) this.#whole = false;
    counted.sent += batch.rows.length;
    this.#cursor = { seq: batch.seq, tries: 0, retryAt: 0, quarantined: this.#at().quarantined };
    return true;
  }

  /** Row by row: what is refused alone is set aside, counted and shown; the rest goes on. Each part claims only the `seq` before the batch. */
  async #takeApart(batch: BookBatch): Promise<boolean> {
    const before = this.#at().seq;
    const parts: BookBatch[] = batch.rows.map((row) => ({ ...batch, seq: before, rows: [row] }));
    parts.push({ ...batch, rows: [], bodies: {} });
    for (const part of parts) {
      try {
        await withTimeout(this.ports.timers, sendTimeoutMs, this.ports.book.apply(part));
      } catch (error) {
        if (!isPermanent(error)) {
          this.failed(error);
          return false;
        }
        const row = part.rows[0];
        const id = row ? `${row.kind}/${row.id}` : `goal@${batch.seq}`;
        this.ports.log.warn('lane.quarantined', { lane: this.name, row: id, error: error instanceof Error ? error.message : String(error) });
        this.ports.counters.lane(this.name).quarantined++;
        if (this.#quarantined.length < shownQuarantined) this.#quarantined.push(id);
        this.#cursor = { ...this.#at(), quarantined: this.#at().quarantined + 1 };
      }
    }
    return true;
  }

  #at(): LaneCursor {
    if (!this.#cursor) {
      this.#cursor = this.ports.store.cursor(this.name) ?? { seq: 0, tries: 0, retryAt: 0, quarantined: 0 };
      this.#written = this.#cursor;
    }
    return this.#cursor;
  }

  /** Within a transaction. If that fails memory is thrown away, and what was not written is sent again. */
  persist(): void {
    if (!this.#cursor || this.#cursor === this.#written) return;
    this.ports.store.putCursor(this.name, this.#cursor);
    this.#written = this.#cursor;
  }
}

/** Errors that the same batch will meet again. A book says so with `permanent: true`; otherwise the database's own words decide, and anything else passes. */
function isPermanent(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  if ('permanent' in error) return error.permanent === true;
  const message = 'message' in error ? String(error.message) : '';
  return /constraint failed|datatype mismatch|malformed JSON|too big|SQLITE_(CONSTRAINT|MISMATCH|TOOBIG)/i.test(message);
}
