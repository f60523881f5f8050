/**
 * The checks that need only sets and facts: `count`, `sum`, `set_equal`, `set_covers`. Computed from `Sources`, so that the decision inside (over the
 * record) and the checker outside (over files it has read) say the same thing of the same data.
 *
 * Which side is which: in `set_equal` the right side is what must be there, the left side what is there. `missing` is on the right only,
 * `extra` on the left only. In `set_covers`, `missing` is in the subset and not in the superset.
 */
import type { Lookup } from '../context.ts';
import { SCENE_IDS, SUMMARY_IDS } from '../limits.ts';
import { everyRow, recordOf } from '../record.ts';
import type { RowData } from '../row-data.ts';
import type { Json } from '../values.ts';
import type { ArtifactRef, CheckSpec, Scene, SetRef } from './check-spec.ts';
import { addDecimals, compareDecimals, decimalOf } from './decimal.ts';

/**
 * Ids of a set; `null` when they cannot be told now (not readable here, or erased); `wrong` when they can be looked for and are not there as they should be
 * (no such fact, a file of another form): the work's fault, so the check fails and says so, and rework can mend it.
 */
export type SetAnswer = string[] | null | { wrong: string };

export interface Sources {
  set(ref: SetRef): SetAnswer;
  /** Undefined: no such fact, or its value was erased. */
  fact(key: string): Json | undefined;
}

/** `pass: null`: it could not be computed; the scene says why. A failing result always has a scene, a passing one none. */
export interface Evaluation {
  pass: boolean | null;
  scene?: Scene;
}

/** The parts of the record and its files whose change makes a receipt stale. */
export type Plane = 'facts' | 'ledger' | 'reviewList' | 'sources' | 'artifacts';

/** Sets a check reads. */
export function setsOf(spec: CheckSpec): SetRef[] {
  switch (spec.kind) {
    case 'count':
      return typeof spec.equals === 'object' ? [spec.of, spec.equals.sizeOf] : [spec.of];
    case 'sum':
      return [spec.over];
    case 'set_equal':
      return [spec.left, spec.right];
    case 'set_covers':
      return [spec.superset, spec.subset];
    default:
      return [];
  }
}

/** Files a check reads, those of its sets included. */
export function filesOf(spec: CheckSpec): ArtifactRef[] {
  const own = 'file' in spec ? [spec.file] : spec.kind === 'script' ? spec.files : [];
  return [...own, ...setsOf(spec).flatMap((ref) => (ref.from === 'rows' ? [ref.file] : []))];
}

/** Keys of single facts that a script or a set is given. */
export function factsOf(spec: CheckSpec): string[] {
  const own = spec.kind === 'script' ? spec.facts : [];
  return [...own, ...setsOf(spec).flatMap((ref) => (ref.from === 'fact' ? [ref.key] : []))];
}

/** Prefixes under which a check reads facts by id. */
export function factPrefixesOf(spec: CheckSpec): string[] {
  return spec.kind === 'sum' ? [spec.prefix] : [];
}

/** Regular expressions of a check; plans and contracts refuse broken ones. */
export function patternsOf(spec: CheckSpec): string[] {
  const own = spec.kind === 'matches' ? [spec.pattern] : [];
  return [...own, ...setsOf(spec).flatMap((ref) => (ref.from === 'rows' ? ref.where.flatMap((condition) => (condition.matches === undefined ? [] : [condition.matches])) : []))];
}

/** Whether it needs bytes of files, the network or a sandbox, which deciding has not. */
export function readsOutside(spec: CheckSpec): boolean {
  switch (spec.kind) {
    case 'count':
    case 'sum':
    case 'set_equal':
    case 'set_covers':
      return setsOf(spec).some((ref) => ref.from === 'rows');
    default:
      return true;
  }
}

/** An `http_probe` reads none: its receipt holds for a time. */
export function planesRead(spec: CheckSpec): Plane[] {
  const planes = new Set<Plane>();
  for (const file of filesOf(spec)) planes.add('source' in file ? 'sources' : 'artifacts');
  if (factsOf(spec).length > 0 || factPrefixesOf(spec).length > 0) planes.add('facts');
  for (const ref of setsOf(spec)) {
    if (ref.from === 'fact_keys') planes.add('facts');
    if (ref.from === 'ledger') planes.add('ledger');
    if (ref.from === 'review_list') planes.add('reviewList');
  }
  return [...planes].sort();
}

