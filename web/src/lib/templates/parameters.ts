/** What is typed for a parameter of a template, and the value it makes. The server checks the rest. */
import type { Json, ParameterSchema } from '../api/types.ts';

/** `undefined`: nothing was given, so that the default holds. Null: it cannot be read as that type. */
export function readValue(schema: ParameterSchema, text: string): { value: Json | undefined } | null {
  if (schema.type !== 'string' && text.trim() === '') return { value: undefined };
  switch (schema.type) {
    case 'string':
      return { value: text === '' ? undefined : text };
    case 'integer':
    case 'number':
      return numberOf(schema.type, text);
    case 'boolean':
      return { value: text === 'true' };
    case 'array': {
      const lines = text.split('\n').filter((line) => line.trim() !== '');
      const { items } = schema;
      if (items.type === 'string') return { value: lines };
      const { type } = items;
      const numbers = lines.map((line) => numberOf(type, line));
      return numbers.every((each) => each !== null) ? { value: numbers.map((each) => each?.value ?? null) } : null;
    }
    default:
      return schema satisfies never;
  }
}

function numberOf(type: 'integer' | 'number', text: string): { value: number } | null {
  const value = Number(text.trim());
  return Number.isFinite(value) && (type === 'number' || Number.isSafeInteger(value)) ? { value } : null;
}

/** A value as it is typed: a list has one a line. */
export function textOf(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map((each) => (typeof each === 'string' ? each : JSON.stringify(each))).join('\n');
  return JSON.stringify(value);
}

/** What is wrong with it before the server is asked. */
export function wrongWith(schema: ParameterSchema, text: string): 'required' | 'invalid' | null {
  const read = readValue(schema, text);
  if (read === null) return 'invalid';
  return read.value === undefined && schema.default === undefined ? 'required' : null;
}
