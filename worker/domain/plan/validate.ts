/**
 * Says everything that is wrong with a plan document at once. Rules that need a whole plan run on what is readable of it,
 * so that a misspelt field does not hide a cycle.
 *
 * Pure; linear in items and dependencies but for output conflicts, which look downstream of each item that shares a scope with another.
 */
import { PLAN_BYTES, PLAN_DEPENDENCIES, PLAN_ITEMS, PROBLEMS } from '../limits.ts';
import { type ArtifactRef, type CheckSpec, checkSpec } from '../planes/check-spec.ts';
import { filesOf, patternsOf } from '../planes/checks.ts';
import { pointerOf, schemaProblems } from '../problems.ts';
import type { Problem } from '../refusals.ts';
import { type Executor, executor, type PrincipalId, principalOf, slug } from '../values.ts';
import { type Dependency, dependency, type Output, output, type PlanDocument, planDocument, type ReviewStage, reviewStage } from './document.ts';
import { cyclesOf, type Edges, reachable } from './graph.ts';

export interface PlanContext {
  mode: 'bound' | 'graph_only';
  /** Of the current contract; empty in graph-only. */
  criteria: readonly { id: string; verify: string }[];
  limits?: { items?: number; dependencies?: number; bytes?: number };
  /** Principals that carry reviews where a stage names no reviewer. Absent: not known here, and such stages are not judged. */
  reviewers?: readonly PrincipalId[];
  /** Who carries an item that names no executor; the built-in worker profile where it is absent. */
  carrier?: PrincipalId;
}

export type PlanVerdict = { ok: true; document: PlanDocument; warnings: Problem[] } | { ok: false; errors: Problem[] };

/** What can be read of an item, whatever else is wrong with it. Indices are those of the document. */
interface Sketch {
  index: number;
  key: string | null;
  dependsOn: { index: number; key: string; kind: Dependency['kind'] }[];
  parent: string | null;
  required: boolean;
  covers: { index: number; id: string }[];
  acceptance: { index: number; id: string }[];
  outputs: { index: number; output: Output }[];
  executor: Executor | null;
  review: { index: number; stage: ReviewStage }[];
  checks: { index: number; check: CheckSpec }[];
}

/**
 * Codes of errors: those of `schemaProblems`, `too_large`, `empty_plan`, `mode_mismatch`, `duplicate_key`, `duplicate_dependency`, `unknown_key`, `unknown_criterion`,
 * `cycle`, `output_conflict`, `no_terminal_item`, `reviewer_missing`, `no_eligible_reviewer`, `invalid_pattern`.
 * Codes of warnings: `criterion_uncovered` (the audit meets it again), `unchecked_item` (nothing but the host's checks judges it, and it has none).
 * At most PROBLEMS are listed, in the order of the document's rules.
 */
