/** From what zod says to the problems of a refusal: a JSON pointer and a code each. */
import type { z } from 'zod';
import type { Problem } from './refusals.ts';

/** One reference token of a JSON pointer (RFC 6901). */
export function pointerToken(part: PropertyKey): string {
  return String(part).replaceAll('~', '~0').replaceAll('/', '~1');
}

export function pointerOf(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${pointerToken(part)}`).join('');
}

/**
 * Codes: `unknown_field`, `missing_field`, `wrong_type`, `too_large`, `too_small`, `unsafe_integer`, `invalid_value`.
 * Of a union without a discriminator the branch that came closest is reported, as it names a place.
 */
export function schemaProblems(error: z.ZodError, at: readonly PropertyKey[] = []): Problem[] {
  return error.issues.flatMap((issue) => problemsOf(issue, at));
}

function problemsOf(issue: z.core.$ZodIssue, at: readonly PropertyKey[]): Problem[] {
  const path = [...at, ...issue.path];
  const problem = (code: string, detail?: string): Problem[] => [{ pointer: pointerOf(path), code, ...(detail === undefined ? {} : { detail }) }];
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => ({ pointer: pointerOf([...path, key]), code: 'unknown_field' }));
    case 'invalid_type':
      return issue.message.endsWith('received undefined') ? problem('missing_field', `expected ${issue.expected}`) : problem('wrong_type', `expected ${issue.expected}`);
    case 'too_big':
      return problem('too_large', `at most ${issue.maximum}`);
    case 'too_small':
      return problem('too_small', `at least ${issue.minimum}`);
    case 'custom':
      return problem(typeof issue.params?.code === 'string' ? issue.params.code : 'invalid_value', issue.message);
    case 'invalid_union': {
      const branches = issue.errors.filter((branch) => branch.length > 0);
      const nearest = branches.reduce<z.core.$ZodIssue[] | undefined>((best, branch) => (best === undefined || branch.length < best.length ? branch : best), undefined);
      return nearest ? nearest.flatMap((inner) => problemsOf(inner, path)) : problem('invalid_value', issue.message);
    }
    default:
      return problem('invalid_value', issue.message);
  }
}
