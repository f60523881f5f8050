/** A round's files, each asked of the workspace's quota before its bytes are stored. Parts in the making do not count; what they become does. */
import { createHash } from 'node:crypto';
import type { Env } from '../env.ts';
import { RefusedByHost } from '../tools/answers.ts';
import type { Files } from '../tools/tool.ts';
import { admitFile } from '../workspace/client.ts';

/** Throws `RefusedByHost` where there is no room, or where the workspace does not say. */
export function countedFiles(env: Pick<Env, 'WORKSPACES'>, workspace: string, goal: string, files: Files): Files {
  const admit = async (digest: string, size: number): Promise<void> => {
    const admitted = await admitFile(env, { workspace, goal, digest, size });
    if (admitted.outcome === 'refused') throw new RefusedByHost(admitted.refusal);
  };
  return {
    ...files,
    async put(bytes, type) {
      await admit(createHash('sha256').update(bytes).digest('hex'), bytes.length);
      return files.put(bytes, type);
    },
    async assemble(upload, parts, whole) {
      await admit(whole.digest, whole.size);
      return files.assemble(upload, parts, whole);
    },
  };
}
