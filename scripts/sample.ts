/**
 * `npm run sample -- NAME [--data DIR] [--out DIR] [--answers FILE] [--json] [--kill-at N] [--executor skill|model]`
 * Runs a sample goal to its end on a local Worker of its own: own port, own folder, fresh state. Talks plain /v1.
 *
 * Exit codes: 0 the goal completed; 3 it waits for input that `--answers` does not give (the form is printed); 4 N of `--kill-at` was never reached with a round in flight; 1 otherwise.
 * `--json`: one event a line on standard output, last a line `{"result": ...}`; all else goes to standard error.
 * `--executor model`: agents carry it, with the model at LONGHAUL_MODEL_URL (LONGHAUL_MODEL, LONGHAUL_MODEL_KEY, LONGHAUL_MODEL_WINDOW in tokens).
 * `--kill-at N`: when the milestone (or, of a sample without one, the number of accepted items) reaches N the whole Worker is killed with a round in flight, and started again on the same state.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startLonghaul } from './longhaul.ts';
import { startLoopback } from '../samples/services/loopback.ts';
import { sampleExecutors } from '../samples/sample.ts';
import { Client, Refused } from './client.ts';
import { describeEvent } from './describe-event.ts';
import { modelVars } from './model-vars.ts';
import { runSample, type SampleResult } from './run-sample.ts';
import { defaultData, loadSample, sampleNames } from './samples.ts';

const usage = `npm run sample -- <${sampleNames().join('|')}> [--data DIR] [--out DIR] [--answers FILE] [--json] [--kill-at N] [--executor skill|model]`;

function fail(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}

function given() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        data: { type: 'string' },
        out: { type: 'string' },
        answers: { type: 'string' },
        json: { type: 'boolean', default: false },
        'kill-at': { type: 'string' },
        executor: { type: 'string', default: 'skill' },
      },
    });
  } catch (error) {
    return fail(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
  }
}

const { values, positionals } = given();
const name = positionals[0] ?? '';
if (positionals.length !== 1 || !sampleNames().includes(name)) fail(usage);
const killAt = values['kill-at'] === undefined ? undefined : Number(values['kill-at']);
if (killAt !== undefined && !(Number.isInteger(killAt) && killAt >= 1)) fail('--kill-at takes a whole number from 1');

const executor = sampleExecutors.find((each) => each === values.executor) ?? fail(`--executor takes ${sampleExecutors.join(' or ')}`);
/** The model is the environment's: the Worker of a sample has no settings of its own. */
const model = modelVars();
if (executor === 'model' && model.LONGHAUL_MODEL_URL === undefined)
  fail(
    '--executor model needs LONGHAUL_MODEL_URL, the address of an OpenAI-compatible server with its /v1, e.g. http://127.0.0.1:11434/v1, and LONGHAUL_MODEL, the name of a model there.',
  );

function readAnswers(file: string | undefined): Record<string, unknown> {
  if (file === undefined) return {};
  try {
    const answers: unknown = JSON.parse(readFileSync(resolve(file), 'utf8'));
    if (answers !== null && typeof answers === 'object' && !Array.isArray(answers)) return { ...answers };
    return fail(`${file}: an object {"<blocker key>": <form value>} is wanted`);
  } catch (error) {
    return fail(`${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const answers = readAnswers(values.answers);
const sample = await loadSample(name);
const say = (line: string) => (values.json ? console.error(line) : console.log(line));

const dir = mkdtempSync(join(tmpdir(), `longhaul-${name}-`));
const services = await startLoopback();
const vars: Record<string, string> = { LONGHAUL_SUPPLIER_URL: services.supplierUrl, LONGHAUL_BANK_URL: services.bankUrl, ...(executor === 'model' ? model : {}) };
// Development only: once the count is reached rounds get no more answers, so that one is in flight when the Worker dies.
const hold: Record<string, string> =
  killAt === undefined ? {} : { LONGHAUL_HOLD_AT: String(killAt), ...(sample.milestone === undefined ? {} : { LONGHAUL_HOLD_ON: sample.milestone }) };

let result: SampleResult | undefined;
try {
  const dataDir = values.data === undefined ? defaultData(name) : resolve(values.data);
  // Data that make no contract are told before anything is started.
  await sample.create(dataDir, { executor });
  say(`${sample.title}: starting a Worker of its own ...`);
  const worker = await startLonghaul({ dir, vars: { ...vars, ...hold }, onLine: (line) => process.env.LONGHAUL_VERBOSE && console.error(line) });
  let interrupted = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      if (interrupted) return;
      interrupted = true;
      void worker.kill().then(() => {
        rmSync(dir, { recursive: true, force: true });
        process.exit(1);
      });
    });
  try {
    result = await runSample(new Client(worker.url, 'local'), sample, {
      dataDir,
      executor,
      answers,
      killAt,
      crash: async () => {
        say(`Killing the Worker at ${killAt} ...`);
        await worker.kill();
        await worker.restart(vars);
        say('The Worker is back.');
      },
      onEvent: (event) => {
        if (values.json) console.log(JSON.stringify(event));
        else {
          const line = describeEvent(event);
          if (line !== null) console.log(line);
        }
      },
    });
    if (values.out !== undefined && result.files) {
      for (const [file, bytes] of Object.entries(result.files)) {
        const path = join(resolve(values.out), file);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, bytes);
      }
    }
  } catch (error) {
    // A refusal says all there is to say; else what the Worker printed last may help.
    if (!(error instanceof Refused)) say(worker.lines().slice(-20).join('\n'));
    throw error;
  } finally {
    await worker.stop();
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  if (values.json) console.log(JSON.stringify({ result: { sample: name, exit: 1, error: error instanceof Error ? error.message : String(error) } }));
  process.exitCode = 1;
} finally {
  await services.close();
  rmSync(dir, { recursive: true, force: true });
}

if (result) {
  const { files, ...rest } = result;
  for (const question of result.waitingFor) {
    say(`Waiting for an answer to "${question.key}": ${question.reason}`);
    say(`  The form (JSON Schema): ${JSON.stringify(question.form)}`);
    if (question.recommended !== undefined) say(`  Recommended: ${JSON.stringify(question.recommended)}`);
    say(`  Give it with --answers FILE, as {${JSON.stringify(question.key)}: ...}`);
  }
  say(result.sentence);
  if (values.json) console.log(JSON.stringify({ result: { ...rest, files: Object.keys(files ?? {}), serviceRequests: services.requests() } }));
  process.exitCode = result.exit;
}
