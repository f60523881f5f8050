/**
 * What forbids a call, and what a policy says of it. Rules look at resolved arguments: replace fact references first, or a rule about a value sees a reference.
 *
 * A pattern that is no regular expression cannot be judged, so it is taken against the call: a non-goal, a `deny` and an `ask` match, an `allow` does not.
 */

import type { NonGoal, PolicyRule } from '../contract/contract.ts';
import { canonical } from '../digest.ts';
import type { Json } from '../values.ts';

type ArgumentRule = PolicyRule['where'][number];

/** A place in a JSON value, with its exact pointer. */
export interface Place {
  pointer: string;
  value: Json;
}

/**
 * The places a JSON pointer (RFC 6901) means. `*` stands for every element of an array; elsewhere it is the key `*`. The empty pointer is the whole value.
 * Only own keys count. A pointer that does not begin with `/` means nothing.
 */
export function placesAt(value: Json, pointer: string): Place[] {
  if (pointer === '') return [{ pointer: '', value }];
  if (!pointer.startsWith('/')) return [];
  let places: Place[] = [{ pointer: '', value }];
  for (const token of pointer.slice(1).split('/')) places = places.flatMap((place) => childrenAt(place, token));
  return places;
}

function childrenAt({ pointer, value }: Place, token: string): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) {
    if (token === '*') return value.map((element, index) => ({ pointer: `${pointer}/${index}`, value: element }));
    const element = /^(0|[1-9]\d*)$/.test(token) ? value[Number(token)] : undefined;
    return element === undefined ? [] : [{ pointer: `${pointer}/${token}`, value: element }];
  }
  const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
  return Object.hasOwn(value, key) ? [{ pointer: `${pointer}/${token}`, value: value[key] as Json }] : [];
}

/** The one value at a pointer without `*`; undefined when there is none. */
export function valueAt(value: Json, pointer: string): Json | undefined {
  return placesAt(value, pointer)[0]?.value;
}

/** A name, or a prefix that ends in `*`. */
export function matchesTool(pattern: string, tool: string): boolean {
  return pattern.endsWith('*') ? tool.startsWith(pattern.slice(0, -1)) : pattern === tool;
}

/**
 * The tool matches and every condition holds for some place of its pointer. A condition with neither `equals` nor `matches` asks only that the place exists.
 * `matches` finds anywhere in a text, number or boolean. `broken`: what a pattern that cannot be compiled counts as.
 */
export function matchesRule(rule: { tool: string; where: readonly ArgumentRule[] }, tool: string, args: Json, broken: boolean): boolean {
  return matchesTool(rule.tool, tool) && rule.where.every((condition) => holds(condition, args, broken));
}

function holds(condition: ArgumentRule, args: Json, broken: boolean): boolean {
  const { equals, matches } = condition;
  let pattern: RegExp | undefined;
  if (matches !== undefined) {
    try {
      pattern = new RegExp(matches, 'u');
    } catch {
      return broken;
    }
  }
  return placesAt(args, condition.pointer).some(({ value }) => {
    if (equals !== undefined && canonical(equals) !== canonical(value)) return false;
    return pattern === undefined || (value !== null && typeof value !== 'object' && pattern.test(String(value)));
  });
}

/** The first non-goal of the contract that forbids this call. */
export function forbiddenBy(nonGoals: readonly NonGoal[], tool: string, args: Json): NonGoal | undefined {
  return nonGoals.find((nonGoal) => nonGoal.forbids.some((rule) => matchesRule(rule, tool, args, true)));
}

/**
 * What the rules say of a call: over all that match, `deny` beats `ask` beats `allow`, wherever they stand, so that a rule of the Goal can never
 * loosen one of the workspace. Without a match: `otherwise`. Give the rules of workspace and Goal in one list.
 */
export function policyFor(rules: readonly PolicyRule[], tool: string, args: Json, otherwise: PolicyRule['then'] = 'allow'): PolicyRule['then'] {
  return policyRuleFor(rules, tool, args)?.then ?? otherwise;
}

/** The rule that decides: the first of the strictest kind that matches. */
export function policyRuleFor(rules: readonly PolicyRule[], tool: string, args: Json): PolicyRule | undefined {
  const matching = rules.filter((rule) => matchesRule(rule, tool, args, rule.then !== 'allow'));
  return matching.find((rule) => rule.then === 'deny') ?? matching.find((rule) => rule.then === 'ask') ?? matching[0];
}
