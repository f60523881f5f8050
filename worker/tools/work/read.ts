import { z } from 'zod';
import { slug } from '../../domain/values.ts';
import { done, no } from '../answers.ts';
import { tool } from '../tool.ts';

export const workRead = tool({
  name: 'work.read',
  description:
    'Everything about one work item: `{node, spec, attempts, submissions: [{id, number, summary, artifacts, claims, verdicts: [{id, verdict, by, scene?}], checks: [{key, pass, scene?}]}]}`, newest submission last. Its files are read by digest.',
  lanes: ['coordinator'],
  input: z.strictObject({ item: slug }),
  effect: 'none',
  subject: (args) => args.item,
  async run(args, env) {
    const view = await env.read({ what: 'item', item: args.item });
    return view === undefined ? no('not_found', { detail: `no work item ${args.item}` }) : done(view, args.item);
  },
});
