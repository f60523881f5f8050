import { expect, it } from 'vitest';
import { fakeEnv, MemoryFiles, use, workerContext } from '../testing/fake-env.ts';
import { workbook } from '../testing/workbook.ts';
import type { Tool } from '../tool.ts';
import { xlsxRead } from './read.ts';

it('a sheet of half a megabyte packed is read here, where there are no threads', async () => {
  const rows = Array.from({ length: 30_000 }, (_, n) => [`row ${n * 7919}`, n * 104_729, `${(n * 48_271) % 2_147_483_647}`]);
  const bytes = workbook({ Big: [['name', 'n', 'text'], ...rows] });
  expect(bytes.length).toBeGreaterThan(500_000);
  const files = new MemoryFiles();
  const env = fakeEnv({ files, context: workerContext({ sources: [files.source('big.xlsx', bytes)] }) });
  expect(await use(xlsxRead as unknown as Tool, { path: 'big.xlsx', offset: 29_999 }, env)).toMatchObject({ ok: true, value: { total: 30_000, rows: [{ n: 29_999 * 104_729 }] } });
});
