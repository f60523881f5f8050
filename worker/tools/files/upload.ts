/** Writing a file in parts: a bounded number on their way at once, nothing visible before the commit. */
import { createHash } from 'node:crypto';
import type { Files, Upload } from '../tool.ts';

/** Parts on their way to the store at once. More than the platform's six connections would queue there, out of our sight. */
export const PARTS_IN_FLIGHT = 4;
/** A part is sent when it reaches this many bytes. */
export const PART_BYTES = 1024 * 1024;
/** Bytes of one file written in parts. */
export const UPLOAD_LIMIT = 1024 * 1024 * 1024;

export function openUpload(files: Files, id: string, path: string, type?: string): Upload {
  const hash = createHash('sha256');
  const flying = new Set<Promise<void>>();
  let buffer: Uint8Array[] = [];
  let buffered = 0;
  let size = 0;
  let parts = 0;
  let peak = 0;
  let failure: unknown;

  async function flush(): Promise<void> {
    if (buffered === 0) return;
    const bytes = new Uint8Array(buffered);
    let at = 0;
    for (const piece of buffer) {
      bytes.set(piece, at);
      at += piece.length;
    }
    buffer = [];
    buffered = 0;
    while (flying.size >= PARTS_IN_FLIGHT) await Promise.race(flying);
    if (failure !== undefined) throw failure;
    const sending: Promise<void> = files
      .stage(id, parts++, bytes)
      .catch((error: unknown) => {
        failure ??= error;
      })
      .finally(() => flying.delete(sending));
    flying.add(sending);
    peak = Math.max(peak, flying.size);
  }

  return {
    path,
    ...(type === undefined ? {} : { type }),
    async append(bytes) {
      if (failure !== undefined) throw failure;
      hash.update(bytes);
      size += bytes.length;
      buffer.push(bytes);
      buffered += bytes.length;
      if (buffered >= PART_BYTES) await flush();
    },
    async commit() {
      await flush();
      await Promise.all(flying);
      if (failure !== undefined) throw failure;
      const digest = hash.digest('hex');
      await files.assemble(id, parts, { digest, size, ...(type === undefined ? {} : { type }) });
      return { digest, size, parts, peak };
    },
    async abort() {
      await Promise.all(flying);
      await files.discard(id, parts);
    },
  };
}
