/** From zod to the schemas of the document. */
import { z } from 'zod';
import { answerParts, bodyParts } from './parts.ts';

export type Schema = { [key: string]: unknown };
const isSchema = (value: unknown): value is Schema => value !== null && typeof value === 'object' && !Array.isArray(value);

const at = (id: string) => `#/components/schemas/${id}`;
export const reference = (id: string): Schema => ({ $ref: at(id) });

const anyJson: Schema = { description: 'Any JSON value. Whole numbers beyond 2^53 travel as strings.' };

/** All named schemas, bodies as they are sent and answers as they are given. */
export function componentSchemas(): { [id: string]: Schema } {
  const options = { uri: at, unrepresentable: 'any' } as const;
  const bodies = z.toJSONSchema(bodyParts, { ...options, io: 'input' }).schemas;
  const answers = z.toJSONSchema(answerParts, { ...options, io: 'output' }).schemas;
  const both: { [id: string]: Schema } = {};
  for (const [id, schema] of Object.entries({ ...bodies, ...answers })) {
    if (id in bodies && id in answers && id !== 'Json') throw new Error(`${id} names a body and an answer`);
    both[id] = tidied(schema, id in answers) as Schema;
  }
  // zod spells out what JSON is, in a ring.
  both.Json = anyJson;
  delete both.__shared;
  return Object.fromEntries(Object.entries(both).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A client must bear fields of an answer that it does not know: of answers no schema is closed. That whole numbers stay under 2^53 is said once, of JSON. */
function tidied(value: unknown, open: boolean): unknown {
  if (Array.isArray(value)) return value.map((each) => tidied(each, open));
  if (!isSchema(value)) return value;
  const says = ([key, inner]: [string, unknown]) =>
    key !== '$schema' &&
    key !== '$id' &&
    !(open && key === 'additionalProperties' && inner === false) &&
    !(typeof inner === 'number' && Math.abs(inner) === Number.MAX_SAFE_INTEGER);
  const kept = Object.entries(value).filter(says);
  return Object.fromEntries(kept.map(([key, inner]) => [key, tidied(inner, open)]));
}

/** A query parameter as a caller thinks of it: the address holds text, and its schema turns that into a number or a flag. */
export function parameterSchema(given: z.ZodType): { schema: Schema; required: boolean } {
  let schema: z.core.$ZodType = given;
  let required = true;
  let otherwise: unknown;
  for (;;) {
    if (schema instanceof z.ZodOptional) schema = schema.def.innerType;
    else if (schema instanceof z.ZodDefault) {
      otherwise = schema.def.defaultValue;
      schema = schema.def.innerType;
    } else break;
    required = false;
  }
  return { required, schema: { ...withinText(schema), ...(otherwise === undefined || Array.isArray(otherwise) ? {} : { default: otherwise }) } };
}

function withinText(schema: z.core.$ZodType): Schema {
  if (schema instanceof z.ZodPipe) {
    const { in: from, out: to } = schema.def;
    if (to instanceof z.ZodNumber) return plain(to, 'output');
    if (from instanceof z.ZodEnum) return { type: 'boolean' };
    const text = plain(from, 'input');
    return text.pattern === '^\\d{1,15}$' ? { type: 'integer', minimum: 0 } : text;
  }
  return plain(schema, 'input');
}

function plain(schema: z.core.$ZodType, io: 'input' | 'output'): Schema {
  return tidied(z.toJSONSchema(schema, { io, unrepresentable: 'any' }), false) as Schema;
}
