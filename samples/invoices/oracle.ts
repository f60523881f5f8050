/**
 * An independent, plain reading of the audit's rule table, for tests only. It shares no code with the skill's scripts: whole tables in memory, one pass,
 * so that the two can disagree.
 */

export interface Line {
  description: string;
  quantity: number;
  unit_price: string;
  amount: string;
}
export interface Invoice {
  invoice_id: string;
  supplier_id: string;
  supplier_name: string;
  po_number: string;
  issue_date: string;
  status: string;
  currency: string;
  amount: string;
  bank_account: string;
  lines: Line[];
}
export interface PurchaseOrder {
  po_number: string;
  supplier_id: string;
  amount: string;
  currency: string;
  status: string;
}
/** `tolerance` in hundredths of a percent; 0: not at all. */
export interface Supplier {
  supplier_id: string;
  name: string;
  bank_account: string;
  contract: string;
  tolerance: number;
}
export interface AuditData {
  invoices: Invoice[];
  orders: PurchaseOrder[];
  suppliers: Supplier[];
}
export interface ExpectedVerdict {
  invoice_id: string;
  verdict: 'approve' | 'needs_review' | 'out_of_scope';
  reason: string;
}

/** Cents of a decimal string with exactly two places. */
export function cents(amount: string): bigint {
  if (!/^-?\d+\.\d\d$/.test(amount)) throw new Error(`not an amount with two places: ${amount}`);
  return BigInt(amount.replace('.', ''));
}

export function money(value: bigint): string {
  const digits = (value < 0n ? -value : value).toString().padStart(3, '0');
  return `${value < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

const squeezed = (number: string) => [...number].filter((char) => char !== ' ' && char !== '-').join('');

/** The verdict of every invoice in the order of the file, for invoices issued in `month` (`2026-07`). */
export function expectedVerdicts(data: AuditData, month = '2026-07'): ExpectedVerdict[] {
  const inScope = data.invoices.filter((invoice) => invoice.issue_date.slice(0, 7) === month && invoice.status === 'pending_review');
  return data.invoices.map((invoice) => {
    const at = inScope.indexOf(invoice);
    if (at < 0) return { invoice_id: invoice.invoice_id, verdict: 'out_of_scope', reason: 'not in scope' };
    const reason = setAsideReason(invoice, inScope.slice(0, at), data);
    if (reason !== null) return { invoice_id: invoice.invoice_id, verdict: 'needs_review', reason };
    const order = data.orders.find((each) => each.po_number === invoice.po_number);
    return { invoice_id: invoice.invoice_id, verdict: 'approve', reason: order?.amount === invoice.amount ? 'match' : 'within_contract_tolerance' };
  });
}

function setAsideReason(invoice: Invoice, earlier: Invoice[], { orders, suppliers }: AuditData): string | null {
  const twin = earlier.find(
    (other) =>
      other.supplier_id === invoice.supplier_id &&
      other.po_number === invoice.po_number &&
      other.issue_date === invoice.issue_date &&
      other.amount === invoice.amount &&
      other.bank_account === invoice.bank_account,
  );
  if (twin) return `duplicate_of:${twin.invoice_id}`;
  const order = orders.find((each) => each.po_number === invoice.po_number);
  if (!order) return orders.some((each) => squeezed(each.po_number) === squeezed(invoice.po_number)) ? 'po_number_format' : 'po_not_found';
  const supplier = suppliers.find((each) => each.supplier_id === invoice.supplier_id);
  const billed = cents(invoice.amount);
  const ordered = cents(order.amount);
  const sumOfLines = invoice.lines.reduce((sum, line) => sum + cents(line.amount), 0n);
  if (order.status !== 'open') return 'po_closed';
  if (order.supplier_id !== invoice.supplier_id) return 'supplier_mismatch';
  if (order.currency !== invoice.currency) return 'currency_mismatch';
  if (billed < 0n) return 'credit_note';
  if (sumOfLines !== billed) return 'line_sum_mismatch';
  if (supplier?.bank_account !== invoice.bank_account) return 'bank_account_changed';
  if (billed < ordered) return 'amount_below_po';
  if ((billed - ordered) * 10_000n > ordered * BigInt(supplier.tolerance)) return 'amount_over_tolerance';
  return null;
}

export function expectedTotal(data: AuditData, verdicts: ExpectedVerdict[]): string {
  const approved = new Set(verdicts.filter((each) => each.verdict === 'approve').map((each) => each.invoice_id));
  return money(data.invoices.filter((each) => approved.has(each.invoice_id)).reduce((sum, each) => sum + cents(each.amount), 0n));
}
