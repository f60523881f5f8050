/**
 * From a finished goal to the draft of a template: its structure with places where it was specific to the case. What that was is found by comparison: with the parameters that
 * filled it, with another goal of the same structure, and within itself by what is plainly of one case (dates, months, addresses, ids with digits, counts that recur).
 */
import { pointerOf } from '../problems.ts';
import type { Json } from '../values.ts';
import { type Leaf, leavesOf } from './template.ts';

/** What a template is made of, as the goal has it. */
export interface Structure {
  title: string;
  mode: 'goal_only' | 'graph_only' | 'bound';
  contract: Json;
  plan: Json;
  lanes: Json;
  limits: Json;
  /** What filled the template that it was made from. */
  parameters: { [name: string]: Json } | null;
}

export interface Finding {
  name: string;
  type: 'string' | 'integer' | 'number';
  /** As it was in this case; and in the other one. */
  value: string | number;
  other?: string | number;
  why: 'filled' | 'differs' | 'of_the_case';
  places: string[];
}

export interface Extracted {
  template: { [key: string]: Json };
  found: Finding[];
  /** What was left out or stays as it is, and why: `identity_removed`; `case_in_name`: what things are called takes no parameter. */
  left: { pointer: string; code: 'identity_removed' | 'case_in_name'; detail: string }[];
}

interface Candidate {
  value: string | number;
  other?: string | number;
  why: Finding['why'];
  hint: string;
}

/** Parameters of a draft at most. */
const most = 30;

export function extractTemplate(name: string, of: Structure, against?: Structure): Extracted {
  const left: Extracted['left'] = [];
  const bare = { contract: anonymous(of.contract, ['contract'], left), plan: anonymous(of.plan, ['plan'], left), lanes: anonymous(of.lanes, ['lanes'], left) };
  const free: Leaf[] = [];
  const named: Leaf[] = [];
  for (const part of ['contract', 'plan'] as const) for (const leaf of leavesOf(bare[part], [part])) (leaf.free ? free : named).push(leaf);

  const candidates = distinct([...filledBy(of.parameters), ...(against ? differences(of, against) : []), ...ofTheCase(free)]);
  const found: Finding[] = [];
  for (const candidate of candidates) {
    const places = free.filter((leaf) => holds(leaf.value, candidate.value)).map((leaf) => pointerOf(leaf.path));
    if (places.length === 0 || found.length >= most) continue;
    const typed = typeof candidate.value === 'number' || free.some((leaf) => leaf.value === Number(candidate.value) && String(leaf.value) === candidate.value);
    const value = typed ? Number(candidate.value) : candidate.value;
    found.push({
      name: nameFor(candidate.hint, found),
      type: typed ? (Number.isInteger(value) ? 'integer' : 'number') : 'string',
      value,
      ...(candidate.other === undefined ? {} : { other: candidate.other }),
      why: candidate.why,
      places,
    });
    for (const leaf of named) if (holds(leaf.value, candidate.value)) left.push({ pointer: pointerOf(leaf.path), code: 'case_in_name', detail: String(candidate.value) });
  }
  const places = new Set(free.map((leaf) => pointerOf(leaf.path)));
  const put = (value: Json, part: string) => replaced(value, [part], places, found);
  return {
    template: {
      name,
      title: put(of.title, 'title') as string,
      mode: of.mode,
      parameters: Object.fromEntries(found.map((finding) => [finding.name, { type: finding.type }])),
      ...(bare.contract === null ? {} : { contract: put(bare.contract, 'contract') }),
      ...(of.mode === 'graph_only' ? { goal: { title: of.title, limits: of.limits } } : {}),
      ...(bare.plan === null ? {} : { plan: put(bare.plan, 'plan') }),
      ...(bare.lanes === null ? {} : { lanes: bare.lanes }),
    },
    found,
    left,
  };
}

/** No person is named in a template, and a text that looks like a place stands for itself. */
function anonymous(value: Json, path: (string | number)[], left: Extracted['left']): Json {
  if (typeof value === 'string') return value.replace(/\{\{/g, '\\{{');
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((inner, at) => anonymous(inner, [...path, at], left));
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]): [string, Json][] => {
      if (key === 'principal' && !path.includes('input')) {
        left.push({ pointer: pointerOf([...path, key]), code: 'identity_removed', detail: String(inner) });
        return [];
      }
      return [[key, anonymous(inner, [...path, key], left)]];
    }),
  );
}

function filledBy(parameters: Structure['parameters']): Candidate[] {
  return Object.entries(parameters ?? {}).flatMap(([name, value]) =>
    typeof value === 'string' || typeof value === 'number' ? [{ value, why: 'filled' as const, hint: name }] : [],
  );
}

/** Places that both have, at which they say something else: the words between what they share. */
function differences(of: Structure, against: Structure): Candidate[] {
  const theirs = new Map([...leavesOf(against.contract, ['contract']), ...leavesOf(against.plan, ['plan'])].map((leaf) => [leaf.name, leaf.value]));
  return [...leavesOf(of.contract, ['contract']), ...leavesOf(of.plan, ['plan'])].flatMap(({ name, path, value, free }): Candidate[] => {
    const other = theirs.get(name);
    if (!free || other === undefined || other === value) return [];
    const field = String(path.findLast((part) => typeof part === 'string') ?? 'value');
    if (typeof value === 'number' || typeof other === 'number') return [{ value, other, why: 'differs', hint: field }];
    return middles(value, other).map((middle) => ({ ...middle, why: 'differs' as const, hint: middle.hint || field }));
  });
}

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*|\s+|[^\s\p{L}\p{N}]/gu) ?? [];
/** Words of one text that are compared at most: two longer ones count as one difference. */
const compared = 2000;

