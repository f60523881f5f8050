/**
 * The triggers of one workspace at work: what is due, what comes in, and what each firing does. All of it is decided and kept in one synchronous transaction of the workspace's object;
 * what a firing does to a Goal comes afterwards, is named by the firing, and is tried until it is done or refused. So a crash at any place loses no firing and starts no goal twice.
 */
import { canonical } from '../../domain/digest.ts';
import { isRefusal, type Refusal, refuse } from '../../domain/refusals.ts';
import type { Json, PrincipalId } from '../../domain/values.ts';
import { nextAfter } from '../core/triggers/cron.ts';
import type { Trigger } from '../core/triggers/definition.ts';
import { type Known, passes } from '../core/triggers/expressions.ts';
import { look } from '../core/triggers/missed.ts';
import {
  acted,
  answered,
  type BusinessRound,
  completed,
  type Firing,
  fired,
  goalEnded,
  isUnfinished,
  missedAt,
  notStarted,
  passedBy,
  turn,
  waits,
} from '../core/triggers/rounds.ts';
import type { Change, WorkspaceState } from '../core/state.ts';
import type { WorkspaceCommand } from '../core/catalogue.ts';
import type { Carried, DeliveryState, TriggerStore } from './trigger-store.ts';
import { type Act, actOf, type Made } from './acts.ts';
import { type Signed, verified } from './signature.ts';

export interface DeskPorts {
  store: TriggerStore;
  transaction<T>(work: () => T): T;
  state(): WorkspaceState;
  now(): number;
  sha256(text: string): string;
  /** Does what a firing does, outside of any transaction. Never throws. */
  perform(act: Exclude<Act, { kind: 'answer' }>): Promise<Performed>;
  /** What `goal.create` takes for this firing. */
  instance(round: BusinessRound, carried: Carried): Made | Refusal;
  /** The value of a secret of the workspace. */
  secret(name: string): Promise<string | null>;
}

/** `again`: nobody knows, or it cannot be done now. */
export type Performed = { is: 'done' } | { is: 'refused'; refusal: Refusal } | { is: 'again' };

/** Commands that are about firings and business rounds and set nothing. */
export type TriggerAct = Extract<WorkspaceCommand, { type: 'trigger.fire' | 'delivery.replay' | `business_round.${string}` }>;

export interface Acted {
  subject: string;
  before: Json;
  after: Json;
  result: Json;
  /** Within the transaction that keeps the command. */
  write(): void;
}

export type Received =
  | {
      outcome: 'taken';
      trigger: string;
      delivery: string;
      state: DeliveryState;
      round: string | null;
      roundState: BusinessRound['state'] | null;
      goal: string | null;
      repeated: boolean;
    }
  | { outcome: 'refused'; refusal: Refusal };

/** Firings done at once, and how long until one is tried again: milliseconds. */
const actsAtOnce = 20;
const firstRetryMs = 1000;
const longestRetryMs = 10 * 60_000;

export class TriggerDesk {
  readonly #ports: DeskPorts;
  #working: Promise<void> | undefined;
  #forgot = 0;

  constructor(ports: DeskPorts) {
    this.#ports = ports;
  }

