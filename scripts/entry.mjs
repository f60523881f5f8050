/**
 * Every `npm run` command starts here, on whatever Node (20 or later) the machine has and with nothing installed.
 * It installs what is missing, then runs the real script on the Node of `node_modules`, with that Node and `node_modules/.bin` first in PATH.
 * Only Node's own modules may be imported.
 */
import { spawn, spawnSync } from 'node:child_process';
import { accessSync, closeSync, constants, existsSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { constants as os } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, 'node_modules');
const node = join(modules, 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

/** Where a command's script is not `scripts/<command>.ts`. */
const elsewhere = { simulate: 'simulator/main.ts', bench: 'bench/main.ts', shots: 'e2e/shots.ts' };

const [command, ...args] = process.argv.slice(2);
const script = join(root, elsewhere[command] ?? `scripts/${command}.ts`);
if (!command || !/^[a-z-]+$/.test(command) || !existsSync(script)) {
  console.error(`There is no command "${command ?? ''}".`);
  process.exit(2);
}

const major = Number(process.versions.node.split('.')[0]);
if (major < 20) {
  console.error(`Node ${process.versions.node} is too old: 20 or later is needed.`);
  process.exit(2);
}

function lockOf(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages ?? {};
  } catch {
    return {};
  }
}

/** What npm says is installed (it writes that file last) is what the lock file asks for; packages for other platforms may be missing. Whoever ran npm by hand is not undone. */
function isInstalled() {
  const installed = lockOf(join(modules, '.package-lock.json'));
  const wanted = Object.entries(lockOf(join(root, 'package-lock.json'))).filter(([path]) => path !== '');
  return (
    wanted.length > 0 &&
    wanted.every(([path, { version, optional }]) => installed[path]?.version === version || (optional === true && installed[path] === undefined)) &&
    isExecutable(node)
  );
}

/** Runs in `cwd` with its output on our standard error: standard output belongs to the command. */
function run(file, parameters, cwd) {
  const done = spawnSync(file, parameters, { cwd, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' });
  if (done.status !== 0) {
    console.error(`${file} ${parameters.join(' ')} failed${done.error ? `: ${done.error.message}` : ''}`);
    process.exit(1);
  }
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).size > 1000;
  } catch {
    return false;
  }
}

/** The install scripts that put binaries in place. npm runs them, unless it was told to run none: then we do. */
function placeBinaries() {
  if (!isExecutable(node)) run(process.execPath, ['installArchSpecificPackage.js'], join(modules, 'node'));
  for (const name of ['workerd', 'esbuild', 'drizzle-kit/node_modules/esbuild']) {
    const folder = join(modules, name);
    if (existsSync(join(folder, 'install.js')) && spawnSync(join(folder, 'bin', name.split('/').at(-1)), ['--version']).status !== 0) run(process.execPath, ['install.js'], folder);
  }
}

/** Two commands at once must not install into one folder: the second waits for the first. */
function install() {
  const lock = join(root, '.longhaul-install.lock');
  const wait = new Int32Array(new SharedArrayBuffer(4));
  let held;
  while (held === undefined) {
    try {
      held = openSync(lock, 'wx');
      writeFileSync(held, String(process.pid));
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      const owner = Number(readFileSync(lock, 'utf8') || 0);
      try {
        if (owner) process.kill(owner, 0);
        Atomics.wait(wait, 0, 0, 500);
      } catch {
        rmSync(lock, { force: true });
      }
    }
  }
  const release = () => rmSync(lock, { force: true });
  process.on('exit', release);
  closeSync(held);
  if (!isInstalled()) {
    console.error('Installing the dependencies ...');
    run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], root);
    placeBinaries();
  }
  release();
}

if (!isInstalled()) install();

const child = spawn(node, [script, ...args], {
  cwd: root,
  stdio: 'inherit',
  env: {
    ...process.env,
    PATH: [dirname(node), join(modules, '.bin'), process.env.PATH ?? ''].join(delimiter),
    WRANGLER_SEND_METRICS: 'false',
    WRANGLER_HIDE_BANNER: 'true',
    DO_NOT_TRACK: '1',
    NODE_NO_WARNINGS: '1',
  },
});
// The terminal sends its signals to the child as well; one sent to us alone is passed on, and we end when it has ended.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('error', (error) => {
  console.error(error.message);
  process.exit(1);
});
child.on('exit', (code, signal) => process.exit(code ?? 128 + (os.signals[signal ?? 'SIGTERM'] ?? 15)));
