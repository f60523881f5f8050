/**
 * The honest agent of the invoice sample: plans, records the scope, decides every invoice by the rules of the skill `invoice-audit`, checks the record against
 * the source, proposes the batch. Where it turns too long on one invoice it would be told; it never does.
 */
import type { Invoice, PurchaseOrder, Supplier } from '../../../samples/invoices/oracle.ts';
import { decide, duplicates } from '../../../skills/invoice-audit/scripts/lib-rules.js';
import { documentFor } from '../../../skills/invoice-audit/scripts/plan.js';
import { call, type JsonValue, type Script } from '../script.ts';
import { agentScript, listAll, must, type Opening, type Play, readAll, type Result } from './agent.ts';

const milestone = 'invoice_review';
/** Elements of one read and entries of one record, so that an answer stays well under what one answer may hold. */
const page = 25;

interface Item {
  key: string;
}
interface Contract {
  checks: { key: string; right?: { file: { source: string }; where: { field: string; equals?: string; startsWith?: string }[] }; max?: string }[];
}

const contractOf = (opening: Opening) => opening.data.contract as unknown as Contract;
const inScope = (opening: Opening, invoice: Invoice) =>
  (contractOf(opening).checks.find((check) => check.key === 'decided-ids')?.right?.where ?? []).every(
    ({ field, equals, startsWith }) =>
      (equals === undefined || (invoice as unknown as Record<string, string>)[field] === equals) &&
      (startsWith === undefined || String((invoice as unknown as Record<string, string>)[field]).startsWith(startsWith)),
  );
const inPages = <T>(rows: T[]): T[][] => Array.from({ length: Math.ceil(rows.length / page) }, (_, at) => rows.slice(at * page, at * page + page));

async function* coordinate(opening: Opening): Play {
  if (opening.purpose === 'audit') {
    yield call('goal_audit', { classes: [] });
    return 'audited';
  }
  if (opening.purpose === 'blocker') {
    yield call('hand_back', { note: 'a person knows' });
    return 'left to its owner';
  }
  const document = documentFor(contractOf(opening));
  for (const item of document.items) item.executor = { kind: 'agent', profile: 'worker' };
  const proposed = (yield* must('plan_propose', { document: document as unknown as JsonValue })) as { proposal: string };
  yield* must('plan_adopt', { proposal: proposed.proposal });
  yield call('hand_back', { note: 'the plan is in force' });
  return 'planned';
}

async function* work(opening: Opening): Play {
  const item = opening.data.item as unknown as Item;
  switch (item.key) {
    case 'scope':
      return yield* scope(opening);
    case 'review':
      return yield* review(opening);
    case 'gate':
      return yield* gate(opening);
    case 'payment-batch':
      return yield* batch();
  }
  return `I know no item ${item.key}`;
}

async function* scope(opening: Opening): Play {
  const rows = (yield* readAll('json_read', 'invoices.json', page)) as unknown as Invoice[];
  const invoices = rows.filter((row) => inScope(opening, row));
  for (const part of inPages(invoices)) {
    const facts = part.map((invoice) => ({
      key: `invoice/${invoice.invoice_id}`,
      value: invoice,
      provenance: { from: 'file', path: 'invoices.json', section: invoice.invoice_id },
    }));
    yield* must('facts_record', { facts: facts as unknown as JsonValue, about: `invoices from ${part[0]?.invoice_id}` });
  }
  const ids = invoices.map((invoice) => invoice.invoice_id);
  yield* must('facts_record', { facts: [{ key: 'scope/invoice_ids', value: ids, provenance: { from: 'file', path: 'invoices.json' } }] });
  const file = (yield* must('json_write', { path: 'scope.json', value: { invoice_ids: ids } })) as { digest: string };
  yield call('submit', {
    artifacts: ['scope.json'],
    summary: `${ids.length} invoices are in scope.`,
    claims: [{ criterion: 'scope-from-source', evidence: ['fact:scope/invoice_ids', `artifact:${file.digest}`] }],
  });
  return 'submitted';
}

