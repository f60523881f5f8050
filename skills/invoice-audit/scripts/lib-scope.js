/** What is in scope: taken from the contract's own check, so that script and gate can only agree. */

import { sourceIsWrong } from './lib-reading.js';
import { cents } from './lib-rules.js';

export const milestone = 'invoice_review';

/** The rows that the contract's check `decided-ids` selects: `{file, id, where}`. Throws when the contract has no such check. */
export function selectionOf(contract) {
  const check = contract?.checks.find((each) => each.key === 'decided-ids');
  if (check?.kind !== 'set_equal' || check.right.from !== 'rows') throw new Error('the contract has no check decided-ids over the rows of a source');
  return { file: check.right.file.source, id: check.right.id, where: check.right.where };
}

/** Inclusive, as a decimal string. Throws when the contract names none: without a ceiling nothing may be paid. */
export function ceilingOf(contract) {
  const check = contract?.checks.find((each) => each.key === 'batch-under-ceiling');
  if (check?.kind !== 'sum' || check.max === undefined) throw new Error('the contract has no ceiling for the batch');
  return check.max;
}

function holds(row, { field, equals, startsWith, matches }) {
  const cell = row[field];
  if (cell === null || cell === undefined || typeof cell === 'object') return false;
  const text = String(cell);
  return (equals === undefined || text === equals) && (startsWith === undefined || text.startsWith(startsWith)) && (matches === undefined || new RegExp(matches, 'u').test(text));
}

export function select(rows, selection) {
  return rows.filter((row) => selection.where.every((condition) => holds(row, condition)));
}

const texts = ['invoice_id', 'supplier_id', 'po_number', 'issue_date', 'currency', 'amount', 'bank_account'];

/** Stops on invoices that cannot be told apart or read: a rule over a missing amount would be a guess. */
export async function assertReadable(host, path, invoices) {
  const seen = new Set();
  for (const invoice of invoices) {
    const name = JSON.stringify(invoice.invoice_id ?? null);
    const missing = texts.find((field) => typeof invoice[field] !== 'string');
    if (missing !== undefined) await sourceIsWrong(host, path, `invoice ${name} has no text in ${missing}`);
    if (!/^[^\s#]{1,120}$/.test(invoice.invoice_id)) await sourceIsWrong(host, path, `${name} is not usable as an id`);
    if (seen.has(invoice.invoice_id)) await sourceIsWrong(host, path, `the id ${name} stands there twice`);
    seen.add(invoice.invoice_id);
    try {
      for (const amount of [invoice.amount, ...invoice.lines.map((line) => line.amount)]) cents(amount);
    } catch {
      await sourceIsWrong(host, path, `invoice ${name} has an amount that is not a decimal with two places`);
    }
  }
}
