/** What a checker outside is given: the check, the files it reads by digest, and the sets and facts of the record. It needs nothing else of the Goal. */

import type { Lookup } from '../context.ts';
import type { ArtifactRef, CheckSpec } from '../planes/check-spec.ts';
import { factName, factPrefixesOf, factsOf, fileName, filesOf, type Sources, setName, setsOf, sourcesOf } from '../planes/checks.ts';
import { everyRow, recordOf } from '../record.ts';
import { type Refusal, refuse } from '../refusals.ts';
import type { OpenCheck, State } from '../state.ts';
import type { Artifact, Json } from '../values.ts';
import { isAccepted } from '../work/derive.ts';
import type { CheckJob } from './types.ts';

/**
 * Undefined: no such check is open. Refused `fence_stale`: it was asked for again since. `asOf` is that of the request; the rows are read now: where
 * they changed in between, the receipt is stale and the check is asked for again.
 */
export function checkJob(state: State, checkId: string, fence: number, lookup: Lookup): CheckJob | Refusal | undefined {
  const open = Object.hasOwn(state.checks, checkId) ? state.checks[checkId] : undefined;
  if (!open) return undefined;
  if (open.fence !== fence) return refuse('fence_stale', { current: { fence: open.fence } });
  const spec = specOfCheck(state, open);
  if (!spec) return undefined;
  const sources = sourcesOf(lookup);
  return {
    check: checkId,
    fence,
    spec,
    asOf: open.asOf,
    files: Object.fromEntries(filesOf(spec).map((ref) => [fileName(ref), fileOf(state, open, ref, lookup) ?? null])),
    facts: factsFor(spec, sources, lookup),
    sets: setsFor(spec, sources),
  };
}

/** The check as it stands in the item's spec, or in the contract. */
export function specOfCheck(state: State, open: Pick<OpenCheck, 'key' | 'submission' | 'item'>): CheckSpec | undefined {
  const checks = open.submission === null ? state.contract?.checks : open.item === null ? undefined : state.items[open.item]?.spec.checks;
  return checks?.find((check) => check.key === open.key);
}

/**
 * `{source}`: a source file. `{item, path}`: of that item's newest Submission; of the judged one where it is the check's own item.
 * `{path}` alone: for an item's check the judged Submission; for a contract's check a deliverable, else the last item in plan order that has an accepted file of that path.
 */
export function fileOf(state: State, open: Pick<OpenCheck, 'submission' | 'item'>, ref: ArtifactRef, lookup: Lookup): Artifact | undefined {
  if ('source' in ref) return Object.hasOwn(state.sources, ref.source) ? state.sources[ref.source] : undefined;
  const delivered = (item: State['items'][string] | undefined) => recordOf(lookup, 'submission', item?.submission?.id ?? '')?.artifacts;
  const named = (artifacts: readonly Artifact[] | undefined) => artifacts?.find((artifact) => artifact.path === ref.path);
  if (open.submission !== null && open.item !== null && (ref.item === undefined || ref.item === open.item)) {
    return named(recordOf(lookup, 'submission', open.submission)?.artifacts);
  }
  if (ref.item !== undefined) return Object.hasOwn(state.items, ref.item) ? named(delivered(state.items[ref.item])) : undefined;
  if (Object.hasOwn(state.deliverables, ref.path)) return state.deliverables[ref.path];
  const accepted = (state.plan?.order ?? []).flatMap((key) => {
    const item = state.items[key];
    return item && isAccepted(item) ? (named(delivered(item)) ?? []) : [];
  });
  return accepted.at(-1);
}

/** Facts under a prefix carry only the field that is summed. */
function factsFor(spec: CheckSpec, sources: Sources, lookup: Lookup): Record<string, Json> {
  const facts: [string, Json][] = [];
  for (const key of factsOf(spec)) {
    const value = sources.fact(key);
    if (value !== undefined) facts.push([factName(key), value]);
  }
  for (const prefix of factPrefixesOf(spec)) {
    for (const row of everyRow(lookup, 'fact', { prefix })) {
      const value = sources.fact(row.id);
      if (value === undefined || spec.kind !== 'sum') continue;
      const field = typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, spec.field) ? value[spec.field] : undefined;
      facts.push([factName(row.id), field === undefined ? null : Object.fromEntries([[spec.field, field]])]);
    }
  }
  return Object.fromEntries(facts);
}

/** Sets that cannot be told are left out: the checker then finds that by itself, with the reason. */
function setsFor(spec: CheckSpec, sources: Sources): Record<string, string[]> {
  return Object.fromEntries(
    setsOf(spec).flatMap((ref) => {
      const ids = ref.from === 'rows' || ref.from === 'literal' ? null : sources.set(ref);
      return Array.isArray(ids) ? [[setName(ref), ids] as const] : [];
    }),
  );
}
