/** The sample goals: finding them and putting one in place over /v1. */
import { existsSync, readdirSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { Sample, SampleExecutor } from '../samples/sample.ts';
import type { Client } from './client.ts';
import { inRoot } from './repository.ts';

export function sampleNames(): string[] {
  return readdirSync(inRoot('samples'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(inRoot(`samples/${entry.name}/sample.ts`)))
    .map((entry) => entry.name)
    .sort();
}

export async function loadSample(name: string): Promise<Sample> {
  const { sample } = (await import(pathToFileURL(inRoot(`samples/${name}/sample.ts`)).href)) as { sample: Sample };
  return sample;
}

export const defaultData = (name: string): string => inRoot(`samples/${name}/data`);

/**
 * Creates the goal as a draft, stores its sources, confirms it. Every command has an id of its own derived from `name`, so that doing it again,
 * also after it was broken off, ends with the one goal. Returns the goal's id.
 */
export async function placeSample(client: Client, sample: Sample, dataDir: string, executor: SampleExecutor = 'skill'): Promise<string> {
  const { payload, files } = await sample.create(dataDir, { executor });
  const id = `sample:${sample.name}`;
  const { goal } = await client.create(id, payload);
  if ((await client.bar(goal)).status !== 'draft') return goal;
  for (const file of files) await client.putFile(goal, file.path, file.bytes, file.type, `${id}:file:${file.path}`);
  await client.command(goal, { type: 'goal.confirm', commandId: `${id}:confirm`, expected: { goalVersion: 1 } });
  return goal;
}
