/** For tests inside the Workers runtime: one server of all named scripts for the run. `inject('modelServer')` gives its address, with `/v1`. */
import type { TestProject } from 'vitest/node';
import { scripts } from './scripts/index.ts';
import { startModelServer } from './server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    modelServer: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startModelServer({ scripts });
  project.provide('modelServer', server.url);
  return () => server.close();
}
