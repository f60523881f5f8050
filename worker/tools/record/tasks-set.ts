import { z } from 'zod';
import { byCommand } from '../answers.ts';
import { tool } from '../tool.ts';

export const tasksSet = tool({
  name: 'tasks.set',
  description: 'Your own list of steps in this round, whole each time: `{tasks: [{text, done}]}`, at most 100. Shown in the record; moves nothing.',
  lanes: ['worker', 'coordinator', 'reviewer'],
  input: z.strictObject({ tasks: z.array(z.strictObject({ text: z.string().max(500), done: z.boolean() })).max(100) }),
  effect: 'record',
  subject: () => 'tasks',
  run: (args, env) => byCommand(env, 'tasks.set', { tasks: args.tasks }, () => `${args.tasks.filter((task) => task.done).length} of ${args.tasks.length} done`),
});
