import { z } from 'zod';
import { byCommand } from '../answers.ts';
import { tool } from '../tool.ts';

export const planReject = tool({
  name: 'plan.reject',
  description: 'Withdraws a sealed or pending proposal.',
  lanes: ['coordinator'],
  input: z.strictObject({ proposal: z.string().min(1).max(200) }),
  effect: 'record',
  subject: () => 'plan',
  run: (args, env) => byCommand(env, 'plan.reject', { proposal: args.proposal }, () => `rejected ${args.proposal}`),
});
