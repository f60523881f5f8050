/**
 * The triggers of one workspace at work. Everything is decided and kept in one synchronous transaction of the workspace's object; what a firing does to a Goal comes afterwards, is named by
 * the firing, and is tried until it is done or refused. So a crash at any place loses no firing and starts no goal twice.
 */
import type { WorkspaceState } from '../core/state.ts';
import { Deliveries } from './deliveries.ts';
import { Performing, type PerformingPorts } from './performing.ts';
import { RoundCommands } from './round-commands.ts';
import { RoundKeeper } from './round-keeper.ts';
import { TriggerClock } from './trigger-clock.ts';
import type { TriggerStore } from './trigger-store.ts';

export interface DeskPorts extends Pick<PerformingPorts, 'perform' | 'instance'> {
  store: TriggerStore;
  transaction<T>(work: () => T): T;
  state(): WorkspaceState;
  now(): number;
  sha256(text: string): string;
  /** The value of a secret of the workspace. */
  secret(name: string): Promise<string | null>;
}

export interface TriggerDesk {
  commands: RoundCommands;
  clock: TriggerClock;
  performing: Performing;
  deliveries: Deliveries;
}

export function openDesk(ports: DeskPorts): TriggerDesk {
  const keeper = new RoundKeeper(ports);
  const commands = new RoundCommands({ ...ports, keeper });
  return { commands, clock: new TriggerClock({ ...ports, keeper }), performing: new Performing({ ...ports, keeper, commands }), deliveries: new Deliveries({ ...ports, keeper }) };
}
