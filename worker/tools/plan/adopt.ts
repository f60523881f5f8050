import { z } from 'zod';
import { slug } from '../../domain/values.ts';
import { byCommand } from '../answers.ts';
import { tool } from '../tool.ts';

export const planAdopt = tool({
  name: 'plan.adopt',
  description:
    'Makes the sealed `proposal` the active revision. Where an Attempt or Review is live on an item that it changes, it stays pending, or `supersede: [keys]` ends those. Under the plan policy "confirm" a person adopts.',
  lanes: ['coordinator'],
  input: z.strictObject({ proposal: z.string().min(1).max(200), supersede: z.array(slug).max(1000).default([]) }),
  effect: 'record',
  subject: () => 'plan',
  run: (args, env) => byCommand(env, 'plan.adopt', { proposal: args.proposal, supersede: args.supersede }, () => `adopted ${args.proposal}`),
});
