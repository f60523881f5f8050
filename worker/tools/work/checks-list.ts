import { z } from 'zod';
import type { Json } from '../../domain/values.ts';
import { done } from '../answers.ts';
import { tool } from '../tool.ts';

export const checksList = tool({
  name: 'checks.list',
  description:
    'Why the deliveries of the item at hand came back, and what the checks said: `{feedback: [{submission, by, verdict, scene}], submissions: [{id, number, checks: [{key, pass, scene?}], verdicts}]}`, newest submission last. Empty when nothing was submitted yet.',
  lanes: ['worker', 'coordinator', 'reviewer'],
  input: z.strictObject({ item: z.string().max(64).optional() }),
  effect: 'none',
  subject: (args) => `checks:${args.item ?? ''}`,
  async run(args, env) {
    const item = args.item ?? env.context.item?.key ?? env.context.submission?.item;
    const view = item === undefined ? undefined : ((await env.read({ what: 'item', item })) as { submissions?: Json[] } | undefined);
    const feedback = env.context.packet.feedback as unknown as Json;
    return done({ feedback, submissions: view?.submissions ?? [] }, `${env.context.packet.feedback.length} verdicts`);
  },
});
