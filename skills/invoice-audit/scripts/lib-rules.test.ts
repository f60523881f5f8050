import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { generate } from '../../../samples/invoices/generate.ts';
import { type AuditData, expectedVerdicts, type Invoice } from '../../../samples/invoices/oracle.ts';
import { readData } from '../../../samples/invoices/read-data.ts';
import { bare, cents, decide, decimal, duplicates, toleranceOf } from './lib-rules.js';

const shipped = join(import.meta.dirname, '../../../samples/invoices/data');

function verdicts(data: AuditData, contractOf: (path: string) => string) {
  const scope = data.invoices.filter((invoice: Invoice) => invoice.issue_date.startsWith('2026-07') && invoice.status === 'pending_review');
  const tables = {
    twins: duplicates(scope),
    orders: new Map(data.orders.map((order) => [order.po_number, order])),
    suppliers: new Map(data.suppliers.map((supplier) => [supplier.supplier_id, supplier])),
    contracts: new Map(data.suppliers.map((supplier) => [supplier.contract, contractOf(supplier.contract)])),
  };
  return scope.map((invoice) => {
    const { verdict, reason } = decide(invoice, tables);
    return { invoice_id: invoice.invoice_id, verdict, reason };
  });
}
const inScope = (data: AuditData) => expectedVerdicts(data).filter((each) => each.verdict !== 'out_of_scope');

test('the rules give the expected verdicts on the shipped data', () => {
  const data = readData(shipped);
  expect(verdicts(data, (path) => readFileSync(join(shipped, path), 'utf8'))).toEqual(inScope(data));
});

test('and on any other data of the shape', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000 }), fc.integer({ min: 21, max: 80 }), (seed, count) => {
      const data = generate({ seed, count });
      expect(verdicts(data, (path) => data.files[path] ?? '')).toEqual(inScope(data));
    }),
    { numRuns: 60 },
  );
});

test('the tolerance is that of section 4.2 and of no other', () => {
  expect(toleranceOf('### 4.1\nby at most 9 percent.\n\n### 4.2\nby at most 2.5 percent.\n\n## 7\nat most 30 percent')).toEqual({ permille: 2500n });
  expect(toleranceOf('### 4.2\nAn invoice must not exceed its order.\n## 7\nat most 30 percent')).toEqual({ permille: 0n });
  expect(toleranceOf('### 4.2\r\nby at most 5 percent.\r\n')).toEqual({ permille: 5000n });
  expect(toleranceOf('### 4.20\nby at most 5 percent')).toBeNull();
  expect(toleranceOf('### 4.2\nSee annex.\n## 5\nby at most 5 percent')).toBeNull();
});

test('amounts are exact and a thing that is no amount is refused', () => {
  expect(decimal(cents('90071992547409.93') + 1n)).toBe('90071992547409.94');
  expect(decimal(cents('-0.05'))).toBe('-0.05');
  for (const wrong of ['1e3', '1,000.00', '', '1.234', 'NaN']) expect(() => cents(wrong)).toThrow();
});

test('format is hyphens and spaces, nothing else', () => {
  expect(bare('PO 2026‑00-60')).toBe('PO20260060');
  expect(bare('po-1')).not.toBe(bare('PO-1'));
  expect(bare('PO_1')).not.toBe(bare('PO-1'));
});
