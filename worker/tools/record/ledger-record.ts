import { z } from 'zod';
import { evidenceRef, slug } from '../../domain/values.ts';
import { byCommand } from '../answers.ts';
import { about } from '../shapes.ts';
import { tool } from '../tool.ts';
import { factInput } from './facts-record.ts';

const entry = z.strictObject({
  subject: z.string().min(1).max(200),
  milestone: slug.optional(),
  verdict: z.string().min(1).max(60),
  reason: z.string().min(1).max(2000),
  evidence: z.array(evidenceRef).min(1).max(50).describe('e.g. file:invoices.json#INV-1, file:contracts/a.md#4.2, fact:invoice/INV-1, call:<id>'),
  facts: z.array(factInput).max(50).default([]),
});

export const ledgerRecord = tool({
  name: 'ledger.record',
  description:
    'Records decisions: `{entries: [{subject, milestone?, verdict, reason, evidence[], facts[]}]}`, at most 500, all or none. The facts of a decision are recorded with it in one commit, and what it moved is counted by the host. A subject decided before on that milestone with the same verdict and reason is not recorded twice. Its subject for drift is that of the first entry.',
  lanes: ['worker', 'coordinator'],
  input: z.strictObject({ entries: z.array(entry).min(1).max(500), about }),
  effect: 'record',
  subject: (args) => args.about ?? args.entries[0]?.subject ?? 'ledger',
  run: (args, env) =>
    byCommand(env, 'ledger.record', { entries: args.entries }, () => `${args.entries.length} decisions, first ${args.entries[0]?.subject}: ${args.entries[0]?.verdict}`),
});
