/** A small soak: the whole Worker killed three times in an invoice run by scripts, and in one by agents, and the same files, decisions and counts as without; and twice while deliveries start goals, one each. `npm run soak` is the long one, over every sample. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sampleExecutors } from '../samples/sample.ts';
import { generate, writeData } from '../samples/invoices/generate.ts';
import { buildWorker } from '../scripts/build-worker.ts';
import { seededRandom } from '../scripts/random.ts';
import { soakSample } from '../scripts/soak-sample.ts';
import { soakTriggers } from '../scripts/soak-triggers.ts';

const dir = mkdtempSync(join(tmpdir(), 'longhaul-soak-'));
const dataDir = join(dir, 'data');
let built: string;
beforeAll(async () => {
  writeData(dataDir, generate({ seed: 5, count: 30 }));
  built = await buildWorker(join(dir, 'built'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

it.each(sampleExecutors)('three kills change nothing of what comes out (%s)', { timeout: 600_000 }, async (executor) => {
  const said: string[] = [];
  const result = await soakSample({ name: 'invoices', executor, dataDir, kills: 3, random: seededRandom(11), built, say: (line) => void said.push(line) });
  expect(result.problems, said.join('\n')).toEqual([]);
  expect(result.kills).toBe(3);
});

it('each delivery starts one goal, whatever is killed meanwhile', { timeout: 300_000 }, async () => {
  const said: string[] = [];
  const result = await soakTriggers({ kills: 2, random: seededRandom(7), built, say: (line) => void said.push(line) });
  expect(result.problems, said.join('\n')).toEqual([]);
  expect(result.kills).toBe(2);
});
