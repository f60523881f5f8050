import { z } from 'zod';
import { amendment } from '../../domain/contract/contract.ts';
import { byCommand } from '../answers.ts';
import { tool } from '../tool.ts';

export const goalAmend = tool({
  name: 'goal.amend',
  description:
    'Proposes the next version of the contract, from what a person said: `{message, change, why}`. `change` holds the parts that change, each of them whole (`criteria`: all criteria as they should be, with the ids of those that stay); what is left out stays. It changes nothing until the person decides, who is shown what it does to the work. Answers what that is: `{amendment, impact, criteria}`.',
  lanes: ['coordinator'],
  input: z.strictObject({ message: z.int().min(1), change: amendment, why: z.string().min(1).max(2000) }),
  effect: 'record',
  subject: () => 'contract',
  run: (args, env) => byCommand(env, 'goal.amend', JSON.parse(JSON.stringify(args)), () => `proposed a change from message ${args.message}`),
});