export function validatePlan(document: unknown, ctx: PlanContext): PlanVerdict {
  const limits = { items: PLAN_ITEMS, dependencies: PLAN_DEPENDENCIES, bytes: PLAN_BYTES, ...ctx.limits };
  // Size first: nothing below may be made to work on more than this.
  const size = new TextEncoder().encode(JSON.stringify(document) ?? '').length;
  if (size > limits.bytes) return { ok: false, errors: [{ pointer: '', code: 'too_large', detail: `${size} bytes of at most ${limits.bytes}` }] };
  const raw = listAt(document, 'items');
  if (raw.length > limits.items) return { ok: false, errors: [{ pointer: '/items', code: 'too_large', detail: `${raw.length} items of at most ${limits.items}` }] };
  const links = raw.reduce<number>((sum, item) => sum + listAt(item, 'dependsOn').length, 0);
  if (links > limits.dependencies) return { ok: false, errors: [{ pointer: '/items', code: 'too_large', detail: `${links} dependencies of at most ${limits.dependencies}` }] };

  const parsed = planDocument.safeParse(document);
  const errors: Problem[] = parsed.success ? [] : schemaProblems(parsed.error);
  const mode = fieldAt(document, 'mode');
  if ((mode === 'bound' || mode === 'graph_only') && mode !== ctx.mode) errors.push({ pointer: '/mode', code: 'mode_mismatch', detail: `this execution is ${ctx.mode}` });
  if (Array.isArray(fieldAt(document, 'items')) && raw.length === 0) errors.push({ pointer: '/items', code: 'empty_plan' });
  const items = raw.map(sketchOf);
  const known = new Map<string, Sketch>();
  for (const item of items) if (item.key !== null && !known.has(item.key)) known.set(item.key, item);

  errors.push(...duplicates(items, known), ...unknownNames(items, known, new Set(ctx.criteria.map((criterion) => criterion.id))));
  const cycles = cycleProblems(known);
  errors.push(...cycles, ...outputConflicts(known));
  if (known.size > 0 && !hasTerminalItem(known)) errors.push({ pointer: '/items', code: 'no_terminal_item', detail: 'no required item that no other required item waits for' });
  errors.push(...reviewProblems(items, ctx.reviewers, ctx.carrier ?? 'agent:worker'), ...patternProblems(items));

  // What is sealed has the defaults filled in; that is what must fit.
  const sealed = parsed.success ? new TextEncoder().encode(JSON.stringify(parsed.data)).length : 0;
  if (sealed > limits.bytes) errors.push({ pointer: '', code: 'too_large', detail: `${sealed} bytes with its defaults, of at most ${limits.bytes}` });

  if (errors.length > 0 || !parsed.success) return { ok: false, errors: errors.slice(0, PROBLEMS) };
  return { ok: true, document: parsed.data, warnings: warningsOf(parsed.data, ctx).slice(0, PROBLEMS) };
}

function duplicates(items: Sketch[], known: Map<string, Sketch>): Problem[] {
  const found: Problem[] = [];
  for (const item of items) {
    if (item.key !== null && known.get(item.key) !== item) found.push({ pointer: pointerOf(['items', item.index, 'key']), code: 'duplicate_key', detail: item.key });
    for (const { index, id } of repeated(item.acceptance)) found.push({ pointer: pointerOf(['items', item.index, 'acceptance', index, 'id']), code: 'duplicate_key', detail: id });
    for (const { index, id } of repeated(item.checks.map(({ index, check }) => ({ index, id: check.key }))))
      found.push({ pointer: pointerOf(['items', item.index, 'checks', index, 'key']), code: 'duplicate_key', detail: id });
    for (const { index, id } of repeated(item.dependsOn.map(({ index, key }) => ({ index, id: key }))))
      found.push({ pointer: pointerOf(['items', item.index, 'dependsOn', index, 'key']), code: 'duplicate_dependency', detail: id });
  }
  return found;
}

function repeated(list: { index: number; id: string }[]): { index: number; id: string }[] {
  const seen = new Set<string>();
  return list.filter(({ id }) => seen.has(id) || !seen.add(id));
}

function unknownNames(items: Sketch[], known: Map<string, Sketch>, criteria: Set<string>): Problem[] {
  const found: Problem[] = [];
  for (const item of items) {
    const at = (...path: PropertyKey[]) => pointerOf(['items', item.index, ...path]);
    for (const link of item.dependsOn) if (!known.has(link.key)) found.push({ pointer: at('dependsOn', link.index, 'key'), code: 'unknown_key', detail: link.key });
    if (item.parent !== null && !known.has(item.parent)) found.push({ pointer: at('parent'), code: 'unknown_key', detail: item.parent });
    for (const { index, id } of item.covers) if (!criteria.has(id)) found.push({ pointer: at('covers', index), code: 'unknown_criterion', detail: id });
    for (const { index, check } of item.checks) {
      for (const file of filesOf(check)) if (namesItem(file) && !known.has(file.item)) found.push({ pointer: at('checks', index), code: 'unknown_key', detail: file.item });
    }
  }
  return found;
}

function namesItem(file: ArtifactRef): file is { item: string; path: string } {
  return 'path' in file && file.item !== undefined;
}

/**
 * A parent groups its children: it is done when they are. So a child that waits for its parent can never end, and a parent that waits for its
 * own child says the same thing twice with two meanings. Both are cycles; hence the links to parents are followed in either direction, one at a time.
 */
