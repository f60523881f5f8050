/** Storing a file: the bytes first, then the command that names them, so that the record never names bytes that are not there. */
import type { Json } from '../../domain/values.ts';
import { done } from '../answers.ts';
import type { ToolAnswer, ToolEnv } from '../tool.ts';

export async function putFile(env: ToolEnv, path: string, bytes: Uint8Array, type: string | undefined, more: { [key: string]: Json } = {}): Promise<ToolAnswer> {
  const stored = await env.files.put(bytes, type);
  return nameFile(env, { path, ...stored, ...(type === undefined ? {} : { type }) }, more);
}

/** Names bytes that are stored already. Goal-only coordinators store deliverables, workers working files: what they submit is decided later. */
export async function nameFile(env: ToolEnv, artifact: { path: string; digest: string; size: number; type?: string }, more: { [key: string]: Json } = {}): Promise<ToolAnswer> {
  const role = env.context.lane === 'coordinator' ? 'deliverable' : 'working';
  const answer = await env.command('artifact.put', { artifact, role });
  if (!answer.ok) return answer;
  env.paths.set(artifact.path, artifact);
  return done({ ...artifact, ...more }, `${artifact.path}: ${artifact.size} bytes, ${artifact.digest.slice(0, 12)}`);
}
