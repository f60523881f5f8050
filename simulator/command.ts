/** What `npm run simulate` does. Prints progress; gives the exit code: 0 where everything held and everything named happened. */
import { addCoverage, emptyCoverage, missing } from './coverage.ts';
import { exhaustible } from './exhaust.ts';
import { describe } from './faults.ts';
import { type Mistake, mistakes } from './mistakes/mistakes.ts';
import { type Played, Pool } from './pool.ts';

export interface Options {
  runs: number;
  seed: number;
  threads: number;
  trace: boolean;
  exhaustive: boolean;
  mistakes: boolean;
  /** For `exhaustive`: this one of the fixed histories only. */
  history?: number | undefined;
}

/** With fewer histories than this, what never happened is said but is no failure. */
const enough = 1000;

export async function command(options: Options, print: (line: string) => void = console.log): Promise<number> {
  if (options.mistakes) return findMistakes(options, print);
  const pool = await Pool.open(options.threads);
  try {
    if (options.exhaustive) return await everyPoint(pool, options, print);
    if (options.trace) {
      await tell(pool, options.seed, undefined, print);
      return 0;
    }
    return await many(pool, options, print);
  } finally {
    await pool.close();
  }
}

async function many(pool: Pool, { runs, seed }: Options, print: (line: string) => void): Promise<number> {
  const began = performance.now();
  const coverage = emptyCoverage();
  let done = 0;
  let events = 0;
  let steps = 0;
  let failed: Played | undefined;
  await pool.play(
    Array.from({ length: runs }, (_, n) => seed + n),
    (report) => {
      done++;
      events += report.events;
      steps += report.steps;
      addCoverage(coverage, report.coverage);
      if (report.wrong && !failed) failed = report;
      if (done % 250 === 0) print(`${done} histories, ${events} events, ${seconds(began)} s`);
      return !failed;
    },
  );
  if (failed?.wrong) {
    print(`seed ${failed.seed}: ${failed.wrong}`);
    await tell(pool, failed.seed, failed.wrong, print);
    return 1;
  }
  const never = missing(coverage);
  const faults = Object.values(coverage.fault).reduce((sum, count) => sum + count, 0);
  print(
    `${done} histories held: ${steps} steps, ${events} events, ${faults} faults (${coverage.fault.crash ?? 0} crashes), ${coverage.reached.completed ?? 0} completions, ${seconds(began)} s`,
  );
  if (never.length === 0) return 0;
  print(`never happened: ${never.join('; ')}`);
  return done >= enough ? 1 : 0;
}

/** A seed again, step by step; a failing one made as short as it goes. */
async function tell(pool: Pool, seed: number, wrong: string | undefined, print: (line: string) => void): Promise<void> {
  const { script, trace, wrong: last } = await pool.ask(0, { do: 'shrink', seed, wrong: wrong ?? '', shrink: wrong !== undefined }, 'shrunk');
  print(`\nthe shortest history found: ${JSON.stringify(script.shape)}`);
  for (const step of script.steps) print(`  ${describe(step)}`);
  print(`\nwhat happened, in milliseconds of its own time:`);
  for (const line of trace) print(line.slice(0, 400));
  if (last) print(`\n${last}`);
  print(`\nagain: npm run simulate -- --runs 1 --seed ${seed}`);
}

async function everyPoint(pool: Pool, { history: only }: Options, print: (line: string) => void): Promise<number> {
  const began = performance.now();
  const coverage = emptyCoverage();
  let total = 0;
  for (let history = 0; history < exhaustible; history++) {
    if (only !== undefined && only !== history) continue;
    const parts = await Promise.all(Array.from({ length: pool.size }, (_, part) => pool.ask(part, { do: 'exhaust', history, part, parts: pool.size }, 'exhausted')));
    for (const each of parts) {
      if (each.wrong) {
        print(each.wrong);
        return 1;
      }
      total += each.crashed;
      addCoverage(coverage, each.coverage);
    }
    print(`history ${history}: ${parts[0]?.points ?? 0} crash points, each crashed once, ${seconds(began)} s`);
  }
  print(
    `${total} crashes, each with the same delivery: ${Object.entries(coverage.crash)
      .map(([name, count]) => `${name} ${count}`)
      .sort()
      .join(', ')}`,
  );
  return 0;
}

/** Histories in which a mistake must show, at the latest. */
const runsPerMistake = 600;

/** As many mistakes at once as there are threads, each in a thread of its own. */
async function findMistakes(options: Options, print: (line: string) => void): Promise<number> {
  const left = [...mistakes];
  let missed = 0;
  const work = async () => {
    for (let mistake = left.shift(); mistake; mistake = left.shift()) if (!(await findOne(mistake, options, print))) missed++;
  };
  await Promise.all(Array.from({ length: options.threads }, work));
  print(missed === 0 ? `${mistakes.length} mistakes, all found` : `${missed} of ${mistakes.length} mistakes not found`);
  return missed === 0 ? 0 : 1;
}

async function findOne(mistake: Mistake, options: Options, print: (line: string) => void): Promise<boolean> {
  const began = performance.now();
  let found: Played | undefined;
  let done = 0;
  let pool: Pool | undefined;
  try {
    pool = await Pool.open(1, mistake.name);
    const seeds = Array.from({ length: Math.min(options.runs, runsPerMistake) }, (_, n) => options.seed + n);
    await pool.play(mistake.seed === undefined ? seeds : [mistake.seed, ...seeds], (report) => {
      done++;
      if (report.wrong && !found) found = report;
      return !found;
    });
  } catch (error) {
    print(`BROKEN ${mistake.name}: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  } finally {
    await pool?.close();
  }
  if (found) print(`found  ${mistake.name}: seed ${found.seed}: ${found.wrong?.slice(0, 160)} (${seconds(began)} s)`);
  else print(`MISSED ${mistake.name}: ${done} histories held with it`);
  return found !== undefined;
}

function seconds(began: number): string {
  return ((performance.now() - began) / 1000).toFixed(1);
}