function cycleProblems(known: Map<string, Sketch>): Problem[] {
  const upwards = new Map([...known].map(([key, item]) => [key, [...item.dependsOn.map((link) => link.key), ...(item.parent === null ? [] : [item.parent])]]));
  const downwards = new Map([...known].map(([key, item]) => [key, item.dependsOn.map((link) => link.key)]));
  for (const [key, item] of known) if (item.parent !== null) downwards.get(item.parent)?.push(key);
  const seen = new Set<string>();
  return [upwards, downwards].flatMap((edges) =>
    cyclesOf(edges).flatMap((path): Problem[] => {
      const members = [...new Set(path)].sort().join(' ');
      if (seen.has(members)) return [];
      seen.add(members);
      return [{ pointer: pointerOf(['items', known.get(path[0] as string)?.index ?? 0]), code: 'cycle', detail: path.join(' -> ') }];
    }),
  );
}

/** Items may run together unless one hard-depends on the other, however far. Two scopes touch when they are equal or a `dir:` contains the other. */
function outputConflicts(known: Map<string, Sketch>): Problem[] {
  const holders = new Map<string, { item: Sketch; index: number; exclusive: boolean }[]>();
  const hard: Edges = new Map([...known].map(([key, item]) => [key, item.dependsOn.filter((link) => link.kind === 'hard').map((link) => link.key)]));
  const upstream = new Map<string, Set<string>>();
  const waitsFor = (a: string, b: string): boolean => {
    let set = upstream.get(a);
    if (!set) {
      set = reachable(hard, a);
      upstream.set(a, set);
    }
    return set.has(b);
  };
  const found: Problem[] = [];
  const reported = new Set<string>();
  for (const item of known.values()) {
    for (const { index, output } of item.outputs) {
      const scope = normalScope(output.scope);
      const list = holders.get(scope) ?? [];
      list.push({ item, index, exclusive: output.access === 'exclusive' });
      holders.set(scope, list);
    }
  }
  for (const [scope, mine] of holders) {
    for (const touching of [scope, ...dirsAround(scope)]) {
      for (const a of mine) {
        for (const b of holders.get(touching) ?? []) {
          const [first, second] = a.item.index < b.item.index ? [a, b] : [b, a];
          if (first.item === second.item || !(a.exclusive || b.exclusive)) continue;
          const pair = `${first.item.index} ${second.item.index} ${scope}`;
          if (reported.has(pair) || waitsFor(keyOf(first.item), keyOf(second.item)) || waitsFor(keyOf(second.item), keyOf(first.item))) continue;
          reported.add(pair);
          found.push({
            pointer: pointerOf(['items', second.item.index, 'outputs', second.index]),
            code: 'output_conflict',
            detail: `${keyOf(first.item)} and ${keyOf(second.item)} may run together and both hold ${scope}`,
          });
          if (found.length >= PROBLEMS) return found;
        }
      }
    }
  }
  return found;
}

function keyOf(item: Sketch): string {
  return item.key ?? '';
}

/** `dir:a/b/` and `dir:./a//b` are one place. */
function normalScope(scope: string): string {
  const kind = scope.slice(0, scope.indexOf(':'));
  if (kind === 'semantic') return scope;
  const parts = scope.slice(kind.length + 1).split('/');
  return `${kind}:${parts.filter((part) => part !== '' && part !== '.').join('/')}`;
}

/** The directories that contain a scope, as scopes, and for a directory also the file of the same name. The root is `dir:`. */
function dirsAround(scope: string): string[] {
  if (scope.startsWith('semantic:')) return [];
  const kind = scope.slice(0, scope.indexOf(':'));
  const parts = scope.slice(kind.length + 1).split('/');
  const around = parts.map((_, depth) => `dir:${parts.slice(0, depth).join('/')}`).filter((dir) => dir !== scope);
  return kind === 'file' ? [...around, `dir:${parts.join('/')}`] : around;
}

/** A required item that no other required item waits for: what the graph is for. Without one it would close at once, or never. */
function hasTerminalItem(known: Map<string, Sketch>): boolean {
  const waitedFor = new Set<string>();
  for (const item of known.values()) if (item.required) for (const link of item.dependsOn) if (link.kind === 'hard') waitedFor.add(link.key);
  return [...known].some(([key, item]) => item.required && !waitedFor.has(key));
}

