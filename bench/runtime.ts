/** The built bundle on plain workerd, without the proxies of a development server, and the bare object beside it in the same process. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { unstable_getMiniflareWorkerOptions as workerOptionsOf } from 'wrangler';
import { generate, migrate, provideAssetsFolder } from '../scripts/prepare.ts';
import { runToEnd } from '../scripts/processes.ts';
import { inRoot, root } from '../scripts/repository.ts';
import { freePort } from '../scripts/worker-process.ts';

/** A folder for the bundle and the state of one measurement; deleted with `removeWorkplace`. */
export interface Workplace {
  dir: string;
  bundle: string;
  state: string;
}

/** `parent`: where the folder is made; the disk below it is part of what is measured. */
export async function prepareWorkplace(parent = tmpdir()): Promise<Workplace> {
  provideAssetsFolder();
  await generate();
  const dir = mkdtempSync(join(parent, 'longhaul-bench-'));
  const bundle = join(dir, 'bundle');
  await runToEnd(inRoot('node_modules/.bin/wrangler'), ['deploy', '--dry-run', '--outdir', bundle], { cwd: root, env: { CI: '1', WRANGLER_LOG_PATH: join(dir, 'logs') } });
  const state = join(dir, 'state');
  mkdirSync(state);
  await migrate(state);
  return { dir, bundle, state };
}

export function removeWorkplace(place: Workplace): void {
  rmSync(place.dir, { recursive: true, force: true });
}

export interface Runtime {
  /** The product's Worker. */
  app: URL;
  /** The Worker with the bare object. */
  bare: URL;
  /** Processor seconds that workerd has used so far; null where the system does not tell. */
  cpuSeconds(): number | null;
  stop(): Promise<void>;
}

/** Process ids of workerd below this process. */
function workerdIds(): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .filter((name) => {
        const [, comm, parent] = /^\d+ \((.*)\) \S (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'utf8')) ?? [];
        return comm === 'workerd' && Number(parent) === process.pid;
      })
      .map(Number);
  } catch {
    return [];
  }
}

/** Ticks of user and system time; Linux counts a hundred a second. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Starts workerd on the state of `place`. Stopping and starting again is what a new process would find. */
export async function startRuntime(place: Workplace, more: { inspectorPort?: number } = {}): Promise<Runtime> {
  const { workerOptions } = workerOptionsOf(inRoot('wrangler.toml'));
  // The console's files are not asked for here; leaving them out spares both sides the asset router.
  const { assets: _assets, rootPath: _rootPath, modulesRules: _rules, ...app } = workerOptions;
  const appPort = await freePort();
  const barePort = await freePort();
  const shared = { compatibilityDate: workerOptions.compatibilityDate, compatibilityFlags: workerOptions.compatibilityFlags };
  const options = {
    ...more,
    port: 0,
    host: '127.0.0.1',
    cf: false,
    resourcePersistencePath: join(place.state, 'v3'),
    workers: [
      {
        ...app,
        name: 'longhaul',
        modules: [{ type: 'ESModule', path: 'index.js', contents: readFileSync(join(place.bundle, 'index.js'), 'utf8') }],
        unsafeDirectSockets: [{ host: '127.0.0.1', port: appPort }],
      },
      {
        ...shared,
        name: 'bare',
        modules: [{ type: 'ESModule', path: 'bare-worker.js', contents: readFileSync(inRoot('bench/bare-worker.js'), 'utf8') }],
        durableObjects: { BARE: { className: 'Bare', useSQLite: true } },
        unsafeDirectSockets: [{ host: '127.0.0.1', port: barePort }],
      },
    ],
  };
  const runtime = new Miniflare(convertV4MiniflareOptions(options as Parameters<typeof convertV4MiniflareOptions>[0]));
  await runtime.ready;
  const [pid] = workerdIds();
  return {
    cpuSeconds: () => (pid === undefined ? null : cpuOf(pid)),
    app: new URL(`http://127.0.0.1:${appPort}`),
    bare: new URL(`http://127.0.0.1:${barePort}`),
    stop: () => runtime.dispose(),
  };
}
