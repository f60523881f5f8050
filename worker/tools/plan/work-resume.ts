import { z } from 'zod';
import { slug } from '../../domain/values.ts';
import { byCommand } from '../answers.ts';
import { tool } from '../tool.ts';

export const workResume = tool({
  name: 'work.resume',
  description:
    'Lifts the stored stop of an item (`no_progress`, `attempts`), so that it gets an Attempt again. A coordinator may do so at most twice an item, then a person decides.',
  lanes: ['coordinator'],
  input: z.strictObject({ item: slug }),
  effect: 'record',
  subject: (args) => args.item,
  run: (args, env) => byCommand(env, 'work.resume', { item: args.item }, () => `resumed ${args.item}`),
});
