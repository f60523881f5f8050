/** Where things are. */
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..');
export const inRoot = (path: string): string => join(root, path);
/** State of `npm start`: databases, objects, files. `npm run reset` deletes it. */
export const stateDir = inRoot('.longhaul');
/** What may be deleted at any time: what was built from which sources. */
export const cacheDir = inRoot('node_modules/.cache/longhaul');
