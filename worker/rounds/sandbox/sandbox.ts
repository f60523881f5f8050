/** Where a skill's script runs. What it may reach is exactly the one function it is handed. */
import type { Json } from '../../domain/values.ts';

/** `call` takes and gives JSON text: nothing but data crosses. */
export type HostCall = (tool: string, args: Json) => Promise<Json>;

export interface ScriptJob {
  skill: string;
  /** File name in the skill's `scripts/`, e.g. `review.js`. */
  script: string;
  /** Runs this module instead of a skill's script; its default function gets the input alone. */
  code?: string;
  input: Json;
  call: HostCall;
  /** Stops the script: the isolate is dropped, and nothing it does afterwards arrives. */
  signal: AbortSignal;
  /** CPU time of the whole run, milliseconds. Enforced by the platform, not by a local one. */
  cpuMs: number;
  /** Calls that it may make. */
  calls: number;
}

export type ScriptResult =
  | { kind: 'returned'; value: Json }
  | { kind: 'threw'; message: string }
  | { kind: 'stopped' }
  /** This installation cannot run it; the reason is for a person. */
  | { kind: 'refused'; reason: string };

export interface Sandbox {
  run(job: ScriptJob): Promise<ScriptResult>;
}

/** The script's own result or failure, or the stop, whichever comes first. */
export async function untilStopped(signal: AbortSignal, run: Promise<ScriptResult>): Promise<ScriptResult> {
  if (signal.aborted) return { kind: 'stopped' };
  let stop: (() => void) | undefined;
  const stopped = new Promise<ScriptResult>((resolve) => {
    stop = () => resolve({ kind: 'stopped' });
    signal.addEventListener('abort', stop);
  });
  try {
    return await Promise.race([run, stopped]);
  } finally {
    if (stop) signal.removeEventListener('abort', stop);
  }
}

export function messageOf(error: unknown): string {
  return (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, 2000);
}
