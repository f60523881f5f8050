import { z } from 'zod';
import { done } from '../answers.ts';
import { tool } from '../tool.ts';

export const finish = tool({
  name: 'finish',
  description: 'Goal-only: says that the deliverables are complete and ends the round. The host runs the checks and audits; it completes nothing by itself.',
  lanes: ['coordinator'],
  input: z.strictObject({ note: z.string().max(2000).optional() }),
  effect: 'none',
  subject: () => 'finish',
  async run(args, env) {
    env.end('handed_back', args.note, { finish: true });
    return done(null, args.note ?? 'finish asked for');
  },
});
