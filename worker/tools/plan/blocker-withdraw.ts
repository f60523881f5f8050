import { z } from 'zod';
import { evidenceRef } from '../../domain/values.ts';
import { byCommand } from '../answers.ts';
import { tool } from '../tool.ts';

export const blockerWithdraw = tool({
  name: 'blocker.withdraw',
  description: 'Takes a question back that is no longer needed, by the evidence you cite.',
  lanes: ['coordinator'],
  input: z.strictObject({ blocker: z.string().min(1).max(200), evidence: z.array(evidenceRef).min(1).max(50) }),
  effect: 'record',
  subject: (args) => `blocker:${args.blocker}`,
  run: (args, env) => byCommand(env, 'blocker.withdraw', { blocker: args.blocker, evidence: args.evidence }, () => `withdrew ${args.blocker}`),
});
