import { z } from 'zod';
import { json, principalId } from '../../domain/values.ts';
import { byCommand, plain } from '../answers.ts';
import { tool } from '../tool.ts';

export const blockerPass = tool({
  name: 'blocker.pass',
  description:
    'Leaves the question of this round to a person: `{blocker, why, question?, recommended?, owner?}`. `question` puts it better, so that who answers needs to look nothing up; `recommended` is what you would answer, by its form; `owner` another person than the owner of the goal. Its form stays.',
  lanes: ['coordinator'],
  input: z.strictObject({
    blocker: z.string().min(1).max(200),
    why: z.string().min(1).max(2000),
    question: z.string().min(1).max(2000).optional(),
    recommended: json.optional(),
    owner: principalId.optional(),
  }),
  effect: 'record',
  subject: (args) => `blocker:${args.blocker}`,
  run: (args, env) => byCommand(env, 'blocker.pass', plain(args), () => `passed on ${args.blocker}`),
});
