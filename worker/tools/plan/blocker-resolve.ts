import { z } from 'zod';
import { evidenceRef, json } from '../../domain/values.ts';
import { byCommand } from '../answers.ts';
import { tool } from '../tool.ts';

export const blockerResolve = tool({
  name: 'blocker.resolve',
  description:
    "Answers a blocker from the record, by the evidence you cite: `{blocker, answer, evidence: [ref, ...], because}`. `because` says why that answers it. Evidence is `file:path#section`, `fact:key`, `contract:objective` or `contract:<id of a criterion, non-goal, check or milestone>`, `submission:id`, `ledger:id` and the like. The answer must fit the blocker's form. What only a person knows or may say stays with the person.",
  lanes: ['coordinator'],
  input: z.strictObject({ blocker: z.string().min(1).max(200), answer: json, evidence: z.array(evidenceRef).min(1).max(50), because: z.string().min(1).max(2000) }),
  effect: 'record',
  subject: (args) => `blocker:${args.blocker}`,
  run: (args, env) =>
    byCommand(env, 'blocker.resolve', { blocker: args.blocker, answer: args.answer, evidence: args.evidence, because: args.because }, () => `answered ${args.blocker}`),
});
