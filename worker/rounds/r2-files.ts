/** Bytes in R2 under `ws/<workspace>/<goal>/<sha256>`, put with the digest checked. Parts in the making lie apart, under `staging/`, and are swept. */
import { createHash } from 'node:crypto';
import { fileKey } from '../goal/file-key.ts';
import type { Files } from '../tools/tool.ts';

/** Apart from stored files, so that one listing finds what crashes left behind, whoever's it is. */
const stagingRoot = 'staging/';
export const stagingPrefix = (workspace: string, goal: string): string => `${stagingRoot}${workspace}/${goal}/`;

/** Milliseconds. Half of what the sweep of leftovers waits: what is put again after that is written anew. */
const RENEWED_AFTER = 24 * 3_600_000;

export function r2Files(bucket: R2Bucket, workspace: string, goal: string): Files {
  const key = (digest: string): string => fileKey(workspace, goal, digest);
  const part = (upload: string, n: number): string => `${stagingPrefix(workspace, goal)}${upload}/${String(n).padStart(6, '0')}`;
  const parts = (upload: string, count: number): string[] => Array.from({ length: count }, (_, n) => part(upload, n));
  const meta = (type?: string): R2PutOptions => (type === undefined ? {} : { httpMetadata: { contentType: type } });
  /** There, and young enough that no sweep of leftovers can take it before a record names it. */
  async function isFresh(digest: string): Promise<boolean> {
    const object = await bucket.head(key(digest));
    return object !== null && Date.now() - object.uploaded.getTime() < RENEWED_AFTER;
  }
  async function drop(upload: string, count: number): Promise<void> {
    const keys = parts(upload, count);
    // R2 deletes at most 1000 keys a call.
    for (let at = 0; at < keys.length; at += 1000) await bucket.delete(keys.slice(at, at + 1000));
  }
  return {
    async put(bytes, type) {
      const digest = createHash('sha256').update(bytes).digest('hex');
      // The same content is the same object: writing it again would only cost.
      if (!(await isFresh(digest))) await bucket.put(key(digest), bytes, { sha256: digest, ...meta(type) });
      return { digest, size: bytes.length };
    },
    async get(digest) {
      const object = await bucket.get(key(digest));
      return object ? new Uint8Array(await object.arrayBuffer()) : undefined;
    },
    async range(digest, offset, length) {
      const head = await bucket.head(key(digest));
      if (!head) return undefined;
      if (offset >= head.size || length === 0) return new Uint8Array();
      const object = await bucket.get(key(digest), { range: { offset, length: Math.min(length, head.size - offset) } });
      return object ? new Uint8Array(await object.arrayBuffer()) : undefined;
    },
    async stage(upload, n, bytes) {
      await bucket.put(part(upload, n), bytes);
    },
    async assemble(upload, count, whole) {
      if (!(await isFresh(whole.digest))) {
        const { readable, writable } = new FixedLengthStream(whole.size);
        const writing = (async () => {
          for (const name of parts(upload, count)) {
            const object = await bucket.get(name);
            if (!object) throw new Error(`part ${name} is missing`);
            await object.body.pipeTo(writable, { preventClose: true });
          }
          await writable.close();
        })();
        const [wrote, put] = await Promise.allSettled([
          writing.catch(async (error: unknown) => {
            await writable.abort(error).catch(() => {});
            throw error;
          }),
          bucket.put(key(whole.digest), readable, { sha256: whole.digest, ...meta(whole.type) }),
        ]);
        if (wrote.status === 'rejected') throw wrote.reason;
        if (put.status === 'rejected') throw put.reason;
      }
      await drop(upload, count);
    },
    discard: drop,
  };
}

/** Milliseconds after which a part belongs to no round any more: far above a round's fifteen minutes. */
const STAGED_FOR = 48 * 3_600_000;

/** Deletes parts that a crash left behind; at most 1000 a call. Returns how many. */
export async function sweepStaging(bucket: R2Bucket, now: number): Promise<number> {
  const { objects } = await bucket.list({ prefix: stagingRoot, limit: 1000 });
  const old = objects.filter((each) => each.uploaded.getTime() < now - STAGED_FOR).map((each) => each.key);
  if (old.length > 0) await bucket.delete(old);
  return old.length;
}
