/**
 * Coordinator: makes the plan from the contract and adopts it. The items' checks are the contract's own, so that each item is judged
 * by the part of the contract that it covers. What wants a person's judgement is handed back with a word to the owner.
 */
import { must } from './lib-reading.js';
import { selectionOf } from './lib-scope.js';

const planning = ['plan', 'replan', 'uncovered', 'upstream'];

/** The plan document for this contract. Throws when the contract lacks a check that the graph rests on. */
export function documentFor(contract, { review = 'review.js' } = {}) {
  const selection = selectionOf(contract);
  const script = (name) => ({ kind: 'skill', skill: 'invoice-audit', script: name });
  /** A check of the contract as the item's own: its files are those of the submission that is judged. */
  const own = (item, key) => {
    const found = contract.checks.find((each) => each.key === key);
    if (found === undefined) throw new Error(`the contract has no check ${key}`);
    return JSON.parse(JSON.stringify(found), (_name, value) => {
      if (value === null || typeof value !== 'object' || value.item !== item) return value;
      const { item: _, ...rest } = value;
      return rest;
    });
  };
  const source = { from: 'rows', file: { source: selection.file }, id: selection.id, where: selection.where };
  return {
    mode: 'bound',
    items: [
      {
        key: 'scope',
        title: 'Invoices in scope',
        objective: 'Select the invoices that the contract is about, and record each with its place in the source.',
        deliverable: 'scope.json with the ids in scope; a fact per invoice.',
        acceptance: [{ id: 'scope-from-source', text: 'The ids on record are those that the conditions select from the source.' }],
        covers: ['only-in-scope'],
        inputs: [selection.file],
        outputs: [{ scope: 'file:scope.json' }],
        executor: script('scope.js'),
        checks: [{ key: 'scope-ids', title: 'Ids on record are those of the source', kind: 'set_equal', left: { from: 'fact', key: 'scope/invoice_ids' }, right: source }],
      },
      {
        key: 'review',
        title: 'Decide every invoice',
        objective: 'Approve each invoice or set it aside by the first rule that applies, with reason and evidence.',
        deliverable: 'A ledger entry per invoice, and needs-review.json with all that a person must see.',
        acceptance: [
          { id: 'every-invoice-decided', text: 'Every invoice in scope has one decision, and no other has any.' },
          { id: 'manual-list-complete', text: 'The manual list names every invoice that waits for a person, with its reason.' },
        ],
        covers: ['only-in-scope', 'matched-or-set-aside'],
        inputs: ['purchase-orders.json', 'suppliers.csv', 'contracts/'],
        outputs: [{ scope: 'file:needs-review.json' }],
        dependsOn: [{ key: 'scope' }],
        executor: script(review),
        checks: [own('review', 'decided-ids'), own('review', 'manual-list'), own('review', 'manual-reasons')],
      },
      {
        key: 'gate',
        kind: 'verify',
        title: 'Gate: record against source',
        objective: 'Compare the decisions with the source and add up what was approved, without what the review wrote.',
        deliverable: 'gate.json with counts, sum and ceiling.',
        acceptance: [
          { id: 'record-equals-source', text: 'Decided ids are those of the source.' },
          { id: 'sum-under-ceiling', text: 'What was approved adds up to no more than the ceiling.' },
        ],
        covers: ['only-in-scope', 'batch-under-ceiling'],
        inputs: [selection.file],
        outputs: [{ scope: 'file:gate.json' }],
        dependsOn: [{ key: 'review' }],
        executor: script('gate.js'),
        checks: [own('gate', 'decided-ids'), own('gate', 'batch-under-ceiling')],
      },
      {
        key: 'payment-batch',
        kind: 'integrate',
        title: 'Payment batch',
        objective: 'Propose the batch of what was approved. Start no transfer.',
        deliverable: 'payment-batch.json',
        acceptance: [{ id: 'lines-are-approved', text: 'The lines are the approved invoices, each once, with amount and account from facts.' }],
        covers: ['batch-under-ceiling', 'no-transfer'],
        inputs: ['needs-review.json', 'gate.json'],
        outputs: [{ scope: 'file:payment-batch.json' }],
        dependsOn: [{ key: 'gate' }, { key: 'review' }],
        executor: script('batch.js'),
        checks: [own('payment-batch', 'batch-lines'), own('payment-batch', 'batch-is-proposal'), own('payment-batch', 'batch-under-ceiling')],
      },
    ],
  };
}

export default async function run(host, input) {
  if (!planning.includes(input.purpose ?? 'plan')) {
    const text = `A decision is needed (${input.purpose}) that this plan's script does not take: ${JSON.stringify(input.packet.next)}`;
    await must(host, 'message.post', { text: text.slice(0, 4000) });
    await must(host, 'hand_back', { note: `left to the owner: ${input.purpose}` });
    return;
  }
  const { proposal } = await must(host, 'plan.propose', { document: documentFor(input.contract, input.executor.input ?? {}) });
  await must(host, 'plan.adopt', { proposal });
}
