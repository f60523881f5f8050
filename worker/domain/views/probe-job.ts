/** What a prober outside is given: which effect, and what its tool wrote down about finding out. */
import type { Lookup } from '../context.ts';
import { openProbes } from '../effects/probe.ts';
import { type Refusal, refuse } from '../refusals.ts';
import type { State } from '../state.ts';
import type { ProbeJob } from './types.ts';

/** Undefined: nobody asks about that effect. Refused `fence_stale`: it was asked again since. */
export function probeJob(state: State, id: string, fence: number, lookup: Lookup): ProbeJob | Refusal | undefined {
  const open = openProbes(state).find((each) => each.effect === id);
  const effect = state.effects[id];
  if (!open || !effect) return undefined;
  if (open.fence !== fence) return refuse('fence_stale', { current: { fence: open.fence } });
  const probe = lookup.body(open.body);
  return probe === undefined ? undefined : { effect: id, fence, tool: effect.tool, key: effect.key, probe };
}
