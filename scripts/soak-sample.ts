/**
 * One sample under kills: a run that nothing disturbs, then runs in which the whole Worker is killed with SIGKILL at random moments and started again on the same
 * state, until there were as many kills as were asked for. Every run must end with the same files, byte for byte, but for ids of Attempts, rounds and submissions:
 * an audit entry names the round that made the export, and after a kill that is another round. Its decisions and counts must be the same too.
 * A sample is carried by the scripts of its skill, or by agents whose model is a scripted one, outside of what is killed.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLonghaul } from './longhaul.ts';
import { startLoopback } from '../samples/services/loopback.ts';
import type { SampleExecutor } from '../samples/sample.ts';
import { scripts } from '../testing/model-server/scripts/index.ts';
import { startModelServer } from '../testing/model-server/server.ts';
import type { EventView } from '../worker/domain/views/types.ts';
import { Client } from './client.ts';
import { runSample, type SampleResult } from './run-sample.ts';
import { loadSample } from './samples.ts';
import { differences, type Outcome } from './soak-differences.ts';

export interface SoakOptions {
  name: string;
  executor: SampleExecutor;
  dataDir: string;
  kills: number;
  /** 0 <= x < 1. */
  random(): number;
  /** Main file of the built Worker. */
  built: string;
  say(line: string): void;
}

export interface SoakResult {
  /** What was run, for a person: the sample and who carried it. */
  what: string;
  runs: number;
  kills: number;
  /** Kills that found at least one round under way. */
  hitRounds: number;
  /** Rounds that ended as lost. */
  lostRounds: number;
  /** What was not as it should be, a line each. Empty: all is well. */
  problems: string[];
}

/** Kills of one run, at most: each may cost a round, and a goal has a budget of them. */
const killsPerRun = 6;
/** Of the scripted model. */
const modelKey = 'soak-model-key';
/** A sample that is over so soon that nothing could be killed would go on for ever. */
const mostRunsWithoutKill = 5;

interface Run {
  result: SampleResult;
  digests: Record<string, string>;
  /** Counts and verdicts, sorted, a line each. */
  facts: string[];
  /** Rounds that a model was asked in. */
  modelRounds: number;
  /** Compactions of conversations that were begun. */
  compactions: number;
  /** Of them, those that were broken off: a kill before the summary was kept does that. */
  undone: number;
  /** What the scripted model could not make sense of, a line each. */
  faults: readonly string[];
  ms: number;
  kills: number;
  hitRounds: number;
  lostRounds: number;
}

const soakName = ({ name, executor }: Pick<SoakOptions, 'name' | 'executor'>): string => `${name} by ${executor === 'model' ? 'agents' : 'script'}`;

export async function soakSample(options: SoakOptions): Promise<SoakResult> {
  const what = soakName(options);
  // What a sample asks is learnt from it, and answered as it recommends.
  const answers: Record<string, unknown> = {};
  let calm = await run(options, answers, 0, 0);
  while (calm.result.exit === 3 && calm.result.waitingFor.some((question) => !Object.hasOwn(answers, question.key))) {
    for (const question of calm.result.waitingFor) answers[question.key] = question.recommended ?? firstOf(question.form);
    calm = await run(options, answers, 0, 0);
  }
  options.say(`${what}: undisturbed in ${(calm.ms / 1000).toFixed(1)} s, ${calm.result.rounds} rounds, ${Object.keys(calm.digests).length} files${compactionsOf(options, calm)}`);
  const total: SoakResult = { what, runs: 1, kills: 0, hitRounds: 0, lostRounds: 0, problems: differences(what, comparable(options, calm), comparable(options, calm)) };
  for (let idle = 0; total.kills < options.kills && total.problems.length === 0; ) {
    // Fewer at the end, so that the number asked for is met exactly.
    const wanted = Math.min(options.kills - total.kills, 1 + Math.floor(options.random() * killsPerRun));
    const disturbed = await run(options, answers, wanted, calm.ms / (wanted + 1));
    total.runs++;
    total.kills += disturbed.kills;
    total.hitRounds += disturbed.hitRounds;
    total.lostRounds += disturbed.lostRounds;
    const problems = differences(what, comparable(options, disturbed), comparable(options, calm));
    total.problems.push(...problems);
    for (const problem of problems) options.say(problem);
    options.say(
      `${what}: run ${total.runs}: ${disturbed.kills} kills, ${disturbed.hitRounds} into rounds under way, ${disturbed.lostRounds} rounds lost${compactionsOf(options, disturbed)}: ${disturbed.result.sentence} (${total.kills}/${options.kills})`,
    );
    idle = disturbed.kills === 0 ? idle + 1 : 0;
    if (idle >= mostRunsWithoutKill) total.problems.push(`${what}: over before anything could be killed, ${idle} times`);
  }
  return total;
}

