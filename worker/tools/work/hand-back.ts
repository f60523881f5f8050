import { z } from 'zod';
import { done } from '../answers.ts';
import { tool } from '../tool.ts';

export const handBack = tool({
  name: 'hand_back',
  description: 'Ends the round without a delivery; the Attempt goes on in the next round. A hand-back on which nothing moved counts as an empty round.',
  lanes: ['worker', 'coordinator', 'reviewer'],
  input: z.strictObject({ note: z.string().max(2000).optional() }),
  effect: 'none',
  subject: () => 'hand_back',
  async run(args, env) {
    env.end('handed_back', args.note);
    return done(null, args.note ?? 'handed back');
  },
});
