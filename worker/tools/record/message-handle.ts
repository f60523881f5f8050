import { z } from 'zod';
import { byCommand } from '../answers.ts';
import { tool } from '../tool.ts';

export const messageHandle = tool({
  name: 'message.handle',
  description: 'Marks the messages up to a number (from the notice that brought them) as handled.',
  lanes: ['worker', 'coordinator'],
  input: z.strictObject({ upTo: z.int().min(1) }),
  effect: 'record',
  subject: () => 'message',
  run: (args, env) => byCommand(env, 'message.handle', { upTo: args.upTo }, () => `handled up to ${args.upTo}`),
});
