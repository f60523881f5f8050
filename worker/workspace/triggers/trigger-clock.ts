/** What time alone moves: schedules that are due, firings that are owed for too long, what need not be remembered any longer; and when to look again. */
import { canonical } from '../../domain/digest.ts';
import type { Json } from '../../domain/values.ts';
import type { Change, WorkspaceState } from '../core/state.ts';
import { nextAfter, type Schedule } from '../core/triggers/cron.ts';
import type { Trigger } from '../core/triggers/definition.ts';
import { look } from '../core/triggers/missed.ts';
import { missedAt, passedBy } from '../core/triggers/rounds.ts';
import { carriedBy, firingOf } from './firings.ts';
import type { RoundKeeper } from './round-keeper.ts';
import type { TriggerStore } from './trigger-store.ts';

export interface ClockPorts {
  store: TriggerStore;
  keeper: RoundKeeper;
  transaction<T>(work: () => T): T;
  state(): WorkspaceState;
  now(): number;
}

export class TriggerClock {
  readonly #ports: ClockPorts;
  #forgot = 0;
  /** By trigger. */
  readonly #next = new Map<string, { schedule: Schedule; through: number; at: number | null }>();

  constructor(ports: ClockPorts) {
    this.#ports = ports;
  }

  /** Within the transaction of the command that sets or removes a trigger. */
  set(change: Change, had: Trigger | undefined, now: number): void {
    if (change.kind !== 'trigger') return;
    const { store, keeper } = this.#ports;
    // What was due before it was set, or while it was paused, is not wanted.
    if (change.value && (!had || had.paused || canonical(had.source as unknown as Json) !== canonical(change.value.source as unknown as Json)))
      store.lookedThrough(change.value.id, now);
    if (!change.value && had) keeper.skipOwed(had.id);
  }

  /** Everything up to now. Repeatable. */
  tick(): void {
    const { store, keeper } = this.#ports;
    const now = this.#ports.now();
    this.#ports.transaction(() => {
      for (const { value: trigger, by } of this.#ports.state().settings.trigger.values()) {
        if (trigger.source.kind !== 'cron' || trigger.paused) continue;
        const set = { trigger, by };
        const looked = look(trigger.source, trigger.source.missed, store.through(trigger.id) ?? now, now);
        const { missed } = looked;
        if (missed) {
          const firing = firingOf(trigger, 'cron', `${trigger.id}/cron/${missed.occurrence}`, missed.due, now, missed.standsFor);
          store.putRound(passedBy(firing), carriedBy(set, firing.id, missed.due, now));
        }
        for (const each of looked.fire) {
          const firing = firingOf(trigger, 'cron', `${trigger.id}/cron/${each.occurrence}`, each.due, now, each.standsFor);
          if (!store.round(firing.id)) keeper.fire(firing, carriedBy(set, firing.id, each.due, now)).write();
        }
        store.lookedThrough(trigger.id, looked.through);
      }
      for (const id of store.owing()) keeper.turn(id, now);
      const day = Math.floor(now / 86_400_000);
      if (day !== this.#forgot) store.forget(now);
      this.#forgot = day;
    });
  }

  /** Looked up again only where schedule or place changed: an alarm is armed many times between two due times. */
  #nextOf(id: string, schedule: Schedule, through: number): number | null {
    const kept = this.#next.get(id);
    if (kept?.schedule === schedule && kept.through === through) return kept.at;
    const at = nextAfter(schedule, through);
    this.#next.set(id, { schedule, through, at });
    return at;
  }

  /** When there is something to do again, milliseconds; null: not before somebody comes. */
  wakeAt(): number | null {
    const { store } = this.#ports;
    const times: number[] = [];
    for (const { value: trigger } of this.#ports.state().settings.trigger.values()) {
      if (trigger.source.kind !== 'cron' || trigger.paused) continue;
      const next = this.#nextOf(trigger.id, trigger.source, store.through(trigger.id) ?? this.#ports.now());
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
}
