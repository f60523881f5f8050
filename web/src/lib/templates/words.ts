/** Templates in words. */
import type { ParameterSchema, Template, TemplateHead } from '../api/types.ts';
import { m } from '../paraglide/messages.js';
import type { Family } from '../words/states.ts';

export const modeWords: Record<Template['mode'], () => string> = { goal_only: m.template_goal_only, graph_only: m.template_graph_only, bound: m.template_bound };
export const typeWords: Record<ParameterSchema['type'], () => string> = {
  string: m.type_string,
  integer: m.type_integer,
  number: m.type_number,
  boolean: m.type_boolean,
  array: m.type_array,
};

/** Whether goals may start from it by themselves. */
export function standingOf({ retired, confirmed, latest }: TemplateHead): { family: Family; word: string } {
  if (retired) return { family: 'neutral', word: m.template_retired() };
  if (confirmed === null) return { family: 'attention', word: m.template_unconfirmed() };
  return { family: 'done', word: confirmed === latest ? m.template_confirmed({ n: confirmed }) : m.template_confirmed_older({ n: confirmed, latest }) };
}