/** Name of a set, file or fact within a check job. */
export function setName(ref: SetRef): string {
  return JSON.stringify(ref);
}
export function fileName(ref: ArtifactRef): string {
  return JSON.stringify(ref);
}
export function factName(key: string): string {
  return `fact:${key}`;
}

/** Evaluates one of the four kinds; any other kind cannot be computed here. Ids count once; a repeated id is the business of `csv` with `uniqueBy`. */
export function evaluateInside(spec: CheckSpec, sources: Sources): Evaluation {
  switch (spec.kind) {
    case 'count':
      return withSets(sources, setsOf(spec), ([of, sizeOf]) => count(spec, of as Set<string>, sizeOf));
    case 'sum':
      return withSets(sources, setsOf(spec), ([over]) => sum(spec, over as Set<string>, sources));
    case 'set_equal':
      return withSets(sources, setsOf(spec), ([left, right]) => compare(minus(right as Set<string>, left as Set<string>), minus(left as Set<string>, right as Set<string>)));
    case 'set_covers':
      return withSets(sources, setsOf(spec), ([superset, subset]) => compare(minus(subset as Set<string>, superset as Set<string>), []));
    default:
      return { pass: null, scene: { summary: `A check of the kind ${spec.kind} is not computed from the record.` } };
  }
}

function withSets(sources: Sources, refs: SetRef[], judge: (sets: Set<string>[]) => Evaluation): Evaluation {
  const answers = refs.map((ref) => ({ ref, answer: sources.set(ref) }));
  const unreadable = answers.find(({ answer }) => answer === null);
  if (unreadable) return { pass: null, scene: { summary: `The set ${describe(unreadable.ref)} could not be read.` } };
  const wrong = answers.flatMap(({ answer }) => (answer !== null && !Array.isArray(answer) ? [answer.wrong] : []));
  if (wrong.length > 0) return fail(wrong.join(' '));
  return judge(answers.map(({ answer }) => new Set(answer as string[])));
}

function count(spec: Extract<CheckSpec, { kind: 'count' }>, of: Set<string>, sizeOf: Set<string> | undefined): Evaluation {
  const equals = sizeOf ? sizeOf.size : typeof spec.equals === 'number' ? spec.equals : undefined;
  const faults = [
    equals !== undefined && of.size !== equals ? `${equals} expected` : '',
    spec.min !== undefined && of.size < spec.min ? `at least ${spec.min} expected` : '',
    spec.max !== undefined && of.size > spec.max ? `at most ${spec.max} allowed` : '',
  ].filter((fault) => fault !== '');
  if (faults.length === 0) return { pass: true };
  const sides = sizeOf ? { missing: minus(sizeOf, of), extra: minus(of, sizeOf) } : { missing: [], extra: [] };
  return fail(`${of.size} in ${describe(spec.of)}; ${faults.join(', ')}.`, sides.missing, sides.extra, { count: of.size });
}

function sum(spec: Extract<CheckSpec, { kind: 'sum' }>, over: Set<string>, sources: Sources): Evaluation {
  const summands: string[] = [];
  const without: string[] = [];
  for (const id of over) {
    const value = sources.fact(`${spec.prefix}${id}`);
    const field = typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, spec.field) ? value[spec.field] : undefined;
    const decimal = decimalOf(field);
    if (decimal === undefined) without.push(id);
    else summands.push(decimal);
  }
  if (without.length > 0)
    return fail(`${without.length} of ${over.size} have no exact amount in the fact ${spec.prefix}<id>, field ${spec.field}: ${quote(without.sort())}.`, without);
  const total = addDecimals(summands) as string;
  const off = (bound: string | undefined, breaks: (order: number) => boolean, text: string) =>
    bound !== undefined && breaks(compareDecimals(total, bound) as number) ? [`${text} ${bound}`] : [];
  const faults = [...off(spec.equals, (order) => order !== 0, 'expected'), ...off(spec.min, (order) => order < 0, 'at least'), ...off(spec.max, (order) => order > 0, 'at most')];
  return faults.length === 0 ? { pass: true } : fail(`The sum over ${over.size} is ${total}; ${faults.join(', ')}.`, [], [], { sum: total });
}

function minus(from: Set<string>, what: Set<string>): string[] {
  return [...from].filter((id) => !what.has(id)).sort();
}

function compare(missing: string[], extra: string[]): Evaluation {
  if (missing.length === 0 && extra.length === 0) return { pass: true };
  const parts = [missing.length > 0 ? `${missing.length} missing: ${quote(missing)}` : '', extra.length > 0 ? `${extra.length} too many: ${quote(extra)}` : ''];
  return fail(`${parts.filter((part) => part !== '').join('; ')}.`, missing, extra);
}

