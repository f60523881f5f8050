import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { generate, writeData } from './generate.ts';
import { expectedTotal, expectedVerdicts } from './oracle.ts';
import { readData } from './read-data.ts';

const shipped = join(import.meta.dirname, 'data');
const expected = JSON.parse(readFileSync(join(import.meta.dirname, 'expected/expected.json'), 'utf8')) as {
  approve: number;
  needs_review: number;
  out_of_scope: number;
  batch_total_cny: string;
  verdicts: { invoice_id: string; verdict: string; reason: string }[];
};

test('on the shipped data the oracle says what is expected', () => {
  const data = readData(shipped);
  const verdicts = expectedVerdicts(data);
  const sorted = (list: { invoice_id: string; verdict: string; reason: string }[]) =>
    list.map(({ invoice_id, verdict, reason }) => `${invoice_id} ${verdict} ${verdict === 'out_of_scope' ? '' : reason}`).sort();
  expect(sorted(verdicts)).toEqual(sorted(expected.verdicts));
  expect(expectedTotal(data, verdicts)).toBe(expected.batch_total_cny);
  const count = (verdict: string) => verdicts.filter((each) => each.verdict === verdict).length;
  expect([count('approve'), count('needs_review'), count('out_of_scope')]).toEqual([expected.approve, expected.needs_review, expected.out_of_scope]);
});

test('generated data holds every reason, and the same seed gives the same bytes', () => {
  const reasons = ['match', 'within_contract_tolerance', 'po_number_format', 'po_not_found', 'po_closed', 'supplier_mismatch', 'currency_mismatch', 'credit_note'];
  reasons.push('line_sum_mismatch', 'bank_account_changed', 'amount_below_po', 'amount_over_tolerance');
  for (let seed = 1; seed <= 20; seed += 1) {
    const data = generate({ seed });
    const verdicts = expectedVerdicts(data);
    const seen = new Set(verdicts.map((each) => each.reason));
    expect(reasons.filter((reason) => !seen.has(reason))).toEqual([]);
    expect(verdicts.filter((each) => each.reason.startsWith('duplicate_of:'))).toHaveLength(3);
    expect(verdicts.filter((each) => each.reason === 'po_number_format')).toHaveLength(3);
    expect(verdicts.filter((each) => each.verdict === 'out_of_scope')).toHaveLength(5);
    expect(generate({ seed }).files).toEqual(data.files);
  }
});

test('what is written reads back as what was generated', () => {
  const dir = mkdtempSync(join(tmpdir(), 'invoices-'));
  try {
    const data = generate({ seed: 7 });
    writeData(dir, data);
    const read = readData(dir);
    expect(read).toEqual({ invoices: data.invoices, orders: data.orders, suppliers: data.suppliers });
  } finally {
    rmSync(dir, { recursive: true });
  }
});
