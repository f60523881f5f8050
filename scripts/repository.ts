/** Where things are. */
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
export const inRoot = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));
/** State of `npm start`: databases, objects, files. `npm run reset` deletes it. */
export const stateDir = inRoot('.longhaul');
/** What may be deleted at any time: what was built from which sources. */
export const cacheDir = inRoot('node_modules/.cache/longhaul');
