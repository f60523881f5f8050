/** Why an MCP server cannot be used, as far as it can be told from how it answers. */
import type { Refusal } from '../../domain/refusals.ts';
import { OutgoingRefused } from '../../outgoing/guard.ts';
import { messageOf } from '../outside.ts';

/**
 * `key`, `permission`: it wants another key, or gives this one no right. `request`: what answers is no such server. `address`: the outgoing guard forbids the address. `limited`, `overloaded`, `network`,
 * `timeout`: as of a model's provider. Else the code of the refusal: its secret is not there, or cannot be opened.
 */
export interface ServerProblem {
  code: string;
  detail: string;
  /** It may pass without anybody's doing. */
  passes: boolean;
}

export const saidBy = (refusal: Refusal): string => `${refusal.code}: ${refusal.detail ?? ''}`;

export const ofRefusal = (refusal: Refusal): ServerProblem => ({ code: refusal.code, detail: saidBy(refusal), passes: refusal.code === 'unavailable' });

/** Of what connecting threw: by the status where there was an answer. */
export function problemOf(error: unknown): ServerProblem {
  const guard = guardOf(error);
  if (guard)
    return guard.fault === 'too_slow' ? { code: 'timeout', detail: saidBy(guard.refusal), passes: true } : { code: 'address', detail: saidBy(guard.refusal), passes: false };
  const status = error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : undefined;
  const detail = `it does not answer: ${messageOf(error)}`;
  if (status === undefined) return { code: 'network', detail, passes: true };
  if (status === 401) return { code: 'key', detail, passes: false };
  if (status === 403) return { code: 'permission', detail, passes: false };
  if (status === 429) return { code: 'limited', detail, passes: true };
  if (status === 408 || status === 425 || status >= 500) return { code: 'overloaded', detail, passes: true };
  return { code: 'request', detail, passes: false };
}

/** What the guard threw may be wrapped by the client. */
export function guardOf(error: unknown): OutgoingRefused | undefined {
  for (let each: unknown = error, n = 0; each instanceof Error && n < 5; each = each.cause, n++) if (each instanceof OutgoingRefused) return each;
  return undefined;
}
