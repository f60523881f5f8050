/**
 * Does what fired, outside of any transaction: it is named by the firing, and tried until it is done or refused. A crash before, within or after it loses nothing and does nothing twice.
 * What it came to, and the end of a goal that it started, is kept with the round.
 */
import { isRefusal, type Refusal, refuse } from '../../domain/refusals.ts';
import { acted, type BusinessRound, goalEnded, notStarted } from '../core/triggers/rounds.ts';
import { type Act, actOf, type Made } from './acts.ts';
import type { RoundCommands } from './round-commands.ts';
import type { RoundKeeper } from './round-keeper.ts';
import type { Carried, TriggerStore } from './trigger-store.ts';

/** `again`: nobody knows, or it cannot be done now. */
export type Performed = { is: 'done' } | { is: 'refused'; refusal: Refusal } | { is: 'again' };

export interface PerformingPorts {
  store: TriggerStore;
  keeper: RoundKeeper;
  commands: RoundCommands;
  transaction<T>(work: () => T): T;
  now(): number;
  /** Gives a Goal the command. Never throws. */
  perform(act: Exclude<Act, { kind: 'answer' }>): Promise<Performed>;
  /** What `goal.create` takes for this firing. */
  instance(round: BusinessRound, carried: Carried): Made | Refusal;
}

/** Firings done at once, and how long until one is tried again: milliseconds. */
const actsAtOnce = 20;
const firstRetryMs = 1000;
const longestRetryMs = 10 * 60_000;

export class Performing {
  readonly #ports: PerformingPorts;
  #working: Promise<void> | undefined;

  constructor(ports: PerformingPorts) {
    this.#ports = ports;
  }

  /** All that is due. Single-flight. */
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
    const given = this.#ports.commands.roundAct(target, { type: 'business_round.answer', expected: {}, payload: act }, `trigger:${act.by}`);
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
      if (current?.act === 'pending') this.#ports.keeper.keep(next(current, now), now);
    });
  }

  /** A Goal says that it ended. For a round that is closed it is late. Repeatable; whether it was one that a firing started. */
  ended(goal: string, status: string): boolean {
    const { store, keeper } = this.#ports;
    const round = store.startedBy(goal);
    if (!round) return false;
    const now = this.#ports.now();
    this.#ports.transaction(() => {
      if (round.goalEnded === status) return;
      const came = goalEnded(round, status, now);
      if ('round' in came) keeper.keep({ ...came.round, act: 'done' }, now);
      else if (round.closed?.how !== 'goal' && !store.lates(round.id).some((each) => each.what === 'goal_ended'))
        store.late(round.id, now, 'host', 'goal_ended', came.late, { goal, status });
    });
    return true;
  }
}
