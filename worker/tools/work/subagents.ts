import { z } from 'zod';
import { executor, type Json, json, slug } from '../../domain/values.ts';
import { done } from '../answers.ts';
import { tool } from '../tool.ts';

/** Money in minor units of the goal's currency. */
const childLimits = z.strictObject({ tokens: z.int().min(0).optional(), money: z.int().min(0).optional() });

/** States in which a child will not change any more. */
const over = new Set(['returned', 'failed', 'cancelled', 'lost']);

export const subagents = tool({
  name: 'subagents',
  description:
    'Runs children side by side under this Attempt: `{children: [{name, executor?, brief, limits?}]}`, at most 32. `limits: {tokens?, money?}` is what a child with a model may use of what is left to you; without it each gets an equal part. `executor` is e.g. `{kind: "skill", skill, script}`; the default is your own. When not all have returned, the round ends and waits at no cost; the next round runs the script anew, and the same call then answers at once `{children: {<name>: {state, ok?, result?}}}`. The same name is the same child. Make it before anything that may not be done twice.',
  lanes: ['worker'],
  input: z.strictObject({
    children: z
      .array(z.strictObject({ name: slug, executor: executor.optional(), brief: json, limits: childLimits.optional() }))
      .min(1)
      .max(32),
  }),
  effect: 'record',
  subject: () => 'subagents',
  async run(args, env) {
    const known = env.context.children;
    const missing = args.children.filter((child) => !Object.hasOwn(known, child.name));
    const open = args.children.filter((child) => !over.has(known[child.name]?.state ?? 'open'));
    if (open.length === 0) {
      const children: { [name: string]: Json } = Object.fromEntries(args.children.map((child) => [child.name, known[child.name] as Json]));
      return done({ children }, `${args.children.length} children have returned`);
    }
    if (missing.length > 0) {
      const answer = await env.command('subagent.spawn', { children: missing as unknown as Json });
      if (!answer.ok) return answer;
    }
    env.end('waiting', `for ${open.map((child) => child.name).join(', ')}`);
    return done({ waiting: open.map((child) => child.name) }, `${open.length} children are at work`);
  },
});
