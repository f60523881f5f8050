/**
 * The process that serves one local Worker; started by `worker-process.ts`, in a process group of its own. Its argument is JSON: `{port, dir, vars, config}`.
 * It is `wrangler dev` without watching: a Worker whose rounds are out must not be replaced because a source file was saved.
 */
import { unstable_startWorker as startWorker } from 'wrangler';
import { masterKeyOf } from './master-key.ts';

const { port, dir, vars, config } = JSON.parse(process.argv[2] ?? '{}') as { port: number; dir: string; vars: Record<string, string>; config: string };

const worker = await startWorker({
  config,
  bindings: {
    ...Object.fromEntries(Object.entries(vars).map(([name, value]) => [name, { type: 'plain_text', value }])),
    // Read here, so that it is in no list of arguments, and hidden where wrangler prints bindings.
    LONGHAUL_MASTER_KEY_1: { type: 'secret_text', value: masterKeyOf(dir) },
  },
  dev: { watch: false, liveReload: false, remote: false, server: { hostname: '127.0.0.1', port }, inspector: false, persist: dir, logLevel: 'log' },
});
await worker.ready;
process.on('SIGTERM', () => void worker.dispose().then(() => process.exit(0)));
