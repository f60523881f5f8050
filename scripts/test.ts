/**
 * `npm test [-- FILTER ...]`: the checks, then every test: the core, the runtime in workerd, and whole Workers with a real browser.
 * The last line is always `N passed, N failed` over all of them; the exit code is 0 only when nothing failed.
 */
import { existsSync, globSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { runChecks } from './checks.ts';
import { provideChromium } from './chromium.ts';
import { buildConsole, provideAssetsFolder } from './prepare.ts';
import { startGroup } from './processes.ts';
import { cacheDir, inRoot, root } from './repository.ts';

interface Count {
  passed: number;
  failed: number;
}

/** What is read of vitest's JSON report. */
interface Report {
  testResults: { name: string; status: string; message?: string; assertionResults: { status: string }[] }[];
}

function countOf(report: Report): Count {
  const count = { passed: 0, failed: 0 };
  for (const file of report.testResults) {
    const failed = file.assertionResults.filter((test) => test.status === 'failed').length;
    count.passed += file.assertionResults.filter((test) => test.status === 'passed').length;
    // A file that could not be loaded has no tests and yet failed.
    count.failed += failed === 0 && file.status === 'failed' ? 1 : failed;
  }
  return count;
}

const filters = process.argv.slice(2);

/** One run of vitest. A run that ends badly without naming a failed test counts as one failure. */
async function vitest(projects: string[], env: Record<string, string>, more: string[] = []): Promise<Count> {
  mkdirSync(cacheDir, { recursive: true });
  const file = join(cacheDir, `report-${projects.join('-')}.json`);
  rmSync(file, { force: true });
  const args = [
    'run',
    ...projects.flatMap((name) => ['--project', name]),
    '--passWithNoTests',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
    ...more,
    ...filters,
  ];
  const group = await startGroup(inRoot('node_modules/.bin/vitest'), args, { cwd: root, env, onLine: (line) => console.log(line) });
  const code = await group.ended;
  await group.kill();
  const count = existsSync(file) ? countOf(JSON.parse(readFileSync(file, 'utf8')) as Report) : { passed: 0, failed: 0 };
  if (code !== 0 && count.failed === 0) count.failed = 1;
  return count;
}

const total: Count = { passed: 0, failed: 0 };
const add = (count: Count) => {
  total.passed += count.passed;
  total.failed += count.failed;
};
const attempt = async (name: string, work: () => Promise<Count>) => {
  try {
    add(await work());
  } catch (error) {
    console.error(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    add({ passed: 0, failed: 1 });
  }
};

await attempt('checks', runChecks);
provideAssetsFolder();
// Nothing else runs meanwhile: every processor is theirs.
await attempt('core', () => vitest(['core'], {}, [`--maxWorkers=${availableParallelism()}`]));
let note = '';
let browser: { path: string } | undefined;
const hasBrowserTests = globSync('e2e/**/*.e2e.ts', { cwd: root }).length > 0;
if (hasBrowserTests)
  await attempt('the console', async () => {
    await buildConsole(() => console.log('Building the console ...'));
    const chromium = await provideChromium();
    if ('missing' in chromium) note = chromium.missing;
    else browser = chromium;
    return { passed: 0, failed: browser ? 0 : 1 };
  });
// Side by side: each of them waits for one process after the other most of the time.
await Promise.all([attempt('runtime', () => vitest(['runtime'], {})), browser ? attempt('e2e', () => vitest(['e2e'], { CHROMIUM_PATH: browser?.path ?? '' })) : undefined]);
if (note) console.log(note);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;
