/** `npm run reset`: deletes the local state and what was built. Refuses while `npm start` runs on it. */
import { rmSync } from 'node:fs';
import { cacheDir, inRoot, stateDir } from './repository.ts';
import { isFree } from './worker-process.ts';

if (!(await isFree(8787))) {
  console.error('Something serves on port 8787. End `npm start` first, then reset.');
  process.exit(1);
}
for (const path of [stateDir, cacheDir, inRoot('web/build'), inRoot('.wrangler')]) rmSync(path, { recursive: true, force: true });
console.log('The local state is deleted. `npm start` begins anew.');
