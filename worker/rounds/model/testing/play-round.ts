/** Runs one round of an agent with everything beside its model in memory: no clock, no chance, no pause, no network. */
import type { Refusal } from '../../../domain/refusals.ts';
import type { PinnedModel } from '../../../models/pinned-model.ts';
import { Redactor } from '../../../observe/redactor.ts';
import { closedRules } from '../../../outgoing/address.ts';
import { fixedWorld } from '../../../outgoing/world.ts';
import { MemoryFiles } from '../../../tools/testing/fake-env.ts';
import { type RoundPorts, type RoundRun, runRound } from '../../run-round.ts';
import type { FakeGoal } from '../../testing/fake-goal.ts';

export function playRound(goal: FakeGoal, pinned: PinnedModel | Refusal, more: Partial<RoundPorts> = {}): Promise<RoundRun> {
  return runRound({ round: 'r1', fence: 1 }, 'w/g/round/r1/1', false, {
    goal: goal.calls(),
    files: new MemoryFiles(),
    sandbox: { run: () => Promise.reject(new Error('no script here')) },
    services: {},
    world: fixedWorld(closedRules),
    redactor: new Redactor(),
    models: { pin: async () => pinned },
    every: () => () => {},
    pause: async () => {},
    random: () => 0,
    now: () => 0,
    sliceEnds: 15 * 60_000,
    ...more,
  });
}
