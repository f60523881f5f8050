/** `npm run sample -- invoices --executor model`: a scripted honest agent over a real model address, on a whole Worker, to the exact result. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inRoot } from '../scripts/repository.ts';
import { csvExport } from '../testing/model-server/scripts/csv-export.ts';
import { invoices } from '../testing/model-server/scripts/invoices.ts';
import { type ModelServer, startModelServer } from '../testing/model-server/server.ts';
import { type Ended, runCommand } from './command.ts';

interface Expected {
  in_scope: number;
  approve: number;
  batch_total_cny: string;
  verdicts: { invoice_id: string; verdict: string; reason: string }[];
}

const key = 'sk-canary-e2e-0123456789abcdef';
let server: ModelServer;
let out: string;
let ended: Ended;

beforeAll(async () => {
  server = await startModelServer({ script: invoices, model: 'invoices', key });
  out = mkdtempSync(join(tmpdir(), 'longhaul-agents-'));
  ended = await runCommand('sample', ['invoices', '--executor', 'model', '--json', '--out', out], {
    LONGHAUL_MODEL_URL: server.url,
    LONGHAUL_MODEL: 'invoices',
    LONGHAUL_MODEL_KEY: key,
  });
}, 600_000);
afterAll(async () => {
  await server.close();
  rmSync(out, { recursive: true, force: true });
});

test('agents carry the invoices to the exact result', () => {
  expect(server.faults).toEqual([]);
  expect({ code: ended.code, errors: ended.errors }).toMatchObject({ code: 0 });
  const expected = JSON.parse(readFileSync(inRoot('samples/invoices/expected/expected.json'), 'utf8')) as Expected;
  const said = (each: { invoice_id: string; verdict: string; reason: string }) => `${each.invoice_id} ${each.verdict} ${each.reason}`;
  const ledger = readFileSync(join(out, 'ledger.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Expected['verdicts'][number]);
  const inScope = expected.verdicts.filter((each) => each.verdict === 'approve' || each.verdict === 'needs_review');
  expect(ledger.map(said).sort()).toEqual(inScope.map(said).sort());
  const batch = JSON.parse(readFileSync(join(out, 'payment-batch.json'), 'utf8')) as { total: string; lines: unknown[] };
  expect([batch.total, batch.lines.length]).toEqual([expected.batch_total_cny, expected.approve]);
});

test('every round says which model it ran on, and the key is nowhere', () => {
  const events = ended.out.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as { type?: string; data?: { model?: string } });
  const pinned = events.filter((event) => event.type === 'round.pinned');
  expect(pinned.length).toBeGreaterThanOrEqual(5);
  for (const event of pinned) expect(event.data?.model).toBe('local/invoices');
  expect(server.find(key)).toEqual([]);
  expect(`${ended.out.join('\n')}${ended.errors}`).not.toContain(key);
});

test('the CSV export completes with agents that plan, ask, write, review and audit, a delivery that comes back among it', async () => {
  server.reset();
  server.play(csvExport);
  const answers = join(out, 'answers.json');
  writeFileSync(answers, JSON.stringify({ spreadsheet_program: { program: 'libreoffice' } }));
  const csv = await runCommand('sample', ['csv-export', '--executor', 'model', '--json', '--answers', answers], {
    LONGHAUL_MODEL_URL: server.url,
    LONGHAUL_MODEL: 'csv-export',
    LONGHAUL_MODEL_KEY: key,
  });
  expect({ code: csv.code, errors: csv.errors }).toMatchObject({ code: 0 });
  expect(server.faults).toEqual([]);
  const events = csv.out
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { type?: string; by?: string; data?: { item?: string; verdict?: { verdict?: string } } });
  const by = (type: string) => new Set(events.filter((event) => event.type === type).map((event) => event.by));
  expect([...by('plan.adopted'), ...by('goal.audited')]).toEqual(['agent:coordinator', 'agent:coordinator']);
  expect(by('review.recorded')).toContain('agent:reviewer');
  // Which program is a person's to say: the coordinator looked, and left it to them.
  expect(by('blocker.passed').size).toBe(1);
  const delivered = events.filter((event) => event.type === 'submission.received');
  expect(new Set(delivered.filter((event) => event.by === 'agent:worker').map((event) => event.data?.item))).toEqual(
    new Set(['requirements', 'client', 'compatibility', 'documentation', 'integrated']),
  );
  expect(new Set(delivered.filter((event) => event.by !== 'agent:worker').map((event) => event.data?.item))).toEqual(new Set(['server']));
  expect(events.some((event) => event.type === 'acceptance.recorded' && event.data?.verdict?.verdict === 'changes_requested')).toBe(true);
}, 400_000);
