/**
 * A template: the structure of a goal with places for parameters. It holds a contract and, for a graph, a plan document, both closed schemas, so that no evidence, artifact or verdict
 * can be in it; and it names no person. `{{name}}` stands for a parameter: alone in a text it becomes the value with its type, within a text its words.
 */
import { z } from 'zod';
import { type Contract, contract, laneCarriers, limits } from '../contract/contract.ts';
import { contractProblems } from '../contract/lean.ts';
import { PROBLEMS } from '../limits.ts';
import { givenPlan } from '../plan/given.ts';
import { pointerOf, schemaProblems } from '../problems.ts';
import { isRefusal, type Problem } from '../refusals.ts';
import { type Json, json, slug } from '../values.ts';
import { type DeclaredParameters, declarationProblems, fillParameters, parameters, sampleOf, type Values } from './parameters.ts';

export const template = z.strictObject({
  name: slug,
  title: z.string().min(1).max(200),
  description: z.string().max(4000).default(''),
  mode: z.enum(['goal_only', 'graph_only', 'bound']).default('bound'),
  parameters: parameters.default({}),
  /** Of `goal_only` and `bound`: a contract with parameters in it. Checked whole, with sample values. */
  contract: json.optional(),
  /** Of `graph_only`, which has no contract: its title, and its limits. */
  goal: z.strictObject({ title: z.string().min(1).max(200), limits: limits.optional() }).optional(),
  /** A plan document. Without one, a coordinator plans. */
  plan: json.optional(),
  lanes: laneCarriers.optional(),
});
export type Template = z.infer<typeof template>;

/** What `goal.create` takes, but for who and when. */
export interface Instance {
  mode: Template['mode'];
  title?: string;
  contract?: Contract;
  limits?: Contract['limits'];
  lanes?: z.infer<typeof laneCarriers>;
  plan?: Json;
}

export type Instantiated = { ok: true; instance: Instance; values: Values } | { ok: false; errors: Problem[] };

/** Pointers: of parameters under `at`, of what does not fit with them under `/contract` and `/plan` of the template. */
export function instantiate(from: Template, given: Values, at: string): Instantiated {
  const filled = fillParameters(from.parameters, given, at);
  return filled.ok ? built(from, filled.values) : filled;
}

/** Everything that is wrong with a template, tried out with the smallest value of each parameter. Pointers are into the template. */
export function templateProblems(from: Template): Problem[] {
  const errors = [...declarationProblems(from.parameters, '/parameters'), ...identities(from)];
  if ((from.mode === 'graph_only') === (from.contract !== undefined))
    errors.push(
      from.mode === 'graph_only'
        ? { pointer: '/contract', code: 'no_contract_in_graph_only' }
        : { pointer: '/contract', code: 'missing_field', detail: `a template of ${from.mode} has one` },
    );
  if (from.goal !== undefined && from.mode !== 'graph_only') errors.push({ pointer: '/goal', code: 'contract_says_it' });
  if (from.mode === 'graph_only' && from.plan === undefined) errors.push({ pointer: '/plan', code: 'missing_field', detail: 'a graph without a plan is nothing' });
  for (const [part, value] of [
    ['contract', from.contract],
    ['plan', from.plan],
  ] as const)
    if (value !== undefined) errors.push(...placeProblems(value, from.parameters, [part]));
  if (errors.length > 0) return errors.slice(0, PROBLEMS);
  const tried = built(from, Object.fromEntries(Object.entries(from.parameters).map(([name, schema]) => [name, sampleOf(schema)])));
  return tried.ok ? [] : tried.errors.slice(0, PROBLEMS);
}

function built(from: Template, values: Values): Instantiated {
  const { mode } = from;
  let parsedContract: Contract | undefined;
  if (from.contract !== undefined) {
    const parsed = contract.safeParse(filledIn(from.contract, values));
    if (!parsed.success) return { ok: false, errors: schemaProblems(parsed.error, ['contract']) };
    const errors = contractProblems(parsed.data, mode).map((problem) => ({ ...problem, pointer: problem.pointer.replace(/^\/payload/, '') }));
    if (errors.length > 0) return { ok: false, errors };
    parsedContract = parsed.data;
  }
  let plan: Json | undefined;
  if (from.plan !== undefined) {
    const judged = givenPlan(filledIn(from.plan, values), { mode, criteria: parsedContract?.criteria ?? [], lanes: from.lanes });
    if (isRefusal(judged)) return { ok: false, errors: (judged.errors ?? []).map((problem) => ({ ...problem, pointer: problem.pointer.replace(/^\/payload/, '') })) };
    plan = judged as unknown as Json;
  }
  return {
    ok: true,
    values,
    instance: {
      mode,
      ...(parsedContract ? { contract: parsedContract } : {}),
      ...(mode === 'graph_only' ? { title: from.goal?.title ?? from.title, ...(from.goal?.limits ? { limits: from.goal.limits } : {}) } : {}),
      ...(from.lanes ? { lanes: from.lanes } : {}),
      ...(plan === undefined ? {} : { plan }),
    },
  };
}

