#!/usr/bin/env node
/** Starts the command line on a Node that runs TypeScript: this one, or the one that is installed beside it. Only Node's own modules may be imported. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
if (process.features.typescript) await import('./main.ts');
else {
  const node = join(here, '..', 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (!existsSync(node)) {
    console.error(`Node ${process.versions.node} does not run TypeScript: use Node 24, or install the dependencies (npm ci).`);
    process.exit(1);
  }
  const child = spawn(node, [join(here, 'main.ts'), ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal ?? 'SIGTERM'] ?? 15)));
}
