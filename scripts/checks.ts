/** What is checked without running the project: types, lint, format, direction of imports, files that nothing uses. Each check passes or fails as a whole. */
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { generate } from './prepare.ts';
import { runToEnd } from './processes.ts';
import { inRoot, root } from './repository.ts';

interface Check {
  name: string;
  run(): Promise<unknown>;
}

const bin = (name: string) => inRoot(`node_modules/.bin/${name}`);
const folders = ['worker', 'web/src', 'cli', 'client', 'scripts', 'samples', 'simulator', 'bench', 'e2e', 'testing'].filter((path) => existsSync(inRoot(path)));

const checks: Check[] = [
  { name: 'types', run: () => runToEnd(bin('tsc'), ['--noEmit', '--incremental', '--tsBuildInfoFile', inRoot('node_modules/.cache/longhaul/tsc.tsbuildinfo')], { cwd: root }) },
  // Browser tests hold code that runs in a page: they know the DOM, and not the Worker's globals.
  { name: 'types of the browser tests', run: () => runToEnd(bin('tsc'), ['--noEmit', '-p', 'e2e/tsconfig.json'], { cwd: root }) },
  // `biome format --write .` mends the second. The order of imports is left to who writes them.
  { name: 'lint and format', run: () => runToEnd(bin('biome'), ['check', '--assist-enabled=false', '--max-diagnostics=40', '.'], { cwd: root }) },
  { name: 'import direction', run: () => runToEnd(bin('depcruise'), [...folders, '--config', '.dependency-cruiser.cjs', '--output-type', 'err-long'], { cwd: root }) },
  { name: 'dead files', run: () => runToEnd(bin('knip'), ['--include', 'files,unlisted,unresolved', '--no-progress'], { cwd: root }) },
];
if (existsSync(inRoot('web/vite.config.ts')))
  checks.push({
    name: 'types of the console',
    // `svelte-kit sync` writes the types that svelte-check reads.
    run: () =>
      runToEnd(bin('svelte-kit'), ['sync'], { cwd: inRoot('web') }).then(() =>
        runToEnd(bin('svelte-check'), ['--tsconfig', './tsconfig.json', '--output', 'human', '--threshold', 'error'], { cwd: inRoot('web') }),
      ),
  });

/** Runs all of them, as many at once as the machine has processors; prints what fails. */
export async function runChecks(): Promise<{ passed: number; failed: number }> {
  await generate();
  const waiting = [...checks];
  const count = { passed: 0, failed: 0 };
  const lane = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift()) {
      const started = Date.now();
      try {
        await check.run();
        count.passed++;
        console.log(`ok      ${check.name} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
      } catch (error) {
        count.failed++;
        console.log(`FAILED  ${check.name}\n${error instanceof Error ? error.message : String(error)}`);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(checks.length, Math.max(1, availableParallelism())) }, lane));
  return count;
}
