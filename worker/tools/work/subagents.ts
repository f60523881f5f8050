import { z } from 'zod';
import { executor, type Json, json, slug } from '../../domain/values.ts';
import { BRIEF_BYTES, BRIEF_INLINE_BYTES } from '../../domain/limits.ts';
import { type Refusal, refuse } from '../../domain/refusals.ts';
import { done } from '../answers.ts';
import { type ToolEnv, tool } from '../tool.ts';

/** Money in minor units of the goal's currency. */
const childLimits = z.strictObject({ tokens: z.int().min(0).optional(), money: z.int().min(0).optional() });

/** States in which a child will not change any more. */
const over = new Set(['returned', 'failed', 'cancelled', 'lost']);

export const subagents = tool({
  name: 'subagents',
  description:
    'Runs children side by side under this Attempt: `{children: [{name, executor?, brief, limits?}]}`, at most 32. `limits: {tokens?, money?}` is what a child with a model may use of what is left to you; without it each gets an equal part. `executor` is e.g. `{kind: "skill", skill, script}`; the default is your own. When not all have returned, the round ends and waits at no cost; the next round runs the script anew, and the same call then answers at once `{children: {<name>: {state, ok?, result?}}}`. The same name is the same child. Make it before anything that may not be done twice. A large brief is handed on whole, up to 16 MB; in one call with more than 250,000 characters of briefs fact references are left as they are.',
  lanes: ['worker'],
  input: z.strictObject({
    children: z
      .array(z.strictObject({ name: slug, executor: executor.optional(), brief: json, limits: childLimits.optional() }))
      .min(1)
      .max(32),
  }),
  effect: 'record',
  bulk: ['children'],
  // Until then the record has the briefs; a body there is measured in bytes, of which a character has three at most.
  bulkOver: 250_000,
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
      const children: Json[] = [];
      for (const child of missing) {
        const sent = await withBrief(child, env);
        if ('refused' in sent) return { ok: false, refusal: sent };
        children.push(sent as { [name: string]: Json });
      }
      const answer = await env.command('subagent.spawn', { children });
      if (!answer.ok) return answer;
    }
    env.end('waiting', `for ${open.map((child) => child.name).join(', ')}`);
    return done({ waiting: open.map((child) => child.name) }, `${open.length} children are at work`);
  },
});

/** Characters of a large brief that the record shows. */
const HEAD = 1000;

/** A brief that is too large to travel is kept as a file first: it is named only once it is whole. */
async function withBrief<C extends { name: string; brief: Json }>(child: C, env: ToolEnv): Promise<object | Refusal> {
  const text = JSON.stringify(child.brief);
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= BRIEF_INLINE_BYTES) return child;
  if (bytes.length > BRIEF_BYTES)
    return refuse('limit_exceeded', {
      detail: `the brief of ${child.name}: ${bytes.length} bytes of ${BRIEF_BYTES}; put it into files and name them`,
      current: { limit: 'brief', item: env.context.item?.key ?? null, child: child.name, bytes: bytes.length, of: BRIEF_BYTES },
    });
  const briefFile = await env.files.put(bytes, 'application/json');
  return { ...child, brief: { bytes: bytes.length, head: text.slice(0, HEAD).replace(/[\uD800-\uDBFF]$/, '') }, briefFile };
}
