import { z } from 'zod';
import { awaitedKinds } from '../../domain/values.ts';
import { done } from '../answers.ts';
import { tool } from '../tool.ts';
import { businessOf, whichRound } from './business-round.ts';

export const businessWait = tool({
  name: 'business.wait',
  description:
    'Says what the business round of this goal waits for from now on, exactly: `{kind: "answer"|"receipt"|"result", correlation, reason}`. `correlation` is the name that the other side will answer under, e.g. the number of an order. Answers `{round, state, generation}`: the other side says correlation and generation. An earlier wait cannot be changed. While it waits, the next round of its trigger does not begin; this goal goes on, and its end does not end the wait.',
  lanes: ['coordinator', 'worker'],
  input: z.strictObject({ kind: z.enum(awaitedKinds), correlation: z.string().min(1).max(200), reason: z.string().min(1).max(500) }),
  effect: 'record',
  subject: () => 'business_round',
  async run(args, env) {
    const answer = await businessOf(env).give({ type: 'business_round.wait', payload: args }, env.call);
    return 'refused' in answer ? { ok: false, refusal: answer } : done(answer.value, `the business round ${whichRound(env)} waits for ${args.kind} ${args.correlation}`);
  },
});
