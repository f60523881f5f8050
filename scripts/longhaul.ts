/** A whole local Worker for a test or a command: its own port, its own state folder, real queue, objects, D1 and files. Ended with the process that started it at the latest. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from './prepare.ts';
import { inRoot } from './repository.ts';
import { freePort, startWorker, type WorkerProcess } from './worker-process.ts';

export interface Longhaul {
  readonly url: string;
  readonly dir: string;
  /** Last lines that the Worker printed. */
  lines(): readonly string[];
  /** Ends it in order; its folder is removed when the harness made it. */
  stop(): Promise<void>;
  /** SIGKILL to all its processes at once, as a power cut. The folder stays. */
  kill(): Promise<void>;
  /** Starts it again on the same port and folder, after `kill` or instead of it. What is given replaces what was given before. */
  restart(vars?: Record<string, string>, installation?: Installation): Promise<void>;
}

/** Another installation than `wrangler.toml` describes. */
export interface Installation {
  /** Without Dynamic Workers. */
  noLoader?: boolean;
  /** The main file of a Worker that `buildWorker` has built: it is served as it is, whatever happens to the sources meanwhile. */
  built?: string;
  /** Another main file than `worker/index.ts`, from the root of the repository: the same Worker with something beside it. */
  main?: string;
  /** Nobody consumes the queue: what is dispatched goes nowhere. */
  noConsumer?: boolean;
}

export interface LonghaulOptions {
  installation?: Installation;
  /** Default: a free one. */
  port?: number;
  /** Default: a new folder that `stop` removes. */
  dir?: string;
  vars?: Record<string, string>;
  onLine?(line: string): void;
}

/** Writes the configuration of that installation into the folder; its path. */
function configOf(installation: Installation, dir: string): string {
  let text = readFileSync(inRoot('wrangler.toml'), 'utf8').split('\n[env.production]')[0] ?? '';
  const change = (from: string, to: string) => {
    if (!text.includes(from)) throw new Error(`wrangler.toml has no ${from}`);
    text = text.replace(from, to);
  };
  change(
    'main = "worker/index.ts"',
    `main = ${JSON.stringify(installation.built ?? inRoot(installation.main ?? 'worker/index.ts'))}${installation.built === undefined ? '' : '\nno_bundle = true'}`,
  );
  change('directory = "web/build"', `directory = ${JSON.stringify(inRoot('web/build'))}`);
  change('migrations_dir = "migrations"', `migrations_dir = ${JSON.stringify(inRoot('migrations'))}`);
  if (installation.noLoader) change('[[worker_loaders]]\nbinding = "LOADER"\n', '');
  if (installation.noConsumer) change('[[queues.consumers]]\nqueue = "longhaul-work"', '[[queues.consumers]]\nqueue = "longhaul-elsewhere"');
  mkdirSync(dir, { recursive: true });
  const path = join(dir, 'wrangler.toml');
  writeFileSync(path, text);
  return path;
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
  let installation = options.installation;
  const start = () => startWorker({ port, dir, vars, onLine, ...(installation ? { config: configOf(installation, dir) } : {}) });
  let running: WorkerProcess | undefined = await start();
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
    async restart(next, other) {
      vars = next ?? vars;
      installation = other ?? installation;
      await running?.group.kill();
      running = await start();
    },
  };
}