  /** A command on firings or rounds; refused, nothing changes. */
  act(command: TriggerAct, principal: PrincipalId, commandId: string): Acted | Refusal {
    const { store } = this.#ports;
    const now = this.#ports.now();
    const own = this.#ports.sha256(canonical([principal, commandId])).slice(0, 24);
    switch (command.type) {
      case 'trigger.fire': {
        const found = this.#named(command.payload.name);
        if (isRefusal(found)) return found;
        const { trigger, by } = found;
        if (trigger.paused) return refuse('invalid_transition', { detail: 'the trigger is paused', current: { paused: true }, allowedNext: ['trigger.resume'] });
        const id = `${trigger.id}/fire/${own}`;
        return this.#firing(trigger, by, 'fire', id, now, { data: command.payload.data ?? null, headers: {} });
      }
      case 'delivery.replay': {
        const found = this.#named(command.payload.name);
        if (isRefusal(found)) return found;
        const { trigger, by } = found;
        const kept = store.deliveryBody(trigger.id, command.payload.delivery);
        if (!kept) return refuse('not_found', { errors: [{ pointer: '/payload/delivery', code: 'not_found' }] });
        if (!kept.body) return refuse('invalid_transition', { detail: 'its body is no longer kept', current: { kept: false } });
        const data = jsonOf(kept.body);
        if (data === undefined) return refuse('malformed_data', { detail: 'the delivery is no JSON' });
        return this.#firing(trigger, by, 'replay', `${trigger.id}/replay/${own}`, now, { data, headers: kept.headers });
      }
      case 'business_round.wait':
      case 'business_round.complete':
      case 'business_round.answer': {
        const round = store.round(command.payload.round);
        if (!round) return refuse('not_found', { errors: [{ pointer: '/payload/round', code: 'not_found' }] });
        return this.roundAct(round, command, principal);
      }
      default:
        return command satisfies never;
    }
  }

  /** Waiting, answering and completing. What comes late is applied as that: it is on record, and opens nothing. */
  roundAct(round: BusinessRound, command: Extract<TriggerAct, { type: `business_round.${string}` }>, by: PrincipalId): Acted | Refusal {
    const { store } = this.#ports;
    const now = this.#ports.now();
    const before = shown(round);
    const changedTo = (next: BusinessRound): Acted => ({
      subject: round.id,
      before,
      after: shown(next),
      result: { round: round.id, state: next.state, generation: next.generation, late: null },
      write: () => this.#keep(next, now),
    });
    switch (command.type) {
      case 'business_round.wait': {
        const next = waits(round, command.payload, by, now);
        return isRefusal(next) ? next : changedTo(next);
      }
      case 'business_round.complete': {
        const next = completed(round, by, now, command.payload.note ?? null);
        return isRefusal(next) ? next : changedTo(next);
      }
      case 'business_round.answer': {
        const came = answered(round, command.payload, now);
        if ('round' in came) return changedTo(came.round);
        const { correlation, generation, payload = null } = command.payload;
        return {
          subject: round.id,
          before,
          after: { late: came.late },
          result: { round: round.id, state: round.state, generation: round.generation, late: came.late },
          write: () => store.late(round.id, now, by, 'answer', came.late, { correlation, generation, payload }),
        };
      }
      default:
        return command satisfies never;
    }
  }

