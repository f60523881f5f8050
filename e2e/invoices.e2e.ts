/**
 * `npm run sample -- invoices` as a person runs it: on the data that comes with it, on other data, over the ceiling, and with the Worker killed on the way.
 * Each run has a Worker of its own; two at a time, before the tests look at what came out.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generate, writeData } from '../samples/invoices/generate.ts';
import { cents, expectedTotal, expectedVerdicts, type Invoice, type Supplier } from '../samples/invoices/oracle.ts';
import { readData } from '../samples/invoices/read-data.ts';
import type { SampleResult } from '../scripts/run-sample.ts';
import { defaultData } from '../scripts/samples.ts';
import type { EventView } from '../worker/domain/views/types.ts';
import { type Ended, runCommand } from './command.ts';

interface Decision {
  seq: number;
  invoice_id: string;
  verdict: string;
  reason: string;
  evidence: string[];
}
interface Batch {
  currency: string;
  total: string;
  lines: { invoice_id: string; supplier_id: string; po_number: string; amount: string; bank_account: string }[];
}
interface Run {
  code: number | null;
  errors: string;
  out: string;
  events: EventView[];
  result: SampleResult & { serviceRequests: unknown[] };
}

/** Where the Worker is killed at a point nobody chose; another seed by LONGHAUL_TEST_SEED. */
const seed = Number(process.env.LONGHAUL_TEST_SEED ?? 20_261_130);
const otherCount = 50;
const randomPoint = 2 + ((Math.imul(seed, 2_654_435_761) >>> 0) % (otherCount - 4));

let dir: string;
const runs: Record<'plain' | 'killed' | 'elsewhere' | 'never' | 'ceiling', Run> = {} as never;

