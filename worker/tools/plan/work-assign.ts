import { z } from 'zod';
import { executor, slug } from '../../domain/values.ts';
import { byCommand } from '../answers.ts';
import { tool } from '../tool.ts';

export const workAssign = tool({
  name: 'work.assign',
  description: 'Gives an item that was rejected or stopped to an owner for one more Attempt: `{item, executor?}`. Ready items are assigned by the host without you.',
  lanes: ['coordinator'],
  input: z.strictObject({ item: slug, executor: executor.optional() }),
  effect: 'record',
  subject: (args) => args.item,
  run: (args, env) =>
    byCommand(
      env,
      'work.assign',
      { item: args.item, ...(args.executor === undefined ? {} : { executor: JSON.parse(JSON.stringify(args.executor)) }) },
      () => `assigned ${args.item}`,
    ),
});
