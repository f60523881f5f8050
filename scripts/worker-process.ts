/** One local Worker on a port and a state folder of its own. */
import { createServer } from 'node:net';
import { migrate, provideAssetsFolder } from './prepare.ts';
import { type Group, startGroup } from './processes.ts';
import { inRoot, root } from './repository.ts';

export interface WorkerOptions {
  port: number;
  /** State: databases, objects, files. Kept over restarts. */
  dir: string;
  /** Variables of the Worker beside those of `wrangler.toml`. */
  vars?: Record<string, string>;
  /** Another configuration than `wrangler.toml`, by path. */
  config?: string;
  /** Lines that the Worker and wrangler print. */
  onLine?(line: string): void;
  /** How long it may take until it answers, milliseconds. Default: two minutes. */
  readyWithinMs?: number;
}

export interface WorkerProcess {
  readonly url: string;
  readonly group: Group;
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}

export async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const free = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => resolve(true));
  });
  await new Promise((resolve) => server.close(resolve));
  return free;
}

/** Migrates the state folder, starts the Worker and resolves when it answers `/healthz`. Rejects with its last lines when it ends before or takes too long. */
export async function startWorker(options: WorkerOptions): Promise<WorkerProcess> {
  provideAssetsFolder();
  await migrate(options.dir);
  const lines: string[] = [];
  const group = await startGroup(
    process.execPath,
    [inRoot('scripts/serve.ts'), JSON.stringify({ port: options.port, dir: options.dir, config: options.config ?? inRoot('wrangler.toml') })],
    {
      cwd: root,
      // In the environment, not among the arguments, which every user of the machine can list.
      env: {
        LONGHAUL_SERVE_VARS: JSON.stringify(options.vars ?? {}),
        CI: '1',
        FORCE_COLOR: '0',
        WRANGLER_SEND_METRICS: 'false',
        CLOUDFLARE_CF_FETCH_ENABLED: 'false',
        WRANGLER_LOG_PATH: `${options.dir}/wrangler-logs`,
      },
      onLine: (line) => {
        lines.push(line);
        if (lines.length > 200) lines.shift();
        options.onLine?.(line);
      },
    },
  );
  const url = `http://127.0.0.1:${options.port}`;
  let ended = false;
  void group.ended.then(() => {
    ended = true;
  });
  const until = Date.now() + (options.readyWithinMs ?? 120_000);
  for (;;) {
    if (ended) throw new Error(`The Worker ended before it answered.\n${lines.join('\n')}`);
    // An answer that breaks off is none either.
    const answered = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(5000) })
      .then(async (response) => {
        await response.arrayBuffer();
        return response.ok;
      })
      .catch(() => false);
    if (answered) return { url, group };
    // Nothing is watched, so a build that failed stays failed.
    const broken = lines.some((line) => line.includes('Build failed with'));
    if (broken || Date.now() > until) {
      await group.kill();
      throw new Error(`${broken ? 'The Worker could not be built.' : 'The Worker did not answer in time.'}\n${lines.join('\n')}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
