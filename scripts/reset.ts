/** `npm run reset`: deletes the local state and what was built. Refuses while `npm start` runs on it. */
import { rmSync } from 'node:fs';
import { cacheDir, inRoot, stateDir } from './repository.ts';
import { servedOn } from './serving.ts';

const port = await servedOn(stateDir);
if (port !== undefined) {
  console.error(`The state is served on port ${port}. End \`npm start\` first, then reset.`);
  process.exit(1);
}
for (const path of [stateDir, cacheDir, inRoot('web/build'), inRoot('.wrangler')]) rmSync(path, { recursive: true, force: true });
console.log('The local state is deleted. `npm start` begins anew.');
