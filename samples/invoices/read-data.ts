/** Reads a data folder of the invoice sample for tests and the oracle. The skill's scripts never see this: they read through their tools. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import type { AuditData, Supplier } from './oracle.ts';

export function readData(dir: string): AuditData {
  const text = (path: string) => readFileSync(join(dir, path), 'utf8');
  const suppliers = parse(text('suppliers.csv'), { columns: true, bom: true }) as Record<string, string>[];
  return {
    invoices: JSON.parse(text('invoices.json')),
    orders: JSON.parse(text('purchase-orders.json')),
    suppliers: suppliers.map((row): Supplier => {
      const contract = row.contract ?? '';
      const section = text(contract).split('### 4.2')[1] ?? '';
      const percent = /at most ([\d.]+) percent/.exec(section.split('## ')[0] ?? '')?.[1];
      return {
        supplier_id: row.supplier_id ?? '',
        name: row.name ?? '',
        bank_account: row.bank_account ?? '',
        contract,
        tolerance: percent === undefined ? 0 : Math.round(Number(percent) * 100),
      };
    }),
  };
}
