/**
 * Secrets in arguments: `{"$secret": name}` stays as it is on record, in an approval and in the agent's context, and becomes the value when the call is sent.
 * Only where the agent wrote it, and only in places that the tool names: a reference that a fact or a file smuggles in stays a reference.
 */
import { z } from 'zod';
import { type Problem, type Refusal, refuse } from '../domain/refusals.ts';
import { type Json, slug } from '../domain/values.ts';

/** `prefix` stands before the value, e.g. `Bearer `. */
export const secretRef = z.strictObject({ $secret: slug, prefix: z.string().max(40).optional() });

export interface SecretPlace {
  pointer: string;
  name: string;
  prefix: string;
}

/** Every reference in the arguments, or what is wrong with them: a place that takes none, a reference that is not one. */
export function secretPlaces(args: Json, takes: readonly string[]): SecretPlace[] | { errors: Problem[] } {
  const places: SecretPlace[] = [];
  const errors: Problem[] = [];
  walk(args, '', (pointer, value) => {
    const read = secretRef.safeParse(value);
    if (!read.success) errors.push({ pointer, code: 'secret_reference', detail: 'a reference is {"$secret": name}, with an optional prefix' });
    else if (!takes.some((under) => pointer === under || pointer.startsWith(`${under}/`))) {
      errors.push({ pointer, code: 'secret_place', detail: takes.length === 0 ? 'this tool takes no secrets' : `secrets go into ${takes.join(', ')} only` });
    } else places.push({ pointer, name: read.data.$secret, prefix: read.data.prefix ?? '' });
  });
  return errors.length > 0 ? { errors } : places;
}

/** The arguments with the values in place; the given ones are not touched. The refusal of the first that cannot be opened names its place. */
export async function withSecrets(
  args: Json,
  takes: readonly string[],
  places: readonly SecretPlace[],
  open: (name: string) => Promise<{ value: string } | Refusal>,
): Promise<{ args: Json } | Refusal> {
  let out = args;
  for (const { pointer, name, prefix } of places) {
    const opened = await open(name);
    if ('refused' in opened) return refuse(opened.code, { ...opened, errors: [{ pointer, code: opened.code, detail: name }] });
    out = replaced(out, pointer.split('/').slice(1), prefix + opened.value);
  }
  // What came in through a fact is no reference of the agent's, and no value either.
  const left = smuggled(out, takes);
  if (left) return refuse('schema_invalid', { detail: 'a resolved argument holds a secret reference', errors: [{ pointer: left, code: 'secret_reference' }] });
  return { args: out };
}

function smuggled(args: Json, takes: readonly string[]): string | undefined {
  const places: string[] = [];
  walk(args, '', (pointer) => places.push(pointer));
  return places.find((pointer) => takes.some((under) => pointer.startsWith(`${under}/`)));
}

function walk(value: Json, at: string, found: (pointer: string, value: Json) => void): void {
  if (value === null || typeof value !== 'object') return;
  if (!Array.isArray(value) && Object.hasOwn(value, '$secret')) return found(at, value);
  for (const [key, each] of Object.entries(value)) walk(each, `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, found);
}

function replaced(value: Json, path: readonly string[], by: Json): Json {
  const [head, ...rest] = path;
  if (head === undefined) return by;
  const key = head.replaceAll('~1', '/').replaceAll('~0', '~');
  if (Array.isArray(value)) return value.map((each, at) => (String(at) === key ? replaced(each, rest, by) : each));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, name === key ? replaced(each, rest, by) : each]));
}
