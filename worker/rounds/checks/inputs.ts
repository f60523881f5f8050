/** What a check read, by digest: a receipt holds while these are unchanged. */
import { createHash } from 'node:crypto';
import { digestOf } from '../../domain/digest.ts';
import type { CheckJob } from '../../goal/rpc.ts';

export function inputsOf(job: CheckJob): Record<string, string> {
  const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
  const inputs: Record<string, string> = {};
  for (const [name, file] of Object.entries(job.files)) if (file) inputs[name] = file.digest;
  for (const [name, value] of Object.entries(job.facts)) inputs[name] = digestOf(sha256, value);
  for (const [name, ids] of Object.entries(job.sets)) inputs[name] = digestOf(sha256, [...ids].sort());
  return inputs;
}
