import { z } from 'zod';
import { slug } from '../../domain/values.ts';
import { byCommand } from '../answers.ts';
import { tool } from '../tool.ts';

export const workCancel = tool({
  name: 'work.cancel',
  description: 'Cancels an item that is no longer needed. What hard-depends on it can then never start: revise the plan for that.',
  lanes: ['coordinator'],
  input: z.strictObject({ item: slug }),
  effect: 'record',
  subject: (args) => args.item,
  run: (args, env) => byCommand(env, 'work.cancel', { item: args.item }, () => `cancelled ${args.item}`),
});
