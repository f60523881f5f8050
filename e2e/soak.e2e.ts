/** A small soak: the whole Worker killed three times in an invoice run, and the same files as without. `npm run soak` is the long one, over every sample. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { generate, writeData } from '../samples/invoices/generate.ts';
import { buildWorker } from '../scripts/build-worker.ts';
import { seededRandom } from '../scripts/random.ts';
import { soakSample } from '../scripts/soak-sample.ts';

const dir = mkdtempSync(join(tmpdir(), 'longhaul-soak-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

it('three kills change nothing of what comes out', { timeout: 600_000 }, async () => {
  const dataDir = join(dir, 'data');
  writeData(dataDir, generate({ seed: 5, count: 30 }));
  const said: string[] = [];
  const result = await soakSample({
    name: 'invoices',
    dataDir,
    kills: 3,
    random: seededRandom(11),
    built: await buildWorker(join(dir, 'built')),
    say: (line) => void said.push(line),
  });
  expect(result.problems, said.join('\n')).toEqual([]);
  expect(result.kills).toBe(3);
});
