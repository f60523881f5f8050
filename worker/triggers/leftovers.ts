/**
 * Bytes that no record refers to: an upload whose command never came, an import that failed, a file that a round put after its Goal was erased. The stored object
 * is its own note of intent; 48 hours later, when still nothing refers to it, it is deleted.
 *
 * One page of the bucket a call; where the last one ended is kept in the bucket. A round over all of it begins at most once a day, so that sleeping Goals are asked rarely.
 * Putting the same bytes again renews what is older than a day (`r2-files.ts`, `http/files.ts`), so a file that is about to be named is never 48 hours old; Goals with rounds
 * out are left for the next time all the same.
 */
import type { Env } from '../env.ts';
import { filesRoot, partsOfFileKey } from '../goal/file-key.ts';
import { goalStub } from '../goal/goal-stub.ts';
import type { ReadValues } from '../goal/rpc.ts';
import { errorOf, log } from '../observe/log.ts';
import { filesGone } from '../workspace/client.ts';

/** Milliseconds. */
export const leftoverAfterMs = 48 * 3_600_000;
const roundEveryMs = 24 * 3_600_000;
const pageKeys = 500;
/** Digests in one question to a Goal. */
const digestsAtOnce = 100;
const placeKey = 'sweeps/leftovers';

interface Place {
  /** Where the bucket's listing goes on; null: the round is over. */
  cursor: string | null;
  /** When this round began, milliseconds. */
  began: number;
}

export interface Swept {
  looked: number;
  deleted: number;
}

export async function sweepLeftovers(env: Pick<Env, 'FILES' | 'GOALS' | 'WORKSPACES'>, now: number): Promise<Swept> {
  const place = await readPlace(env.FILES);
  if (place.cursor === null && now - place.began < roundEveryMs) return { looked: 0, deleted: 0 };
  const began = place.cursor === null ? now : place.began;
  const page = await env.FILES.list({ prefix: filesRoot, limit: pageKeys, ...(place.cursor === null ? {} : { cursor: place.cursor }) });
  const old = new Map<string, { workspace: string; goal: string; digests: string[] }>();
  for (const object of page.objects) {
    const parts = partsOfFileKey(object.key);
    if (!parts || object.uploaded.getTime() > now - leftoverAfterMs) continue;
    const name = `${parts.workspace}/${parts.goal}`;
    const entry = old.get(name) ?? { workspace: parts.workspace, goal: parts.goal, digests: [] };
    entry.digests.push(parts.digest);
    old.set(name, entry);
  }
  let deleted = 0;
  for (const { workspace, goal, digests } of old.values()) {
    for (let at = 0; at < digests.length; at += digestsAtOnce) {
      try {
        for (const digest of await unreferenced(env, workspace, goal, digests.slice(at, at + digestsAtOnce))) {
          const key = `${filesRoot}${workspace}/${goal}/${digest}`;
          // It may have been put again while the Goal was asked.
          const object = await env.FILES.head(key);
          if (!object || object.uploaded.getTime() > now - leftoverAfterMs) continue;
          await env.FILES.delete(key);
          await filesGone(env, workspace, goal, [digest]);
          deleted++;
        }
      } catch (error) {
        // A Goal that does not answer keeps its files until the next round.
        log('warn', 'leftovers', 'goal.silent', { workspace, goal, error: errorOf(error) });
      }
    }
  }
  if (deleted > 0) log('info', 'leftovers', 'deleted', { deleted });
  await writePlace(env.FILES, { cursor: page.truncated ? page.cursor : null, began });
  return { looked: page.objects.length, deleted };
}

async function unreferenced(env: Pick<Env, 'GOALS'>, workspace: string, goal: string, digests: string[]): Promise<string[]> {
  const found = await goalStub(env, workspace, goal).read({ v: 1, workspace, goal, query: { what: 'unreferenced', digests } });
  // Never created, or erased: nothing of it is wanted. Any other refusal says nothing about the files.
  if (found.outcome === 'refused') return found.refusal.code === 'not_found' ? digests : [];
  const value = found.value as unknown as ReadValues['unreferenced'];
  return value.busy ? [] : value.digests;
}

async function readPlace(files: R2Bucket): Promise<Place> {
  const object = await files.get(placeKey);
  if (!object) return { cursor: null, began: 0 };
  try {
    const place = (await object.json()) as Place;
    return typeof place.began === 'number' ? place : { cursor: null, began: 0 };
  } catch {
    return { cursor: null, began: 0 };
  }
}

async function writePlace(files: R2Bucket, place: Place): Promise<void> {
  await files.put(placeKey, JSON.stringify(place));
}