/** `\{{name}}` stands for itself. */
const place = /(\\?)\{\{([a-z0-9][a-z0-9_-]{0,63})\}\}/g;
const wholly = /^\{\{([a-z0-9][a-z0-9_-]{0,63})\}\}$/;

/** Values are put in once: what a value holds is never read for places again. Keys of objects are left as they are. */
export function filledIn(value: Json, values: Values): Json {
  if (typeof value === 'string') {
    const alone = wholly.exec(value)?.[1];
    if (alone !== undefined && Object.hasOwn(values, alone)) return values[alone] ?? null;
    return value.replace(place, (text, escaped: string, name: string) => (escaped ? text.slice(1) : Object.hasOwn(values, name) ? worded(values[name] ?? null) : text));
  }
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((inner) => filledIn(inner, values));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, filledIn(inner, values)]));
}

const worded = (value: Json): string => (typeof value === 'string' ? value : Array.isArray(value) ? value.map(worded).join(', ') : JSON.stringify(value));

/** Fields that say who may do what, and names that things are known by: they are written by whoever makes the template, and no payload of a stranger gets into them. */
const fixed = new Set([
  'id',
  'key',
  'kind',
  'parent',
  'policies',
  'forbids',
  'planPolicy',
  'review',
  'dependsOn',
  'covers',
  'checks',
  'mode',
  'skill',
  'script',
  'profile',
  'principal',
  'limits',
  'verify',
]);
/** Within those, what a check compares with may come from outside; which check it is may not. */
const comparable = new Set(['equals', 'min', 'max', 'value', 'ids', 'startsWith', 'title', 'text']);

/** A text or number of a contract or plan. `free`: a parameter may stand there. `name`: its path, with entries of lists by their key or id. */
export interface Leaf {
  path: (string | number)[];
  name: string;
  value: string | number;
  free: boolean;
}

export function* leavesOf(value: Json, path: (string | number)[], inFixed = false, name = path.join('/')): Generator<Leaf> {
  if (typeof value === 'string' || typeof value === 'number') yield { path, name, value, free: !inFixed };
  else if (Array.isArray(value)) for (const [at, inner] of value.entries()) yield* leavesOf(inner, [...path, at], inFixed, `${name}/${nameIn(inner) ?? at}`);
  else if (value !== null && typeof value === 'object')
    for (const [key, inner] of Object.entries(value)) yield* leavesOf(inner, [...path, key], key !== 'input' && closes(key, path, inFixed), `${name}/${key}`);
}

function nameIn(value: Json): string | undefined {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined;
  const named = value.key ?? value.id;
  return typeof named === 'string' ? named : undefined;
}

const closes = (key: string, path: readonly (string | number)[], inFixed: boolean): boolean => (inFixed && !(comparable.has(key) && path.includes('checks'))) || fixed.has(key);

function placeProblems(value: Json, declared: DeclaredParameters, path: readonly (string | number)[], inFixed = false): Problem[] {
  if (typeof value === 'string') {
    return [...value.matchAll(place)].flatMap(([, escaped, name = '']): Problem[] => {
      if (escaped) return [];
      if (!Object.hasOwn(declared, name)) return [{ pointer: pointerOf(path), code: 'unknown_parameter', detail: name }];
      return inFixed ? [{ pointer: pointerOf(path), code: 'no_parameter_here', detail: name }] : [];
    });
  }
  if (value === null || typeof value !== 'object') return [];
  if (Array.isArray(value)) return value.flatMap((inner, at) => placeProblems(inner, declared, [...path, at], inFixed));
  return Object.entries(value).flatMap(([key, inner]) => {
    const parts = [...path, key];
    // What a Skill or an item is handed is data, whatever it is called in there.
    if (key === 'input') return placeProblems(inner, declared, parts);
    return placeProblems(inner, declared, parts, closes(key, path, inFixed));
  });
}

/** People belong to a workspace, not to a structure that is used again. */
function identities(from: Template): Problem[] {
  const found: Problem[] = [];
  const look = (value: unknown, path: (string | number)[]): void => {
    if (value === null || typeof value !== 'object') return;
    for (const [key, inner] of Array.isArray(value) ? [...value.entries()] : Object.entries(value)) {
      if (key === 'principal') found.push({ pointer: pointerOf([...path, key]), code: 'identity_in_template' });
      else if (key !== 'input') look(inner, [...path, key]);
    }
  };
  look(from.plan ?? null, ['plan']);
  look(from.lanes ?? null, ['lanes']);
  return found;
}
