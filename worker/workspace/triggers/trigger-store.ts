/** Rows of triggers in the workspace's object: business rounds, deliveries, what came late. Everything that writes is called within a transaction of the caller. */
import type { Json, PrincipalId } from '../../domain/values.ts';
import type { TriggerDefinition } from '../core/triggers/definition.ts';
import type { Known } from '../core/triggers/expressions.ts';
import type { BusinessRound, Late, Standing } from '../core/triggers/rounds.ts';

type SqlValue = string | number | null | ArrayBuffer;

/** One migration of the object; see `sql-schema.ts`. */
export const triggerSchema: readonly string[] = [
  // How far a schedule was looked at; and signatures that did not fit, counted, as anybody can send them.
  'CREATE TABLE trigger_state (trigger_id TEXT PRIMARY KEY, through INTEGER NOT NULL, refused INTEGER NOT NULL DEFAULT 0, refused_at INTEGER, refused_code TEXT) WITHOUT ROWID',
  'CREATE TABLE business_rounds (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, trigger_id TEXT NOT NULL, name TEXT NOT NULL, state TEXT NOT NULL, act TEXT NOT NULL, due INTEGER NOT NULL, goal TEXT, data TEXT NOT NULL, input TEXT NOT NULL, tries INTEGER NOT NULL DEFAULT 0, retry_at INTEGER NOT NULL DEFAULT 0)',
  "CREATE INDEX business_rounds_open ON business_rounds (trigger_id, seq) WHERE state IN ('owed', 'running', 'waiting')",
  "CREATE INDEX business_rounds_acts ON business_rounds (retry_at) WHERE act = 'pending'",
  'CREATE INDEX business_rounds_goal ON business_rounds (goal) WHERE goal IS NOT NULL',
  'CREATE INDEX business_rounds_name ON business_rounds (name, seq)',
  'CREATE TABLE round_lates (seq INTEGER PRIMARY KEY, round TEXT NOT NULL, at INTEGER NOT NULL, by TEXT NOT NULL, what TEXT NOT NULL, why TEXT NOT NULL, body TEXT NOT NULL)',
  'CREATE INDEX round_lates_round ON round_lates (round, seq)',
  'CREATE TABLE deliveries (trigger_id TEXT NOT NULL, delivery TEXT NOT NULL, name TEXT NOT NULL, at INTEGER NOT NULL, digest TEXT NOT NULL, state TEXT NOT NULL, round TEXT, detail TEXT, headers TEXT NOT NULL, bytes INTEGER NOT NULL, body BLOB, repeats INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (trigger_id, delivery))',
  'CREATE INDEX deliveries_name ON deliveries (name)',
  'CREATE INDEX deliveries_at ON deliveries (at)',
];

/** What D1 was told of when to wake the workspace; a migration of its own. */
export const wakeSchema: readonly string[] = ['CREATE TABLE trigger_wake (one INTEGER PRIMARY KEY CHECK (one = 1), number INTEGER NOT NULL, known INTEGER NOT NULL, told INTEGER)'];

/** What a firing carries with it: it does what its trigger said when it fired, whatever the trigger says later. */
export interface Carried {
  does: TriggerDefinition['does'];
  overlap: TriggerDefinition['overlap'];
  known: Known;
  /** Who set the trigger up: owner of the goal that it starts. */
  by: PrincipalId;
}

/** `fired`: a business round. `filtered`: the filter did not let it pass. `paused`: the trigger is. `failed`: an expression could not be asked. */
export type DeliveryState = 'fired' | 'filtered' | 'paused' | 'failed';
export interface Delivery {
  trigger: string;
  delivery: string;
  name: string;
  at: number;
  digest: string;
  state: DeliveryState;
  round: string | null;
  detail: string | null;
  headers: Record<string, string>;
  bytes: number;
}
export interface DeliveryView extends Omit<Delivery, 'trigger' | 'digest'> {
  /** In the order they came. */
  seq: number;
  repeats: number;
  /** Whether it can be replayed: its body is still kept. */
  kept: boolean;
}
export interface LateView {
  at: number;
  by: PrincipalId;
  what: string;
  why: Late;
  body: Json;
}
export interface Refusals {
  count: number;
  at: number | null;
  code: string | null;
}

