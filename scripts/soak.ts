/**
 * `npm run soak -- [--kills N] [--seed S] [--only SAMPLE] [--executor skill|model]`: kills the whole local Worker N times (50) in all, at random moments of each sample
 * there is, carried by the scripts of its skill and again by agents (with a scripted model that this command starts itself), and compares what comes out with a run
 * without kills. Exit code 0 only when every run completed with the same files, decisions and counts. The same seed gives the same moments, as far as the machine keeps time.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sampleExecutors } from '../samples/sample.ts';
import { buildWorker } from './build-worker.ts';
import { seededRandom } from './random.ts';
import { defaultData, sampleNames } from './samples.ts';
import { type SoakResult, soakSample } from './soak-sample.ts';
import { soakTriggers, triggersPart } from './soak-triggers.ts';

const usage = `npm run soak -- [--kills N] [--seed S] [--only <${[...sampleNames(), triggersPart].join('|')}>] [--executor <${sampleExecutors.join('|')}>]
N kills are spread over each sample by the scripts of its skill (skill) and each by agents with a scripted model (model), and over deliveries that start goals (triggers); --only and --executor leave out the others.`;

function given() {
  try {
    return parseArgs({ options: { kills: { type: 'string', default: '50' }, seed: { type: 'string' }, only: { type: 'string' }, executor: { type: 'string' } } }).values;
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
    return process.exit(2);
  }
}

const values = given();
const kills = Number(values.kills);
const seed = values.seed === undefined ? Date.now() % 1_000_000 : Number(values.seed);
type Part = Parameters<typeof soakSample>[0];
const samples = sampleExecutors
  .flatMap((executor) => sampleNames().map((name) => ({ name, executor })))
  .filter(({ name, executor }) => (values.only ?? name) === name && (values.executor ?? executor) === executor);
const parts: (Pick<Part, 'name' | 'executor'> | typeof triggersPart)[] = [
  ...samples,
  ...((values.only ?? triggersPart) === triggersPart && !values.executor ? ([triggersPart] as const) : []),
];
if (!Number.isInteger(kills) || kills < 1 || !Number.isInteger(seed) || parts.length === 0) {
  console.error(usage);
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), 'longhaul-soak-build-'));
const results: SoakResult[] = [];
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));
try {
  console.log(`Soak: ${kills} kills, seed ${seed}. Building the Worker ...`);
  const built = await buildWorker(folder);
  const random = seededRandom(seed);
  for (const [index, part] of parts.entries()) {
    // The remainder goes to the first ones.
    const share = Math.floor(kills / parts.length) + (index < kills % parts.length ? 1 : 0);
    const say = (line: string) => console.log(line);
    if (share === 0) continue;
    if (part === triggersPart) results.push(await soakTriggers({ kills: share, random, built, say }));
    else results.push(await soakSample({ ...part, dataDir: defaultData(part.name), kills: share, random, built, say }));
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  results.push({ what: '-', runs: 0, kills: 0, hitRounds: 0, lostRounds: 0, problems: ['the soak itself failed'] });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const sum = (key: 'runs' | 'kills' | 'hitRounds' | 'lostRounds') => results.reduce((total, result) => total + result[key], 0);
const problems = results.flatMap((result) => result.problems);
if (results.length > 1)
  for (const { what, kills, runs, hitRounds, lostRounds } of results) console.log(`${what}: ${kills} kills in ${runs} runs, ${hitRounds} into rounds, ${lostRounds} lost`);
for (const problem of problems) console.log(`FAILED  ${problem}`);
console.log(
  `${sum('kills')} kills in ${sum('runs')} runs, ${sum('hitRounds')} of them into rounds under way, ${sum('lostRounds')} rounds lost, ${problems.length} differences (seed ${seed})`,
);
process.exit(problems.length === 0 && sum('kills') === kills ? 0 : 1);
