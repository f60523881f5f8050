/**
 * The process that serves one local Worker; started by `worker-process.ts`, in a process group of its own. Its argument is JSON: `{port, dir, vars}`.
 * It is `wrangler dev` without watching: a Worker whose rounds are out must not be replaced because a source file was saved.
 */
import { unstable_dev as dev } from 'wrangler';
import { inRoot } from './repository.ts';

const { port, dir, vars } = JSON.parse(process.argv[2] ?? '{}') as { port: number; dir: string; vars: Record<string, string> };

const worker = await dev(inRoot('worker/index.ts'), {
  config: inRoot('wrangler.toml'),
  local: true,
  ip: '127.0.0.1',
  port,
  persist: true,
  persistTo: dir,
  vars,
  inspect: false,
  logLevel: 'log',
  experimental: { watch: false, liveReload: false, forceLocal: true, disableDevRegistry: true, showInteractiveDevSession: false, disableExperimentalWarning: true },
});
process.on('SIGTERM', () => void worker.stop().then(() => process.exit(0)));
