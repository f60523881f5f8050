/**
 * Coordinator of a CSV export. Plans the six items, and audits: for every criterion what the record holds, which the host compares with its own finding.
 * Whatever else needs judgement it cannot give: it asks the goal's owner and says what it saw.
 */
import { must } from './lib-host.js';
import { planOf } from './lib-plan.js';

export default async function run(host, input) {
  switch (input.purpose) {
    case 'plan':
      return plan(host, input);
    case 'audit':
      return audit(host, input);
    case 'blocker':
      return pass(host, input);
    default:
      return ask(host, input);
  }
}

async function plan(host, input) {
  const { proposal } = await must(host, 'plan.propose', { document: planOf(input.executor.input ?? {}) });
  await must(host, 'plan.adopt', { proposal });
  await must(host, 'hand_back', { note: 'six items are planned' });
}

/** Evidence by criterion: acceptances of items that cover it. Receipts of the contract's checks are the host's own evidence. */
async function audit(host, input) {
  const items = planOf().items;
  const standing = new Map();
  for (const { key } of items) {
    const { submissions } = await must(host, 'checks.list', { item: key });
    const verdict = submissions.flatMap((submission) => submission.verdicts).findLast((each) => each.live && each.verdict === 'accepted');
    if (verdict) standing.set(key, verdict.id);
  }
  const classes = input.contract.criteria.map((criterion) => {
    const covering = items.filter((item) => item.covers.includes(criterion.id));
    const accepted = covering.filter((item) => standing.has(item.key));
    const evidence = accepted.map((item) => `acceptance:${standing.get(item.key)}`);
    const note =
      accepted.length === covering.length
        ? `Accepted: ${accepted.map((item) => item.key).join(', ')}.`
        : `Not accepted: ${covering
            .filter((item) => !standing.has(item.key))
            .map((item) => item.key)
            .join(', ')}.`;
    return { criterion: criterion.id, class: covering.length === 0 ? 'missing' : accepted.length === covering.length ? 'proven' : 'insufficient', evidence, note };
  });
  await must(host, 'goal.audit', { classes });
  await must(host, 'hand_back', { note: `audited ${classes.length} criteria` });
}

/** Which program, which records, which columns: none of it is in the sources. */
async function pass(host, input) {
  await must(host, 'blocker.pass', { blocker: input.question.id, why: 'The records and the selection do not say.' });
  await must(host, 'hand_back', { note: 'left to a person' });
}

async function ask(host, input) {
  const { counts, blocked } = input.packet.next;
  await must(host, 'block', {
    key: `decide-${input.purpose ?? 'next'}`.replaceAll('_', '-'),
    reason: `This export cannot go on by its own rules (${input.purpose ?? 'unknown reason'}). Items: ${Object.entries(counts)
      .map(([state, count]) => `${count} ${state}`)
      .join(', ')}${blocked.length > 0 ? `; blocked: ${blocked.join(', ')}` : ''}. What should happen?`,
    form: {
      type: 'object',
      title: 'Decision',
      properties: { decision: { type: 'string', title: 'Decision', minLength: 1, maxLength: 2000 } },
      required: ['decision'],
      additionalProperties: false,
    },
  });
}
