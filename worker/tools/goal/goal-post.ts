import { z } from 'zod';
import { no, plain, done } from '../answers.ts';
import { tool } from '../tool.ts';

export const goalPost = tool({
  name: 'goal.post',
  description:
    'Says something to another goal of this workspace, by its id, with this goal as the source. It is a message there: it may set that goal to work, and changes nothing of it. Nobody of another workspace is reached. To the people of this goal speak with `message.post`.',
  lanes: ['coordinator', 'worker'],
  input: z.strictObject({ goal: z.string().regex(/^goal_[0-9a-hjkmnp-tv-z]{32}$/), text: z.string().min(1).max(32_000) }),
  effect: 'record',
  subject: (args) => args.goal,
  run: async (args, env) => {
    if (!env.postTo) return no('unavailable', { detail: 'no other goal is reached from here' });
    const posted = await env.postTo(args.goal, args.text, env.call);
    return posted.ok ? done(plain({ goal: args.goal, message: posted.message }), `to ${args.goal}: ${args.text.slice(0, 160)}`) : posted;
  },
});
