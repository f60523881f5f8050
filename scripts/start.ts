/**
 * `npm start [-- --fresh] [--port N] [--state DIR]`: the whole thing on this machine, with its state in `.longhaul/`.
 * Builds what changed, migrates, serves, puts the sample goals in place, and sweeps once a minute, as a cron does elsewhere. Ctrl-C ends all of it.
 */
import { existsSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startLoopback } from '../samples/services/loopback.ts';
import { Client, Refused } from './client.ts';
import { modelVars } from './model-vars.ts';
import { buildConsole, generate } from './prepare.ts';
import { stateDir } from './repository.ts';
import { defaultData, loadSample, placeSample, sampleNames } from './samples.ts';
import { noteServing } from './serving.ts';
import { isFree, startWorker } from './worker-process.ts';

const { values } = parseArgs({ options: { fresh: { type: 'boolean', default: false }, port: { type: 'string', default: '8787' }, state: { type: 'string', default: stateDir } } });
const port = Number(values.port);
if (!Number.isInteger(port) || port < 1 || port > 65_535) fail(`--port ${values.port}: a number from 1 to 65535`);

const SWEEP_MS = 60_000;

function fail(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}

if (!(await isFree(port))) fail(`Port ${port} is taken. Another one: npm start -- --port ${port + 1}`);
const dir = resolve(values.state);
if (values.fresh) rmSync(dir, { recursive: true, force: true });
const reused = existsSync(dir);

await generate();
await buildConsole(() => console.log('Building the console ...'));
console.log(reused ? `Starting with the state in ${dir} ...` : `Starting with fresh state in ${dir} ...`);
const services = await startLoopback();
const worker = await startWorker({
  port,
  dir,
  vars: { LONGHAUL_SUPPLIER_URL: services.supplierUrl, LONGHAUL_BANK_URL: services.bankUrl, ...modelVars() },
  onLine: (line) => {
    // Its own log lines are JSON; wrangler's chatter is kept back.
    if (process.env.LONGHAUL_VERBOSE || /^\{"at":|\[ERROR\]|Uncaught/.test(line)) console.error(line);
  },
}).catch((error: Error) => fail(error.message));

const notServing = noteServing(dir, port);
let ending = false;
async function end(code: number): Promise<never> {
  ending = true;
  clearInterval(sweeping);
  await worker.group.stop();
  await services.close();
  notServing();
  process.exit(code);
}
const sweeping = setInterval(() => {
  fetch(`${worker.url}/v1/dev/sweep`, { method: 'POST', signal: AbortSignal.timeout(SWEEP_MS) }).then(
    (response) => response.arrayBuffer(),
    () => {},
  );
}, SWEEP_MS);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void (ending || end(0)));
void worker.group.ended.then((code) => {
  if (ending) return;
  console.error(`The Worker ended (${code ?? 'by a signal'}).`);
  void end(1);
});

const client = new Client(worker.url, 'local');
for (const name of sampleNames()) {
  try {
    const sample = await loadSample(name);
    const goal = await placeSample(client, sample, defaultData(name));
    console.log(`  ${sample.title}: ${worker.url}/goals/${goal}`);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const older = error.code === 'command_reused' ? ' An older version of it is here; `npm start -- --fresh` begins anew.' : '';
    console.error(`  The sample ${name} was not put in place: ${error.message}.${older}`);
  }
}
console.log(`Longhaul is at ${worker.url}  (Ctrl-C ends it)`);
