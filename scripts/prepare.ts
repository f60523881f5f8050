/** What must exist before the Worker starts or is tested: generated sources, the built console, the migrated local D1. Each step is skipped when its sources are as they were. */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runToEnd } from './processes.ts';
import { cacheDir, inRoot, root } from './repository.ts';

const skipped = new Set(['node_modules', 'build', '.svelte-kit', 'paraglide', 'swagger-ui', '.git']);

/** Digest over names and contents of all files under the paths (files or folders), relative to the repository. Generated files are left out. */
export function digestOfSources(paths: string[]): string {
  const hash = createHash('sha256');
  const visit = (path: string) => {
    const full = join(root, path);
    if (!existsSync(full)) return;
    if (statSync(full).isDirectory()) {
      for (const name of readdirSync(full).sort()) if (!skipped.has(name)) visit(`${path}/${name}`);
    } else if (!path.includes('.generated.')) hash.update(`${path}\0`).update(readFileSync(full)).update('\0');
  };
  for (const path of paths) visit(path);
  return hash.digest('hex');
}

/** Runs `work` unless it ran for these sources already and `result` still exists. */
async function onceFor(name: string, sources: string[], result: string, work: () => Promise<void>): Promise<boolean> {
  const marker = join(cacheDir, `${name}.digest`);
  const digest = digestOfSources(sources);
  if (existsSync(result) && existsSync(marker) && readFileSync(marker, 'utf8') === digest) return false;
  await work();
  mkdirSync(cacheDir, { recursive: true });
  writeFileSync(marker, digest);
  return true;
}

/** Scripts that write `*.generated.ts`, which are not in the repository. Cheap enough to run each time. (The generated documents are in it; a test holds them current.) */
const generators = ['scripts/bundle-skills.ts', 'scripts/generate-skills.ts'];

export async function generate(): Promise<void> {
  for (const path of generators) if (existsSync(inRoot(path))) await runToEnd(process.execPath, [inRoot(path)], { cwd: root });
  if (!existsSync(inRoot('web/project.inlang'))) return;
  // The build of the console writes them too; checks and tests that come before it need them as well.
  await onceFor('messages', ['web/messages', 'web/project.inlang', 'package-lock.json'], inRoot('web/src/lib/paraglide/messages.js'), async () => {
    const strategy = ['localStorage', 'preferredLanguage', 'baseLocale'];
    await runToEnd(
      inRoot('node_modules/.bin/paraglide-js'),
      ['compile', '--project', './project.inlang', '--outdir', './src/lib/paraglide', '--strategy', ...strategy, '--silent'],
      { cwd: inRoot('web') },
    );
  });
}

/** Builds the console when its sources changed. Without a console the Worker still serves its API. */
export async function buildConsole(onBuild: () => void = () => {}): Promise<void> {
  provideAssetsFolder();
  if (!existsSync(inRoot('web/vite.config.ts'))) return;
  await onceFor('console', ['web', 'worker/domain', 'worker/goal/rpc.ts', 'package-lock.json'], inRoot('web/build/index.html'), async () => {
    onBuild();
    // Tests start this too, and their NODE_ENV would build the slow, large variant.
    await runToEnd(inRoot('node_modules/.bin/vite'), ['build'], { cwd: inRoot('web'), env: { NODE_ENV: 'production' } });
  });
}

/** Applies the migrations that this state folder has not seen. A folder without a database gets a copy of one that was migrated before: applying takes seconds. */
export async function migrate(dir: string): Promise<void> {
  const marker = join(dir, 'migrations.digest');
  const digest = digestOfSources(['migrations', 'wrangler.toml']);
  if (existsSync(marker) && readFileSync(marker, 'utf8') === digest) return;
  const database = join(dir, 'v3', 'd1');
  const isNew = !existsSync(database);
  const kept = join(cacheDir, 'migrated', digest);
  mkdirSync(dir, { recursive: true });
  if (isNew && existsSync(kept)) cpSync(kept, database, { recursive: true });
  else {
    await runToEnd(inRoot('node_modules/.bin/wrangler'), ['d1', 'migrations', 'apply', 'longhaul', '--local', '--persist-to', dir], { cwd: root, env: { CI: '1' } });
    if (isNew) keep(database, kept);
  }
  writeFileSync(marker, digest);
}

/** Under a name of its own first: another command may be looking for it. */
function keep(database: string, kept: string): void {
  if (!existsSync(database) || existsSync(kept)) return;
  const mine = `${kept}.${process.pid}`;
  cpSync(database, mine, { recursive: true });
  try {
    renameSync(mine, kept);
  } catch {
    rmSync(mine, { recursive: true, force: true });
  }
}

/** The Worker's static files need a folder, also where the console is not wanted. */
export function provideAssetsFolder(): void {
  mkdirSync(inRoot('web/build'), { recursive: true });
}