  #firing(trigger: Trigger, by: PrincipalId, source: BusinessRound['source'], id: string, now: number, came: { data: Json; headers: Record<string, string> }): Acted {
    const { store } = this.#ports;
    const carried = carriedBy(trigger, by, id, now, now, came);
    const rounds = fired(store.standing(trigger.id), trigger.overlap, firingOf(trigger, source, id, now, now));
    const made = rounds.at(-1);
    return {
      subject: id,
      before: null,
      after: { trigger: trigger.name, state: made?.state ?? null },
      result: { round: id, state: made?.state ?? null },
      write: () => this.#putFired(rounds, carried),
    };
  }

  #putFired(rounds: BusinessRound[], carried: Carried): void {
    rounds.forEach((each, n) => this.#ports.store.putRound(each, n === rounds.length - 1 ? carried : undefined));
  }

  /** Within a transaction. A round that is over lets the next begin. */
  #keep(round: BusinessRound, now: number): void {
    this.#ports.store.putRound(round);
    if (!isUnfinished(round)) this.#turn(round.trigger, now);
  }

  #turn(triggerId: string, now: number): void {
    const { store } = this.#ports;
    const standing = store.standing(triggerId);
    const [first] = standing.owed;
    if (!first) return;
    // By the rule that held when it fired; a trigger that is gone owes nothing.
    const overlap = store.carried(first.id)?.overlap;
    const there = this.#byId(triggerId) !== undefined;
    const next = overlap && there ? turn(standing, overlap, now) : standing.owed.map((each): BusinessRound => ({ ...each, state: 'skipped' }));
    for (const each of next) store.putRound(each);
  }

  /** Within the transaction of the command that sets or removes a trigger. */
  set(change: Change, had: Trigger | undefined, now: number): void {
    if (change.kind !== 'trigger') return;
    const { store } = this.#ports;
    // What was due before it was set, or while it was paused, is not wanted.
    if (change.value && (!had || had.paused || canonical(had.source as unknown as Json) !== canonical(change.value.source as unknown as Json)))
      store.lookedThrough(change.value.id, now);
    if (!change.value && had) for (const each of store.standing(had.id).owed) store.putRound({ ...each, state: 'skipped' });
  }

  /** Everything that time alone moves, up to now. Repeatable. */
  tick(): void {
    const { store } = this.#ports;
    const now = this.#ports.now();
    this.#ports.transaction(() => {
      for (const { value: trigger, by } of this.#ports.state().settings.trigger.values()) {
        if (trigger.source.kind !== 'cron' || trigger.paused) continue;
        const looked = look(trigger.source, trigger.source.missed, store.through(trigger.id) ?? now, now);
        const { missed } = looked;
        if (missed) {
          const firing = firingOf(trigger, 'cron', `${trigger.id}/cron/${missed.occurrence}`, missed.due, now, missed.standsFor);
          store.putRound(passedBy(firing), carriedBy(trigger, by, firing.id, missed.due, now));
        }
        for (const each of looked.fire) {
          const firing = firingOf(trigger, 'cron', `${trigger.id}/cron/${each.occurrence}`, each.due, now, each.standsFor);
          if (store.round(firing.id)) continue;
          this.#putFired(fired(store.standing(trigger.id), trigger.overlap, firing), carriedBy(trigger, by, firing.id, each.due, now));
        }
        store.lookedThrough(trigger.id, looked.through);
      }
      for (const id of store.owing()) this.#turn(id, now);
      const day = Math.floor(now / 86_400_000);
      if (day !== this.#forgot) store.forget(now);
      this.#forgot = day;
    });
  }

  /** When there is something to do again, milliseconds; null: not before somebody comes. */
  wakeAt(): number | null {
    const { store } = this.#ports;
    const times: number[] = [];
    for (const { value: trigger } of this.#ports.state().settings.trigger.values()) {
      if (trigger.source.kind !== 'cron' || trigger.paused) continue;
      const next = nextAfter(trigger.source, store.through(trigger.id) ?? this.#ports.now());
      if (next !== null) times.push(next);
    }
    const retry = store.nextTry();
    if (retry !== null) times.push(retry);
    for (const id of store.owing()) {
      const standing = store.standing(id);
      const overlap = standing.owed[0] && store.carried(standing.owed[0].id)?.overlap;
      const at = overlap ? missedAt(standing, overlap) : null;
      if (at !== null) times.push(at);
    }
    return times.length === 0 ? null : Math.min(...times);
  }

  /** Does what fired. Single-flight; never rejects. */
  work(): Promise<void> {
    this.#working ??= this.#work().finally(() => {
      this.#working = undefined;
    });
    return this.#working;
  }

  async #work(): Promise<void> {
    const { store } = this.#ports;
    for (;;) {
      const due = store.pending(this.#ports.now(), actsAtOnce);
      if (due.length === 0) return;
      await Promise.all(due.map((each) => this.#do(each.round.id, each.carried, each.tries)));
    }
  }

  async #do(id: string, carried: Carried, tries: number): Promise<void> {
    const { store } = this.#ports;
    const round = store.round(id);
    if (!round) return;
    const act = actOf(round, carried, (each, what) => this.#ports.instance(each, what));
    if (isRefusal(act)) return this.#settle(id, (current, now) => notStarted(current, act, now));
    // Before it is tried: what is cut off here is tried again, and not at once for ever.
    this.#ports.transaction(() => {
      // Known before it is there: its end may be told before its beginning was.
      if (act.kind === 'create') store.putRound({ ...round, goal: act.goal });
      store.retry(id, this.#ports.now() + Math.min(longestRetryMs, firstRetryMs * 2 ** Math.min(tries, 20)));
    });
    if (act.kind === 'answer') return this.#answer(id, act);
    const performed = await this.#ports.perform(act);
    switch (performed.is) {
      case 'done':
        return this.#settle(id, (current, now) => acted(current, act.goal, act.kind !== 'create', now));
      case 'refused':
        return this.#settle(id, (current, now) => notStarted(current, performed.refusal, now));
      case 'again':
        return;
      default:
        return performed satisfies never;
    }
  }

  #answer(id: string, act: Extract<Act, { kind: 'answer' }>): void {
    const target = this.#ports.store.round(act.round);
    if (!target) return this.#settle(id, (current, now) => notStarted(current, refuse('not_found', { detail: `no business round ${act.round}` }), now));
    const given = this.roundAct(target, { type: 'business_round.answer', expected: {}, payload: act }, `trigger:${act.by}`);
    if (isRefusal(given)) return this.#settle(id, (current, now) => notStarted(current, given, now));
    this.#settle(id, (current, now) => {
      given.write();
      return acted(current, target.goal, true, now);
    });
  }

  #settle(id: string, next: (round: BusinessRound, now: number) => BusinessRound): void {
    const now = this.#ports.now();
    this.#ports.transaction(() => {
      const current = this.#ports.store.round(id);
      if (current?.act === 'pending') this.#keep(next(current, now), now);
    });
  }

  /** A Goal says that it ended. For a round that is closed it is late. Repeatable; whether it was one that a firing started. */
  ended(goal: string, status: string): boolean {
    const { store } = this.#ports;
    const round = store.startedBy(goal);
    if (!round) return false;
    const now = this.#ports.now();
    this.#ports.transaction(() => {
      if (round.goalEnded === status) return;
      const came = goalEnded(round, status, now);
      if ('round' in came) this.#keep({ ...came.round, act: 'done' }, now);
      else if (round.closed?.how !== 'goal' && !store.lates(round.id).some((each) => each.what === 'goal_ended'))
        store.late(round.id, now, 'host', 'goal_ended', came.late, { goal, status });
    });
    return true;
  }

  /** A delivery at the address of a trigger. What was taken is kept before it is answered. */
  async receive(hook: string, signed: Signed): Promise<Received> {
    const none: Received = { outcome: 'refused', refusal: refuse('not_found') };
    const found = this.#byHook(hook);
    if (found?.trigger.source.kind !== 'webhook') return none;
    const { style, secrets, toleranceSeconds } = found.trigger.source;
    const keys = (await Promise.all(secrets.map((name) => this.#ports.secret(name)))).flatMap((key) => (key === null ? [] : [key]));
    if (keys.length === 0) return { outcome: 'refused', refusal: refuse('sealing_unavailable', { detail: 'the secret that signatures are checked with does not open' }) };
    const checked = await verified(style, keys, signed, toleranceSeconds * 1000, this.#ports.now());
    // It may have been changed or removed meanwhile.
    const current = this.#byHook(hook);
    if (!current) return none;
    const { trigger } = current;
    if (!checked.ok) {
      this.#ports.transaction(() => this.#ports.store.refused(trigger.id, checked.code, this.#ports.now()));
      const errors = [{ pointer: `/headers/${checked.header}`, code: checked.code }];
      return { outcome: 'refused', refusal: checked.code === 'delivery_id' ? refuse('schema_invalid', { errors }) : refuse('signature_invalid', { errors }) };
    }
    return this.#ports.transaction(() => this.#take(trigger, current.by, checked.delivery, signed));
  }

  #take(trigger: Trigger, by: PrincipalId, delivery: string, { headers, body }: Signed): Received {
    const { store } = this.#ports;
    const now = this.#ports.now();
    const digest = this.#ports.sha256(latin1(body));
    const taken = (state: DeliveryState, id: string | null, repeated: boolean): Received => {
      const round = id === null ? undefined : store.round(id);
      return { outcome: 'taken', trigger: trigger.name, delivery, state, round: id, roundState: round?.state ?? null, goal: round?.goal ?? null, repeated };
    };
    const before = store.delivery(trigger.id, delivery);
    if (before) {
      if (before.digest !== digest) return { outcome: 'refused', refusal: refuse('delivery_reused', { current: { delivery } }) };
      store.repeated(trigger.id, delivery);
      return taken(before.state, before.round, true);
    }
    const data = jsonOf(body);
    if (data === undefined) return { outcome: 'refused', refusal: refuse('malformed_data', { detail: 'a delivery is JSON in UTF-8' }) };
    const kept = keptHeaders(headers);
    const id = `${trigger.id}/hook/${delivery}`;
    const carried = carriedBy(trigger, by, id, now, now, { data, headers: kept });
    const passed = passes(trigger.source.kind === 'webhook' ? trigger.source.filter : undefined, carried.known);
    const state: DeliveryState = !passed.ok ? 'failed' : trigger.paused ? 'paused' : passed.passes ? 'fired' : 'filtered';
    if (state === 'fired') this.#putFired(fired(store.standing(trigger.id), trigger.overlap, firingOf(trigger, 'webhook', id, now, now)), carried);
    store.putDelivery(
      {
        trigger: trigger.id,
        delivery,
        name: trigger.name,
        at: now,
        digest,
        state,
        round: state === 'fired' ? id : null,
        detail: passed.ok ? null : passed.detail,
        headers: kept,
        bytes: body.byteLength,
      },
      body.buffer.slice(body.byteOffset, body.byteOffset + body.byteLength),
    );
    return taken(state, state === 'fired' ? id : null, false);
  }

  #named(name: string): { trigger: Trigger; by: PrincipalId } | Refusal {
    const kept = this.#ports.state().settings.trigger.get(name);
    return kept ? { trigger: kept.value, by: kept.by } : refuse('not_found', { errors: [{ pointer: '/payload/name', code: 'not_found' }], current: { kind: 'trigger', name } });
  }
  #byId(id: string): Trigger | undefined {
    return [...this.#ports.state().settings.trigger.values()].find((kept) => kept.value.id === id)?.value;
  }
  #byHook(hook: string): { trigger: Trigger; by: PrincipalId } | undefined {
    const kept = [...this.#ports.state().settings.trigger.values()].find((each) => each.value.hook !== null && each.value.hook === hook);
    return kept && { trigger: kept.value, by: kept.by };
  }
}

function firingOf(trigger: Trigger, source: BusinessRound['source'], id: string, due: number, at: number, standsFor = 1): Firing {
  return { id, trigger: trigger.id, name: trigger.name, source, due, at, standsFor, endsWithGoal: trigger.does.kind === 'goal' && trigger.does.ends === 'goal' };
}

function carriedBy(
  trigger: Trigger,
  by: PrincipalId,
  firing: string,
  due: number,
  at: number,
  came: { data: Json; headers: Record<string, string> } = { data: null, headers: {} },
): Carried {
  const known: Known = { ...came, trigger: trigger.name, firing, at: new Date(at).toISOString(), due: new Date(due).toISOString() };
  return { does: trigger.does, overlap: trigger.overlap, known, by };
}

const shown = (round: BusinessRound): Json => ({ trigger: round.name, state: round.state, generation: round.generation });

/** Headers that say something to whoever reads a delivery; never a signature or a credential. */
function keptHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const wanted = /^(content-type|user-agent|webhook-(id|timestamp)|x-github-(event|delivery|hook-id)|x-event(-[a-z-]+)?)$/;
  return Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => (wanted.test(name) ? [[name, value.slice(0, 500)]] : [])));
}

function jsonOf(body: Uint8Array): Json | undefined {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(body)) as Json;
  } catch {
    return undefined;
  }
}

/** Bytes as a text of as many characters: equal bytes give equal texts. */
function latin1(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return text;
}
