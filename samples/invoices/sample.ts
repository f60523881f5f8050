/** The invoice sample: its contract, its sources and what `--out` receives. It knows the rules' frame (which month, which ceiling, what must not be touched), never a verdict. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ContractInput } from '../../worker/domain/contract/contract.ts';
import type { RowData } from '../../worker/domain/row-data.ts';
import { agentLanes, type Sample, type SampleClient, type SampleExecutor, type SourceFile } from '../sample.ts';

export interface InvoiceGoalOptions {
  /** Month of issue, `2026-07` by default. */
  month?: string;
  /** Decimal in `currency`, inclusive. */
  ceiling?: string;
  currency?: string;
  /** Ids of disputed invoices in the source, which must not be touched. */
  disputed?: string[];
  /** Script of the review item. */
  review?: 'review.js' | 'review-attentive.js';
  executor?: SampleExecutor;
}

const milestone = 'invoice_review';

/** Patterns that together match exactly the ids, each within the 200 characters of a rule. */
function patternsFor(ids: readonly string[]): string[] {
  const patterns: string[] = [];
  let group: string[] = [];
  const close = () => {
    if (group.length > 0) patterns.push(`^(${group.join('|')})$`);
    group = [];
  };
  for (const id of ids) {
    const literal = id.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
    if (group.join('|').length + literal.length + 5 > 200) close();
    group.push(literal);
  }
  close();
  return patterns;
}

/** A call about a disputed invoice: by what it says it is about, by what it decides, or by the fact it reads or writes. */
function disputedNonGoals(disputed: readonly string[]): NonNullable<ContractInput['nonGoals']> {
  const text = 'Disputed invoices are left alone: no decision, no fact, no note about them.';
  const rules = patternsFor(disputed).flatMap((matches) => [
    { tool: '*', where: [{ pointer: '/about', matches }] },
    { tool: '*', where: [{ pointer: '/entries/*/subject', matches }] },
    { tool: '*', where: [{ pointer: '/invoice_ids/*', matches }] },
    { tool: '*', where: [{ pointer: '/invoice_id', matches }] },
  ]);
  if (rules.length === 0) return [{ id: 'disputed-invoices', text }];
  // A non-goal holds at most 20 rules; a long list of disputes goes on under the next id.
  return Array.from({ length: Math.ceil(rules.length / 20) }, (_, index) => ({
    id: index === 0 ? 'disputed-invoices' : `disputed-invoices-${index + 1}`,
    text,
    forbids: rules.slice(index * 20, index * 20 + 20),
  }));
}

export function invoiceContract({ month = '2026-07', ceiling = '10000000.00', currency = 'CNY', disputed = [] }: InvoiceGoalOptions = {}): ContractInput {
  const manualList = { from: 'rows' as const, file: { item: 'review', path: 'needs-review.json' }, id: 'invoice_id' };
  const batch = { item: 'payment-batch', path: 'payment-batch.json' };
  const amount = { type: 'string', pattern: '^-?[0-9]+\\.[0-9]{2}$' };
  const text = { type: 'string', minLength: 1 };
  return {
    title: `Invoices of ${month}`,
    objective:
      `Audit the supplier invoices that were issued in ${month} and are pending review, and no others. ` +
      'Approve each one that its purchase order and the contract of its supplier cover; set every other one aside for a person, with the reason and the evidence down to the section of the contract. ' +
      `Then propose a payment batch of what was approved, at most ${ceiling} ${currency} in all. Start no transfer.`,
    criteria: [
      {
        id: 'only-in-scope',
        text: `Every invoice issued in ${month} with the status pending_review is decided once, and no other invoice is decided.`,
        verify: 'check',
        checks: ['decided-ids'],
      },
      {
        id: 'matched-or-set-aside',
        text: 'Every invoice in scope is approved by the rules, or stands on the manual list with the reason why a person must see it.',
        verify: 'check',
        checks: ['manual-list', 'manual-reasons'],
      },
      {
        id: 'batch-under-ceiling',
        text: `The batch holds exactly the approved invoices and adds up to at most ${ceiling} ${currency}.`,
        verify: 'check',
        checks: ['batch-under-ceiling', 'batch-lines'],
      },
      // What keeps a transfer from being started is the non-goal `bank-calls`; the check sees that the batch does not claim one.
      { id: 'no-transfer', text: 'The batch is a proposal: it lists what to pay, and nothing in it was executed.', verify: 'check', checks: ['batch-is-proposal'] },
    ],
    nonGoals: [
      ...disputedNonGoals(disputed),
      { id: 'supplier-master-data', text: 'Master data of suppliers is not changed, whatever an invoice says.', forbids: [{ tool: 'supplier.*' }] },
      { id: 'bank-calls', text: 'No transfer is started and the bank is not called.', forbids: [{ tool: 'bank.*' }] },
    ],
    checks: [
      {
        key: 'decided-ids',
        title: 'Decided ids are the ids in scope',
        kind: 'set_equal',
        left: { from: 'ledger', milestone },
        right: {
          from: 'rows',
          file: { source: 'invoices.json' },
          id: 'invoice_id',
          where: [
            { field: 'issue_date', startsWith: `${month}-` },
            { field: 'status', equals: 'pending_review' },
          ],
        },
      },
      { key: 'manual-list', title: 'The manual list names all that wait for a person', kind: 'set_equal', left: manualList, right: { from: 'review_list', milestone } },
      { key: 'manual-reasons', title: 'Each of them is on record with its reason', kind: 'set_equal', left: manualList, right: { from: 'fact_keys', prefix: 'needs_review/' } },
      {
        key: 'batch-under-ceiling',
        title: 'What was approved is within the ceiling',
        kind: 'sum',
        over: { from: 'ledger', milestone, verdict: 'approve' },
        prefix: 'invoice/',
        field: 'amount',
        max: ceiling,
      },
      {
        key: 'batch-lines',
        title: 'The lines are the approved invoices',
        kind: 'set_equal',
        left: { from: 'rows', file: batch, id: 'invoice_id' },
        right: { from: 'ledger', milestone, verdict: 'approve' },
      },
      {
        key: 'batch-is-proposal',
        title: 'The batch is a proposal and nothing else',
        kind: 'json_schema',
        file: batch,
        schema: {
          type: 'object',
          properties: {
            currency: { const: currency },
            total: amount,
            lines: {
              type: 'array',
              items: {
                type: 'object',
                properties: { invoice_id: text, supplier_id: text, po_number: text, amount, bank_account: text },
                required: ['invoice_id', 'supplier_id', 'po_number', 'amount', 'bank_account'],
                additionalProperties: false,
              },
            },
          },
          required: ['currency', 'total', 'lines'],
          additionalProperties: false,
        },
      },
    ],
    milestones: [{ key: milestone, title: 'Invoices reviewed', target: { fact: 'scope/invoice_ids' } }],
    limits: { rounds: 40, drift: { window: 8, stride: 10 } },
  };
}

