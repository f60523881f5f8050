/**
 * The gate before money: compares the record with the source once more and adds up what was approved, without looking at what the review delivered.
 * A gap sends the review back; a sum above the ceiling is a question to the owner, and until it is answered there is no batch.
 */
import { factsUnder, listAll, must, readJsonRows } from './lib-reading.js';
import { cents, decimal } from './lib-rules.js';
import { ceilingOf, milestone, select, selectionOf } from './lib-scope.js';

const without = (ids, others) => {
  const known = new Set(others);
  return ids.filter((id) => !known.has(id));
};

export default async function run(host, input) {
  const selection = selectionOf(input.contract);
  const expected = select(await readJsonRows(host, selection.file), selection).map((row) => row[selection.id]);
  const decided = await listAll(host, 'ledger.decided', { milestone }, 'decided');
  const subjects = decided.map((entry) => entry.subject);
  const missing = without(expected, subjects);
  const extra = without(subjects, expected);
  if (missing.length > 0 || extra.length > 0) {
    const summary = `The decisions are not those of the source: ${missing.length} missing, ${extra.length} too many.`;
    await must(host, 'acceptance.invalidate', { item: 'review', scene: { summary, missing: missing.slice(0, 2000), extra: extra.slice(0, 2000) } });
    await must(host, 'hand_back', { note: summary });
    return;
  }

  const invoices = await factsUnder(host, 'invoice/');
  const approved = decided.filter((entry) => entry.verdict === 'approve');
  const total = approved.reduce((sum, { subject }) => sum + cents(invoices.get(subject).amount), 0n);
  const ceiling = ceilingOf(input.contract);
  if (total > cents(ceiling)) {
    await must(host, 'block', {
      key: 'batch_over_ceiling',
      about: 'money',
      reason: `The ${approved.length} approved invoices add up to ${decimal(total)}, which is above the ceiling of ${ceiling}. No batch is made. To go on, revise the contract with a higher ceiling and ask for a new plan.`,
      form: {
        type: 'object',
        properties: { contract_revised: { const: true, description: 'The contract now names a ceiling that holds the batch' } },
        required: ['contract_revised'],
        additionalProperties: false,
      },
    });
    return;
  }

  const value = { decided: decided.length, approved: approved.length, set_aside: decided.length - approved.length, total: decimal(total), ceiling };
  const file = await must(host, 'json.write', { path: 'gate.json', value });
  await must(host, 'facts.record', {
    facts: [
      { key: 'batch/ceiling', value: ceiling, provenance: { from: 'artifact', digest: file.digest, section: 'ceiling' } },
      { key: 'batch/total', value: decimal(total), provenance: { from: 'artifact', digest: file.digest, section: 'total' } },
    ],
    about: 'batch',
  });
  await must(host, 'submit', {
    artifacts: ['gate.json'],
    summary: `${decided.length} decisions are those of the source; ${approved.length} approved invoices add up to ${decimal(total)}, the ceiling is ${ceiling}.`,
    claims: [
      { criterion: 'record-equals-source', evidence: [`artifact:${file.digest}`, 'fact:scope/invoice_ids'] },
      { criterion: 'sum-under-ceiling', evidence: [`artifact:${file.digest}`, 'fact:batch/total'] },
    ],
  });
}
