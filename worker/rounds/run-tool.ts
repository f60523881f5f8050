/** A call that the host has authorized: secrets are opened, the resolved arguments checked once more, and the tool is run for as long as it may take. */
import { refuse } from '../domain/refusals.ts';
import type { Json } from '../domain/values.ts';
import { RefusedByHost } from '../tools/answers.ts';
import { unsent } from '../tools/outside.ts';
import { type SecretPlace, withSecrets } from '../tools/secrets.ts';
import type { Tool, ToolAnswer, ToolEnv } from '../tools/tool.ts';
import { problemsOf } from './call-intent.ts';
import type { Sandbox } from './sandbox/sandbox.ts';

/**
 * Never throws: what a tool throws, and a tool that takes longer than `timeout` milliseconds, is `unavailable`. Where the call is not made after all, a permit
 * that it had is settled as `failed`: nothing was sent.
 */
export async function runTool(tool: Tool, resolved: { args: Json; secrets: readonly SecretPlace[] }, env: ToolEnv, timeout: number): Promise<ToolAnswer> {
  const opened = await withSecrets(resolved.args, tool.secrets ?? [], resolved.secrets, (name) => env.world.secret(name));
  if ('refused' in opened) return unsent(env, opened);
  const parsed = tool.input.safeParse(opened.args);
  if (!parsed.success) return unsent(env, refuse('schema_invalid', { detail: `resolved arguments of ${tool.name}`, errors: problemsOf(parsed.error) }));
  let timer: ReturnType<typeof setTimeout> | undefined;
  // A tool outside breaks off its own send; it gets the time to say how that ended.
  const limit = tool.effect === 'outside' ? timeout + 15_000 : timeout;
  const late = new Promise<ToolAnswer>((resolve) => {
    timer = setTimeout(() => resolve({ ok: false, refusal: refuse('unavailable', { detail: `${tool.name} took longer than ${limit} ms` }) }), limit);
  });
  try {
    return await Promise.race([tool.run(parsed.data, env), late]);
  } catch (error) {
    if (error instanceof RefusedByHost) return { ok: false, refusal: error.refusal };
    return { ok: false, refusal: refuse('unavailable', { detail: `${tool.name}: ${error instanceof Error ? error.message : String(error)}`.slice(0, 500) }) };
  } finally {
    clearTimeout(timer);
  }
}

/** Code of an agent: its own sandbox, no tools, no network; stopped after `timeoutMs`. */
export function inSandbox(sandbox: Sandbox): NonNullable<ToolEnv['runScript']> {
  return async (code, input, timeoutMs) => {
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), timeoutMs);
    try {
      return await sandbox.run({ skill: '', script: '', code, input, call: async () => null, signal: stop.signal, cpuMs: timeoutMs, calls: 0 });
    } finally {
      clearTimeout(timer);
      stop.abort();
    }
  };
}
