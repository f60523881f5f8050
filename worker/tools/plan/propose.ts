import { z } from 'zod';
import { json } from '../../domain/values.ts';
import { byCommand } from '../answers.ts';
import { tool } from '../tool.ts';

export const planPropose = tool({
  name: 'plan.propose',
  description:
    'Validates and seals a plan document `{mode, items: [...]}`; authorizes nothing. Answers `{proposal, digest, warnings}`. `plan_invalid` lists everything that is wrong, each with its place and a code.',
  lanes: ['coordinator'],
  input: z.strictObject({ document: json }),
  effect: 'record',
  bulk: ['document'],
  subject: () => 'plan',
  run: (args, env) => byCommand(env, 'plan.propose', { document: args.document }, () => 'plan proposed'),
});
