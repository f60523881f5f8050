/** A form from the JSON Schema of an answer. What is not a flat form is asked for as JSON, so that nothing is left without a way to answer. */
import type { Json } from '../api/types.ts';

export interface Field {
  /** Empty for an answer that is one value and no object. */
  name: string;
  label: string;
  help?: string;
  kind: 'enum' | 'string' | 'boolean' | 'number' | 'integer';
  options: { value: Json; label: string }[];
  required: boolean;
  min?: number;
  max?: number;
  recommended?: Json;
  long: boolean;
}

export type Form = { kind: 'fields'; single: boolean; fields: Field[] } | { kind: 'json'; recommended?: Json };

type Schema = { [key: string]: Json };
const isObject = (value: Json | undefined): value is Schema => value !== null && typeof value === 'object' && !Array.isArray(value);
const text = (value: Json | undefined): string | undefined => (typeof value === 'string' ? value : undefined);
const number = (value: Json | undefined): number | undefined => (typeof value === 'number' ? value : undefined);

export function formOf(schema: Json, recommended?: Json): Form {
  if (!isObject(schema)) return { kind: 'json', recommended };
  const properties = schema.properties;
  if (isObject(properties)) {
    const required = Array.isArray(schema.required) ? schema.required : [];
    const fields = Object.entries(properties).map(([name, property]) => fieldOf(name, property, required.includes(name), isObject(recommended) ? recommended[name] : undefined));
    return fields.every((field) => field !== null) && fields.length > 0 ? { kind: 'fields', single: false, fields } : { kind: 'json', recommended };
  }
  const single = fieldOf('', schema, true, recommended);
  return single ? { kind: 'fields', single: true, fields: [single] } : { kind: 'json', recommended };
}

function optionsOf(schema: Schema): Field['options'] {
  const union = Array.isArray(schema.oneOf) ? schema.oneOf : Array.isArray(schema.anyOf) ? schema.anyOf : undefined;
  if (union) return union.flatMap((option) => (isObject(option) && option.const !== undefined ? [{ value: option.const, label: text(option.title) ?? String(option.const) }] : []));
  if (Array.isArray(schema.enum)) {
    const names = Array.isArray(schema.enumNames) ? schema.enumNames : [];
    return schema.enum.map((value, index) => ({ value, label: text(names[index]) ?? (typeof value === 'string' ? value : JSON.stringify(value)) }));
  }
  return schema.const === undefined ? [] : [{ value: schema.const, label: text(schema.title) ?? String(schema.const) }];
}

function fieldOf(name: string, schema: Json | undefined, required: boolean, recommended: Json | undefined): Field | null {
  if (!isObject(schema)) return null;
  const base = {
    name,
    label: text(schema.title) ?? name.replaceAll('_', ' '),
    help: text(schema.description),
    required,
    recommended: recommended ?? schema.default,
    min: number(schema.minimum),
    max: number(schema.maximum),
  };
  const options = optionsOf(schema);
  if (options.length > 0) return { ...base, kind: 'enum', options, long: false };
  switch (schema.type) {
    case 'string':
      return { ...base, kind: 'string', options: [], long: (number(schema.maxLength) ?? 200) > 200 };
    case 'boolean':
    case 'number':
    case 'integer':
      return { ...base, kind: schema.type, options: [], long: false };
    default:
      return null;
  }
}

/** What stands in the form before anybody touched it: text inputs are empty, nothing is chosen for the person. */
export type Inputs = Record<string, string>;

/** An input's text for a value: the index of an option, `true`/`false`, or the value itself. */
export function inputOf(field: Field, value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  if (field.kind === 'enum') {
    const index = field.options.findIndex((option) => JSON.stringify(option.value) === JSON.stringify(value));
    return index < 0 ? '' : String(index);
  }
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export type Filled = { ok: true; value: Json } | { ok: false; errors: Record<string, 'required' | 'number'> };

export function fill(form: Extract<Form, { kind: 'fields' }>, inputs: Inputs): Filled {
  const errors: Record<string, 'required' | 'number'> = {};
  const values: { [key: string]: Json } = {};
  for (const field of form.fields) {
    const given = inputs[field.name] ?? '';
    if (given.trim() === '') {
      if (field.required) errors[field.name] = 'required';
      continue;
    }
    switch (field.kind) {
      case 'enum': {
        const option = field.options[Number(given)];
        if (option) values[field.name] = option.value;
        else errors[field.name] = 'required';
        break;
      }
      case 'boolean':
        values[field.name] = given === 'true';
        break;
      case 'string':
        values[field.name] = given;
        break;
      case 'number':
      case 'integer': {
        const value = Number(given);
        const fits = Number.isFinite(value) && (field.kind === 'number' || Number.isSafeInteger(value)) && value >= (field.min ?? -Infinity) && value <= (field.max ?? Infinity);
        if (fits) values[field.name] = value;
        else errors[field.name] = 'number';
        break;
      }
      default:
        field.kind satisfies never;
    }
  }
  if (Object.keys(errors).length > 0) return { ok: false, errors };
  return { ok: true, value: form.single ? (values[''] ?? null) : values };
}
