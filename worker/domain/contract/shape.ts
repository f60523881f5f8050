/**
 * In which shape a Goal is best carried, and why: the rule that the intake proposes by. A graph only where something in the work asks for one; recurring work is a
 * trigger, a known method a Skill. Reasons are codes, so that people read them in their own language.
 */
import type { Problem } from '../refusals.ts';

export const shapes = ['goal_only', 'graph', 'trigger', 'skill'] as const;
export type Shape = (typeof shapes)[number];

/** What in the work asks for a graph. */
const graphReasons = ['parallel_owners', 'hard_dependencies', 'independent_review', 'many_sessions', 'outside_release'] as const;
export const shapeReasons = [...graphReasons, 'recurring', 'known_method', 'one_owner'] as const;
export type ShapeReason = (typeof shapeReasons)[number];

const asksForGraph = (reason: ShapeReason) => (graphReasons as readonly string[]).includes(reason);

/** The mode that the one Goal of this shape runs in, where the intake names none: a trigger and a Skill start with a run without a graph. */
export function modeOf(shape: Shape, named: 'goal_only' | 'bound' | undefined): 'goal_only' | 'bound' {
  return named ?? (shape === 'graph' ? 'bound' : 'goal_only');
}

/** Where a recommendation goes against the rule. Pointers are into the command. */
export function shapeProblems(shape: Shape, because: readonly ShapeReason[], named: 'goal_only' | 'bound' | undefined): Problem[] {
  const graph = because.filter(asksForGraph);
  const wrong = (code: string, detail: string): Problem[] => [{ pointer: '/payload/because', code, detail }];
  const mode = modeOf(shape, named);
  const contradicts = (shape === 'graph' && mode !== 'bound') || (shape === 'goal_only' && mode !== 'goal_only');
  const modeProblem: Problem[] = contradicts ? [{ pointer: '/payload/mode', code: 'contradicts_shape', detail: shape }] : [];
  switch (shape) {
    case 'graph':
      return [...modeProblem, ...(graph.length === 0 ? wrong('no_reason_for_graph', `one of ${graphReasons.join(', ')}`) : [])];
    case 'goal_only':
      return [...modeProblem, ...(graph.length > 0 ? wrong('reasons_ask_for_graph', graph.join(', ')) : [])];
    case 'trigger':
      return because.includes('recurring') ? [] : wrong('no_reason_for_trigger', 'recurring');
    case 'skill':
      return because.includes('known_method') ? [] : wrong('no_reason_for_skill', 'known_method');
  }
}