/** Where two texts differ, by their longest common run of words. A text with nothing in the other's place is no difference of the case. */
function middles(mine: string, theirs: string): { value: string; other: string; hint: string }[] {
  const [a, b] = [wordsOf(mine), wordsOf(theirs)];
  if (a.length > compared || b.length > compared) return [];
  const common = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  const at = (i: number, j: number): number => common[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1) (common[i] as Uint16Array)[j] = a[i] === b[j] && a[i]?.trim() !== '' ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const found: { value: string; other: string; hint: string }[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [from, start] = [i, j];
    while (
      (i < a.length || j < b.length) &&
      !(i < a.length && j < b.length && a[i] === b[j] && (a[i]?.trim() === '' ? i === from && j === start : at(i, j) === at(i + 1, j + 1) + 1))
    ) {
      if (j >= b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1))) i += 1;
      else j += 1;
    }
    const [value, other] = [a.slice(from, i).join('').trim(), b.slice(start, j).join('').trim()];
    if (value !== '' && other !== '') found.push({ value, other, hint: a.slice(i).find((word) => word.trim() !== '') ?? '' });
    if (i < a.length && j < b.length) [i, j] = [i + 1, j + 1];
  }
  return found;
}

const shapes: { hint: string; form: RegExp }[] = [
  { hint: 'address', form: /https?:\/\/[^\s"'<>)]+/g },
  { hint: 'date', form: /(?<![\w-])\d{4}-\d{2}-\d{2}(?![\w-])/g },
  { hint: 'month', form: /(?<![\w-])\d{4}-\d{2}(?![\w-])/g },
  { hint: '', form: /(?<![\w-])[A-Za-z]{2,}[-_]\d{2,}(?![\w-])/g },
];

function ofTheCase(free: readonly Leaf[]): Candidate[] {
  const texts = free.flatMap((leaf) => (typeof leaf.value === 'string' ? [leaf.value] : []));
  const shaped = shapes.flatMap(({ hint, form }) =>
    texts.flatMap((text) => [...text.matchAll(form)].map(([value]): Candidate => ({ value, why: 'of_the_case', hint: hint || (value.match(/^[A-Za-z]+/)?.[0] ?? 'id') }))),
  );
  // A count that a check or milestone compares with, and that the words say as well.
  const counts = free.flatMap(({ value }): Candidate[] => {
    if (typeof value !== 'number' || value < 10) return [];
    const said = texts.flatMap((text) => [...text.matchAll(new RegExp(`(?<![\\w.-])${value}(?![\\w-])\\s*([A-Za-z]+)?`, 'g'))]);
    return said.length === 0 ? [] : [{ value, why: 'of_the_case', hint: said[0]?.[1] ?? 'count' }];
  });
  return [...shaped, ...counts];
}

/** Longer ones first: a day is put in before its month. The first reason holds. */
function distinct(candidates: readonly Candidate[]): Candidate[] {
  const seen = new Map<string, Candidate>();
  for (const candidate of candidates) if (!seen.has(String(candidate.value)) && String(candidate.value) !== '') seen.set(String(candidate.value), candidate);
  return [...seen.values()].sort((a, b) => String(b.value).length - String(a.value).length);
}

const literal = (value: string | number): RegExp => new RegExp(`(?<![\\p{L}\\p{N}])${String(value).replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\p{L}\\p{N}])`, 'gu');

function holds(leaf: string | number, value: string | number): boolean {
  return typeof leaf === 'number' ? leaf === Number(value) : literal(value).test(leaf);
}

function nameFor(hint: string, taken: readonly Finding[]): string {
  const base =
    hint
      .toLowerCase()
      .replace(/[^a-z0-9_-]+/g, '-')
      .replace(/^[^a-z0-9]+|-+$/g, '')
      .slice(0, 40) || 'value';
  for (let n = 1; ; n += 1) {
    const name = n === 1 ? base : `${base}-${n}`;
    if (!taken.some((finding) => finding.name === name)) return name;
  }
}

function replaced(value: Json, path: (string | number)[], places: ReadonlySet<string>, found: readonly Finding[]): Json {
  if (typeof value === 'number' || typeof value === 'string') {
    if (path.length > 1 && !places.has(pointerOf(path))) return value;
    if (typeof value === 'number') {
      const finding = found.find((each) => each.type !== 'string' && each.value === value);
      return finding && path.length > 1 ? `{{${finding.name}}}` : value;
    }
    // In one pass, so that nothing is put into a place.
    const all = found.map((finding) => `(?:${literal(finding.value).source})`).join('|');
    if (all === '') return value;
    return value.replace(new RegExp(all, 'gu'), (text) => `{{${found.find((finding) => String(finding.value) === text)?.name ?? ''}}}`);
  }
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((inner, at) => replaced(inner, [...path, at], places, found));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, replaced(inner, [...path, key], places, found)]));
}
