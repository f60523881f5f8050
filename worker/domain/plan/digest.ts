/**
 * From a plan item to the lean spec that the working set keeps, and what of it counts as *the work*.
 *
 * The spec digest decides whether an Acceptance is carried over to the next plan revision. It covers what was asked for and how that is judged:
 *
 * - in it: key, kind, objective, deliverable, acceptance criteria with their texts, covered criteria, inputs, declared outputs, checks, review policy,
 *   the hard dependencies (an accepted delivery was made from exactly those), and the item's input, also that of a skill executor: it says *what*;
 * - not in it: title and the titles of checks (wording), parent (grouping), required (whether the graph waits for it), limits (what it may cost),
 *   soft dependencies (context only), and *who* carries it out: a new owner inherits the delivery, and eligibility to review is tested against the submitter.
 *
 * Order does not count where it means nothing: covers, outputs, dependencies and checks are sorted. Acceptance criteria, inputs and review stages keep theirs.
 */
import { canonical } from '../digest.ts';
import type { ItemSpec } from '../state.ts';
import type { Json } from '../values.ts';
import type { PlanItem } from './document.ts';

/** The spec as the working set keeps it, and the texts that become an erasable body beside it. */
export function specOf(item: PlanItem): { spec: ItemSpec; body: Json } {
  const spec: ItemSpec = {
    key: item.key,
    kind: item.kind,
    title: item.title,
    covers: item.covers,
    acceptance: item.acceptance.map((criterion) => criterion.id),
    outputs: item.outputs,
    dependsOn: item.dependsOn,
    ...(item.parent === undefined ? {} : { parent: item.parent }),
    required: item.required,
    ...(item.executor === undefined ? {} : { executor: item.executor }),
    review: item.review,
    checks: item.checks,
    limits: item.limits,
  };
  return { spec, body: { objective: item.objective, deliverable: item.deliverable, acceptance: item.acceptance, inputs: item.inputs, input: item.input ?? null } };
}

/** What the spec digest is taken over: `digestOf(sha256, specIdentity(item))`. */
export function specIdentity(item: PlanItem): Json {
  const by = <T>(list: readonly T[], text: (entry: T) => string): T[] => [...list].sort((a, b) => (text(a) < text(b) ? -1 : text(a) > text(b) ? 1 : 0));
  const identity = {
    key: item.key,
    kind: item.kind,
    objective: item.objective,
    deliverable: item.deliverable,
    acceptance: item.acceptance,
    covers: by(item.covers, (id) => id),
    inputs: item.inputs,
    outputs: by(item.outputs, (output) => output.scope),
    hard: item.dependsOn
      .filter((dependency) => dependency.kind === 'hard')
      .map((dependency) => dependency.key)
      .sort(),
    checks: by(
      item.checks.map((check) => ({ ...check, title: undefined })),
      (check) => check.key,
    ),
    review: item.review,
    input: item.input ?? null,
    executorInput: item.executor?.kind === 'skill' ? (item.executor.input ?? null) : null,
  };
  // Parsed from JSON by the plan's schema, so it is JSON; absent fields are left out by `canonical`.
  return identity as unknown as Json;
}

export interface PlanDiff {
  added: string[];
  /** Same key, another spec digest: inherits no acceptance. */
  changed: string[];
  /** Same key and spec digest: keeps its Submissions and Acceptances. */
  kept: string[];
  removed: string[];
  /** Of `kept`: the lean spec differs where the digest does not look (title, limits, owner, grouping, soft dependencies), so it must still be replaced. */
  retouched: string[];
}

/** Compares the active revision with the next. Lists are in the order of `next`; `removed` in that of `active`. */
export function diffPlans(active: Record<string, { specDigest: string; spec?: ItemSpec }>, next: Record<string, { specDigest: string; spec?: ItemSpec }>): PlanDiff {
  const diff: PlanDiff = { added: [], changed: [], kept: [], removed: [], retouched: [] };
  for (const [key, { specDigest, spec }] of Object.entries(next)) {
    const before = Object.hasOwn(active, key) ? active[key] : undefined;
    if (!before) diff.added.push(key);
    else if (before.specDigest !== specDigest) diff.changed.push(key);
    else {
      diff.kept.push(key);
      if (spec && before.spec && canonical(spec as unknown as Json) !== canonical(before.spec as unknown as Json)) diff.retouched.push(key);
    }
  }
  for (const key of Object.keys(active)) if (!Object.hasOwn(next, key)) diff.removed.push(key);
  return diff;
}
