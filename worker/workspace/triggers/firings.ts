/** What a firing is and what it carries, and which trigger it is of. Pure. */
import type { Json, PrincipalId } from '../../domain/values.ts';
import type { WorkspaceState } from '../core/state.ts';
import type { Trigger } from '../core/triggers/definition.ts';
import type { Known } from '../core/triggers/expressions.ts';
import type { BusinessRound, Firing } from '../core/triggers/rounds.ts';
import type { Carried } from './trigger-store.ts';

/** What came with a firing. */
export interface Came {
  data: Json;
  headers: Record<string, string>;
}

/** A trigger as it is set now, and who set it. */
export interface SetTrigger {
  trigger: Trigger;
  by: PrincipalId;
}

export function firingOf(trigger: Trigger, source: BusinessRound['source'], id: string, due: number, at: number, standsFor = 1): Firing {
  return { id, trigger: trigger.id, name: trigger.name, source, due, at, standsFor, endsWithGoal: trigger.does.kind === 'goal' && trigger.does.ends === 'goal' };
}

export function carriedBy({ trigger, by }: SetTrigger, firing: string, due: number, at: number, came: Came = { data: null, headers: {} }): Carried {
  const known: Known = { ...came, trigger: trigger.name, firing, at: new Date(at).toISOString(), due: new Date(due).toISOString() };
  return { does: trigger.does, overlap: trigger.overlap, known, by };
}

export function findTrigger(state: WorkspaceState, fits: (trigger: Trigger) => boolean): SetTrigger | undefined {
  const kept = [...state.settings.trigger.values()].find(({ value }) => fits(value));
  return kept && { trigger: kept.value, by: kept.by };
}
