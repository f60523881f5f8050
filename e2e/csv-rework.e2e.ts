/** A fault that only the compatibility check finds, on a real Worker: the acceptance of the server export falls with its scene, the rework mends it, and all that was made from it is made again. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { csvGoal, sample } from '../samples/csv-export/sample.ts';
import type { Sample } from '../samples/sample.ts';
import { Client } from '../scripts/client.ts';
import { runSample } from '../scripts/run-sample.ts';
import type { RowData } from '../worker/domain/row-data.ts';
import { type Longhaul, startLonghaul } from './harness.ts';

const text = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
const records = Array.from({ length: 12 }, (_, n) => ({ id: `r${n}`, 标题: n === 3 ? 'before\rafter' : `记录 ${n}`, amount: '-1,234.50' }));

/** The server quotes everything but a lone carriage return, which its own checks do not see. */
const planted: Sample = {
  ...sample,
  create: async () => ({
    payload: csvGoal({ large: { rows: 1000, chunkRows: 100, inFlight: 4 }, quote: [',', '"', '\n'] }),
    files: [
      { path: 'records.json', bytes: text(records), type: 'application/json' },
      { path: 'selection.json', bytes: text({ selected: records.map((record) => record.id), columns: ['amount', '标题', 'id'] }), type: 'application/json' },
    ],
  }),
};

let worker: Longhaul;
let dir: string;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'longhaul-csv-rework-'));
  worker = await startLonghaul({ dir });
});
afterAll(async () => {
  await worker?.stop();
  rmSync(dir, { recursive: true, force: true });
});

it('sends the accepted server export back, and completes with the mended file', async () => {
  const client = new Client(worker.url, 'local');
  const result = await runSample(client, planted, { dataDir: dir, answers: { spreadsheet_program: { program: 'excel-zh' } }, crash: async () => {}, onEvent: () => {} });
  expect({ exit: result.exit, why: result.why }).toEqual({ exit: 0, why: { kind: 'terminal', status: 'completed' } });

  const record = client.sample(result.goal);
  const rows = async <K extends keyof RowData>(kind: K, item: string) => (await record.rows(kind, { item })).map((row) => row.data as unknown as RowData[K]);
  const verdicts = (await rows('acceptance', 'server')).sort((a, b) => a.at - b.at);
  expect(verdicts.map((each) => each.verdict)).toEqual(['changes_requested', 'accepted', 'accepted']);
  const fallen = verdicts[1];
  expect(fallen).toMatchObject({ live: false, by: 'host', invalidated: { by: 'skill:csv-export/compatibility', from: 'compatibility' } });
  const scene = (await record.body(fallen?.invalidated?.sceneBody ?? '')) as { missing: string[]; findings: { where: string }[] };
  expect(scene.missing).toEqual(['rule:quote:cr']);
  expect(scene.findings[0]?.where).toBe('B5');
  expect((await rows('submission', 'server')).map((each) => each.by)).toEqual(Array(3).fill('skill:csv-export/server'));
  // Three looks at each of the two files that were accepted.
  expect((await rows('subagent', 'compatibility')).map((each) => [each.name, each.state]).sort()).toEqual(
    ['encoding', 'encoding', 'quoting', 'quoting', 'size', 'size'].map((name) => [name, 'returned']),
  );

  const delivered = Buffer.from(result.files?.['export.csv'] ?? '').toString('utf8');
  expect(delivered).toContain('"before\rafter"');
  expect(delivered.startsWith('\ufeffamount,标题,id\r\n"-1,234.50",')).toBe(true);
  const digest = (await record.accepted('server')).find((artifact) => artifact.path === 'export.csv')?.digest ?? '';
  for (const document of ['release-note.md', 'acceptance-report.md']) expect(Buffer.from(result.files?.[document] ?? '').toString('utf8')).toContain(digest);
});