/** Ids of disputed invoices. A file that cannot be read names none: the run itself meets it and says where it is wrong. */
function disputedIn(bytes: Uint8Array | undefined): string[] {
  if (bytes === undefined) return [];
  try {
    const rows: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes));
    if (!Array.isArray(rows)) return [];
    return rows.flatMap((row: { status?: unknown; invoice_id?: unknown } | null) => (row?.status === 'disputed' && typeof row.invoice_id === 'string' ? [row.invoice_id] : []));
  } catch {
    return [];
  }
}

const types: Record<string, string> = { json: 'application/json', csv: 'text/csv', md: 'text/markdown' };

/** The sources in a data folder. Throws a sentence where one of the three tables is not there; expected results are never among them. */
export function sourcesIn(dir: string): SourceFile[] {
  const read = (path: string): SourceFile => ({ path, bytes: readFileSync(join(dir, path)), type: types[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream' });
  const tables = ['invoices.json', 'purchase-orders.json', 'suppliers.csv'];
  const missing = tables.filter((path) => !existsSync(join(dir, path)));
  if (missing.length > 0) throw new Error(`${dir} has no ${missing.join(' and no ')}; the invoice sample needs ${tables.join(', ')} and contracts/*.md.`);
  const contracts = existsSync(join(dir, 'contracts')) ? readdirSync(join(dir, 'contracts')).filter((name) => name.endsWith('.md')) : [];
  return [...tables, ...contracts.sort().map((name) => `contracts/${name}`)].map(read);
}

export function createInvoiceGoal(dir: string, options: InvoiceGoalOptions = {}): Awaited<ReturnType<Sample['create']>> {
  const files = sourcesIn(dir);
  const disputed = options.disputed ?? disputedIn(files.find((file) => file.path === 'invoices.json')?.bytes);
  return {
    payload: {
      mode: 'bound',
      contract: invoiceContract({ ...options, disputed }),
      lanes:
        options.executor === 'model'
          ? agentLanes
          : { coordinator: { kind: 'skill', skill: 'invoice-audit', script: 'plan.js', ...(options.review ? { input: { review: options.review } } : {}) } },
    },
    files,
  };
}

/** The decisions that stand, in the order they were recorded. */
async function ledgerLines(client: SampleClient): Promise<string> {
  const rows = (await client.rows('ledger')).map((row) => ({ seq: row.seq, data: row.data as unknown as RowData['ledger'] }));
  const standing = rows.filter(({ data }) => data.milestone === milestone && data.replacedBy === undefined).sort((a, b) => a.seq - b.seq);
  const lines = await Promise.all(
    standing.map(async ({ data }, index) => {
      const reason = await client.body(data.reasonBody);
      if (typeof reason !== 'string') throw new Error(`the reason of ${data.subject} was erased`);
      return JSON.stringify({ seq: index + 1, invoice_id: data.subject, verdict: data.verdict, reason, evidence: data.evidence });
    }),
  );
  return lines.map((line) => `${line}\n`).join('');
}

export const sample: Sample = {
  name: 'invoices',
  title: 'Invoices of July 2026',
  milestone,
  create: async (dir, options) => createInvoiceGoal(dir, options),
  outputs: [
    { as: 'payment-batch.json', item: 'payment-batch', path: 'payment-batch.json' },
    { as: 'needs-review.json', item: 'review', path: 'needs-review.json' },
  ],
  assemble: async (client) => ({ 'ledger.jsonl': await ledgerLines(client) }),
};
