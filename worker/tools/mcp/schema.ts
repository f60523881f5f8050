/** The JSON Schema of a remote tool as a check of its arguments. The schema goes to the model as the server gave it, `$ref` and `$defs` included. */
import { z } from 'zod';
import { type Json, json } from '../../domain/values.ts';
import { atPointer } from '../json/parse.ts';

/** Characters of one tool's schema. */
const SCHEMA_LIMIT = 64 * 1024;

export type RemoteSchema = { schema: { [key: string]: Json }; input: z.ZodType } | { wrong: string };

/** `wrong`: the tool cannot be called, and why. What only cannot be checked here is left to the server. */
export function remoteSchema(given: unknown): RemoteSchema {
  const read = z.record(z.string(), json).safeParse(given ?? { type: 'object' });
  if (!read.success) return { wrong: 'its schema is no JSON object' };
  const schema = read.data as { [key: string]: Json };
  const size = JSON.stringify(schema).length;
  if (size > SCHEMA_LIMIT) return { wrong: `its schema has ${size} characters, the limit is ${SCHEMA_LIMIT}` };
  const dangling = danglingRef(schema, schema);
  if (dangling !== undefined) return { wrong: `its schema refers to ${dangling.slice(0, 200)}, which is not there` };
  let parser: z.ZodType | undefined;
  try {
    parser = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
  } catch {
    // A keyword that is not known here; the server checks its arguments itself.
    parser = undefined;
  }
  return { schema, input: checkedBy(parser) };
}

/** The arguments go to the server exactly as they were given: checked, not converted. */
function checkedBy(parser: z.ZodType | undefined): z.ZodType {
  return z.record(z.string(), json).superRefine((args, check) => {
    if (!parser) return;
    let result: z.ZodSafeParseResult<unknown>;
    try {
      result = parser.safeParse(args);
    } catch (error) {
      check.addIssue({ code: 'custom', message: `the schema cannot be judged: ${error instanceof Error ? error.message : String(error)}`.slice(0, 200) });
      return;
    }
    for (const issue of result.success ? [] : result.error.issues.slice(0, 50)) check.addIssue({ code: 'custom', path: issue.path, message: issue.message });
  });
}

/** A `$ref` within the document that leads nowhere, leads out of it, or leads around in a circle without ever saying anything. */
function danglingRef(value: Json, root: Json): string | undefined {
  if (value === null || typeof value !== 'object') return undefined;
  if (!Array.isArray(value) && typeof value.$ref === 'string') {
    const seen = new Set<string>();
    for (let ref: Json | undefined = value.$ref; typeof ref === 'string'; ) {
      if (seen.has(ref)) return ref;
      seen.add(ref);
      const target: Json | undefined = ref === '#' ? root : ref.startsWith('#/') ? atPointer(root, decodeURIComponent(ref.slice(1))) : undefined;
      if (target === undefined) return ref;
      ref =
        target !== null && typeof target === 'object' && !Array.isArray(target) && Object.keys(target).every((key) => key === '$ref' || key === 'description')
          ? target.$ref
          : undefined;
    }
  }
  for (const each of Object.values(value)) {
    const found = danglingRef(each, root);
    if (found !== undefined) return found;
  }
  return undefined;
}
