import { z } from 'zod';
import { done } from '../answers.ts';
import { tool } from '../tool.ts';

export const milestonesGet = tool({
  name: 'milestones.get',
  description: 'What the host has counted: `{milestones: [{key, title, count, target}]}`. An id counts once, when it is decided or parked.',
  lanes: ['worker', 'coordinator', 'reviewer'],
  input: z.strictObject({}),
  effect: 'none',
  subject: () => 'milestones',
  async run(_args, env) {
    const goal = (await env.read({ what: 'goal' })) as { bar?: { milestones?: { key: string; title: string; count: number; target: number | null }[] } } | undefined;
    const milestones = goal?.bar?.milestones ?? env.context.packet.milestones;
    return done({ milestones }, milestones.map((each) => `${each.key} ${each.count}/${each.target ?? '?'}`).join(', '));
  },
});
