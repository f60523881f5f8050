/** Reads of one Goal, from its own object: always current, never a write. */

import type { Lookup, RowKind } from '../domain/context.ts';
import { needsOf } from '../domain/notices/notices.ts';
import { refuse } from '../domain/refusals.ts';
import type { RowData } from '../domain/row-data.ts';
import type { Artifact, Json } from '../domain/values.ts';
import type { AttemptGrant } from '../domain/work/attempt-grant.ts';
import { contractOf } from './contract-of.ts';
import { lookupOf } from './lookup.ts';
import type { ProtocolPorts } from './protocol-ports.ts';
import type { ReadAnswer, ReadQuery } from './rpc.ts';
import type { Live } from './working-set.ts';

/** Entries of one page. */
const pageLimit = 1000;

const found = (live: Live, value: unknown): ReadAnswer => ({ outcome: 'found', seq: live.state.seq, value: value as Json });
const missing = (detail: string): ReadAnswer => ({ outcome: 'refused', refusal: refuse('not_found', { detail }) });

export function readLive(ports: ProtocolPorts, live: Live, query: Exclude<ReadQuery, { what: 'doctor' }>, as?: AttemptGrant): ReadAnswer {
  const { core, store, carriers } = ports;
  const { state } = live;
  const now = Math.max(ports.clock.now(), state.at);
  const lookup = lookupOf(store, live.leases);
  const barred = as && core.attemptReadRefusal(state, as, query, lookup, now);
  if (barred) return { outcome: 'refused', refusal: barred };
  switch (query.what) {
    case 'goal':
      return found(live, { id: live.meta.goal, bar: core.goalBar(state, now, carriers), contract: contractOf(state, lookup) });
    case 'graph':
      if (query.revision !== undefined && query.revision !== (state.plan?.revision ?? 0))
        return missing('only the active revision has a graph; earlier ones are rows of the kind `revision`');
      return found(live, core.graphView(state, lookup));
    case 'item':
      return Object.hasOwn(state.items, query.item) ? found(live, core.itemView(state, query.item, lookup)) : missing('item');
    case 'events':
      return readEvents(ports, query, state.seq);
    case 'rows': {
      const limit = bounded(query.limit);
      const options: Parameters<typeof store.rows>[1] = { limit: limit + 1 };
      if (query.prefix !== undefined) options.prefix = query.prefix;
      if (query.item !== undefined) options.item = query.item;
      if (query.after !== undefined) options.after = query.after;
      if (query.newestFirst) options.newestFirst = true;
      const rows = store.rows(query.kind, options);
      const data = rows.slice(0, limit).map(({ kind: _, ...row }) => row);
      return found(live, { data, next: rows.length > limit ? (data[data.length - 1]?.id ?? null) : null });
    }
    case 'fact': {
      const fact = lookup.row('fact', query.key)?.data as unknown as RowData['fact'] | undefined;
      if (!fact) return missing('fact');
      const value = lookup.body(fact.valueBody);
      return found(live, { key: fact.key, version: fact.version, value: value ?? null, erased: value === undefined, provenance: fact.provenance, by: fact.by, at: fact.at });
    }
    case 'structure':
      return found(live, core.structureOf(state, lookup));
    case 'evidence':
      return found(live, core.evidenceView(state, lookup, query.evidence));
    case 'asked_decisions':
      return found(live, core.askedDecisions(state, lookup, bounded(query.limit)));
    case 'body': {
      const body = store.body(query.digest);
      return body === undefined ? missing('body') : found(live, body);
    }
    case 'artifact': {
      const row = artifactOf(lookup, query.digest);
      return row ? found(live, row) : missing('artifact');
    }
    case 'book_row':
      return found(live, ports.bookShape.goalRow(state, core.nextOf(state, now, carriers)));
    case 'unreferenced': {
      const mentioned = new Set(store.mentioned(query.digests));
      return found(live, { digests: query.digests.filter((digest) => !mentioned.has(digest)), busy: Object.keys(state.rounds).length > 0 });
    }
    case 'next':
      return found(live, core.nextOf(state, now, carriers));
    case 'needs':
      return found(live, needsOf(state, core.nextOf(state, now, carriers)));
    case 'resume_packet':
      return found(
        live,
        core.resumePacket(state, lookup, { ...(query.item === undefined ? {} : { item: query.item }), ...(query.round === undefined ? {} : { round: query.round }) }),
      );
    case 'assignment': {
      const assignment = core.assignmentView(state, query.item, lookup);
      return assignment ? found(live, assignment) : missing('nobody holds that item');
    }
    case 'attempt_grant': {
      const grant = core.grantOf(state, query.principal, query.item, query.fence, now);
      return 'refused' in grant ? { outcome: 'refused', refusal: grant } : found(live, grant);
    }
    case 'check': {
      const job = core.checkJob(state, query.check, query.fence, lookup);
      if (!job) return missing('check');
      return 'refused' in job ? { outcome: 'refused', refusal: job } : found(live, job);
    }
  }
}

/** Also where the journal cannot be folded: the raw record stays readable. */
export function readEvents(ports: ProtocolPorts, query: { after: number; limit: number }, seq: number): ReadAnswer {
  const limit = bounded(query.limit);
  const events = ports.store.events(Math.max(0, query.after), limit);
  const data = events.map((event) => {
    try {
      return ports.core.eventView(event);
    } catch {
      return { seq: event.seq, at: event.at, type: event.type, by: event.by, data: event as unknown as Json };
    }
  });
  const last = events[events.length - 1]?.seq;
  return { outcome: 'found', seq, value: { data, next: events.length === limit && last !== undefined && last < seq ? last : null } as unknown as Json };
}

/** A file that this Goal's record names, by digest: what may be downloaded. */
function artifactOf(lookup: Lookup, digest: string): { artifact: Artifact; role: string } | undefined {
  const kind: RowKind = 'artifact';
  let after: string | undefined;
  for (;;) {
    const rows = lookup.rows(kind, after === undefined ? { limit: pageLimit } : { limit: pageLimit, after });
    for (const row of rows) {
      const data = row.data as unknown as RowData['artifact'];
      if (data.artifact.digest === digest) return { artifact: data.artifact, role: data.role };
    }
    if (rows.length < pageLimit) return undefined;
    after = rows[rows.length - 1]?.id;
  }
}

function bounded(limit: number): number {
  return Number.isInteger(limit) ? Math.min(pageLimit, Math.max(1, limit)) : 100;
}
