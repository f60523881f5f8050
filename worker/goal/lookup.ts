/** The synchronous, read-only view of the record that deciding and viewing use. */

import type { Lookup } from '../domain/context.ts';
import type { Store } from './ports.ts';
import type { Lease } from './working-set.ts';

export function lookupOf(store: Store, leases: ReadonlyMap<string, Lease>): Lookup {
  return {
    row: (kind, id) => store.row(kind, id),
    rows: (kind, options = {}) => store.rows(kind, options),
    count: (kind, prefix) => store.countRows(kind, prefix),
    body: (digest) => store.body(digest),
    // It is there until its end was recorded; whether one that ran out still counts is the domain's to say.
    lease: (round) => leases.get(round),
  };
}
