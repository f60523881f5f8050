import { z } from 'zod';
import { milestone } from '../../domain/contract/contract.ts';
import { byCommand } from '../answers.ts';
import { tool } from '../tool.ts';

export const milestoneDefine = tool({
  name: 'milestone.define',
  description: 'Adds a milestone `{key, title, target, confirm}`; `target` is a number or `{fact: key}`, the size of that set.',
  lanes: ['coordinator'],
  input: z.strictObject({ milestone }),
  effect: 'record',
  subject: (args) => `milestone:${args.milestone.key}`,
  run: (args, env) => byCommand(env, 'milestone.define', { milestone: args.milestone }, () => `milestone ${args.milestone.key}`),
});
