/** A whole local Worker for a test: its own port, its own state folder, real queue, objects, D1 and files. Ended with the test process at the latest. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from '../scripts/prepare.ts';
import { freePort, startWorker, type WorkerProcess } from '../scripts/worker-process.ts';

export interface Longhaul {
  readonly url: string;
  readonly dir: string;
  /** Last lines that the Worker printed. */
  lines(): readonly string[];
  /** Ends it in order; its folder is removed when the harness made it. */
  stop(): Promise<void>;
  /** SIGKILL to all its processes at once, as a power cut. The folder stays. */
  kill(): Promise<void>;
  /** Starts it again on the same port and folder, after `kill` or instead of it. `vars` replaces those given before. */
  restart(vars?: Record<string, string>): Promise<void>;
}

export interface LonghaulOptions {
  /** Default: a free one. */
  port?: number;
  /** Default: a new folder that `stop` removes. */
  dir?: string;
  vars?: Record<string, string>;
  onLine?(line: string): void;
}

export async function startLonghaul(options: LonghaulOptions = {}): Promise<Longhaul> {
  await generate();
  const dir = options.dir ?? mkdtempSync(join(tmpdir(), 'longhaul-'));
  const port = options.port ?? (await freePort());
  const printed: string[] = [];
  const onLine = (line: string) => {
    printed.push(line);
    if (printed.length > 1000) printed.shift();
    options.onLine?.(line);
  };
  let vars = options.vars ?? {};
  let running: WorkerProcess | undefined = await startWorker({ port, dir, vars, onLine });
  return {
    url: `http://127.0.0.1:${port}`,
    dir,
    lines: () => printed,
    async stop() {
      await running?.group.stop();
      running = undefined;
      if (options.dir === undefined) rmSync(dir, { recursive: true, force: true });
    },
    async kill() {
      await running?.group.kill();
      running = undefined;
    },
    async restart(next) {
      vars = next ?? vars;
      await running?.group.kill();
      running = await startWorker({ port, dir, vars, onLine });
    },
  };
}