function fail(summary: string, missing: string[] = [], extra: string[] = [], data?: Json): Evaluation {
  return {
    pass: false,
    scene: {
      summary: summary.slice(0, 2000),
      ...(missing.length > 0 ? { missing: named(missing) } : {}),
      ...(extra.length > 0 ? { extra: named(extra) } : {}),
      ...(data === undefined ? {} : { data }),
    },
  };
}

/** Sorted, as long as a scene takes them. */
function named(ids: string[]): string[] {
  return [...ids]
    .sort()
    .slice(0, SCENE_IDS)
    .map((id) => id.slice(0, 200));
}

function quote(sorted: string[]): string {
  const head = sorted.slice(0, SUMMARY_IDS).map((id) => id.slice(0, 60));
  return sorted.length > SUMMARY_IDS ? `${head.join(', ')} and ${sorted.length - SUMMARY_IDS} more` : head.join(', ');
}

function describe(ref: SetRef): string {
  switch (ref.from) {
    case 'fact':
      return `fact ${ref.key}`;
    case 'ledger':
      return `ledger ${ref.milestone}${ref.verdict === undefined ? '' : ` (${ref.verdict})`}`;
    case 'review_list':
      return `needs-review list ${ref.milestone}`;
    case 'fact_keys':
      return `facts ${ref.prefix}*`;
    case 'rows':
      return `rows of ${'source' in ref.file ? ref.file.source : ref.file.path}`;
    case 'literal':
      return `${ref.ids.length} given ids`;
  }
}

/** A fact's value as a set of ids. */
export function idsOfFact(key: string, value: Json | undefined): string[] | { wrong: string } {
  if (value === undefined) return { wrong: `No fact stands under ${key}.` };
  return Array.isArray(value) && value.every((id): id is string => typeof id === 'string') ? value : { wrong: `The fact ${key} is not an array of strings.` };
}

/**
 * Sources over the record. A subject stays on the needs-review list of a milestone after a person dealt with it: the set is who was set aside,
 * so that a resolution by a person never makes an accepted list wrong. Sets of `rows` cannot be read here.
 */
export function sourcesOf(lookup: Lookup): Sources {
  const value = (key: string): Json | undefined => {
    const fact = recordOf(lookup, 'fact', key);
    return fact ? lookup.body(fact.valueBody) : undefined;
  };
  const idsUnder = (kind: 'ledger_subject' | 'review_list' | 'fact', prefix: string, keep: (data: Json) => boolean = () => true) => {
    const ids: string[] = [];
    for (const row of everyRow(lookup, kind, { prefix })) if (row.id.length > prefix.length && keep(row.data)) ids.push(row.id.slice(prefix.length));
    return ids;
  };
  return {
    fact: value,
    set(ref) {
      switch (ref.from) {
        case 'fact': {
          const current = value(ref.key);
          // Recorded, but its value was erased: nothing that the work could mend.
          if (current === undefined && lookup.row('fact', ref.key)) return null;
          return idsOfFact(ref.key, current);
        }
        case 'ledger':
          return idsUnder('ledger_subject', `${ref.milestone}/`, (data) => ref.verdict === undefined || (data as unknown as RowData['ledger_subject']).verdict === ref.verdict);
        case 'review_list':
          return idsUnder('review_list', `${ref.milestone}/`);
        case 'fact_keys':
          return idsUnder('fact', ref.prefix);
        case 'rows':
          return null;
        case 'literal':
          return ref.ids;
      }
    },
  };
}

/**
 * Sources for the checker outside: sets and facts of the record as the job carries them, sets of rows as `rows` reads them.
 * `job` is the part of a check job that was read from the record at its `asOf`.
 */
export function sourcesOfJob(job: { sets: Record<string, string[]>; facts: Record<string, Json> }, rows: (ref: Extract<SetRef, { from: 'rows' }>) => SetAnswer): Sources {
  const own = <T>(map: Record<string, T>, name: string): T | undefined => (Object.hasOwn(map, name) ? map[name] : undefined);
  const fact = (key: string) => own(job.facts, factName(key));
  return {
    fact,
    set(ref) {
      if (ref.from === 'rows') return rows(ref);
      if (ref.from === 'literal') return ref.ids;
      const ids = own(job.sets, setName(ref));
      if (ids) return ids;
      return ref.from === 'fact' ? idsOfFact(ref.key, fact(ref.key)) : null;
    },
  };
}
