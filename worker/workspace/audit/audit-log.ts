/** The audit of one workspace: one chain over what its object recorded and over the log of people and tokens in D1, read, exported and verified. */
import { canonical } from '../../domain/digest.ts';
import type { Json } from '../../domain/values.ts';
import { sha256 } from '../../goal/sha256.ts';
import { errorOf, log } from '../../observe/log.ts';
import { type AuditStore, heldOf } from './audit-store.ts';
import { AuditCheck, type AuditChecked, type AuditHead, type AuditRow } from './chain.ts';
import { factOf, keepHead, keptHead, loggedAfter } from './people-log.ts';

/** Rows read at once. */
const pageRows = 500;

export interface AuditVerified extends AuditChecked {
  /** The head that D1 keeps; null: none yet. `unknown`: D1 does not answer, and the log of people was not compared. */
  kept: AuditHead | null | 'unknown';
}

interface Ports {
  db: D1Database;
  workspace: string;
  store: AuditStore;
  transaction<T>(work: () => T): T;
}

export class AuditLog {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /**
   * What the log of people has and the chain has not yet. A change of people is answered after this; where it fails, the next one, the next read or the sweep takes it in. False: D1 does not answer.
   * Two of these at once take nothing in twice: the number is looked at again in the transaction.
   */
  async takeIn(): Promise<boolean> {
    const { db, workspace, store, transaction } = this.#ports;
    try {
      let taken = 0;
      for (;;) {
        const changes = await loggedAfter(db, workspace, store.lastTaken(), pageRows);
        if (changes.length === 0) break;
        transaction(() => {
          const last = store.lastTaken();
          for (const change of changes) if (change.number > last) store.append(factOf(change, heldOf(change.from, change.reason)));
        });
        taken += changes.length;
        if (changes.length < pageRows) break;
      }
      if (taken > 0) await this.anchor();
      return true;
    } catch (error) {
      log('warn', 'audit', 'people.away', { workspace, error: errorOf(error) });
      return false;
    }
  }

  /** Keeps the head in D1. One that fails is made good by the next. */
  async anchor(): Promise<void> {
    const { db, workspace, store } = this.#ports;
    try {
      await keepHead(db, workspace, store.head(), Date.now());
    } catch (error) {
      log('warn', 'audit', 'head.unkept', { workspace, error: errorOf(error) });
    }
  }

  /** Every row against the chain, the log of people against what was taken in, and the head that D1 keeps. */
  async verify(): Promise<AuditVerified> {
    const { db, workspace, store } = this.#ports;
    const reached = await this.takeIn();
    const kept = reached ? await keptHead(db, workspace).catch(() => 'unknown' as const) : 'unknown';
    const head = store.head();
    const check = new AuditCheck(sha256, workspace, { whole: true, known: kept === null || kept === 'unknown' ? [] : [kept] });
    let known = kept;
    for (let after = -1; ; ) {
      const rows = store.following({}, after, pageRows).filter((row) => row.seq <= head.seq);
      for (const row of rows) check.take(row);
      const last = rows.at(-1);
      if (known !== 'unknown' && !(await this.#compare(rows, check))) known = 'unknown';
      if (!last || rows.length < pageRows) break;
      after = last.seq;
    }
    return { ...check.end(head), kept: known };
  }

  async #compare(rows: readonly AuditRow[], check: AuditCheck): Promise<boolean> {
    const taken = rows.filter((row) => row.source === 'people' && row.number !== null);
    if (taken.length === 0) return true;
    try {
      const numbers = taken.map((row) => row.number ?? 0);
      const from = Math.min(...numbers) - 1;
      const logged = new Map((await loggedAfter(this.#ports.db, this.#ports.workspace, from, Math.max(...numbers) - from)).map((change) => [change.number, change]));
      for (const row of taken) {
        const there = logged.get(row.number ?? 0);
        if (!there) check.problem(row.seq, 'source_removed', `row ${row.seq} was taken in from number ${row.number} of the log of people, which has it no more`);
        else if (said(factOf(there, heldOf(null, null))) !== said(row))
          check.problem(row.seq, 'source_altered', `number ${row.number} of the log of people is not what was taken in as row ${row.seq}`);
      }
      return true;
    } catch (error) {
      log('warn', 'audit', 'people.away', { workspace: this.#ports.workspace, error: errorOf(error) });
      return false;
    }
  }
}

function said({ at, by, type, subject, before, after }: Pick<AuditRow, 'at' | 'by' | 'type' | 'subject' | 'before' | 'after'>): string {
  return canonical({ at, by, type, subject, before, after } as Json);
}
