import { z } from 'zod';
import { json } from '../../domain/values.ts';
import { byCommand, no } from '../answers.ts';
import { tool } from '../tool.ts';

export const returnResult = tool({
  name: 'return',
  description:
    'A child gives its result to its parent, once and whole, and its round ends: `{ok, result}`. What the script itself returns is the same as `{ok: true, result}`; what it throws is `{ok: false}`.',
  lanes: ['worker'],
  input: z.strictObject({ ok: z.boolean().default(true), result: json }),
  effect: 'record',
  subject: () => 'return',
  async run(args, env) {
    if (!env.context.brief) return no('invalid_transition', { detail: 'only a child returns; this round delivers with submit' });
    const answer = await byCommand(env, 'subagent.return', { ok: args.ok, result: args.result }, () => (args.ok ? 'returned' : 'returned a failure'));
    if (answer.ok) env.end('submitted', 'returned', { said: true });
    return answer;
  },
});
