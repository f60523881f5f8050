/** The record's rows from the journal, in place of those that are stored. Says whether they were the same. */
import { createHash } from 'node:crypto';
import { canonical } from '../../domain/digest.ts';
import type { State } from '../../domain/state.ts';
import type { Json } from '../../domain/values.ts';
import { lookupOf } from '../lookup.ts';
import type { Store } from '../ports.ts';
import type { ProtocolPorts } from '../protocol-ports.ts';

const page = 1000;

export interface Rederived {
  state: State;
  rows: number;
  /** Whether the rows that were stored are those that the journal gives. */
  same: boolean;
}

/** Within a transaction of its own. Throws where the journal cannot be folded: then nothing is changed. */
export function rederive({ store, core }: Pick<ProtocolPorts, 'store' | 'core'>): Rederived {
  return store.transaction(() => {
    const before = sumOfRows(store);
    store.dropRows();
    const lookup = lookupOf(store, new Map());
    let state = core.empty();
    for (;;) {
      const events = store.events(state.seq, page);
      for (const event of events) {
        state = core.fold(state, [event]);
        store.putRows(core.rowsOf(event, state, lookup));
      }
      if (events.length < page) break;
    }
    store.putSnapshot(core.foldVersion, state.seq, state as unknown as Json);
    const after = sumOfRows(store);
    return { state, rows: after.rows, same: before.rows === after.rows && before.sum.equals(after.sum) };
  });
}

/** Their digests added up without regard to order: rows come by `seq`, and several may share one. */
function sumOfRows(store: Store): { rows: number; sum: Buffer } {
  const sum = Buffer.alloc(32);
  let rows = 0;
  let after = 0;
  for (;;) {
    const found = store.rowsSince(after, page);
    for (const row of found) {
      const digest = createHash('sha256')
        .update(canonical(row as unknown as Json))
        .digest();
      for (let at = 0; at < 32; at++) sum[at] = (sum[at] ?? 0) ^ (digest[at] ?? 0);
      rows++;
    }
    if (found.length < page) return { rows, sum };
    after = found.at(-1)?.seq ?? after;
  }
}