function runOf(ended: Ended, out: string): Run {
  const parsed = ended.out.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as EventView & { result?: Run['result'] });
  const last = parsed.pop();
  // What `npm` itself prints is no JSON; of ours, every line is.
  if (last?.result === undefined) throw new Error(`the last line is no result: ${ended.out.at(-1)}\n${ended.errors}`);
  return { code: ended.code, errors: ended.errors, out, events: parsed, result: last.result };
}

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'longhaul-invoices-'));
  const other = join(dir, 'other');
  writeData(other, generate({ seed, count: otherCount }));
  const few = join(dir, 'few');
  writeData(few, generate({ seed, count: 25 }));
  const dear = join(dir, 'dear');
  writeData(dear, generate({ seed: seed + 1, count: 30, largest: 3_000_000 }));
  const waiting: [keyof typeof runs, string[]][] = [
    ['plain', []],
    ['killed', ['--kill-at', '130']],
    ['elsewhere', ['--data', other, '--kill-at', String(randomPoint)]],
    ['never', ['--data', few, '--kill-at', '9999']],
    ['ceiling', ['--data', dear]],
  ];
  const lane = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [name, args] = next;
      const out = join(dir, `out-${name}`);
      runs[name] = runOf(await runCommand('sample', ['invoices', '--json', '--out', out, ...args]), out);
    }
  };
  await Promise.all([lane(), lane()]);
}, 600_000);
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const field = (event: EventView, name: string) => (event.data as Record<string, unknown>)[name];
const of = (run: Run, type: string) => run.events.filter((event) => event.type === type);
const ledgerIn = (out: string) =>
  readFileSync(join(out, 'ledger.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Decision);
const jsonIn = <T>(out: string, name: string) => JSON.parse(readFileSync(join(out, name), 'utf8')) as T;

/** Everything that `--out` receives, against verdicts that somebody else gave for the same data. */
function expectRight(run: Run, dataDir: string, verdicts: { invoice_id: string; verdict: string; reason: string }[], total: string) {
  const inScope = verdicts.filter((each) => each.verdict === 'approve' || each.verdict === 'needs_review');
  const approved = inScope.filter((each) => each.verdict === 'approve').map((each) => each.invoice_id);
  const forPerson = inScope.filter((each) => each.verdict === 'needs_review');

  const ledger = ledgerIn(run.out);
  expect(ledger.map((each) => each.seq)).toEqual(ledger.map((_, index) => index + 1));
  expect(ledger.every((each) => Object.keys(each).join() === 'seq,invoice_id,verdict,reason,evidence' && each.evidence.length > 0)).toBe(true);
  const said = (list: { invoice_id: string; verdict: string; reason: string }[]) => list.map(({ invoice_id, verdict, reason }) => `${invoice_id} ${verdict} ${reason}`).sort();
  expect(said(ledger)).toEqual(said(inScope));

  const data = readData(dataDir);
  const invoice = new Map(data.invoices.map((each): [string, Invoice] => [each.invoice_id, each]));
  const supplier = new Map(data.suppliers.map((each): [string, Supplier] => [each.supplier_id, each]));
  const batch = jsonIn<Batch>(run.out, 'payment-batch.json');
  expect({ ...batch, lines: batch.lines.length }).toEqual({ currency: 'CNY', total, lines: approved.length });
  expect(batch.lines.map((line) => line.invoice_id).sort()).toEqual([...approved].sort());
  expect(batch.lines.reduce((sum, line) => sum + cents(line.amount), 0n)).toBe(cents(total));
  for (const line of batch.lines) {
    expect(Object.keys(line).sort()).toEqual(['amount', 'bank_account', 'invoice_id', 'po_number', 'supplier_id']);
    const source = invoice.get(line.invoice_id);
    // Paid to the account on file, whatever an invoice says.
    expect(line).toMatchObject({ amount: source?.amount, supplier_id: source?.supplier_id, bank_account: supplier.get(line.supplier_id)?.bank_account });
  }
  expect(
    jsonIn<{ invoice_id: string; reason: string }[]>(run.out, 'needs-review.json')
      .map((each) => JSON.stringify(each))
      .sort(),
  ).toEqual(forPerson.map(({ invoice_id, reason }) => JSON.stringify({ invoice_id, reason })).sort());
}

/** No decision twice, and the Attempt in flight at the kill `lost`, the next under a higher fence, going on exactly where the count stood. */
function expectWentOn(run: Run, at: number) {
  expect(run.result).toMatchObject({ exit: 0, status: 'completed', killed: { at }, serviceRequests: [] });
  expect(run.events.map((event) => event.seq)).toEqual(run.events.map((_, index) => index + 1));
  const opened = of(run, 'attempt.opened')
    .filter((event) => event.item === 'review')
    .map((event) => ({ attempt: event.attempt, fence: Number(field(event, 'fence')) }));
  const states = new Map(of(run, 'attempt.ended').map((event) => [event.attempt, field(event, 'state')]));
  expect(opened.map(({ attempt }) => states.get(attempt))).toEqual(['lost', ...opened.slice(1).map(() => 'succeeded')]);
  for (const [index, each] of opened.entries()) if (index > 0) expect(each.fence).toBeGreaterThan(opened[index - 1]?.fence ?? Number.POSITIVE_INFINITY);

  const subjects = of(run, 'ledger.recorded').map((event) => field(event, 'subject'));
  expect(new Set(subjects).size).toBe(subjects.length);
  const moved = of(run, 'milestone.moved');
  expect(moved.map((event) => field(event, 'count'))).toEqual(moved.map((_, index) => index + 1));
  // The record tells by whom each was decided: up to the kill by the lost round, from the next one on by its successor.
  const lost = of(run, 'round.ended').filter((event) => field(event, 'outcome') === 'lost');
  expect(lost).toHaveLength(1);
  expect(new Set(moved.slice(0, at).map((event) => event.round))).toEqual(new Set([lost[0]?.round]));
  expect(moved.slice(at).map((event) => event.round)).not.toContain(lost[0]?.round);
  const [successor] = of(run, 'attempt.opened').filter((event) => event.item === 'review' && event.seq > (lost[0]?.seq ?? 0));
  expect(moved[at]?.seq).toBeGreaterThan(successor?.seq ?? Number.POSITIVE_INFINITY);
}

const expected = JSON.parse(readFileSync(join(import.meta.dirname, '../samples/invoices/expected/expected.json'), 'utf8')) as {
  batch_total_cny: string;
  verdicts: { invoice_id: string; verdict: string; reason: string }[];
};

describe('on the data that comes with it', () => {
  test('exactly the expected verdicts and reasons: 178 approved, 22 for a person, 14 left alone, 8196324.25 in all', () => {
    const run = runs.plain;
    expect({ code: run.code, errors: run.errors }).toMatchObject({ code: 0 });
    expect(run.result).toMatchObject({ sample: 'invoices', exit: 0, status: 'completed', killed: null, waitingFor: [] });
    const count = (verdict: string) => expected.verdicts.filter((each) => each.verdict === verdict).length;
    expect([count('approve'), count('needs_review'), expected.verdicts.length - count('approve') - count('needs_review')]).toEqual([178, 22, 14]);
    expect(expected.batch_total_cny).toBe('8196324.25');
    expectRight(run, defaultData('invoices'), expected.verdicts, expected.batch_total_cny);
  });

  test('each non-goal is met once and refused by its id, and no service was called', () => {
    const refused = of(runs.plain, 'call.refused').filter((event) => field(event, 'code') === 'non_goal_forbidden');
    expect(refused.map((event) => [field(event, 'tool'), field(event, 'ref')])).toEqual([
      ['supplier.update', 'supplier-master-data'],
      ['ledger.record', 'disputed-invoices'],
      ['bank.transfer', 'bank-calls'],
    ]);
    expect(runs.plain.result.serviceRequests).toEqual([]);
  });

  test('the first "done" is sent back by the host, for what was parked and is on no list', () => {
    const parked = of(runs.plain, 'drift.noticed').filter((event) => field(event, 'level') === 'parked');
    expect(parked).toHaveLength(3);
    const verdicts = of(runs.plain, 'acceptance.recorded')
      .filter((event) => event.item === 'review')
      .map((event) => field(event, 'verdict') as { verdict: string; by: string; scene?: { summary: string } });
    expect(verdicts.map((each) => [each.verdict, each.by])).toEqual([
      ['changes_requested', 'host'],
      ['accepted', 'host'],
    ]);
    for (const event of parked) expect(verdicts[0]?.scene?.summary).toContain(String(field(event, 'subject')));
  });

  test('killed at 130, the result is the same and nothing is decided twice', () => {
    const run = runs.killed;
    expect({ code: run.code, errors: run.errors }).toMatchObject({ code: 0 });
    expectRight(run, defaultData('invoices'), expected.verdicts, expected.batch_total_cny);
    expectWentOn(run, 130);
  });
});

describe('on other data of the same shape', () => {
  test(`it is as right, killed at a random point (seed ${seed}: ${randomPoint})`, () => {
    const run = runs.elsewhere;
    expect({ code: run.code, errors: run.errors }).toMatchObject({ code: 0 });
    const data = readData(join(dir, 'other'));
    const verdicts = expectedVerdicts(data);
    expectRight(run, join(dir, 'other'), verdicts, expectedTotal(data, verdicts));
    expectWentOn(run, randomPoint);
  });

  test('a count that is never reached ends with 4, and says so', () => {
    const run = runs.never;
    expect(run.code).toBe(4);
    expect(run.result).toMatchObject({ exit: 4, status: 'completed', killed: null, sentence: expect.stringContaining('9999 was never reached') });
  });

  test('over the ceiling there is a question and no batch, and nothing is written', () => {
    const run = runs.ceiling;
    const data = readData(join(dir, 'dear'));
    expect(cents(expectedTotal(data, expectedVerdicts(data)))).toBeGreaterThan(cents('10000000.00'));
    expect(run.code).toBe(3);
    expect(run.result).toMatchObject({
      exit: 3,
      status: 'active',
      files: [],
      waitingFor: [{ key: 'batch_over_ceiling', form: { required: ['contract_revised'] } }],
      serviceRequests: [],
    });
    expect(run.errors).toContain('"batch_over_ceiling"');
    expect(run.events.filter((event) => event.item === 'payment-batch' && event.type.startsWith('attempt.'))).toEqual([]);
    expect(() => readFileSync(join(run.out, 'payment-batch.json'))).toThrow('ENOENT');
  });
});
