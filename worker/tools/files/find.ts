/** Which stored file an argument means. */
import { type Refusal, refuse } from '../../domain/refusals.ts';
import type { Artifact } from '../../domain/values.ts';
import type { RoundContext } from '../../goal/rpc.ts';
import type { ToolEnv } from '../tool.ts';

/** Files a round starts with, by path. The nearest wins: its own earlier ones, the judged submission, accepted inputs, sources. */
export function startingPaths(context: RoundContext): Map<string, Artifact> {
  const paths = new Map<string, Artifact>();
  for (const group of [context.sources, ...context.upstream.map((up) => up.artifacts), context.submission?.artifacts ?? [], context.working])
    for (const each of group) paths.set(each.path, each);
  return paths;
}

export type Found = { artifact: Artifact } | { refusal: Refusal };

/** Looks only among the files of this round: a digest that it was never given is `not_found`. */
export function findFile(env: Pick<ToolEnv, 'context' | 'paths'>, wanted: { path?: string | undefined; from?: string | undefined; digest?: string | undefined }): Found {
  const { context } = env;
  const all = (): Artifact[] => [
    ...env.paths.values(),
    ...context.working,
    ...(context.submission?.artifacts ?? []),
    ...context.upstream.flatMap((up) => up.artifacts),
    ...context.sources,
  ];
  let artifact: Artifact | undefined;
  if (wanted.digest !== undefined) artifact = all().find((each) => each.digest === wanted.digest);
  else if (wanted.path === undefined) return { refusal: refuse('schema_invalid', { errors: [{ pointer: '/path', code: 'required', detail: 'a path or a digest' }] }) };
  else if (wanted.from === 'source') artifact = context.sources.find((each) => each.path === wanted.path);
  else if (wanted.from !== undefined) artifact = context.upstream.find((up) => up.item === wanted.from)?.artifacts.find((each) => each.path === wanted.path);
  else artifact = env.paths.get(wanted.path);
  if (artifact) return { artifact };
  return {
    refusal: refuse('not_found', {
      detail: `no file ${wanted.path ?? wanted.digest}${wanted.from ? ` from ${wanted.from}` : ''}`,
      current: { paths: [...env.paths.keys()].sort().slice(0, 200) },
    }),
  };
}

/** The whole file. `limit` in bytes: what a tool can hold in memory beside the script. */
export async function readWhole(env: ToolEnv, artifact: Artifact, limit: number): Promise<{ bytes: Uint8Array } | { refusal: Refusal }> {
  if (artifact.size > limit)
    return { refusal: refuse('limit_exceeded', { detail: `${artifact.path} has ${artifact.size} bytes, the limit here is ${limit}`, current: { size: artifact.size, limit } }) };
  const bytes = await env.files.get(artifact.digest);
  if (!bytes) return { refusal: refuse('unavailable', { detail: `the bytes of ${artifact.path} are not in the store` }) };
  return { bytes };
}

/** 32 MiB: a Worker has 128 MB, and parsed rows take about three times their bytes. */
export const WHOLE_FILE_LIMIT = 32 * 1024 * 1024;
