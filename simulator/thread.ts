/** One thread's histories: plays what it is told and says how it went. A mistake, where one is named, is planted before anything of the Worker is loaded. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Job, Report } from './jobs.ts';
import { install } from './kernel/globals.ts';
import { plant } from './mistakes/plant.ts';

process.removeAllListeners('warning');
process.on('warning', () => {});
const { mistake } = workerData as { mistake?: string };
if (mistake) plant(mistake);
install();
const { Database } = await import('./parts/database.ts');
const { playHistory } = await import('./history.ts');
const { scriptOf } = await import('./faults.ts');
const { shrink } = await import('./shrink.ts');
const { exhaust } = await import('./exhaust.ts');
const database = new Database();
const say = (report: Report) => parentPort?.postMessage(report);

parentPort?.on('message', async (job: Job) => {
  switch (job.do) {
    case 'play':
      for (const seed of job.seeds) {
        const outcome = await playHistory(scriptOf(seed), database);
        say({ kind: 'played', seed, ...outcome });
      }
      return say({ kind: 'idle' });
    case 'shrink': {
      const play = (script: ReturnType<typeof scriptOf>) => playHistory(script, database);
      const script = job.shrink ? await shrink(scriptOf(job.seed), job.wrong, play) : scriptOf(job.seed);
      const trace: string[] = [];
      const outcome = await playHistory(script, database, { trace });
      return say({ kind: 'shrunk', script, trace, wrong: outcome.wrong });
    }
    case 'exhaust':
      return say({ kind: 'exhausted', ...(await exhaust(job.history, job.part, job.parts, database)) });
  }
});
say({ kind: 'idle' });
