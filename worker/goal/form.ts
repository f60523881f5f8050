/** Checks the answer of a form against its JSON Schema. */
import { z } from 'zod';
import type { Context } from '../domain/context.ts';
import type { Json } from '../domain/values.ts';

export const checkForm: Context['form'] = (schema: Json, value: Json) => {
  let parser: z.ZodType;
  try {
    parser = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
  } catch (error) {
    return [{ pointer: '', code: 'form_unreadable', detail: error instanceof Error ? error.message : String(error) }];
  }
  const result = parser.safeParse(value);
  if (result.success) return [];
  return result.error.issues.map((issue) => ({
    pointer: issue.path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''),
    code: issue.code ?? 'invalid',
    detail: issue.message,
  }));
};
