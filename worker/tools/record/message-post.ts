import { z } from 'zod';
import { byCommand } from '../answers.ts';
import { tool } from '../tool.ts';

export const messagePost = tool({
  name: 'message.post',
  description: 'Says something to the people of this goal. `asks: "plan"` asks the coordinator for a change of structure. It is no progress and changes no state.',
  lanes: ['worker', 'coordinator', 'reviewer'],
  input: z.strictObject({ text: z.string().min(1).max(32_000), asks: z.enum(['nothing', 'plan']).default('nothing') }),
  effect: 'record',
  subject: () => 'message',
  run: (args, env) => byCommand(env, 'message.post', { text: args.text, asks: args.asks }, () => args.text.slice(0, 200)),
});
