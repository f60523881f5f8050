/**
 * Built-in skills as modules of this Worker, where an installation has no Dynamic Workers. There is no wall around them: they are part of the
 * source that was deployed, and any other skill is refused.
 */
import type { Json } from '../../domain/values.ts';
import { builtIn } from '../skills/registry.ts';
import { messageOf, type Sandbox, type ScriptJob, type ScriptResult, untilStopped } from './sandbox.ts';

export class BundledSandbox implements Sandbox {
  async run(job: ScriptJob): Promise<ScriptResult> {
    if (job.code !== undefined) return { kind: 'refused', reason: 'this installation has no worker loader, so code of an agent cannot be walled in and does not run' };
    const run = builtIn(job.skill, job.script);
    if (!run) return { kind: 'refused', reason: `this installation has no worker loader, so only built-in skills run; ${job.skill}/${job.script} is not one` };
    const face = Object.freeze({
      call: async (tool: string, args?: Json): Promise<Json> => {
        if (job.signal.aborted) return new Promise<Json>(() => {});
        return copy(await job.call(String(tool), copy(args ?? {})));
      },
    });
    const result = async (): Promise<ScriptResult> => {
      try {
        return { kind: 'returned', value: copy(((await run(face, copy(job.input))) ?? null) as Json) };
      } catch (error) {
        return { kind: 'threw', message: messageOf(error) };
      }
    };
    return untilStopped(job.signal, result());
  }
}

/** As data crosses the wall of an isolate: a copy, JSON only. */
function copy(value: Json): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}
