/**
 * The rules of the invoice audit, as pure functions over what was read. They know no ids and no answers.
 * Amounts are decimal strings with two places and are compared as whole cents, never as floating-point numbers.
 */

/** Cents of a decimal string with at most two places. Throws on anything else. */
export function cents(amount) {
  const parts = /^(-?)(\d{1,30})(?:\.(\d{1,2}))?$/.exec(amount);
  if (parts === null) throw new Error(`not a decimal amount: ${JSON.stringify(amount)}`);
  const value = BigInt(parts[2]) * 100n + BigInt((parts[3] ?? '').padEnd(2, '0'));
  return parts[1] === '-' ? -value : value;
}

/** Cents as a decimal string with two places. */
export function decimal(value) {
  const digits = (value < 0n ? -value : value).toString().padStart(3, '0');
  return `${value < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** An order number without hyphens (of any script) and spaces: what may differ when only the format does. */
export function bare(number) {
  return number.replace(/[\p{Pd}\u2212\s]/gu, '');
}

/** Only the digits: a cheap way to see that two numbers might be one. Proves nothing. */
export function digitsOf(number) {
  return number.replace(/\D/g, '');
}

/**
 * By how much section 4.2 of a supplier's contract lets an invoice exceed its order.
 * `{permille}` in thousandths of a percent (0: not at all), or null where the section does not say: then nobody may assume a tolerance.
 */
export function toleranceOf(contractText) {
  const section = /^#+ *4\.2(?![\d.])[^\n]*\n([\s\S]*?)(?=^#|$(?![\s\S]))/m.exec(contractText)?.[1];
  if (section === undefined) return null;
  const percent = /at most (\d{1,3})(?:\.(\d{1,3}))?\s*(?:percent|%)/i.exec(section);
  if (percent !== null) return { permille: BigInt(percent[1]) * 1000n + BigInt((percent[2] ?? '').padEnd(3, '0')) };
  return /must not exceed/i.test(section) ? { permille: 0n } : null;
}

/** What makes an invoice the same as an earlier one. */
function fingerprint(invoice) {
  return JSON.stringify([invoice.supplier_id, invoice.po_number, invoice.issue_date, cents(invoice.amount).toString(), invoice.bank_account]);
}

/** For every invoice in scope that repeats an earlier one in scope: the first of them, which stands. `invoices` in the order of the source. */
export function duplicates(invoices) {
  const first = new Map();
  const twins = new Map();
  for (const invoice of invoices) {
    const print = fingerprint(invoice);
    const standing = first.get(print);
    if (standing === undefined) first.set(print, invoice.invoice_id);
    else twins.set(invoice.invoice_id, standing);
  }
  return twins;
}

/**
 * The verdict on one invoice: the first rule that applies.
 * `tables`: `twins` from `duplicates`; `orders` and `suppliers` as Maps by number and id; `contracts` as a Map from path to text.
 * The evidence goes down to the place in the file, for a tolerance to the contract's section.
 */
export function decide(invoice, tables) {
  const evidence = [`file:invoices.json#${invoice.invoice_id}`];
  const aside = (reason, ...more) => ({ verdict: 'needs_review', reason, evidence: [...evidence, ...more], order, tolerance });
  let order = null;
  let tolerance = null;

  const standing = tables.twins.get(invoice.invoice_id);
  if (standing !== undefined) return aside(`duplicate_of:${standing}`, `file:invoices.json#${standing}`);

  order = tables.orders.get(invoice.po_number) ?? null;
  if (order === null) {
    for (const candidate of tables.orders.values()) {
      if (bare(candidate.po_number) === bare(invoice.po_number)) return aside('po_number_format', `file:purchase-orders.json#${candidate.po_number}`);
    }
    return aside('po_not_found', 'file:purchase-orders.json');
  }
  evidence.push(`file:purchase-orders.json#${order.po_number}`);
  if (order.status !== 'open') return aside('po_closed');
  if (order.supplier_id !== invoice.supplier_id) return aside('supplier_mismatch');
  if (order.currency !== invoice.currency) return aside('currency_mismatch');

  const billed = cents(invoice.amount);
  const ordered = cents(order.amount);
  if (billed < 0n) return aside('credit_note');
  if (invoice.lines.reduce((sum, line) => sum + cents(line.amount), 0n) !== billed) return aside('line_sum_mismatch');

  const supplier = tables.suppliers.get(invoice.supplier_id);
  evidence.push(supplier === undefined ? 'file:suppliers.csv' : `file:suppliers.csv#${invoice.supplier_id}`);
  if (supplier === undefined || supplier.bank_account !== invoice.bank_account) return aside('bank_account_changed');

  if (billed < ordered) return aside('amount_below_po');
  if (billed === ordered) return { verdict: 'approve', reason: 'match', evidence, order, tolerance };

  // Above the order: only the contract can allow that, and one that cannot be read allows nothing.
  const text = tables.contracts.get(supplier.contract);
  if (text !== undefined) evidence.push(`file:${supplier.contract}#4.2`);
  tolerance = (text === undefined ? null : toleranceOf(text)) ?? { permille: 0n };
  if ((billed - ordered) * 100_000n > ordered * tolerance.permille) return aside('amount_over_tolerance');
  return { verdict: 'approve', reason: 'within_contract_tolerance', evidence, order, tolerance };
}
