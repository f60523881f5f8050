/** `npm run sample` as a person runs it: exit codes, what it prints, what it writes, and a Worker that is killed on the way. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { generate, writeData } from '../samples/invoices/generate.ts';
import { expectedTotal, expectedVerdicts } from '../samples/invoices/oracle.ts';
import { readData } from '../samples/invoices/read-data.ts';
import type { SampleResult } from '../scripts/run-sample.ts';
import type { EventView } from '../worker/domain/views/types.ts';
import { type Ended, runCommand } from './command.ts';

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'longhaul-command-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function resultOf(ended: Ended): SampleResult {
  return (JSON.parse(ended.out.at(-1) ?? '{}') as { result: SampleResult }).result;
}
const eventsOf = (ended: Ended) => ended.out.slice(0, -1).map((line) => JSON.parse(line) as EventView);
const field = (event: EventView, name: string) => (event.data as Record<string, unknown>)[name];

interface Decision {
  invoice_id: string;
  verdict: string;
  reason: string;
  evidence: string[];
}
const ledgerIn = (out: string) =>
  readFileSync(join(out, 'ledger.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Decision);

test('killed at 130 with a round in flight, the invoices come out exactly as expected and nothing is decided twice', async () => {
  const out = join(dir, 'killed');
  const ended = await runCommand('sample', ['invoices', '--kill-at', '130', '--json', '--out', out]);
  expect({ code: ended.code, errors: ended.errors }).toMatchObject({ code: 0 });
  expect(resultOf(ended)).toMatchObject({ exit: 0, status: 'completed', killed: { at: 130 }, serviceRequests: [] });

  const events = eventsOf(ended);
  expect(events.map((event) => event.seq)).toEqual(events.map((_, at) => at + 1));
  const opened = events
    .filter((event) => event.type === 'attempt.opened' && event.item === 'review')
    .map((event) => ({ attempt: event.attempt, fence: Number(field(event, 'fence')) }));
  const states = new Map(events.filter((event) => event.type === 'attempt.ended').map((event) => [event.attempt, field(event, 'state')]));
  expect(opened.map(({ attempt }) => states.get(attempt))).toEqual(['lost', 'succeeded', 'succeeded']);
  expect(opened.map(({ fence }) => fence)).toEqual(opened.map(({ fence }) => fence).sort((a, b) => a - b));
  expect(new Set(opened.map(({ fence }) => fence)).size).toBe(opened.length);

  const expected = JSON.parse(readFileSync(join(import.meta.dirname, '../samples/invoices/expected/expected.json'), 'utf8')) as {
    batch_total_cny: string;
    verdicts: { invoice_id: string; verdict: string; reason: string }[];
  };
  const inScope = expected.verdicts.filter((each) => each.verdict === 'approve' || each.verdict === 'needs_review');
  const ledger = ledgerIn(out);
  expect(ledger).toHaveLength(200);
  expect(new Map(ledger.map((each) => [each.invoice_id, each.reason]))).toEqual(new Map(inScope.map((each) => [each.invoice_id, each.reason])));
  expect(ledger.every((each) => each.evidence.length > 0)).toBe(true);
  const batch = JSON.parse(readFileSync(join(out, 'payment-batch.json'), 'utf8')) as { total: string; lines: { invoice_id: string }[] };
  expect(batch.total).toBe(expected.batch_total_cny);
  expect(batch.lines.map((line) => line.invoice_id).sort()).toEqual(
    inScope
      .filter((each) => each.verdict === 'approve')
      .map((each) => each.invoice_id)
      .sort(),
  );
  const review = JSON.parse(readFileSync(join(out, 'needs-review.json'), 'utf8')) as { invoice_id: string; reason: string }[];
  expect(review.map((each) => `${each.invoice_id} ${each.reason}`).sort()).toEqual(
    inScope
      .filter((each) => each.verdict === 'needs_review')
      .map((each) => `${each.invoice_id} ${each.reason}`)
      .sort(),
  );
});

test('on other data it is as right, killed elsewhere; a count that is never reached ends with 4', async () => {
  const data = join(dir, 'other');
  writeData(data, generate({ seed: 20_261_130, count: 50 }));
  const verdicts = expectedVerdicts(readData(data));
  const decided = verdicts.filter((each) => each.verdict === 'approve' || each.verdict === 'needs_review');

  const out = join(dir, 'other-out');
  const killed = await runCommand('sample', ['invoices', '--data', data, '--out', out, '--kill-at', '17', '--json']);
  expect({ code: killed.code, errors: killed.errors }).toMatchObject({ code: 0 });
  expect(new Map(ledgerIn(out).map((each) => [each.invoice_id, each.reason]))).toEqual(new Map(decided.map((each) => [each.invoice_id, each.reason])));
  expect(JSON.parse(readFileSync(join(out, 'payment-batch.json'), 'utf8'))).toMatchObject({ total: expectedTotal(readData(data), verdicts) });

  const never = await runCommand('sample', ['invoices', '--data', data, '--kill-at', '5000', '--json']);
  expect(never.code).toBe(4);
  expect(resultOf(never)).toMatchObject({ exit: 4, status: 'completed', killed: null });
});

test('a question without an answer ends with 3 and shows its form; with the answer the files are written', async () => {
  const asked = await runCommand('sample', ['csv-export']);
  expect(asked.code).toBe(3);
  expect(asked.out.join('\n')).toContain('"spreadsheet_program"');
  expect(asked.out.join('\n')).toContain('"enum":["excel-zh","libreoffice","wps"]');

  const answers = join(dir, 'answers.json');
  writeFileSync(answers, JSON.stringify({ spreadsheet_program: { program: 'libreoffice' } }));
  const out = join(dir, 'csv');
  const answered = await runCommand('sample', ['csv-export', '--answers', answers, '--out', out, '--json']);
  expect({ code: answered.code, errors: answered.errors }).toMatchObject({ code: 0 });
  expect(readFileSync(join(out, 'export.csv')).length).toBeGreaterThan(100);
});

test('a wrong command line is told apart from a failed run and starts nothing', async () => {
  expect(await runCommand('sample', ['nothing-of-that-name'])).toMatchObject({ code: 1, errors: expect.stringContaining('npm run sample -- <csv-export|invoices>') });
  expect(await runCommand('sample', ['invoices', '--kill-at', 'soon'])).toMatchObject({ code: 1 });
  expect(await runCommand('sample', ['csv-export', '--answers', join(dir, 'missing.json')])).toMatchObject({ code: 1, errors: expect.stringContaining('missing.json') });
});
