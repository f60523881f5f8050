/** Parameters of a template: a closed subset of JSON Schema, with which a value is checked before it gets anywhere near a contract. */
import { z } from 'zod';
import { schemaProblems } from '../problems.ts';
import type { Problem } from '../refusals.ts';
import { type Json, json, slug } from '../values.ts';

const described = { title: z.string().max(200).optional(), description: z.string().max(1000).optional() };
/** Characters of a text that fills a parameter, where nobody says fewer. What a stranger's payload may bring into a contract is bounded. */
export const TEXT_PARAMETER = 2000;
const texts = z.string().max(20_000);
const text = z.strictObject({
  ...described,
  type: z.literal('string'),
  minLength: z.int().min(0).max(20_000).optional(),
  maxLength: z.int().min(1).max(20_000).default(TEXT_PARAMETER),
  enum: z.array(texts).min(1).max(200).optional(),
  format: z.enum(['date', 'date-time', 'email', 'uri']).optional(),
  default: texts.optional(),
});
const figure = { minimum: z.number().optional(), maximum: z.number().optional(), default: z.number().optional() };
const whole = z.strictObject({ ...described, type: z.literal('integer'), ...figure });
const number = z.strictObject({ ...described, type: z.literal('number'), ...figure });
const flag = z.strictObject({ ...described, type: z.literal('boolean'), default: z.boolean().optional() });
const list = z.strictObject({
  ...described,
  type: z.literal('array'),
  items: z.discriminatedUnion('type', [text.omit({ default: true }), whole.omit({ default: true }), number.omit({ default: true })]),
  minItems: z.int().min(0).max(1000).optional(),
  maxItems: z.int().min(1).max(1000).default(100),
  default: z.array(json).max(1000).optional(),
});
/** What a value may be. Without `default` it must be given. */
export const parameterSchema = z.discriminatedUnion('type', [text, whole, number, flag, list]);
export type ParameterSchema = z.infer<typeof parameterSchema>;

export const parameters = z.record(slug, parameterSchema).refine((all) => Object.keys(all).length <= 50, { message: 'at most 50 parameters', params: { code: 'too_large' } });
export type DeclaredParameters = z.infer<typeof parameters>;
export type Values = Record<string, Json>;

/** A schema that a value is checked with: titles and the default are for people. */
function checkerOf(schema: ParameterSchema): z.ZodType<Json> {
  const { default: _default, title: _title, description: _description, ...rules } = schema;
  return z.fromJSONSchema(rules as SchemaInput) as z.ZodType<Json>;
}
type SchemaInput = Parameters<typeof z.fromJSONSchema>[0];

/** Defaults filled in; every place that is wrong, under `at`. Unknown names are refused. */
export function fillParameters(declared: DeclaredParameters, given: Values, at: string): { ok: true; values: Values } | { ok: false; errors: Problem[] } {
  const errors: Problem[] = Object.keys(given)
    .filter((name) => !Object.hasOwn(declared, name))
    .map((name) => ({ pointer: `${at}/${name}`, code: 'unknown_parameter' }));
  const values: Values = {};
  for (const [name, schema] of Object.entries(declared)) {
    const value = Object.hasOwn(given, name) ? given[name] : schema.default;
    if (value === undefined) {
      errors.push({ pointer: `${at}/${name}`, code: 'required' });
      continue;
    }
    const checked = checkerOf(schema).safeParse(value);
    if (checked.success) values[name] = value;
    else errors.push(...schemaProblems(checked.error).map((problem) => ({ ...problem, pointer: `${at}/${name}${problem.pointer}` })));
  }
  return errors.length > 0 ? { ok: false, errors } : { ok: true, values };
}

/** Where a declaration contradicts itself: a default that it would refuse, bounds that leave nothing. */
export function declarationProblems(declared: DeclaredParameters, at: string): Problem[] {
  return Object.entries(declared).flatMap(([name, schema]): Problem[] => {
    const value = sampleOf(schema);
    const checked = checkerOf(schema).safeParse(value);
    if (checked.success) return [];
    return [{ pointer: `${at}/${name}${schema.default === undefined ? '' : '/default'}`, code: schema.default === undefined ? 'no_value_fits' : 'default_does_not_fit' }];
  });
}

const formatted = { date: '2027-01-01', 'date-time': '2027-01-01T00:00:00Z', email: 'a@b.example', uri: 'https://a.example/' };

/** A value that fits, with which a template is tried out: the default, else the smallest. */
export function sampleOf(schema: ParameterSchema | z.infer<typeof list>['items']): Json {
  if ('default' in schema && schema.default !== undefined) return schema.default;
  switch (schema.type) {
    case 'string':
      return schema.enum?.[0] ?? (schema.format ? formatted[schema.format] : 'x'.repeat(Math.max(1, schema.minLength ?? 1)));
    case 'integer':
    case 'number':
      return schema.minimum ?? Math.min(1, schema.maximum ?? 1);
    case 'boolean':
      return false;
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => sampleOf(schema.items));
    default:
      return schema satisfies never;
  }
}
