import { z } from 'zod';
import type { Problem } from '../../domain/refusals.ts';
import { filePath, type Json, slug } from '../../domain/values.ts';
import { no } from '../answers.ts';
import { encodeUtf8 } from '../bytes.ts';
import { putFile } from '../files/put.ts';
import { type Fact, readFact } from '../record/reads.ts';
import { type ToolEnv, tool } from '../tool.ts';
import { compareDecimals, isDecimal, sumDecimals } from './decimal.ts';

/** Facts read at once. */
const TOGETHER = 16;

export const paymentBatch = tool({
  name: 'payment.batch',
  description:
    'Makes the payment batch from invoice ids alone: `{invoice_ids: [...], ceiling?, milestone?, verdict?}`. The host fills in supplier, order, amount and account from the facts `invoice/<id>` (`{supplier_id, po_number, currency, amount, bank_account}`, each with provenance) and writes `payment-batch.json`: `{currency, total, lines: [{invoice_id, supplier_id, po_number, amount, bank_account}]}` in the order of the ids, amounts as recorded, the total exact. With `milestone` every id must be on its ledger with `verdict` ("approved" unless said otherwise). With `ceiling` (the key of a fact with a decimal) a total above it is refused as `limit_exceeded` with `{total, ceiling}`, and no file is written. Answers `{path, digest, size, currency, total, count}`.',
  lanes: ['worker', 'coordinator'],
  input: z.strictObject({
    invoice_ids: z.array(z.string().min(1).max(100)).min(1).max(5000),
    milestone: slug.optional(),
    verdict: z.string().min(1).max(60).default('approved').describe('The verdict that lets an invoice be paid.'),
    ceiling: z.string().max(200).optional().describe('Key of the fact with the ceiling.'),
    path: filePath.default('payment-batch.json'),
  }),
  effect: 'record',
  subject: () => 'payment-batch',
  async run(args, env) {
    const errors: Problem[] = [];
    const seen = new Set<string>();
    args.invoice_ids.forEach((id, i) => {
      if (seen.has(id)) errors.push({ pointer: `/invoice_ids/${i}`, code: 'duplicate', detail: id });
      seen.add(id);
    });
    if (errors.length > 0) return no('schema_invalid', { errors: errors.slice(0, 200) });
    const facts = await factsOf(env, args.invoice_ids);
    const lines: { invoice_id: string; supplier_id: string; po_number: string; amount: string; bank_account: string }[] = [];
    const currencies = new Set<string>();
    args.invoice_ids.forEach((id, i) => {
      const pointer = `/invoice_ids/${i}`;
      const fact = facts.get(id);
      if (!fact) {
        errors.push({ pointer, code: 'fact_unknown', detail: `invoice/${id}` });
        return;
      }
      if (!hasProvenance(fact)) {
        errors.push({ pointer, code: 'no_provenance', detail: `invoice/${id}` });
        return;
      }
      const value = (fact.value !== null && typeof fact.value === 'object' && !Array.isArray(fact.value) ? fact.value : {}) as { [key: string]: Json };
      const { supplier_id, po_number, amount, bank_account, currency } = value;
      if (typeof supplier_id !== 'string' || typeof po_number !== 'string' || typeof bank_account !== 'string' || typeof currency !== 'string' || !isDecimal(amount)) {
        errors.push({ pointer, code: 'fact_incomplete', detail: `invoice/${id} needs supplier_id, po_number, currency, bank_account as text and amount as a decimal` });
        return;
      }
      currencies.add(currency);
      lines.push({ invoice_id: id, supplier_id, po_number, amount, bank_account });
    });
    if (args.milestone !== undefined) {
      for (const [i, id] of args.invoice_ids.entries()) {
        const rows = (await env.read({ what: 'rows', kind: 'ledger_subject', prefix: `${args.milestone}/${id}`, limit: 5 })) as
          | { data?: { id: string; data: { verdict?: string } }[] }
          | undefined;
        const verdict = rows?.data?.find((row) => row.id === `${args.milestone}/${id}`)?.data.verdict;
        if (verdict !== args.verdict) errors.push({ pointer: `/invoice_ids/${i}`, code: 'not_approved', detail: `${id}: ${verdict ?? 'not decided'}` });
      }
    }
    if (errors.length > 0) return no('fact_unknown', { detail: `${errors.length} invoices cannot be paid from what is on record`, errors: errors.slice(0, 200) });
    if (currencies.size !== 1)
      return no('schema_invalid', { detail: 'a batch has one currency', errors: [{ pointer: '/invoice_ids', code: 'currencies', detail: [...currencies].sort().join(', ') }] });
    const total = sumDecimals(lines.map((line) => line.amount));
    if (args.ceiling !== undefined) {
      const ceiling = (await readFact(env, args.ceiling))?.value;
      if (!isDecimal(ceiling)) return no('fact_unknown', { detail: `${args.ceiling} is no decimal on record` });
      if (compareDecimals(total, ceiling) > 0) return no('limit_exceeded', { detail: `the total ${total} is above the ceiling ${ceiling}`, current: { total, ceiling } });
    }
    const currency = [...currencies][0] ?? '';
    const text = `${JSON.stringify({ currency, total, lines }, null, 2)}\n`;
    return putFile(env, args.path, encodeUtf8(text), 'application/json', { currency, total, count: lines.length });
  },
});

async function factsOf(env: ToolEnv, ids: readonly string[]): Promise<Map<string, Fact>> {
  const facts = new Map<string, Fact>();
  for (let at = 0; at < ids.length; at += TOGETHER) {
    await Promise.all(
      ids.slice(at, at + TOGETHER).map(async (id) => {
        const fact = await readFact(env, `invoice/${id}`);
        if (fact) facts.set(id, fact);
      }),
    );
  }
  return facts;
}

function hasProvenance(fact: Fact): boolean {
  return fact.provenance !== null && typeof fact.provenance === 'object' && 'from' in fact.provenance;
}