/** Who submits may not judge: each agent stage needs as many other principals as it counts. People are found at review time. */
function reviewProblems(items: Sketch[], laneReviewers: readonly PrincipalId[] | undefined, carrier: PrincipalId): Problem[] {
  const found: Problem[] = [];
  for (const item of items) {
    const own = item.executor ? principalOf(item.executor) : carrier;
    for (const { index, stage } of item.review) {
      if (stage.by !== 'agent') continue;
      const pointer = pointerOf(['items', item.index, 'review', index]);
      const named = stage.reviewer ? principalOf(stage.reviewer) : null;
      if (named === null && laneReviewers === undefined) continue;
      const all = new Set([...(named === null ? [] : [named]), ...(named === null || stage.count > 1 ? (laneReviewers ?? []) : [])]);
      const eligible = [...all].filter((principal) => principal !== own).length;
      if (all.size === 0) found.push({ pointer, code: 'reviewer_missing', detail: 'no reviewer is named, and none carries the reviewer lane' });
      else if (eligible === 0) found.push({ pointer, code: 'no_eligible_reviewer', detail: `${own} carries the item and may not judge it` });
      else if (eligible < stage.count && laneReviewers !== undefined)
        found.push({ pointer, code: 'no_eligible_reviewer', detail: `${stage.count} independent verdicts, ${eligible} eligible` });
    }
  }
  return found;
}

function patternProblems(items: Sketch[]): Problem[] {
  return items.flatMap((item) =>
    item.checks.flatMap(({ index, check }) =>
      patternsOf(check).flatMap((pattern): Problem[] => {
        try {
          new RegExp(pattern, 'u');
          return [];
        } catch {
          return [{ pointer: pointerOf(['items', item.index, 'checks', index]), code: 'invalid_pattern', detail: pattern }];
        }
      }),
    ),
  );
}

function warningsOf(document: PlanDocument, ctx: PlanContext): Problem[] {
  const covered = new Set(document.items.flatMap((item) => item.covers));
  const uncovered = ctx.criteria
    .filter((criterion) => !covered.has(criterion.id))
    .map((criterion): Problem => ({ pointer: '/items', code: 'criterion_uncovered', detail: criterion.id }));
  const unchecked = document.items.flatMap((item, index): Problem[] =>
    item.checks.length === 0 && item.review.every((stage) => stage.by === 'checks')
      ? [{ pointer: pointerOf(['items', index, 'checks']), code: 'unchecked_item', detail: item.key }]
      : [],
  );
  return [...uncovered, ...unchecked];
}

function sketchOf(raw: unknown, index: number): Sketch {
  const key = slug.safeParse(fieldAt(raw, 'key'));
  const parent = slug.safeParse(fieldAt(raw, 'parent'));
  const who = executor.safeParse(fieldAt(raw, 'executor'));
  return {
    index,
    key: key.success ? key.data : null,
    dependsOn: listAt(raw, 'dependsOn').flatMap((entry, at) => {
      const link = dependency.safeParse(entry);
      return link.success ? [{ index: at, ...link.data }] : [];
    }),
    parent: parent.success ? parent.data : null,
    required: fieldAt(raw, 'required') !== false,
    covers: listAt(raw, 'covers').flatMap((entry, at) => (typeof entry === 'string' && slug.safeParse(entry).success ? [{ index: at, id: entry }] : [])),
    acceptance: listAt(raw, 'acceptance').flatMap((entry, at) => {
      const id = fieldAt(entry, 'id');
      return typeof id === 'string' ? [{ index: at, id }] : [];
    }),
    outputs: listAt(raw, 'outputs').flatMap((entry, at) => {
      const held = output.safeParse(entry);
      return held.success ? [{ index: at, output: held.data }] : [];
    }),
    executor: who.success ? who.data : null,
    review: listAt(raw, 'review').flatMap((entry, at) => {
      const stage = reviewStage.safeParse(entry);
      return stage.success ? [{ index: at, stage: stage.data }] : [];
    }),
    checks: listAt(raw, 'checks').flatMap((entry, at) => {
      const check = checkSpec.safeParse(entry);
      return check.success ? [{ index: at, check: check.data }] : [];
    }),
  };
}

function fieldAt(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}

function listAt(value: unknown, name: string): unknown[] {
  const list = fieldAt(value, name);
  return Array.isArray(list) ? list : [];
}
