/**
 * JSON Schema as people write it, made explicit before zod reads it: zod passes over keywords whose `type` is not said and over `required` names that
 * are no `properties`, and a gate must not open for that. So keywords imply their type, and every required name is a property.
 */
import type { Json } from '../../domain/values.ts';

type Schema = { [keyword: string]: Json };

const implies: [type: string, keywords: string[]][] = [
  ['object', ['properties', 'required', 'additionalProperties', 'patternProperties', 'propertyNames', 'minProperties', 'maxProperties']],
  ['array', ['items', 'prefixItems', 'contains', 'minItems', 'maxItems', 'uniqueItems']],
  ['string', ['pattern', 'minLength', 'maxLength', 'format']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
];
/** Keywords whose value is a schema, a list of schemas, or a map of schemas. Values such as those of `enum` are data and stay as they are. */
const one = ['additionalProperties', 'propertyNames', 'items', 'contains', 'not'];
const many = ['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items'];
const named = ['properties', 'patternProperties', '$defs', 'definitions'];

export function explicit(schema: Json): Json {
  if (!isObject(schema)) return schema;
  const out: Schema = { ...schema };
  for (const key of one) if (isObject(out[key])) out[key] = explicit(out[key] as Json);
  for (const key of many) if (Array.isArray(out[key])) out[key] = (out[key] as Json[]).map(explicit);
  for (const key of named) if (isObject(out[key])) out[key] = Object.fromEntries(Object.entries(out[key] as Schema).map(([name, each]) => [name, explicit(each)]));
  const types = implies.filter(([, keywords]) => keywords.some((keyword) => Object.hasOwn(out, keyword))).map(([type]) => type);
  if (out.type === undefined && out.$ref === undefined && types.length === 1) out.type = types[0] as string;
  if (Array.isArray(out.required) && out.type === 'object') {
    const properties: Schema = isObject(out.properties) ? { ...(out.properties as Schema) } : {};
    for (const name of out.required) if (typeof name === 'string' && !Object.hasOwn(properties, name)) properties[name] = {};
    out.properties = properties;
  }
  return out;
}

function isObject(value: Json | undefined): value is Schema {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