/** Days that a delivery's id is remembered, and that its body is kept; and the bodies of one trigger. */
export const DELIVERY_DAYS = 14;
export const BODY_DAYS = 7;
export const BODIES_KEPT = 500;
/** Days that a business round is kept once it is over. */
const ROUND_DAYS = 400;
const dayMs = 86_400_000;

export class TriggerStore {
  readonly #sql: SqlStorage;
  readonly #ready: () => boolean;

  /** `ready`: whether the tables are there yet. */
  constructor(sql: SqlStorage, ready: () => boolean) {
    this.#sql = sql;
    this.#ready = ready;
  }

  #rows<T extends Record<string, SqlValue>>(query: string, ...bindings: SqlValue[]): T[] {
    return this.#ready() ? this.#sql.exec<T>(query, ...bindings).toArray() : [];
  }

  through(trigger: string): number | undefined {
    return this.#rows<{ through: number }>('SELECT through FROM trigger_state WHERE trigger_id = ?', trigger)[0]?.through;
  }
  lookedThrough(trigger: string, through: number): void {
    this.#sql.exec(
      'INSERT INTO trigger_state (trigger_id, through) VALUES (?, ?) ON CONFLICT (trigger_id) DO UPDATE SET through = MAX(through, excluded.through)',
      trigger,
      through,
    );
  }
  refused(trigger: string, code: string, at: number): void {
    this.#sql.exec(
      'INSERT INTO trigger_state (trigger_id, through, refused, refused_at, refused_code) VALUES (?, 0, 1, ?, ?) ON CONFLICT (trigger_id) DO UPDATE SET refused = refused + 1, refused_at = excluded.refused_at, refused_code = excluded.refused_code',
      trigger,
      at,
      code,
    );
  }
  refusals(trigger: string): Refusals {
    const [row] = this.#rows<{ refused: number; refused_at: number | null; refused_code: string | null }>(
      'SELECT refused, refused_at, refused_code FROM trigger_state WHERE trigger_id = ?',
      trigger,
    );
    return { count: row?.refused ?? 0, at: row?.refused_at ?? null, code: row?.refused_code ?? null };
  }

  /** What D1 has, as far as is known; `known`: it answered the last word. Never told anything it has nothing. */
  wake(): { known: boolean; told: number | null } {
    const [row] = this.#rows<{ known: number; told: number | null }>('SELECT known, told FROM trigger_wake');
    return { known: row ? row.known === 1 : true, told: row?.told ?? null };
  }
  /** The number of the next word to D1; until that is answered nothing is known. */
  numberWake(): number {
    const query = 'INSERT INTO trigger_wake (one, number, known) VALUES (1, 1, 0) ON CONFLICT (one) DO UPDATE SET number = number + 1, known = 0 RETURNING number';
    return this.#sql.exec<{ number: number }>(query).toArray()[0]?.number ?? 0;
  }
  /** D1 has it, unless there is a later word. */
  wakeTold(number: number, at: number | null): void {
    this.#sql.exec('UPDATE trigger_wake SET known = 1, told = ? WHERE number = ?', at, number);
  }

  round(id: string): BusinessRound | undefined {
    const [row] = this.#rows<{ data: string }>('SELECT data FROM business_rounds WHERE id = ?', id);
    return row && (JSON.parse(row.data) as BusinessRound);
  }
  /** The last one of its trigger that began before it. */
  before(id: string): BusinessRound | undefined {
    const [row] = this.#rows<{ data: string }>(
      "SELECT b.data FROM business_rounds b JOIN business_rounds own ON own.id = ? WHERE b.trigger_id = own.trigger_id AND b.seq < own.seq AND b.state = 'completed' ORDER BY b.seq DESC LIMIT 1",
      id,
    );
    return row && (JSON.parse(row.data) as BusinessRound);
  }
  /** The round whose firing started that goal. */
  startedBy(goal: string): BusinessRound | undefined {
    const [row] = this.#rows<{ data: string }>("SELECT data FROM business_rounds WHERE goal = ? AND json_extract(input, '$.does.kind') = 'goal'", goal);
    return row && (JSON.parse(row.data) as BusinessRound);
  }
  carried(id: string): Carried | undefined {
    const [row] = this.#rows<{ input: string }>('SELECT input FROM business_rounds WHERE id = ?', id);
    return row && (JSON.parse(row.input) as Carried);
  }
  /** A round that is new comes with what it carries. */
  putRound(round: BusinessRound, carried?: Carried): void {
    const { id, trigger, name, state, act, due, goal } = round;
    if (carried)
      this.#sql.exec(
        'INSERT INTO business_rounds (id, trigger_id, name, state, act, due, goal, data, input) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING',
        id,
        trigger,
        name,
        state,
        act,
        due,
        goal,
        JSON.stringify(round),
        JSON.stringify(carried),
      );
    else this.#sql.exec('UPDATE business_rounds SET state = ?, act = ?, goal = ?, data = ? WHERE id = ?', state, act, goal, JSON.stringify(round), id);
  }
  standing(trigger: string): Standing {
    const rounds = this.#rows<{ data: string }>("SELECT data FROM business_rounds WHERE trigger_id = ? AND state IN ('owed', 'running', 'waiting') ORDER BY seq", trigger).map(
      (row) => JSON.parse(row.data) as BusinessRound,
    );
    return { unfinished: rounds.find((each) => each.state !== 'owed'), owed: rounds.filter((each) => each.state === 'owed') };
  }
  /** Triggers, of whatever time, that owe a firing. */
  owing(): string[] {
    return this.#rows<{ trigger_id: string }>("SELECT DISTINCT trigger_id FROM business_rounds WHERE state = 'owed'").map((row) => row.trigger_id);
  }

  /** Rounds whose firing is to be done, longest owed first. */
  pending(now: number, limit: number): { round: BusinessRound; carried: Carried; tries: number }[] {
    return this.#rows<{ data: string; input: string; tries: number }>(
      "SELECT data, input, tries FROM business_rounds WHERE act = 'pending' AND retry_at <= ? ORDER BY retry_at, seq LIMIT ?",
      now,
      limit,
    ).map((row) => ({ round: JSON.parse(row.data) as BusinessRound, carried: JSON.parse(row.input) as Carried, tries: row.tries }));
  }
  retry(id: string, at: number): void {
    this.#sql.exec('UPDATE business_rounds SET tries = tries + 1, retry_at = ? WHERE id = ?', at, id);
  }
  nextTry(): number | null {
    return this.#rows<{ at: number | null }>("SELECT MIN(retry_at) AS at FROM business_rounds WHERE act = 'pending'")[0]?.at ?? null;
  }

  /** Newest first, those before `before`. `late`: how much came for it late. */
  rounds(name: string, before: number | undefined, limit: number): { seq: number; late: number; round: BusinessRound }[] {
    return this.#rows<{ seq: number; late: number; data: string }>(
      'SELECT seq, data, (SELECT COUNT(*) FROM round_lates WHERE round = business_rounds.id) AS late FROM business_rounds WHERE name = ? AND seq < ? ORDER BY seq DESC LIMIT ?',
      name,
      before ?? Number.MAX_SAFE_INTEGER,
      limit,
    ).map((row) => ({ seq: row.seq, late: row.late, round: JSON.parse(row.data) as BusinessRound }));
  }

  late(round: string, at: number, by: PrincipalId, what: string, why: Late, body: Json): void {
    this.#sql.exec('INSERT INTO round_lates (round, at, by, what, why, body) VALUES (?, ?, ?, ?, ?, ?)', round, at, by, what, why, JSON.stringify(body));
  }
  lates(round: string): LateView[] {
    return this.#rows<{ at: number; by: string; what: string; why: string; body: string }>(
      'SELECT at, by, what, why, body FROM round_lates WHERE round = ? ORDER BY seq DESC LIMIT 100',
      round,
    ).map((row) => ({ at: row.at, by: row.by, what: row.what, why: row.why as Late, body: JSON.parse(row.body) as Json }));
  }

  delivery(trigger: string, delivery: string): { digest: string; state: DeliveryState; round: string | null } | undefined {
    const [row] = this.#rows<{ digest: string; state: string; round: string | null }>(
      'SELECT digest, state, round FROM deliveries WHERE trigger_id = ? AND delivery = ?',
      trigger,
      delivery,
    );
    return row && { digest: row.digest, state: row.state as DeliveryState, round: row.round };
  }
  putDelivery(given: Delivery, body: ArrayBuffer): void {
    this.#sql.exec(
      'INSERT INTO deliveries (trigger_id, delivery, name, at, digest, state, round, detail, headers, bytes, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      given.trigger,
      given.delivery,
      given.name,
      given.at,
      given.digest,
      given.state,
      given.round,
      given.detail,
      JSON.stringify(given.headers),
      given.bytes,
      body,
    );
    this.#sql.exec(
      'UPDATE deliveries SET body = NULL WHERE trigger_id = ?1 AND body IS NOT NULL AND at < (SELECT at FROM deliveries WHERE trigger_id = ?1 ORDER BY at DESC LIMIT 1 OFFSET ?2)',
      given.trigger,
      BODIES_KEPT,
    );
  }
  repeated(trigger: string, delivery: string): void {
    this.#sql.exec('UPDATE deliveries SET repeats = repeats + 1 WHERE trigger_id = ? AND delivery = ?', trigger, delivery);
  }
  deliveryBody(trigger: string, delivery: string): { at: number; headers: Record<string, string>; body: Uint8Array | null } | undefined {
    const [row] = this.#rows<{ at: number; headers: string; body: ArrayBuffer | null }>(
      'SELECT at, headers, body FROM deliveries WHERE trigger_id = ? AND delivery = ?',
      trigger,
      delivery,
    );
    return row && { at: row.at, headers: JSON.parse(row.headers) as Record<string, string>, body: row.body === null ? null : new Uint8Array(row.body) };
  }
  /** Newest first, those before `before`. */
  deliveries(name: string, before: number | undefined, limit: number): DeliveryView[] {
    return this.#rows<{
      seq: number;
      delivery: string;
      name: string;
      at: number;
      state: string;
      round: string | null;
      detail: string | null;
      headers: string;
      bytes: number;
      repeats: number;
      kept: number;
    }>(
      'SELECT rowid AS seq, delivery, name, at, state, round, detail, headers, bytes, repeats, body IS NOT NULL AS kept FROM deliveries WHERE name = ? AND rowid < ? ORDER BY rowid DESC LIMIT ?',
      name,
      before ?? Number.MAX_SAFE_INTEGER,
      limit,
    ).map(({ state, headers, kept, ...row }) => ({ ...row, state: state as DeliveryState, headers: JSON.parse(headers) as Record<string, string>, kept: kept === 1 }));
  }

  /** What need not be remembered any longer. */
  forget(now: number): void {
    this.#sql.exec('UPDATE deliveries SET body = NULL WHERE body IS NOT NULL AND at < ?', now - BODY_DAYS * dayMs);
    this.#sql.exec('DELETE FROM deliveries WHERE at < ?', now - DELIVERY_DAYS * dayMs);
    const before = now - ROUND_DAYS * dayMs;
    this.#sql.exec("DELETE FROM round_lates WHERE round IN (SELECT id FROM business_rounds WHERE due < ? AND state IN ('completed', 'skipped', 'missed'))", before);
    this.#sql.exec("DELETE FROM business_rounds WHERE due < ? AND state IN ('completed', 'skipped', 'missed')", before);
  }
}
