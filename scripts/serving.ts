/** On which port a state folder is served: written by `npm start`, so that nobody deletes the folder meanwhile. One that a dead process left says nothing, as its port is free. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isFree } from './worker-process.ts';

const fileIn = (dir: string) => join(dir, 'serving.json');

/** Gives what takes the note away again. */
export function noteServing(dir: string, port: number): () => void {
  mkdirSync(dir, { recursive: true });
  writeFileSync(fileIn(dir), JSON.stringify({ port }));
  return () => rmSync(fileIn(dir), { force: true });
}

/** The port on which that folder is served now; undefined: it is not. */
export async function servedOn(dir: string): Promise<number | undefined> {
  let port: unknown;
  try {
    ({ port } = JSON.parse(readFileSync(fileIn(dir), 'utf8')) as { port?: unknown });
  } catch {
    return undefined;
  }
  return typeof port === 'number' && !(await isFree(port)) ? port : undefined;
}
