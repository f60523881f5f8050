/** A check by a script of a Skill, in the sandbox. It is given bytes and facts and has no tool. */
import { z } from 'zod';
import { CHECK_SCRIPT_MS } from '../../domain/limits.ts';
import { type CheckSpec, scene } from '../../domain/planes/check-spec.ts';
import { type Evaluation, factName } from '../../domain/planes/checks.ts';
import { refuse } from '../../domain/refusals.ts';
import type { Json } from '../../domain/values.ts';
import type { CheckJob } from '../../goal/rpc.ts';
import { toBase64 } from '../../tools/bytes.ts';
import { cleanJson } from '../../tools/clean.ts';
import type { CheckScriptInput } from '../skill-api.ts';
import { load, pathOf, standing } from './files.ts';
import type { CheckPorts } from './run-check.ts';

/** CPU time of one check, milliseconds. */
const CPU_MS = 60_000;

const answer = z.object({
  pass: z.boolean(),
  scene: scene.optional(),
  missing: z.array(z.string().max(200)).max(2000).optional(),
  extra: z.array(z.string().max(200)).max(2000).optional(),
});

export async function checkByScript(spec: Extract<CheckSpec, { kind: 'script' }>, job: CheckJob, ports: Pick<CheckPorts, 'files' | 'sandbox'>): Promise<Evaluation> {
  const files: CheckScriptInput['files'] = {};
  for (const ref of spec.files) {
    if (!standing(job, ref)) {
      // The script says what it means that a file is not there.
      files[pathOf(ref)] = null;
      continue;
    }
    const loaded = await load(job, ref, ports.files);
    if ('verdict' in loaded) return loaded.verdict;
    files[pathOf(ref)] = { base64: toBase64(loaded.bytes), size: loaded.bytes.length };
  }
  const facts: CheckScriptInput['facts'] = {};
  for (const key of spec.facts) {
    const value = job.facts[factName(key)];
    if (value !== undefined) facts[key] = value;
  }
  const input: CheckScriptInput = { files, facts, input: spec.input ?? null };
  const refusal = { refusal: refuse('forbidden', { detail: 'a check has no tools' }), notices: [], call: '' } as unknown as Json;
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), CHECK_SCRIPT_MS);
  try {
    const result = await ports.sandbox.run({
      skill: spec.skill,
      script: spec.script,
      input: input as unknown as Json,
      call: async () => refusal,
      signal: stop.signal,
      cpuMs: CPU_MS,
      calls: 10,
    });
    if (result.kind === 'stopped') return could(`it took longer than ${CHECK_SCRIPT_MS / 1000} s`);
    if (result.kind === 'threw') return could(result.message);
    if (result.kind === 'refused') return could(result.reason);
    const parsed = answer.safeParse(cleanJson(result.value).value);
    if (!parsed.success) return could(`its answer is not {pass, scene?}: ${parsed.error.issues[0]?.message ?? ''}`);
    const { pass, scene: said, missing, extra } = parsed.data;
    if (pass) return { pass };
    return { pass, scene: { summary: `The check ${spec.key} failed.`, ...said, ...(missing ? { missing } : {}), ...(extra ? { extra } : {}) } };
  } finally {
    clearTimeout(timer);
    stop.abort();
  }

  function could(why: string): Evaluation {
    return { pass: null, scene: { summary: `The script ${spec.skill}/${spec.script} could not judge: ${why}`.slice(0, 2000) } };
  }
}
