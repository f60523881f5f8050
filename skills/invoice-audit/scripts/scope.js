/** Selects the invoices in scope from the source and records each as a fact with its place, then their ids. */
import { must, readJsonRows } from './lib-reading.js';
import { assertReadable, select, selectionOf } from './lib-scope.js';

/** Facts of one command: well under what one takes, so that a large month is some commands and a crash repeats one of them. */
const chunk = 200;

export default async function run(host, input) {
  const selection = selectionOf(input.contract);
  const invoices = select(await readJsonRows(host, selection.file), selection);
  await assertReadable(host, selection.file, invoices);
  const ids = invoices.map((invoice) => invoice.invoice_id);

  for (let at = 0; at < invoices.length; at += chunk) {
    const facts = invoices
      .slice(at, at + chunk)
      .map((invoice) => ({ key: `invoice/${invoice.invoice_id}`, value: invoice, provenance: { from: 'file', path: selection.file, section: invoice.invoice_id } }));
    await must(host, 'facts.record', { facts, about: `invoices ${at + 1} to ${at + facts.length}` });
  }
  // Last: it sets the milestone's target, and whoever reads it finds every invoice it names.
  await must(host, 'facts.record', { facts: [{ key: 'scope/invoice_ids', value: ids, provenance: { from: 'file', path: selection.file } }] });

  const file = await must(host, 'json.write', { path: 'scope.json', value: { source: selection.file, where: selection.where, invoice_ids: ids } });
  await must(host, 'submit', {
    artifacts: ['scope.json'],
    summary: `${ids.length} invoices are in scope.`,
    claims: [{ criterion: 'scope-from-source', evidence: ['fact:scope/invoice_ids', `artifact:${file.digest}`] }],
  });
}
