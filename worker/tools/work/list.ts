import { z } from 'zod';
import type { Json } from '../../domain/values.ts';
import type { GraphView } from '../../domain/views/types.ts';
import { done } from '../answers.ts';
import { tool } from '../tool.ts';

const LIMIT = 100;

export const workList = tool({
  name: 'work.list',
  description:
    'The work items of the plan in its order, each in a line: `{items: [{key, title, state, dependsOn, required, executor?, stop?, blocker?, returns}], next}`, at most 100 a page; `state` narrows. `next` is the offset of the rest or null.',
  lanes: ['coordinator'],
  input: z.strictObject({ state: z.string().max(40).optional(), offset: z.int().min(0).default(0), limit: z.int().min(1).max(LIMIT).default(LIMIT) }),
  effect: 'none',
  subject: () => 'work',
  async run(args, env) {
    const graph = (await env.read({ what: 'graph' })) as unknown as GraphView | undefined;
    const nodes = (graph?.nodes ?? []).filter((node) => args.state === undefined || node.state === args.state);
    const items = nodes.slice(args.offset, args.offset + args.limit).map(
      (node): Json => ({
        key: node.key,
        title: node.title,
        state: node.state,
        dependsOn: (graph?.edges ?? []).filter((edge) => edge.to === node.key).map((edge) => edge.from),
        required: node.required,
        ...(node.executor ? { executor: node.executor as unknown as Json } : {}),
        ...(node.stop ? { stop: node.stop } : {}),
        ...(node.blocker ? { blocker: node.blocker } : {}),
        returns: node.returns.map(({ submission, by, summary }) => ({ submission, by, summary: summary.slice(0, 300) })),
      }),
    );
    const end = args.offset + args.limit;
    return done({ items, next: end < nodes.length ? end : null }, `${items.length} of ${nodes.length} items`);
  },
});
