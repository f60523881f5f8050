import { z } from 'zod';
import { done } from '../answers.ts';
import { tool } from '../tool.ts';
import { businessOf, whichRound } from './business-round.ts';

export const businessRead = tool({
  name: 'business.read',
  description:
    'The business round that this goal carries out, and what the one before left open: `{round, late, before}`. `round.awaits`: what it waits for. `late`: what came and was not its answer, with why. `before`: the last round of the same trigger that began, how it was closed, what it still waited for then (`open`), and whether that came since. How a round was closed says what was decided here; it is no evidence that the other side did nothing.',
  lanes: ['coordinator', 'worker'],
  input: z.strictObject({}),
  effect: 'none',
  subject: () => 'business_round',
  async run(_args, env) {
    const answer = await businessOf(env).read();
    return 'refused' in answer ? { ok: false, refusal: answer } : done(answer.value, `read the business round ${whichRound(env)}`);
  },
});