async function* review(opening: Opening): Play {
  const invoices = ((yield* readAll('json_read', 'invoices.json', page)) as unknown as Invoice[]).filter((row) => inScope(opening, row));
  const orders = (yield* readAll('json_read', 'purchase-orders.json', 60)) as unknown as PurchaseOrder[];
  const suppliers = (yield* readAll('csv_read', 'suppliers.csv', 100)) as unknown as Supplier[];
  const contracts = new Map<string, string>();
  for (const { contract } of suppliers) {
    if (contract === '' || contracts.has(contract)) continue;
    const [read] = (yield call('files_read', { path: contract, from: 'source' })) as Result[];
    if (!read?.refusal) contracts.set(contract, String((read?.value as { text?: string } | undefined)?.text ?? ''));
  }
  const tables = {
    twins: duplicates(invoices),
    orders: new Map(orders.map((order) => [order.po_number, order])),
    suppliers: new Map(suppliers.map((supplier) => [supplier.supplier_id, supplier])),
    contracts,
  };
  const decided = (yield* listAll('ledger_decided', { milestone }, 'decided')) as { subject: string }[];
  const done = new Set(decided.map((entry) => entry.subject));
  const decisions = invoices.map((invoice) => ({ invoice, ...decide(invoice, tables) }));
  for (const part of inPages(decisions.filter(({ invoice }) => !done.has(invoice.invoice_id)))) {
    const entries = part.map(({ invoice, verdict, reason, evidence }) => ({
      subject: invoice.invoice_id,
      milestone,
      verdict,
      reason,
      evidence,
      facts:
        verdict === 'needs_review'
          ? [{ key: `needs_review/${invoice.invoice_id}`, value: { reason }, provenance: { from: 'file', path: 'invoices.json', section: invoice.invoice_id } }]
          : [],
    }));
    yield* must('ledger_record', { entries, about: `invoices from ${part[0]?.invoice.invoice_id}` });
  }
  const aside = decisions.filter(({ verdict }) => verdict === 'needs_review').map(({ invoice, reason }) => ({ invoice_id: invoice.invoice_id, reason }));
  yield* must('review_list_add', { entries: aside.map(({ invoice_id, reason }) => ({ subject: invoice_id, milestone, note: reason })) });
  const file = (yield* must('json_write', { path: 'needs-review.json', value: aside })) as { digest: string };
  yield call('submit', {
    artifacts: ['needs-review.json'],
    summary: `${decisions.length} invoices are decided, ${aside.length} of them for a person.`,
    claims: [
      { criterion: 'every-invoice-decided', evidence: ['fact:scope/invoice_ids'] },
      { criterion: 'manual-list-complete', evidence: [`artifact:${file.digest}`] },
    ],
  });
  return 'submitted';
}

async function* gate(opening: Opening): Play {
  const rows = (yield* readAll('json_read', 'invoices.json', page)) as unknown as Invoice[];
  const expected = rows.filter((row) => inScope(opening, row));
  const decided = (yield* listAll('ledger_decided', { milestone }, 'decided')) as { subject: string; verdict: string }[];
  const verdicts = new Map(decided.map((entry) => [entry.subject, entry.verdict]));
  const missing = expected.filter((invoice) => !verdicts.has(invoice.invoice_id)).map((invoice) => invoice.invoice_id);
  if (missing.length > 0 || decided.length !== expected.length) {
    yield call('acceptance_invalidate', { item: 'review', scene: { summary: `${missing.length} invoices have no decision`, missing } });
    return 'sent back';
  }
  const approved = expected.filter((invoice) => verdicts.get(invoice.invoice_id) === 'approve');
  const total = approved.reduce((sum, invoice) => sum + BigInt(invoice.amount.replace('.', '')), 0n).toString();
  const ceiling = contractOf(opening).checks.find((check) => check.key === 'batch-under-ceiling')?.max ?? '0.00';
  const value = { decided: decided.length, approved: approved.length, total: `${total.slice(0, -2)}.${total.slice(-2)}`, ceiling };
  const file = (yield* must('json_write', { path: 'gate.json', value })) as { digest: string };
  yield* must('facts_record', { facts: [{ key: 'batch/ceiling', value: ceiling, provenance: { from: 'artifact', digest: file.digest, section: 'ceiling' } }], about: 'batch' });
  yield call('submit', {
    artifacts: ['gate.json'],
    summary: `${decided.length} decisions are those of the source; the approved ones add up to ${value.total}.`,
    claims: [
      { criterion: 'record-equals-source', evidence: [`artifact:${file.digest}`, 'fact:scope/invoice_ids'] },
      { criterion: 'sum-under-ceiling', evidence: [`artifact:${file.digest}`] },
    ],
  });
  return 'submitted';
}

async function* batch(): Play {
  const scoped = (yield* must('facts_get', { key: 'scope/invoice_ids' })) as { value: string[] };
  const decided = (yield* listAll('ledger_decided', { milestone }, 'decided')) as { subject: string; verdict: string }[];
  const verdicts = new Map(decided.map((entry) => [entry.subject, entry.verdict]));
  const approved = scoped.value.filter((id) => verdicts.get(id) === 'approve');
  const file = (yield* must('payment_batch', { invoice_ids: approved, milestone, verdict: 'approve', ceiling: 'batch/ceiling', path: 'payment-batch.json' })) as {
    digest: string;
    total: string;
  };
  yield call('submit', {
    artifacts: ['payment-batch.json'],
    summary: `A batch of ${approved.length} invoices, ${file.total} in all, is proposed. Nothing was transferred.`,
    claims: [{ criterion: 'lines-are-approved', evidence: [`artifact:${file.digest}`] }],
  });
  return 'submitted';
}

export const invoices: Script = agentScript({ coordinator: coordinate, worker: work });