/** `gapMs`: mean time between a start and the next kill. */
async function run(options: SoakOptions, answers: Record<string, unknown>, kills: number, gapMs: number): Promise<Run> {
  const { random, say, executor } = options;
  const sample = await loadSample(options.name);
  const dir = mkdtempSync(join(tmpdir(), `longhaul-soak-${options.name}-`));
  const services = await startLoopback();
  const models = executor === 'model' ? await startModelServer({ scripts, key: modelKey }) : undefined;
  const vars = {
    LONGHAUL_SUPPLIER_URL: services.supplierUrl,
    LONGHAUL_BANK_URL: services.bankUrl,
    ...(models === undefined ? {} : { LONGHAUL_MODEL_URL: models.url, LONGHAUL_MODEL: sample.name, LONGHAUL_MODEL_KEY: modelKey }),
  };
  const worker = await startLonghaul({ dir, vars, installation: { built: options.built }, onLine: (line) => process.env.LONGHAUL_VERBOSE && say(line) });
  const client = new Client(worker.url, 'local');
  let over = false;
  let killed = 0;
  let lostRounds = 0;
  let modelRounds = 0;
  let compactions = 0;
  let undone = 0;
  const verdicts: string[] = [];
  /** Kills after which a round was found lost. */
  const hits = new Set<number>();
  let wake = () => {};
  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const killing = async () => {
    while (!over && killed < kills) {
      // By the clock alone: a Worker that is busy with a round answers late, and what it says is from before.
      await pause(gapMs * (0.1 + 1.8 * random()));
      if (over) return;
      await worker.kill();
      killed++;
      await worker.restart();
    }
  };
  try {
    const began = Date.now();
    const going = killing();
    // A failure to start again must not be waited for in vain.
    const result = await Promise.race([
      runSample(client, sample, {
        dataDir: options.dataDir,
        executor,
        answers,
        crash: async () => {},
        onEvent: (event) => {
          if (event.type === 'round.ended' && (event.data as { outcome?: string } | null)?.outcome === 'lost') {
            lostRounds++;
            hits.add(killed);
          }
          if (event.type === 'round.pinned') modelRounds++;
          if (event.type === 'context.recorded' && phaseOf(event) === 'begun') compactions++;
          if (event.type === 'context.recorded' && phaseOf(event) === 'undone') undone++;
          if (event.type === 'acceptance.recorded') verdicts.push(verdictOf(event));
        },
      }),
      going.then(() => new Promise<never>(() => {})),
    ]);
    const ms = Date.now() - began;
    over = true;
    wake();
    await going;
    const digests = Object.fromEntries(Object.entries(result.files ?? {}).map(([name, bytes]) => [name, createHash('sha256').update(withoutIds(bytes)).digest('hex')]));
    const counts = result.milestones.map(({ key, count, target }) => `${key}: ${count} of ${target ?? 'no target'}`);
    const facts = [...verdicts.sort(), ...counts, `${result.accepted} of the items are accepted`];
    return {
      result,
      digests,
      facts,
      modelRounds,
      compactions,
      undone,
      faults: (models?.faults ?? []).map((fault) => `the scripted model: ${fault}`),
      ms,
      kills: killed,
      hitRounds: hits.size,
      lostRounds,
    };
  } catch (error) {
    for (const line of worker.lines().slice(-30)) say(line);
    throw error;
  } finally {
    over = true;
    wake();
    await worker.stop();
    await services.close();
    await models?.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Ids are numbered by the events before them, and a lost round is some events more. Files that are not text are left as they are. */
function withoutIds(file: string | Uint8Array): string | Uint8Array {
  try {
    const text = typeof file === 'string' ? file : new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(file);
    return text.replace(/\b(att|rnd|sub)_[0-9a-z]{8,}\b/g, '$1_');
  } catch {
    return file;
  }
}

/** An answer that fits a simple form: of each property the first value it allows. */
function firstOf(form: unknown): unknown {
  if (form === null || typeof form !== 'object') return null;
  if ('enum' in form && Array.isArray(form.enum)) return form.enum[0];
  if ('const' in form) return form.const;
  if ('properties' in form && form.properties !== null && typeof form.properties === 'object')
    return Object.fromEntries(Object.entries(form.properties).map(([name, each]) => [name, firstOf(each)]));
  return 'type' in form && form.type === 'boolean' ? true : 'type' in form && form.type === 'array' ? [] : '';
}

const comparable = ({ executor }: SoakOptions, { result, digests, facts, modelRounds, faults }: Run): Outcome => ({
  broken: result.exit === 0 ? null : `${result.sentence} ${JSON.stringify(result.why)}`,
  digests,
  facts,
  faults: executor === 'model' && modelRounds === 0 ? [...faults, 'no round had a model'] : faults,
});

const compactionsOf = ({ executor }: SoakOptions, { compactions, undone }: Run): string => (executor === 'model' ? `, ${compactions} compactions (${undone} broken off)` : '');

function phaseOf({ data }: EventView): unknown {
  return data !== null && typeof data === 'object' && 'phase' in data ? data.phase : undefined;
}

function verdictOf({ item, by, data }: EventView): string {
  const verdict = data !== null && typeof data === 'object' && 'verdict' in data ? data.verdict : null;
  const said = verdict !== null && typeof verdict === 'object' && 'verdict' in verdict ? verdict.verdict : null;
  return `${item}: ${String(said)} by ${by}`;
}
