/**
 * One command being decided: events are folded and turned into rows as they are emitted, so that what follows in the same commit sees them.
 * Nothing outside is touched; throwing the Turn away leaves no trace.
 */
import type { Actor, Bodies, Context, Lookup, Row, RowKind, Scope } from './context.ts';
import { canonical, digestOf } from './digest.ts';
import { Draft } from './draft.ts';
import type { Event, EventBody } from './events.ts';
import { apply } from './evolve.ts';
import { BODY_BYTES } from './limits.ts';
import type { RowData } from './row-data.ts';
import { rowsOf } from './rows.ts';
import type { Round, State } from './state.ts';
import type { Json, Lane, PrincipalId } from './values.ts';

/** Who gives a command, resolved: a round acts for its own principal within its lane. */
export interface Who {
  principal: PrincipalId;
  kind: Actor['kind'];
  scopes: readonly Scope[];
  lane?: Lane;
  /** The open round; absent for testimony of one that ended. */
  round?: Round;
  /** The Attempt that the token is for. */
  at?: { item: string; attempt: string };
  /** The round's id even when it ended. */
  via?: string;
}

export const hostWho: Who = { principal: 'host', kind: 'host', scopes: [] };

export class Turn {
  readonly ctx: Context;
  readonly #draft: Draft;
  readonly events: Event[] = [];
  readonly bodies: Bodies = {};
  readonly #rows = new Map<string, Row>();
  readonly #firstSeq: number;
  #ids = 0;
  /** A body of this command is too large to be stored. */
  oversize: { bytes: number; limit: number } | null = null;
  /** The record as it stands within this commit. */
  readonly lookup: Lookup;

  constructor(state: State, ctx: Context) {
    this.ctx = ctx;
    this.#draft = new Draft(state);
    this.#firstSeq = state.seq + 1;
    this.lookup = overlay(ctx.lookup, this.#rows, this.bodies);
  }

  get state(): State {
    return this.#draft.state;
  }

  get now(): number {
    return this.ctx.now;
  }

  get rows(): Row[] {
    return [...this.#rows.values()];
  }

  emit(who: Who, body: EventBody | NewEvent): void {
    const event = { v: 1, by: who.principal, ...body, seq: this.state.seq + 1, at: this.now, ...(who.via ? { via: who.via } : {}) } as Event;
    apply(this.#draft, event);
    this.events.push(event);
    for (const row of rowsOf(event, this.state, this.lookup)) this.#rows.set(`${row.kind}\n${row.id}`, row);
  }

  /** An id that sorts by time within the Goal: the number of the commit's first event, and a count within it. */
  id(prefix: string): string {
    this.#ids += 1;
    return `${prefix}_${this.#firstSeq.toString(36).padStart(6, '0')}${this.#ids.toString(36).padStart(2, '0')}`;
  }

  /** Stores a body beside the journal and gives the digest that events refer to it by. One over BODY_BYTES makes `oversize`, and the command is refused. */
  body(value: Json): string {
    const text = canonical(value);
    const digest = this.ctx.sha256(text);
    const bytes = bytesOver(text, BODY_BYTES);
    if (bytes !== null) this.oversize = { bytes, limit: BODY_BYTES };
    this.bodies[digest] = value;
    return digest;
  }

  digest(value: Json): string {
    return digestOf(this.ctx.sha256, value);
  }

  data<K extends RowKind & keyof RowData>(kind: K, id: string): RowData[K] | undefined {
    return this.lookup.row(kind, id)?.data as unknown as RowData[K] | undefined;
  }

  nextFence(target: string): number {
    return (this.state.fences[target] ?? 0) + 1;
  }
}

/** Bytes of UTF-8 where they are more than `limit`; else null. A character is at most three bytes, so that most texts are not encoded. */
export function bytesOver(text: string, limit: number): number | null {
  if (text.length * 3 <= limit) return null;
  const bytes = new TextEncoder().encode(text).length;
  return bytes > limit ? bytes : null;
}

/** An event as a handler writes it: version and author are filled in where it does not say. */
export type NewEvent = { [T in EventBody['type']]: Omit<Extract<EventBody, { type: T }>, 'v' | 'by'> & { by?: PrincipalId; v?: number } }[EventBody['type']];

function overlay(base: Lookup, rows: Map<string, Row>, bodies: Bodies): Lookup {
  return {
    row: (kind, id) => rows.get(`${kind}\n${id}`) ?? base.row(kind, id),
    rows: (kind, options = {}) => {
      const mine: Row[] = [];
      for (const row of rows.values()) {
        if (row.kind !== kind || (options.prefix !== undefined && !row.id.startsWith(options.prefix)) || (options.item !== undefined && row.item !== options.item)) continue;
        mine.push(row);
      }
      if (mine.length === 0) return base.rows(kind, options);
      const limit = options.limit ?? Number.POSITIVE_INFINITY;
      const merged = new Map(base.rows(kind, limit === Number.POSITIVE_INFINITY ? options : { ...options, limit: limit + mine.length }).map((row) => [row.id, row]));
      for (const row of mine) if (options.after === undefined || (options.newestFirst ? row.id < options.after : row.id > options.after)) merged.set(row.id, row);
      const order = options.newestFirst ? (a: Row, b: Row) => (a.id < b.id ? 1 : -1) : (a: Row, b: Row) => (a.id < b.id ? -1 : 1);
      return [...merged.values()].sort(order).slice(0, limit);
    },
    count: (kind, prefix) => {
      let fresh = 0;
      for (const row of rows.values()) if (row.kind === kind && (prefix === undefined || row.id.startsWith(prefix)) && !base.row(kind, row.id)) fresh += 1;
      return base.count(kind, prefix) + fresh;
    },
    body: (digest) => bodies[digest] ?? base.body(digest),
    lease: (round) => base.lease(round),
  };
}
