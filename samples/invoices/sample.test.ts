import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { catalogue } from '../../worker/domain/commands.ts';
import { contract as contractSchema } from '../../worker/domain/contract/contract.ts';
import { forbiddenBy } from '../../worker/domain/effects/match.ts';
import { validatePlan } from '../../worker/domain/plan/validate.ts';
import type { SampleClient } from '../sample.ts';
import { createInvoiceGoal, invoiceContract, sample } from './sample.ts';

const shipped = join(import.meta.dirname, 'data');
const planScript = join(import.meta.dirname, '../../skills/invoice-audit/scripts/plan.js');

test('the goal is one that can be created, and its sources hold no expected result', async () => {
  const { payload, files } = await sample.create(shipped);
  expect(catalogue['goal.create'].payload.safeParse(payload).success).toBe(true);
  expect(files.map((file) => file.path).filter((path) => !path.startsWith('contracts/'))).toEqual(['invoices.json', 'purchase-orders.json', 'suppliers.csv']);
  expect(files).toHaveLength(15);
});

test('the plan for the contract is valid, covers every criterion and has nothing to warn of', async () => {
  const { documentFor } = await import(/* @vite-ignore */ planScript);
  const contract = contractSchema.parse(createInvoiceGoal(shipped).payload.contract);
  const verdict = validatePlan(documentFor(contract), { mode: 'bound', criteria: contract.criteria, reviewers: ['agent:reviewer'] });
  expect(verdict).toMatchObject({ ok: true, warnings: [] });
});

test('a call about a disputed invoice is forbidden, however many there are; any other is not', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.stringMatching(/^[A-Z0-9.+()-]{3,20}$/), { minLength: 1, maxLength: 120 }), fc.stringMatching(/^[A-Z0-9.+()-]{3,20}$/), (disputed, other) => {
      const { nonGoals } = contractSchema.parse(invoiceContract({ disputed }));
      for (const id of disputed) {
        expect(forbiddenBy(nonGoals, 'json.read', { about: id })?.id).toMatch(/^disputed-invoices/);
        expect(forbiddenBy(nonGoals, 'ledger.record', { entries: [{ subject: 'INV-1' }, { subject: id }] })?.id).toMatch(/^disputed-invoices/);
        expect(forbiddenBy(nonGoals, 'payment.batch', { invoice_ids: ['INV-1', id] })?.id).toMatch(/^disputed-invoices/);
      }
      if (!disputed.includes(other)) expect(forbiddenBy(nonGoals, 'ledger.record', { entries: [{ subject: other }], about: other })).toBeUndefined();
    }),
    { numRuns: 30 },
  );
});

test('a folder without the tables is refused with their names', async () => {
  await expect(Promise.resolve().then(() => sample.create(join(shipped, 'contracts')))).rejects.toThrow('invoices.json and no purchase-orders.json');
});

test('the ledger holds each invoice once, the decision that stands, in the order of the record', async () => {
  const entry = (seq: number, subject: string, more: object = {}) => ({
    id: `led_${seq}`,
    seq,
    data: { subject, milestone: 'invoice_review', verdict: 'approve', reasonBody: 'd', evidence: ['file:a#1'], ...more },
  });
  const rows = [entry(9, 'B'), entry(4, 'A', { replacedBy: 'led_11' }), entry(11, 'A', { verdict: 'needs_review' }), entry(12, 'X', { milestone: 'other' })];
  const client: Pick<SampleClient, 'rows' | 'body'> = { rows: async () => rows, body: async () => 'match' };
  const written = await sample.assemble?.(client as SampleClient);
  const lines = String(written?.['ledger.jsonl'])
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines).toEqual([
    { seq: 1, invoice_id: 'B', verdict: 'approve', reason: 'match', evidence: ['file:a#1'] },
    { seq: 2, invoice_id: 'A', verdict: 'needs_review', reason: 'match', evidence: ['file:a#1'] },
  ]);
});
