/**
 * The process that serves one local Worker; started by `worker-process.ts`, in a process group of its own. Its argument is JSON: `{port, dir, config}`; the Worker's variables come as JSON in LONGHAUL_SERVE_VARS.
 * It is `wrangler dev` without watching: a Worker whose rounds are out must not be replaced because a source file was saved.
 */
import { unstable_startWorker as startWorker } from 'wrangler';
import { masterKeyOf } from './master-key.ts';

const { port, dir, config } = JSON.parse(process.argv[2] ?? '{}') as { port: number; dir: string; config: string };
const vars = JSON.parse(process.env.LONGHAUL_SERVE_VARS ?? '{}') as Record<string, string>;

const worker = await startWorker({
  config,
  bindings: {
    ...Object.fromEntries(Object.entries(vars).map(([name, value]) => [name, { type: name.endsWith('_KEY') ? 'secret_text' : 'plain_text', value }])),
    // Whoever calls this port is signed in as the person at this machine: the Worker must know it, so that no tool calls it.
    LONGHAUL_LOCAL_PORT: { type: 'plain_text', value: String(port) },
    // Read here, so that it is in no list of arguments, and hidden where wrangler prints bindings.
    LONGHAUL_MASTER_KEY_1: { type: 'secret_text', value: masterKeyOf(dir) },
  },
  dev: { watch: false, liveReload: false, remote: false, server: { hostname: '127.0.0.1', port }, inspector: false, persist: dir, logLevel: 'log' },
});
await worker.ready;
process.on('SIGTERM', () => void worker.dispose().then(() => process.exit(0)));
