/** Commands on firings and business rounds. They set nothing: what they come to is written in the transaction that keeps the command. */
import { canonical } from '../../domain/digest.ts';
import { isRefusal, type Refusal, refuse } from '../../domain/refusals.ts';
import type { Json, PrincipalId } from '../../domain/values.ts';
import type { WorkspaceCommand } from '../core/catalogue.ts';
import type { WorkspaceState } from '../core/state.ts';
import { answered, type BusinessRound, completed, waits } from '../core/triggers/rounds.ts';
import { jsonOf } from './deliveries.ts';
import { type Came, carriedBy, findTrigger, firingOf, type SetTrigger } from './firings.ts';
import type { RoundKeeper } from './round-keeper.ts';
import type { TriggerStore } from './trigger-store.ts';

export type TriggerAct = Extract<WorkspaceCommand, { type: 'trigger.fire' | 'delivery.replay' | `business_round.${string}` }>;
export type RoundAct = Extract<TriggerAct, { type: `business_round.${string}` }>;

export interface Acted {
  subject: string;
  before: Json;
  after: Json;
  result: Json;
  /** Within the transaction that keeps the command. */
  write(): void;
}

export interface RoundCommandPorts {
  store: TriggerStore;
  keeper: RoundKeeper;
  state(): WorkspaceState;
  now(): number;
  sha256(text: string): string;
}

export class RoundCommands {
  readonly #ports: RoundCommandPorts;

  constructor(ports: RoundCommandPorts) {
    this.#ports = ports;
  }

  /** Refused, nothing changes. The same command of the same principal is the same firing. */
  act(command: TriggerAct, principal: PrincipalId, commandId: string): Acted | Refusal {
    const { store } = this.#ports;
    const own = this.#ports.sha256(canonical([principal, commandId])).slice(0, 24);
    switch (command.type) {
      case 'trigger.fire': {
        const found = this.#named(command.payload.name);
        if (isRefusal(found)) return found;
        const { trigger } = found;
        if (trigger.paused) return refuse('invalid_transition', { detail: 'the trigger is paused', current: { paused: true }, allowedNext: ['trigger.resume'] });
        return this.#fire(found, 'fire', `${trigger.id}/fire/${own}`, { data: command.payload.data ?? null, headers: {} });
      }
      case 'delivery.replay': {
        const found = this.#named(command.payload.name);
        if (isRefusal(found)) return found;
        const { trigger } = found;
        const kept = store.deliveryBody(trigger.id, command.payload.delivery);
        if (!kept) return refuse('not_found', { errors: [{ pointer: '/payload/delivery', code: 'not_found' }] });
        if (!kept.body) return refuse('invalid_transition', { detail: 'its body is no longer kept', current: { kept: false } });
        const data = jsonOf(kept.body);
        if (data === undefined) return refuse('malformed_data', { detail: 'the delivery is no JSON' });
        return this.#fire(found, 'replay', `${trigger.id}/replay/${own}`, { data, headers: kept.headers });
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
  roundAct(round: BusinessRound, command: RoundAct, by: PrincipalId): Acted | Refusal {
    const { store, keeper } = this.#ports;
    const now = this.#ports.now();
    const before = shown(round);
    const changedTo = (next: BusinessRound): Acted => ({
      subject: round.id,
      before,
      after: shown(next),
      result: { round: round.id, state: next.state, generation: next.generation, late: null },
      write: () => keeper.keep(next, now),
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

  #fire(set: SetTrigger, source: BusinessRound['source'], id: string, came: Came): Acted {
    const now = this.#ports.now();
    const { round, write } = this.#ports.keeper.fire(firingOf(set.trigger, source, id, now, now), carriedBy(set, id, now, now, came));
    return { subject: id, before: null, after: { trigger: set.trigger.name, state: round.state }, result: { round: id, state: round.state }, write };
  }

  #named(name: string): SetTrigger | Refusal {
    return (
      findTrigger(this.#ports.state(), (trigger) => trigger.name === name) ??
      refuse('not_found', { errors: [{ pointer: '/payload/name', code: 'not_found' }], current: { kind: 'trigger', name } })
    );
  }
}

const shown = (round: BusinessRound): Json => ({ trigger: round.name, state: round.state, generation: round.generation });
