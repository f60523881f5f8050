/** `npm run sample` as a person runs it: a question on the way, answers from a file, and wrong command lines. What the samples deliver: `invoices.e2e.ts`, `csv.e2e.ts`. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from './command.ts';

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'longhaul-command-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

test('a question without an answer ends with 3 and shows its form; with the answer the files are written', async () => {
  const answers = join(dir, 'answers.json');
  writeFileSync(answers, JSON.stringify({ spreadsheet_program: { program: 'libreoffice' } }));
  const out = join(dir, 'csv');
  const [asked, answered] = await Promise.all([runCommand('sample', ['csv-export']), runCommand('sample', ['csv-export', '--answers', answers, '--out', out, '--json'])]);
  expect(asked.code).toBe(3);
  expect(asked.out.join('\n')).toContain('"spreadsheet_program"');
  expect(asked.out.join('\n')).toContain('"enum":["excel-zh","libreoffice","wps"]');
  expect({ code: answered.code, errors: answered.errors }).toMatchObject({ code: 0 });
  expect(readFileSync(join(out, 'export.csv')).length).toBeGreaterThan(100);
  // The large run of the contract, whole.
  expect(JSON.parse(readFileSync(join(out, 'large-run.json'), 'utf8'))).toMatchObject({ rows: 100_000, maxInFlight: expect.toSatisfy((most: number) => most >= 1 && most <= 4) });
});

test('killed when two items are accepted, with a round in flight, it delivers all the same', async () => {
  const answers = join(dir, 'answers-killed.json');
  writeFileSync(answers, JSON.stringify({ spreadsheet_program: { program: 'libreoffice' } }));
  const out = join(dir, 'csv-killed');
  const ended = await runCommand('sample', ['csv-export', '--answers', answers, '--out', out, '--json', '--kill-at', '2']);
  const lines = ended.out.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as { type?: string; round?: string; data?: { outcome?: string }; result?: object });
  const result = lines.at(-1)?.result as { killed: { at: number; inFlight: string[] } };
  expect({ code: ended.code, result }, ended.errors).toMatchObject({ code: 0, result: { exit: 0, status: 'completed', killed: { at: 2 } } });
  expect(result.killed.inFlight.length).toBeGreaterThan(0);
  const lost = lines.filter((event) => event.type === 'round.ended' && event.data?.outcome === 'lost').map((event) => event.round);
  expect(lost).toEqual(expect.arrayContaining(result.killed.inFlight));
  expect(readFileSync(join(out, 'export.csv')).length).toBeGreaterThan(100);
});

test('a wrong command line is told apart from a failed run and starts nothing', async () => {
  expect(await runCommand('sample', ['nothing-of-that-name'])).toMatchObject({ code: 1, errors: expect.stringContaining('npm run sample -- <csv-export|invoices>') });
  expect(await runCommand('sample', ['invoices', '--kill-at', 'soon'])).toMatchObject({ code: 1 });
  expect(await runCommand('sample', ['csv-export', '--answers', join(dir, 'missing.json')])).toMatchObject({ code: 1, errors: expect.stringContaining('missing.json') });
});
