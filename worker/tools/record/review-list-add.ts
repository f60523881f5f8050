import { z } from 'zod';
import { slug } from '../../domain/values.ts';
import { byCommand } from '../answers.ts';
import { tool } from '../tool.ts';

export const reviewListAdd = tool({
  name: 'review_list.add',
  description: 'Sets subjects aside for a person: `{entries: [{subject, milestone?, note}]}`, at most 500. The work moves on; adding the same again changes nothing.',
  lanes: ['worker', 'coordinator'],
  input: z.strictObject({
    entries: z
      .array(z.strictObject({ subject: z.string().min(1).max(200), milestone: slug.optional(), note: z.string().max(2000) }))
      .min(1)
      .max(500),
  }),
  effect: 'record',
  subject: (args) => args.entries[0]?.subject ?? 'review_list',
  run: (args, env) => byCommand(env, 'review_list.add', { entries: args.entries }, () => `${args.entries.length} set aside, first ${args.entries[0]?.subject}`),
});
