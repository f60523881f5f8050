/** The one mapper from a refusal to problem+json (RFC 9457). Codes and parameters are the contract; `title` and `detail` are for developers. */

import type { z } from 'zod';
import { type Problem, type Refusal, type RefusalCode, refusalTable, refuse } from '../domain/refusals.ts';
import type { Json } from '../domain/values.ts';
import { jsonWithoutKeys } from '../observe/redactor.ts';
import { withEverywhere } from './headers.ts';

export interface ProblemBody {
  type: string;
  title: string;
  status: number;
  code: RefusalCode;
  detail: string;
  /** What to do, whatever `detail` says. */
  todo: string;
  requestId: string;
  retryable: boolean;
  /** Whether the record changed. A refusal changes nothing; `unknown` where the answer was lost. */
  effect: 'none' | 'applied' | 'unknown';
  errors: Problem[];
  current: Json;
  allowedNext: string[];
}

export interface ProblemOptions {
  requestId: string;
  effect?: ProblemBody['effect'];
  headers?: Record<string, string>;
}

export function problemOf(refusal: Refusal, options: ProblemOptions): ProblemBody {
  const row = refusalTable[refusal.code];
  return {
    type: `urn:longhaul:refusal:${refusal.code}`,
    title: row.means,
    status: row.status,
    code: refusal.code,
    detail: refusal.detail ?? row.todo,
    todo: row.todo,
    requestId: options.requestId,
    retryable: row.retryable,
    effect: options.effect ?? 'none',
    errors: refusal.errors ?? [],
    current: refusal.current ?? null,
    allowedNext: refusal.allowedNext ?? [],
  };
}

export function problemResponse(refusal: Refusal, options: ProblemOptions): Response {
  const body = problemOf(refusal, options);
  const retry: Record<string, string> = body.status === 503 ? { 'retry-after': '1' } : {};
  return withEverywhere(JSON.stringify(jsonWithoutKeys(body as unknown as Json)), body.status, {
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    'x-request-id': options.requestId,
    ...retry,
    ...options.headers,
  });
}

/** A JSON pointer (RFC 6901) from the path of a zod issue. */
export function pointerOf(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Every place that does not fit, not only the first. Unknown keys are named one by one. */
export function schemaRefusal(error: z.ZodError, under = ''): Refusal {
  const errors = error.issues.flatMap((issue): Problem[] =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({ pointer: under + pointerOf([...issue.path, key]), code: 'unrecognized_key' }))
      : [
          {
            pointer: under + pointerOf(issue.path),
            code: issue.code === 'custom' && typeof issue.params?.code === 'string' ? issue.params.code : issue.code,
            detail: issue.message,
          },
        ],
  );
  return refuse('schema_invalid', { errors });
}
