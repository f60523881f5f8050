/** From a contract to the part of it that deciding needs; and what a new version means for accepted work. */

import { patternsOf } from '../planes/checks.ts';
import type { LeanContract, State } from '../state.ts';
import type { Json } from '../values.ts';
import type { Contract } from './contract.ts';

export function leanContract(contract: Contract, digest: (value: Json) => string): LeanContract {
  return {
    digest: digest(contract as unknown as Json),
    criteria: contract.criteria.map(({ id, verify, checks, text }) => ({
      id,
      verify,
      checks,
      digest: digest({ id, text, verify, checks: checks.map((key) => contract.checks.find((check) => check.key === key) ?? null) } as unknown as Json),
    })),
    nonGoals: contract.nonGoals,
    checks: contract.checks,
    milestones: contract.milestones,
    policies: contract.policies,
    planPolicy: contract.planPolicy,
  };
}

type ArgumentRules = Contract['policies'][number]['where'];

/** Whether it compiles as every pattern of the record is compiled. */
function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u');
    return true;
  } catch {
    return false;
  }
}

/** A pointer that means nothing would never match, and a pattern that cannot be judged would always: either is refused before it guards anything. */
function ruleProblems(where: ArgumentRules, at: string): { pointer: string; code: string; detail?: string }[] {
  return where.flatMap(({ pointer, matches }, index) => [
    ...(pointer === '' || pointer.startsWith('/') ? [] : [{ pointer: `${at}/where/${index}/pointer`, code: 'invalid_pointer', detail: pointer }]),
    ...(matches === undefined || isPattern(matches) ? [] : [{ pointer: `${at}/where/${index}/matches`, code: 'invalid_pattern', detail: matches }]),
  ]);
}

/** Places in a contract that the schema cannot see: references, patterns, and what the mode cannot carry. Pointers are into the command. */
export function contractProblems(contract: Contract, mode: State['mode']): { pointer: string; code: string; detail?: string }[] {
  const problems: { pointer: string; code: string; detail?: string }[] = [];
  const twice = (list: { id?: string; key?: string }[], where: string) => {
    const seen = new Set<string>();
    list.forEach((entry, index) => {
      const name = entry.id ?? entry.key ?? '';
      if (seen.has(name)) problems.push({ pointer: `/payload/contract/${where}/${index}`, code: 'duplicate_key', detail: name });
      seen.add(name);
    });
  };
  twice(contract.criteria, 'criteria');
  twice(contract.nonGoals, 'nonGoals');
  twice(contract.checks, 'checks');
  twice(contract.milestones, 'milestones');
  contract.criteria.forEach((criterion, index) => {
    if (criterion.verify === 'check' && criterion.checks.length === 0) problems.push({ pointer: `/payload/contract/criteria/${index}/checks`, code: 'check_missing' });
    if (criterion.verify === 'review' && mode === 'goal_only') problems.push({ pointer: `/payload/contract/criteria/${index}/verify`, code: 'review_needs_graph' });
    for (const key of criterion.checks)
      if (!contract.checks.some((check) => check.key === key)) problems.push({ pointer: `/payload/contract/criteria/${index}/checks`, code: 'unknown_key', detail: key });
  });
  contract.checks.forEach((check, index) => {
    for (const pattern of patternsOf(check)) if (!isPattern(pattern)) problems.push({ pointer: `/payload/contract/checks/${index}`, code: 'invalid_pattern', detail: pattern });
  });
  contract.nonGoals.forEach((nonGoal, index) => {
    nonGoal.forbids.forEach((rule, n) => {
      problems.push(...ruleProblems(rule.where, `/payload/contract/nonGoals/${index}/forbids/${n}`));
    });
  });
  contract.policies.forEach((rule, index) => {
    problems.push(...ruleProblems(rule.where, `/payload/contract/policies/${index}`));
  });
  return problems;
}

export interface Impact {
  unaffected: string[];
  reaffirm: string[];
  superseded: string[];
}

/** What became of a criterion, and of the delivered items that cover it. */
export interface CriterionImpact extends Impact {
  criterion: string;
  change: 'same' | 'added' | 'changed' | 'removed';
}

/** Classes accepted items by the criteria they cover. An item that covers only criteria that are gone is superseded. */
export function impactOf(
  state: State,
  next: LeanContract,
  accepted: string[],
): { impact: Impact; criteria: { added: string[]; changed: string[]; removed: string[] }; byCriterion: CriterionImpact[] } {
  const before = new Map(state.contract?.criteria.map((criterion) => [criterion.id, criterion.digest]));
  const after = new Map(next.criteria.map((criterion) => [criterion.id, criterion.digest]));
  const criteria = {
    added: [...after.keys()].filter((id) => !before.has(id)),
    changed: [...after.keys()].filter((id) => before.has(id) && before.get(id) !== after.get(id)),
    removed: [...before.keys()].filter((id) => !after.has(id)),
  };
  const impact: Impact = { unaffected: [], reaffirm: [], superseded: [] };
  for (const key of accepted) {
    const covers = state.items[key]?.spec.covers ?? [];
    if (covers.length > 0 && covers.every((id) => criteria.removed.includes(id))) impact.superseded.push(key);
    else if (covers.some((id) => criteria.changed.includes(id) || criteria.removed.includes(id))) impact.reaffirm.push(key);
    else impact.unaffected.push(key);
  }
  const covering = (keys: string[], id: string) => keys.filter((key) => state.items[key]?.spec.covers.includes(id));
  // In the order of the new contract; what it no longer has comes last.
  const byCriterion = [...after.keys(), ...criteria.removed].map((id): CriterionImpact => {
    const change = criteria.added.includes(id) ? 'added' : criteria.changed.includes(id) ? 'changed' : criteria.removed.includes(id) ? 'removed' : 'same';
    return { criterion: id, change, unaffected: covering(impact.unaffected, id), reaffirm: covering(impact.reaffirm, id), superseded: covering(impact.superseded, id) };
  });
  return { impact, criteria, byCriterion };
}
