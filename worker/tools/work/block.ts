import { z } from 'zod';
import { blockerSubjects } from '../../domain/work/routing.ts';
import { type Json, json, principalId, slug } from '../../domain/values.ts';
import { no, plain } from '../answers.ts';
import { type ToolAnswer, type ToolEnv, tool } from '../tool.ts';

export const block = tool({
  name: 'block',
  description:
    'Stops the item at hand on a question and ends the round: `{key, reason, form, recommended?, owner?, fact?, about?}`. `form` is the JSON Schema of the answer, `fact` the key under which the answer is recorded. The same `key` again is the same blocker. Waiting costs nothing; when it is answered, a new round starts and reads the fact. Ask instead of guessing.',
  lanes: ['worker', 'coordinator'],
  input: z.strictObject({
    key: slug,
    reason: z.string().min(1).max(2000),
    form: json,
    recommended: json.optional(),
    owner: principalId.optional(),
    fact: z
      .string()
      .regex(/^[^\s#]{1,200}$/)
      .optional(),
    about: z
      .enum(blockerSubjects)
      .optional()
      .describe('Whose question it is: `work` (where left out) may be answered from the record; secret, approval, money, identity, acceptance and scope are asked of a person.'),
    item: slug.optional().describe('Coordinator only: which item. Without it the whole goal.'),
  }),
  effect: 'record',
  subject: (args) => `blocker:${args.key}`,
  async run(args, env) {
    const { item: named, ...form } = args;
    return raise(env, named, plain(form) as unknown as Question);
  },
});

export interface Question {
  key: string;
  reason: string;
  form: Json;
  recommended?: Json | undefined;
  owner?: string | undefined;
  fact?: string | undefined;
  about?: string | undefined;
}

/** Blocks the item at hand, or for a coordinator the named one or the whole goal; the round is over then. */
export async function raise(env: ToolEnv, named: string | undefined, question: Question): Promise<ToolAnswer> {
  const item = env.context.lane === 'worker' ? env.context.item?.key : named;
  if (env.context.lane === 'worker' && item === undefined) return no('invalid_transition', { detail: 'this round has no item to block' });
  const payload = plain({ ...question });
  const answer = item === undefined ? await env.command('goal.block', payload) : await env.command('work.block', { item, ...payload });
  if (!answer.ok) return answer;
  env.end('blocked', undefined, { said: env.context.lane === 'worker' });
  return { ok: true, value: answer.result, summary: question.reason.slice(0, 500) };
}
