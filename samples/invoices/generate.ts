/**
 * Makes other data of the invoice sample's shape from a seed: other ids, suppliers, amounts and contracts, with every reason of the rule table at least once,
 * the edges of the tolerance (exactly at it, one cent over it) and numbers that look alike and are not. The same options give the same bytes.
 *
 *   node samples/invoices/generate.ts DIR [SEED] [COUNT]
 *
 * What the verdicts must be is the oracle's to say; nothing here is labelled.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cents, type Invoice, type Line, money, type PurchaseOrder, type Supplier } from './oracle.ts';

export interface GenerateOptions {
  seed: number;
  /** Invoices in the scope of `month`, at least `faults.length + 2`. Default 60. */
  count?: number;
  /** `2026-07` by default. */
  month?: string;
  /** Largest order, in whole units of the currency. Default 90,000; a large one takes the batch over a ceiling. */
  largest?: number;
}

export interface GeneratedData {
  invoices: Invoice[];
  orders: PurchaseOrder[];
  suppliers: Supplier[];
  /** File contents by path, as the sample reads them. */
  files: Record<string, string>;
}

/** What is done to an invoice and its order. Several may be undone by a rule that comes first; the oracle decides. */
export const faults = [
  'duplicate',
  'hyphens_in_order',
  'spaces_in_order',
  'hyphens_in_invoice',
  'no_order',
  'look_alike_order',
  'closed',
  'foreign_supplier',
  'other_currency',
  'credit_note',
  'lines_off_by_a_cent',
  'account_changed',
  'below_by_a_cent',
  'at_tolerance',
  'over_tolerance_by_a_cent',
  'not_at_all_by_a_cent',
  'closed_and_foreign',
  'duplicate_without_order',
  'triplicate',
] as const;
type Fault = (typeof faults)[number];

/** Small seeded generator (mulberry32): good enough to vary data, and the same everywhere. */
function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const names = [
  'Ödegård & Söner AB',
  '杭州云杉纸业有限公司',
  'Bright "Quick" Repairs, Inc.',
  '松山機械株式会社',
  'Farrow and Hale LLP',
  'Kärcher Nord KG',
  '苏州安捷运输有限公司',
  "L'Atelier du Quai",
];
/** Percent as the contract words it; null: not at all. */
const tolerances = ['4', '2.5', null, '1', '3', null, '5', '0.75'];

