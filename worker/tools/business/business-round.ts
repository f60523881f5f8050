/** The business round of a goal that a trigger started, for its tools. */
import { refuse } from '../../domain/refusals.ts';
import { RefusedByHost } from '../answers.ts';
import type { BusinessRoundDoor, ToolEnv } from '../tool.ts';

/** Throws where no trigger started the goal: the tool's answer is that refusal. */
export function businessOf({ business }: ToolEnv): BusinessRoundDoor {
  if (!business) throw new RefusedByHost(refuse('not_found', { detail: 'no trigger started this goal, so it carries out no business round' }));
  return business;
}

export const whichRound = ({ context }: ToolEnv): string => context.firing?.round ?? '';
