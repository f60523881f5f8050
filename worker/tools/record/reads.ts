/** Reading the record: rows hold digests of bodies, which are fetched beside them. */
import type { Json } from '../../domain/values.ts';
import type { ToolEnv } from '../tool.ts';

export interface RecordRow {
  id: string;
  seq: number;
  data: { [key: string]: Json };
}

export async function readRows(
  env: ToolEnv,
  query: { kind: string; prefix?: string | undefined; after?: string | undefined; limit: number; item?: string | undefined; newestFirst?: boolean },
): Promise<{ rows: RecordRow[]; next: string | null }> {
  const { prefix, after, item, ...rest } = query;
  const answer = (await env.read({
    what: 'rows',
    ...rest,
    ...(prefix === undefined ? {} : { prefix }),
    ...(after === undefined ? {} : { after }),
    ...(item === undefined ? {} : { item }),
  })) as { data?: RecordRow[]; next?: string | null } | undefined;
  return { rows: answer?.data ?? [], next: answer?.next ?? null };
}

/** Bodies read at once; the object answers one after another anyway. */
const TOGETHER = 16;

export async function readBodies(env: ToolEnv, digests: readonly string[]): Promise<Map<string, Json>> {
  const wanted = [...new Set(digests)];
  const bodies = new Map<string, Json>();
  for (let at = 0; at < wanted.length; at += TOGETHER) {
    await Promise.all(
      wanted.slice(at, at + TOGETHER).map(async (digest) => {
        const body = await env.read({ what: 'body', digest });
        if (body !== undefined) bodies.set(digest, body);
      }),
    );
  }
  return bodies;
}

export interface Fact {
  key: string;
  version: number;
  value: Json;
  provenance: Json;
}

/** The current version of a fact; undefined when there is none or its value was erased. */
export async function readFact(env: ToolEnv, key: string): Promise<Fact | undefined> {
  const found = (await env.read({ what: 'fact', key })) as { [name: string]: Json } | null | undefined;
  if (found === undefined || found === null) return undefined;
  const value = Object.hasOwn(found, 'value') ? found.value : typeof found.valueBody === 'string' ? await env.read({ what: 'body', digest: found.valueBody }) : undefined;
  return value === undefined ? undefined : { key, version: Number(found.version ?? 0), value, provenance: found.provenance ?? null };
}

/** The id within a fact key such as `invoice/INV-1/amount`: what a call about it is about. */
export function subjectOfKey(key: string): string {
  const parts = key.split('/').filter((part) => part !== '');
  return parts[1] ?? parts[0] ?? key;
}
