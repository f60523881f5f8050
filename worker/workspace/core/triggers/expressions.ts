/** What a firing knows, asked by the expressions of its trigger. Pure; data of strangers goes in, values come out, and nothing of it is ever run. */
import { search } from '@jmespath-community/jmespath';
import { type Problem, type Refusal, refuse } from '../../../domain/refusals.ts';
import type { Values } from '../../../domain/template/parameters.ts';
import type { Json } from '../../../domain/values.ts';
import { unfit } from '../../../tools/json/expression.ts';
import type { Mapped, TriggerDefinition } from './definition.ts';

/** What expressions ask of. `due`: when a schedule was due, else when it came in; both ISO 8601. */
export interface Known {
  data: Json;
  headers: Record<string, string>;
  trigger: string;
  firing: string;
  at: string;
  due: string;
}

/** Characters of one value that an expression gives. */
const VALUE = 100_000;

type Asked = { ok: true; value: Json } | { ok: false; detail: string };

export function ask(expression: string, known: Known): Asked {
  try {
    const value = (search(known as unknown as Parameters<typeof search>[0], expression) ?? null) as Json;
    const size = JSON.stringify(value).length;
    return size > VALUE ? { ok: false, detail: `the value has ${size} characters of at most ${VALUE}` } : { ok: true, value };
  } catch (error) {
    return { ok: false, detail: (error instanceof Error ? error.message : String(error)).slice(0, 300) };
  }
}

/** JMESPath's truth: false, null, and what is empty are not. */
export function passes(filter: string | undefined, known: Known): { ok: true; passes: boolean } | { ok: false; detail: string } {
  if (filter === undefined) return { ok: true, passes: true };
  const asked = ask(filter, known);
  if (!asked.ok) return asked;
  const { value } = asked;
  return { ok: true, passes: !(value === null || value === false || value === '' || (typeof value === 'object' && Object.keys(value).length === 0)) };
}

export function mappedValue(mapped: Mapped, known: Known): Asked {
  return 'value' in mapped ? { ok: true, value: mapped.value } : ask(mapped.from, known);
}

/** Values by name. One that an expression finds nothing for is left out, so that the default of its parameter holds. */
export function valuesOf(all: Record<string, Mapped>, known: Known, at: string): Values | Refusal {
  const errors: Problem[] = [];
  const values: Values = {};
  for (const [name, each] of Object.entries(all)) {
    const asked = mappedValue(each, known);
    if (!asked.ok) errors.push({ pointer: `${at}/${name}`, code: 'expression_failed', detail: asked.detail });
    else if (asked.value !== null || 'value' in each) values[name] = asked.value;
  }
  return errors.length > 0 ? refuse('schema_invalid', { errors }) : values;
}

/** Expressions of a definition that are not asked, each with its place. */
export function expressionProblems({ source, does }: TriggerDefinition): Problem[] {
  const found: Problem[] = [];
  const judge = (expression: string, pointer: string) => {
    const detail = unfit(expression);
    if (detail) found.push({ pointer, code: 'expression', detail });
  };
  if (source.kind === 'webhook' && source.filter !== undefined) judge(source.filter, '/payload/source/filter');
  const { kind: _kind, ...parts } = does;
  for (const [name, part] of Object.entries(parts)) {
    if (part === null || typeof part !== 'object') continue;
    if (name === 'parameters')
      for (const [parameter, each] of Object.entries(part as Record<string, Mapped>)) {
        if ('from' in each) judge(each.from, `/payload/does/parameters/${parameter}/from`);
      }
    else if ('from' in part) judge(part.from, `/payload/does/${name}/from`);
  }
  return found;
}
