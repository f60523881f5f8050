import { z } from 'zod';
import { evidenceRef } from '../../domain/values.ts';
import { byCommand } from '../answers.ts';
import { tool } from '../tool.ts';

export const evidenceInvalidate = tool({
  name: 'evidence.invalidate',
  description: 'Says that a piece of evidence is wrong: every decision and acceptance that rests on it is put up for a new verdict.',
  lanes: ['coordinator'],
  input: z.strictObject({ evidence: evidenceRef }),
  effect: 'record',
  subject: (args) => args.evidence,
  run: (args, env) => byCommand(env, 'evidence.invalidate', { evidence: args.evidence }, () => `invalidated ${args.evidence}`),
});
