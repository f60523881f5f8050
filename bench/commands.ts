/** What a command costs: throughput against a bare object, opening a long Goal, the book's lag, and the way from an acceptance to the next worker. */
import { cpus } from 'node:os';
import { measureDownstream } from './downstream.ts';
import { measureOpening } from './opening.ts';
import { prepareWorkplace, removeWorkplace } from './runtime.ts';
import { measureThroughput } from './throughput.ts';

export interface CommandsOptions {
  rounds: number;
  ms: number;
  parts: ReadonlySet<string>;
  /** Folder below which state is kept while measuring. Undefined: the system's folder for temporary files. */
  state?: string | undefined;
}

export async function measureCommands({ rounds, ms, parts, state }: CommandsOptions): Promise<object> {
  const place = await prepareWorkplace(state);
  try {
    return {
      machine: { cpus: cpus().length, model: cpus()[0]?.model ?? 'unknown', node: process.version },
      ...(parts.has('throughput') ? await measureThroughput(place, { rounds, ms }) : {}),
      ...(parts.has('opening') ? await measureOpening(place) : {}),
      ...(parts.has('downstream') ? await measureDownstream(place) : {}),
    };
  } finally {
    removeWorkplace(place);
  }
}
