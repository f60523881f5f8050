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
    // A lease stands until its end was recorded: a holder that is late but was not replaced goes on.
    lease: (round) => leases.get(round),
  };
}
