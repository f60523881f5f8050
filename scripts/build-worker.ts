/** Builds the Worker once, so that one that is killed and started again is the same program, also while sources change. */
import { join } from 'node:path';
import { generate, provideAssetsFolder } from './prepare.ts';
import { runToEnd } from './processes.ts';
import { inRoot, root } from './repository.ts';

/** Writes the development bundle into `dir`; the path of its main file. */
export async function buildWorker(dir: string): Promise<string> {
  await generate();
  provideAssetsFolder();
  await runToEnd(inRoot('node_modules/.bin/wrangler'), ['deploy', '--dry-run', '--outdir', dir], { cwd: root, env: { CI: '1', WRANGLER_SEND_METRICS: 'false' } });
  return join(dir, 'index.js');
}
