/** Scripts in Dynamic Workers: a fresh isolate a run, no network, one capability. */
import { RpcTarget } from 'cloudflare:workers';
import type { Json } from '../../domain/values.ts';
import { skillSource } from '../skills/registry.ts';
import { messageOf, type Sandbox, type ScriptJob, type ScriptResult, untilStopped } from './sandbox.ts';

/** The capability handed in. Text in, text out: no stub, date or prototype crosses in either direction. */
class HostTarget extends RpcTarget {
  readonly #job: ScriptJob;
  constructor(job: ScriptJob) {
    super();
    this.#job = job;
  }
  async call(tool: string, args: string): Promise<string> {
    if (this.#job.signal.aborted) return new Promise(() => {});
    return JSON.stringify(await this.#job.call(String(tool), JSON.parse(args) as Json));
  }
}

interface Entry {
  run(host: HostTarget, input: string): Promise<string>;
}

/** The main module around a script. The script sees `host` and `input`, and no binding: there is none. */
const around = (script: string): string => `
import { WorkerEntrypoint } from 'cloudflare:workers';
import run from './${script}';
export default class extends WorkerEntrypoint {
  async run(host, input) {
    const face = Object.freeze({ call: async (tool, args) => JSON.parse(await host.call(String(tool), JSON.stringify(args ?? {}))) });
    const value = await run(face, JSON.parse(input));
    return JSON.stringify(value ?? null);
  }
}
`;

/** The script and what it names from beside it: every module handed over is compiled, and a fault in another script must not stop this one. */
function reachable(modules: Record<string, string>, script: string): Record<string, string> {
  const found: Record<string, string> = {};
  const visit = (name: string): void => {
    const text = modules[name];
    if (text === undefined || Object.hasOwn(found, name)) return;
    found[name] = text;
    for (const [, beside] of text.matchAll(/['"]\.\/([a-z0-9-]+\.js)['"]/g)) if (beside && Object.hasOwn(modules, beside)) visit(beside);
  };
  visit(script);
  return found;
}

/** Not names that a skill's file can have. */
const mainModule = '$main.js';
const codeModule = '$code.js';

/** The main module around code of an agent: input in, result out, nothing to call. */
const alone = `
import { WorkerEntrypoint } from 'cloudflare:workers';
import run from './${codeModule}';
export default class extends WorkerEntrypoint {
  async run(host, input) {
    if (typeof run !== 'function') throw new TypeError('the module has no default function');
    const value = await run(JSON.parse(input));
    return JSON.stringify(value ?? null) ?? 'null';
  }
}
`;

export class LoaderSandbox implements Sandbox {
  readonly #loader: WorkerLoader;
  constructor(loader: WorkerLoader) {
    this.#loader = loader;
  }

  async run(job: ScriptJob): Promise<ScriptResult> {
    if (job.code !== undefined) return untilStopped(job.signal, this.#started(job, { [codeModule]: job.code, [mainModule]: alone }));
    const source = skillSource(job.skill);
    if (!source || !Object.hasOwn(source.modules, job.script)) return { kind: 'refused', reason: `there is no script ${job.script} in the skill ${job.skill}` };
    return untilStopped(job.signal, this.#started(job, { ...reachable(source.modules, job.script), [mainModule]: around(job.script) }));
  }

  async #started(job: ScriptJob, modules: Record<string, string>): Promise<ScriptResult> {
    let running: (Promise<string> & Partial<Disposable>) | undefined;
    const drop = (): void => running?.[Symbol.dispose]?.();
    try {
      const worker = this.#loader.load({
        compatibilityDate: '2026-10-01',
        mainModule,
        modules,
        env: {},
        globalOutbound: null,
        limits: { cpuMs: job.cpuMs, subRequests: job.calls + 10 },
      });
      const entry = worker.getEntrypoint() as unknown as Entry;
      running = entry.run(new HostTarget(job), JSON.stringify(job.input)) as Promise<string> & Partial<Disposable>;
      job.signal.addEventListener('abort', drop);
      const text = await running;
      return { kind: 'returned', value: JSON.parse(text) as Json };
    } catch (error) {
      return { kind: 'threw', message: messageOf(error) };
    } finally {
      job.signal.removeEventListener('abort', drop);
    }
  }
}
