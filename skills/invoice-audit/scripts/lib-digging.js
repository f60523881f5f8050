/**
 * Looking for the order that an invoice may have meant: one spelling after another, the orders read again for each of them, a quarter at a time.
 * It finds nothing that the rules need; it is the habit of somebody who cannot leave a question open.
 */

import { must } from './lib-reading.js';
import { bare, digitsOf } from './lib-rules.js';

const upper = (number) => number.toUpperCase();
const spellings = [
  ['as it stands', (number) => number],
  ['without regard to case', upper],
  ['trimmed', (number) => upper(number.trim())],
  ['without hyphens', (number) => upper(number).replaceAll('-', '')],
  ['without spaces', (number) => upper(number).replaceAll(' ', '')],
  ['without hyphens and spaces', (number) => upper(bare(number))],
  ['letters O and I as digits', (number) => bare(upper(number)).replaceAll('O', '0').replaceAll('I', '1')],
  ['without leading zeros', (number) => upper(number).replace(/\d+/g, (run) => run.replace(/^0+/, ''))],
  ['digits alone', digitsOf],
  ['the last six digits', (number) => digitsOf(number).slice(-6)],
];
const parts = 4;

/** Whether some order could be meant: the same digits. Cheap, and no proof. */
export function couldBeMeant(invoice, orders) {
  const digits = digitsOf(invoice.po_number);
  return digits !== '' && [...orders.values()].some((order) => digitsOf(order.po_number) === digits);
}

/**
 * How it ended: `done`, `parked` by the host, or `warned` when `listen` and the host raised a watch. Every call is about this one invoice.
 * Ten spellings over four parts: longer than it takes a host that looks every ten calls to park it, wherever in its stride the digging begins.
 */
export async function dig(host, invoice, orderCount, listen) {
  const size = Math.max(1, Math.ceil(orderCount / parts));
  const alike = new Set();
  for (const [, spell] of spellings) {
    for (let part = 0; part < parts; part += 1) {
      const answer = await host.call('json.read', { path: 'purchase-orders.json', from: 'source', offset: part * size, limit: size, about: invoice.invoice_id });
      for (const order of answer.value?.value ?? []) if (spell(order.po_number) === spell(invoice.po_number)) alike.add(order.po_number);
      if (answer.notices.some((notice) => notice.kind === 'parked' && notice.subject === invoice.invoice_id)) return 'parked';
      if (listen && answer.notices.some((notice) => notice.kind === 'watch')) return 'warned';
    }
  }
  await must(host, 'note.append', { topic: 'order-numbers', text: `${invoice.invoice_id}: ${invoice.po_number} may stand for ${[...alike].sort().join(', ')}` });
  return 'done';
}
