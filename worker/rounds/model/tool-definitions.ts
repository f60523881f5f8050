/**
 * The tools of a round as a model sees them. Providers take names of letters, digits, `_` and `-` only, so a dot becomes `_`; a call under either
 * name is understood. Schemas are JSON Schema, `$ref` and `$defs` included.
 */
import { createHash } from 'node:crypto';
import { jsonSchema, type ToolSet, tool } from 'ai';
import { z } from 'zod';
import type { Json } from '../../domain/values.ts';
import type { Tool } from '../../tools/tool.ts';

export interface Definition {
  /** As the host knows it, e.g. `plan.propose`. */
  name: string;
  /** As the model writes it, e.g. `plan_propose`. */
  alias: string;
  description: string;
  schema: { [key: string]: Json };
}

export function aliasOf(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 64);
}

/** Every definition has an alias of its own, the same in every round that offers the same tools. */
export function definitionsOf(tools: readonly Pick<Tool, 'name' | 'description' | 'input' | 'schema'>[]): Definition[] {
  const taken = new Map<string, string>();
  return tools.map(({ name, description, input, schema }) => {
    const short = aliasOf(name);
    // Long names of tools from outside may be the same in their first 64 characters.
    const alias = taken.has(short) ? `${short.slice(0, 55)}_${createHash('sha256').update(name).digest('hex').slice(0, 8)}` : short;
    taken.set(alias, name);
    return { name, alias, description, schema: schema ? { ...schema } : schemaOf(input) };
  });
}

/** Of the registry's own tools, which are the same in every round; nothing changes one that was made. */
const made = new WeakMap<z.ZodType, { [key: string]: Json }>();

/** What a tool takes, for a definition and for the error that says what would be right. Any JSON is `{}`: the recursive spelling of it confuses models and costs tokens. */
export function schemaOf(input: z.ZodType): { [key: string]: Json } {
  const known = made.get(input) ?? makeSchema(input);
  made.set(input, known);
  return known;
}

function makeSchema(input: z.ZodType): { [key: string]: Json } {
  const { $schema: _, ...schema } = z.toJSONSchema(input, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema: each }) => {
      if (!isAnyJson(each)) return;
      for (const key of Object.keys(each)) delete (each as { [key: string]: unknown })[key];
    },
  });
  return withoutUnused(JSON.parse(JSON.stringify(schema)) as { [key: string]: Json });
}

/** zod writes any JSON as a union of six that contains itself. */
function isAnyJson(schema: object): boolean {
  const union = (schema as { anyOf?: { type?: string }[] }).anyOf;
  return Array.isArray(union) && union.length === 6 && ['string', 'number', 'boolean', 'null', 'array', 'object'].every((type, at) => union[at]?.type === type);
}

/** A `$defs` entry that says nothing is written where it is used. */
function withoutUnused(schema: { [key: string]: Json }): { [key: string]: Json } {
  const defs = schema.$defs;
  if (defs === undefined || defs === null || typeof defs !== 'object' || Array.isArray(defs)) return schema;
  const empty = new Set(
    Object.entries(defs)
      .filter(([, each]) => each !== null && typeof each === 'object' && Object.keys(each).length === 0)
      .map(([name]) => `#/$defs/${name}`),
  );
  const inline = (value: Json): Json => {
    if (value === null || typeof value !== 'object') return value;
    if (Array.isArray(value)) return value.map(inline);
    if (typeof value.$ref === 'string' && empty.has(value.$ref)) return Object.fromEntries(Object.entries(value).filter(([key]) => key !== '$ref'));
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, inline(each)]));
  };
  const { $defs: kept, ...rest } = inline(schema) as { [key: string]: Json };
  const left = Object.entries(kept as { [key: string]: Json }).filter(([name]) => !empty.has(`#/$defs/${name}`));
  return left.length === 0 ? rest : { ...rest, $defs: Object.fromEntries(left) };
}

/** For AI SDK. No `execute`: the loop runs calls itself, in order, through the session. No `validate`: the session checks, and its refusal says what is wrong. */
export function toolSetOf(definitions: readonly Definition[]): ToolSet {
  return Object.fromEntries(
    definitions.map(({ alias, description, schema }) => [alias, tool({ description, inputSchema: jsonSchema(schema as Parameters<typeof jsonSchema>[0]) })]),
  );
}

/** The tool that the model meant; undefined when there is none of that name. */
export function definitionNamed(definitions: readonly Definition[], called: string): Definition | undefined {
  return definitions.find((each) => each.alias === called) ?? definitions.find((each) => each.name === called);
}