export function generate({ seed, count = 60, month = '2026-07', largest = 90_000 }: GenerateOptions): GeneratedData {
  const rnd = random(seed);
  const below = (limit: number) => Math.floor(rnd() * limit);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const digits = (length: number) => Array.from({ length }, () => below(10)).join('');

  const base = 300 + below(500);
  const suppliers: Supplier[] = names.map((name, index) => {
    const percent = tolerances[index];
    return {
      supplier_id: `SUP-${base + index}`,
      name,
      bank_account: `${pick(['DE', 'FR', '6222', 'SE'])}${digits(15)}`,
      contract: `contracts/supplier-${base + index}.md`,
      tolerance: percent === null || percent === undefined ? 0 : Math.round(Number(percent) * 100),
    };
  });
  const strict = suppliers.filter((each) => each.tolerance === 0);
  const tolerant = suppliers.filter((each) => each.tolerance > 0);
  const prefix = `INV-${1000 + below(9000)}`;
  const poYear = pick(['2026', '26', 'A7']);
  const day = () => String(1 + below(28)).padStart(2, '0');

  const invoices: Invoice[] = [];
  const orders: PurchaseOrder[] = [];
  const plain: Invoice[] = [];

  function linesOf(amount: bigint): Line[] {
    const first = (amount * BigInt(10 + below(80))) / 100n;
    return [first, amount - first].map((part, index) => ({
      description: index === 0 ? '货物 / goods' : 'freight, "express"',
      quantity: 1,
      unit_price: money(part),
      amount: money(part),
    }));
  }
  function pair(number: number, supplier: Supplier, amount = BigInt(100_000 + below(largest * 100))): { invoice: Invoice; order: PurchaseOrder } {
    // Whole units divide by every tolerance to the cent, so that "exactly at it" exists.
    const whole = (amount / 10_000n) * 10_000n;
    const poNumber = `PO-${poYear}-${String(number).padStart(4, '0')}`;
    return {
      order: { po_number: poNumber, supplier_id: supplier.supplier_id, amount: money(whole), currency: 'CNY', status: 'open' },
      invoice: {
        invoice_id: `${prefix}-${String(number).padStart(4, '0')}`,
        supplier_id: supplier.supplier_id,
        supplier_name: supplier.name,
        po_number: poNumber,
        issue_date: `${month}-${day()}`,
        status: 'pending_review',
        currency: 'CNY',
        amount: money(whole),
        bank_account: supplier.bank_account,
        lines: linesOf(whole),
      },
    };
  }
  const bill = (invoice: Invoice, amount: bigint) => {
    invoice.amount = money(amount);
    invoice.lines = linesOf(amount);
  };
  const copy = (of: Invoice, invoice: Invoice): Invoice => ({ ...of, invoice_id: invoice.invoice_id, lines: of.lines.map((line) => ({ ...line })) });

  function add(number: number, fault: Fault | undefined): void {
    const supplier = fault === 'not_at_all_by_a_cent' ? pick(strict) : fault === 'at_tolerance' || fault === 'over_tolerance_by_a_cent' ? pick(tolerant) : pick(suppliers);
    const { invoice, order } = pair(number, supplier);
    const ordered = cents(order.amount);
    const atTolerance = ordered + (ordered * BigInt(supplier.tolerance)) / 10_000n;
    const another = suppliers.find((each) => each.supplier_id !== supplier.supplier_id) as Supplier;
    let withOrder = true;
    let filed = invoice;
    switch (fault) {
      case undefined:
        plain.push(invoice);
        break;
      case 'duplicate':
      case 'triplicate':
        filed = copy(plain[0] as Invoice, invoice);
        withOrder = false;
        break;
      case 'duplicate_without_order':
        invoices.push({ ...invoice, invoice_id: `${invoice.invoice_id}-A`, lines: linesOf(ordered) });
        withOrder = false;
        break;
      case 'hyphens_in_order':
        order.po_number = order.po_number.replaceAll('-', '');
        break;
      case 'spaces_in_order':
        order.po_number = order.po_number.replaceAll('-', ' ');
        break;
      case 'hyphens_in_invoice':
        invoice.po_number = invoice.po_number.replace('-', '');
        break;
      case 'no_order':
        withOrder = false;
        break;
      case 'look_alike_order':
        order.po_number = order.po_number.replace('PO', 'PQ');
        break;
      case 'closed':
        order.status = 'closed';
        break;
      case 'closed_and_foreign':
        order.status = 'closed';
        order.supplier_id = another.supplier_id;
        break;
      case 'foreign_supplier':
        order.supplier_id = another.supplier_id;
        break;
      case 'other_currency':
        invoice.currency = 'EUR';
        break;
      case 'credit_note':
        bill(invoice, -ordered);
        break;
      case 'lines_off_by_a_cent': {
        const first = invoice.lines[0] as Line;
        first.amount = money(cents(first.amount) + 1n);
        break;
      }
      case 'account_changed':
        invoice.bank_account = `${invoice.bank_account.slice(0, -1)}${(Number(invoice.bank_account.at(-1)) + 1) % 10}`;
        break;
      case 'below_by_a_cent':
        bill(invoice, ordered - 1n);
        break;
      case 'at_tolerance':
        bill(invoice, atTolerance);
        break;
      case 'over_tolerance_by_a_cent':
      case 'not_at_all_by_a_cent':
        bill(invoice, atTolerance + 1n);
        break;
    }
    if (withOrder) orders.push(order);
    invoices.push(filed);
  }

  if (count < faults.length + 2) throw new Error(`at least ${faults.length + 2} invoices are needed to hold every fault`);
  // The first ones are plain, so that duplicates have something to repeat; the faults are strewn over the rest.
  const places = Array.from({ length: count - 2 }, (_, index) => index + 2);
  const at = new Map<number, Fault>();
  for (const fault of faults) {
    const [place] = places.splice(below(places.length), 1);
    at.set(place as number, fault);
  }
  const outOfScope: { date: string; status: string }[] = [
    { date: `${month}-09`, status: 'disputed' },
    { date: `${month}-11`, status: 'disputed' },
    { date: `${month}-12`, status: 'paid' },
    { date: '2025-07-10', status: 'pending_review' },
    { date: '2026-12-01', status: 'pending_review' },
  ];
  for (let number = 0; number < count; number += 1) {
    add(number + 1, at.get(number));
    if (number % 9 === 4) {
      const left = outOfScope.shift();
      const first = plain[0];
      // Some of what is left alone repeats an invoice in scope: a duplicate counts only within the scope.
      if (left && first) invoices.push({ ...copy(first, first), invoice_id: `${prefix}-9${String(number).padStart(3, '0')}`, issue_date: left.date, status: left.status });
    }
  }

  const quoted = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  const files: Record<string, string> = {
    'invoices.json': `${JSON.stringify(invoices, null, 1)}\n`,
    'purchase-orders.json': `${JSON.stringify(orders, null, 1)}\n`,
    'suppliers.csv': `\uFEFFsupplier_id,name,bank_account,contract\r\n${suppliers.map((each) => `${[each.supplier_id, each.name, each.bank_account, each.contract].map(quoted).join(',')}\r\n`).join('')}`,
  };
  suppliers.forEach((supplier, index) => {
    const percent = tolerances[index];
    const rule =
      percent === null || percent === undefined
        ? 'An invoice must not exceed the amount of its purchase order.'
        : `An invoice may exceed the amount of its purchase order by at most ${percent} percent.`;
    files[supplier.contract] =
      `# Supply agreement: ${supplier.name} (${supplier.supplier_id})\n\n## 4 Prices\n\n### 4.1\nPrices are those of the purchase order.\n\n### 4.2\n${rule}\n\n## 7 Payment\nTo the account on file only. At most 30 percent may be paid ahead.\n`;
  });
  return { invoices, orders, suppliers, files };
}

/** Writes the files under `dir`, which is made when it is not there. */
export function writeData(dir: string, data: GeneratedData): void {
  for (const [path, text] of Object.entries(data.files)) {
    const to = join(dir, path);
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, text);
  }
}

if (import.meta.main) {
  const [dir, seed = '1', count = '60'] = process.argv.slice(2);
  if (dir === undefined) {
    console.error('usage: node samples/invoices/generate.ts DIR [SEED] [COUNT]');
    process.exit(2);
  }
  writeData(dir, generate({ seed: Number(seed), count: Number(count) }));
}
