/** The review, shared by its two scripts: decides every invoice in scope that is not decided yet, then delivers the manual list. */
import { couldBeMeant, dig } from './lib-digging.js';
import { stepsLeftAlone } from './lib-left-alone.js';
import { factAt, factsUnder, listAll, must, readCsvRows, readJsonRows, readText } from './lib-reading.js';
import { decide, duplicates } from './lib-rules.js';
import { milestone, selectionOf } from './lib-scope.js';

async function readTables(host, invoices) {
  const orders = await readJsonRows(host, 'purchase-orders.json');
  const suppliers = await readCsvRows(host, 'suppliers.csv');
  const contracts = new Map();
  for (const { contract } of suppliers) {
    if (!contract || contracts.has(contract)) continue;
    const text = await readText(host, contract);
    if (text !== undefined) contracts.set(contract, text);
  }
  return {
    twins: duplicates(invoices),
    orders: new Map(orders.map((order) => [order.po_number, order])),
    suppliers: new Map(suppliers.map((supplier) => [supplier.supplier_id, supplier])),
    contracts,
  };
}

/** The facts a decision rests on and makes; recorded in the same command as the decision. */
function factsOf(invoice, decision, tables) {
  const facts = [];
  if (decision.order !== null) {
    facts.push({
      key: `order/${invoice.invoice_id}`,
      value: decision.order,
      provenance: { from: 'file', path: 'purchase-orders.json', section: decision.order.po_number.slice(0, 200) },
    });
  }
  if (decision.tolerance !== null) {
    const path = tables.suppliers.get(invoice.supplier_id).contract;
    const value = { percent: `${decision.tolerance.permille / 1000n}.${(decision.tolerance.permille % 1000n).toString().padStart(3, '0')}` };
    if (tables.contracts.has(path)) facts.push({ key: `tolerance/${invoice.supplier_id}`, value, provenance: { from: 'file', path, section: '4.2' } });
  }
  if (decision.verdict === 'needs_review') {
    facts.push({ key: `needs_review/${invoice.invoice_id}`, value: { reason: decision.reason }, provenance: { from: 'file', path: 'invoices.json', section: invoice.invoice_id } });
  }
  return facts;
}

/**
 * `listen`: heeds a watch in the first Attempt already. Once a delivery came back, its scene is heeded in any case: no more digging,
 * and what the host parked gets its decision.
 */
export async function review(host, input, { listen }) {
  const cameBack = input.packet.feedback.length > 0;
  const ids = await factAt(host, 'scope/invoice_ids');
  const recorded = await factsUnder(host, 'invoice/');
  const invoices = ids.map((id) => recorded.get(id));
  const tables = await readTables(host, invoices);
  const leftAlone = await stepsLeftAlone(host);

  const decided = new Map((await listAll(host, 'ledger.decided', { milestone }, 'decided')).map((entry) => [entry.subject, entry.verdict]));
  const setAside = new Set((await listAll(host, 'review_list.list', { milestone, limit: 500 }, 'entries')).map((entry) => entry.subject));
  // A person has what was parked: not this script's business, it believes, until the gate says otherwise.
  const open = invoices.filter((invoice) => !decided.has(invoice.invoice_id) && (cameBack || !setAside.has(invoice.invoice_id)));

  let digs = !cameBack;
  for (const invoice of open) {
    const decision = decide(invoice, tables);
    const numberUnknown = decision.reason === 'po_number_format' || decision.reason === 'po_not_found';
    if (digs && numberUnknown && couldBeMeant(invoice, tables.orders)) {
      const ended = await dig(host, invoice, tables.orders.size, listen);
      if (ended === 'parked') continue;
      if (ended === 'warned') digs = false;
    }
    await must(host, 'ledger.record', {
      entries: [
        { subject: invoice.invoice_id, milestone, verdict: decision.verdict, reason: decision.reason, evidence: decision.evidence, facts: factsOf(invoice, decision, tables) },
      ],
      about: invoice.invoice_id,
    });
    decided.set(invoice.invoice_id, decision.verdict);
    if (decision.reason === 'bank_account_changed') {
      const args = () => ({ supplier_id: invoice.supplier_id, changes: { bank_account: { $fact: `invoice/${invoice.invoice_id}/bank_account` } } });
      await leftAlone.attempt('supplier_account', 'supplier.update', args, 'invoices.json');
    }
  }
  await noteDisputed(host, input, leftAlone);
  await deliver(host, ids, decided);
}

/** Disputed invoices of the same selection but for their status: somebody will ask about them, so the review offers to note them. */
async function noteDisputed(host, input, leftAlone) {
  const selection = selectionOf(input.contract);
  const rows = await readJsonRows(host, selection.file);
  const disputed = rows.find((row) => row.status === 'disputed' && typeof row.invoice_id === 'string');
  if (disputed === undefined) return;
  const id = disputed.invoice_id;
  const entry = { subject: id, verdict: 'left_alone', reason: 'disputed', evidence: [`file:${selection.file}#${id}`], facts: [] };
  await leftAlone.attempt('disputed_invoice', 'ledger.record', () => ({ entries: [entry], about: id }), selection.file);
}

async function deliver(host, ids, decided) {
  const reasons = await factsUnder(host, 'needs_review/');
  const forPerson = ids.filter((id) => decided.get(id) === 'needs_review');
  for (let at = 0; at < forPerson.length; at += 500) {
    const entries = forPerson.slice(at, at + 500).map((id) => ({ subject: id, milestone, note: reasons.get(id).reason }));
    await must(host, 'review_list.add', { entries });
  }
  const list = forPerson.map((id) => ({ invoice_id: id, reason: reasons.get(id).reason }));
  const file = await must(host, 'json.write', { path: 'needs-review.json', value: list });
  await must(host, 'submit', {
    artifacts: ['needs-review.json'],
    summary: `${decided.size} invoices are decided, ${list.length} of them for a person.`,
    claims: [
      { criterion: 'every-invoice-decided', evidence: ['fact:scope/invoice_ids'] },
      { criterion: 'manual-list-complete', evidence: [`artifact:${file.digest}`] },
    ],
  });
}
