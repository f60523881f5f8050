/** Business rounds as they are kept: one that is over lets the next of its trigger begin, in the same transaction. */
import type { WorkspaceState } from '../core/state.ts';
import { type BusinessRound, type Firing, fired, isUnfinished, turn } from '../core/triggers/rounds.ts';
import { findTrigger } from './firings.ts';
import type { Carried, TriggerStore } from './trigger-store.ts';

export interface KeeperPorts {
  store: TriggerStore;
  state(): WorkspaceState;
}

export interface Fired {
  /** As it begins, or does not. */
  round: BusinessRound;
  /** Within a transaction, with nothing awaited since. */
  write(): void;
}

export class RoundKeeper {
  readonly #ports: KeeperPorts;

  constructor(ports: KeeperPorts) {
    this.#ports = ports;
  }

  /** What a firing comes to as things stand. */
  fire(firing: Firing, carried: Carried): Fired {
    const { store } = this.#ports;
    const rounds = fired(store.standing(firing.trigger), carried.overlap, firing);
    const round = rounds.at(-1) as BusinessRound;
    return { round, write: () => rounds.forEach((each) => store.putRound(each, each === round ? carried : undefined)) };
  }

  /** Within a transaction. */
  keep(round: BusinessRound, now: number): void {
    this.#ports.store.putRound(round);
    if (!isUnfinished(round)) this.turn(round.trigger, now);
  }

  /** Within a transaction. Whose turn it is begins, whose time is over is missed. Repeatable. */
  turn(triggerId: string, now: number): void {
    const { store } = this.#ports;
    const standing = store.standing(triggerId);
    const [first] = standing.owed;
    if (!first) return;
    // By the rule that held when it fired; a trigger that is gone owes nothing.
    const overlap = store.carried(first.id)?.overlap;
    if (!overlap || !findTrigger(this.#ports.state(), ({ id }) => id === triggerId)) return this.skipOwed(triggerId);
    for (const each of turn(standing, overlap, now)) store.putRound(each);
  }

  /** Within a transaction. */
  skipOwed(triggerId: string): void {
    const { store } = this.#ports;
    for (const each of store.standing(triggerId).owed) store.putRound({ ...each, state: 'skipped' });
  }
}
