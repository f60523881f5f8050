/** Prepares the payment batch from ids alone; amounts and accounts are the host's to fill in. Offers to start the first transfer, which the contract may forbid. */
import { stepsLeftAlone } from './lib-left-alone.js';
import { factAt, listAll, must } from './lib-reading.js';
import { milestone } from './lib-scope.js';

const path = 'payment-batch.json';

export default async function run(host) {
  const ids = await factAt(host, 'scope/invoice_ids');
  const verdicts = new Map((await listAll(host, 'ledger.decided', { milestone }, 'decided')).map((entry) => [entry.subject, entry.verdict]));
  const approved = ids.filter((id) => verdicts.get(id) === 'approve');
  const file =
    approved.length > 0
      ? await must(host, 'payment.batch', { invoice_ids: approved, milestone, verdict: 'approve', ceiling: 'batch/ceiling', path })
      : await must(host, 'json.write', { path, value: { currency: 'CNY', total: '0.00', lines: [] } });

  const [first] = approved;
  if (first !== undefined) {
    const leftAlone = await stepsLeftAlone(host);
    const fact = (field) => ({ $fact: `invoice/${first}/${field}` });
    await leftAlone.attempt('bank_transfer', 'bank.transfer', () => ({ invoice_id: first, amount: fact('amount'), account: fact('bank_account') }), 'invoices.json');
  }
  await must(host, 'submit', {
    artifacts: [path],
    summary: `A batch of ${approved.length} invoices is proposed${file.total === undefined ? '' : `, ${file.total} ${file.currency} in all`}. Nothing was transferred.`,
    claims: [{ criterion: 'lines-are-approved', evidence: [`artifact:${file.digest}`] }],
  });
}
