/** The intake of a draft: coordinator rounds that turn a sentence into a proposed contract. Bounded; only a person confirms what they propose. */
import { INTAKE_ROUNDS } from '../limits.ts';
import type { Intake, State } from '../state.ts';
import { openRoundAt } from '../work/derive.ts';
import { coordinatorOf } from '../work/routing.ts';
import { budgetStop } from './budget.ts';
import { type Carriers, isRunnable, laneStop, waitsOn } from './lane-standing.ts';

/**
 * Where the intake of a draft stands. `none`: nobody asked for one, the contract was given. `running`: a round is out. `ready`: one can start. `later`: not before a
 * time. `uncarried`: nothing here can carry it, a person writes the contract. `given_up`: its rounds are used up or came to nothing. `drafted`, `written`: the contract
 * is that of an intake round, or of a person.
 */
export type IntakeStanding =
  | { kind: 'none' | 'running' | 'ready' | 'uncarried' | 'drafted' | 'written' }
  | { kind: 'later'; until: number }
  | { kind: 'given_up'; why: 'rounds' | 'no_progress' | 'errors' | 'budget' };

export function intakeStanding(state: State, now: number, carriers: Carriers): IntakeStanding {
  const { intake } = state;
  if (state.status !== 'draft' || !intake) return { kind: 'none' };
  if (openRoundAt(state, 'goal')) return { kind: 'running' };
  if (!intake.wanted) return { kind: settled(intake, state) };
  const stop = laneStop(state, 'coordinator', 'goal', now);
  if (stop && 'kind' in stop) return { kind: 'given_up', why: stop.kind };
  if (intake.rounds >= INTAKE_ROUNDS) return { kind: 'given_up', why: 'rounds' };
  if (budgetStop(state, { target: 'goal', lane: 'coordinator', executor: coordinatorOf(state) })) return { kind: 'given_up', why: 'budget' };
  if (stop) return { kind: 'later', until: stop.until };
  if (!isRunnable(coordinatorOf(state), carriers)) return { kind: 'uncarried' };
  return waitsOn(state, 'goal') ? { kind: 'running' } : { kind: 'ready' };
}

function settled(intake: Intake, state: State): 'drafted' | 'written' {
  return intake.proposal?.goalVersion === state.goalVersion ? 'drafted' : 'written';
}
