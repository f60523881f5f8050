/** Files of a check job. A file that does not stand is the work's fault and fails the check; bytes that are not in the store are nobody's, and the check could not run. */

import type { ArtifactRef } from '../../domain/planes/check-spec.ts';
import { type Evaluation, fileName } from '../../domain/planes/checks.ts';
import type { Artifact } from '../../domain/values.ts';
import type { CheckJob } from '../../goal/rpc.ts';
import type { Files } from '../../tools/tool.ts';

/** Bytes of one file that a check reads. */
export const CHECK_FILE_LIMIT = 32 * 1024 * 1024;

export const pathOf = (ref: ArtifactRef): string => ('source' in ref ? ref.source : ref.path);

export function standing(job: CheckJob, ref: ArtifactRef): Artifact | null {
  const name = fileName(ref);
  return Object.hasOwn(job.files, name) ? (job.files[name] ?? null) : null;
}

export type Loaded = { artifact: Artifact; bytes: Uint8Array } | { verdict: Evaluation };

export async function load(job: CheckJob, ref: ArtifactRef, files: Files): Promise<Loaded> {
  const artifact = standing(job, ref);
  if (!artifact) return { verdict: { pass: false, scene: { summary: `There is no file ${pathOf(ref)}.`, missing: [pathOf(ref).slice(0, 200)] } } };
  if (artifact.size > CHECK_FILE_LIMIT)
    return { verdict: { pass: null, scene: { summary: `${artifact.path} has ${artifact.size} bytes; a check reads at most ${CHECK_FILE_LIMIT}.` } } };
  const bytes = await files.get(artifact.digest);
  if (!bytes) return { verdict: { pass: null, scene: { summary: `The bytes of ${artifact.path} are not in the store.` } } };
  return { artifact, bytes };
}
