import { z } from 'zod';
import { done } from '../answers.ts';
import { tool } from '../tool.ts';
import { businessOf, whichRound } from './business-round.ts';

export const businessComplete = tool({
  name: 'business.complete',
  description:
    'Completes the business round of this goal: `{note?}` says what was decided. Only when what it was for is done, or when waiting on is given up: what it still waits for stays on record as left open, and the next round is told. What comes afterwards is late and opens nothing.',
  lanes: ['coordinator', 'worker'],
  input: z.strictObject({ note: z.string().max(1000).optional() }),
  effect: 'record',
  subject: () => 'business_round',
  async run({ note }, env) {
    const answer = await businessOf(env).give({ type: 'business_round.complete', payload: note === undefined ? {} : { note } }, env.call);
    return 'refused' in answer ? { ok: false, refusal: answer } : done(answer.value, `completed the business round ${whichRound(env)}`);
  },
});
