import type { State } from '../state.ts';
import type { GoalBar } from './types.ts';

/** In the order of the contract, then those that were added on the way. */
export function milestonesOf(state: State): GoalBar['milestones'] {
  const titles = new Map((state.contract?.milestones ?? []).map((milestone) => [milestone.key, milestone.title]));
  const keys = new Set([...titles.keys(), ...Object.keys(state.milestones)]);
  return [...keys].flatMap((key) => {
    const counted = Object.hasOwn(state.milestones, key) ? state.milestones[key] : undefined;
    return counted ? [{ key, title: titles.get(key) ?? key, count: counted.count, target: counted.target }] : [];
  });
}
