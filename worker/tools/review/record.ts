import { z } from 'zod';
import { scene } from '../../domain/planes/check-spec.ts';
import { type Json, slug } from '../../domain/values.ts';
import { no, plain } from '../answers.ts';
import { tool } from '../tool.ts';

export const reviewRecord = tool({
  name: 'review.record',
  description:
    'The verdict on the one submission of this round, and the end of it: `{verdict: "accepted"|"changes_requested"|"rejected"|"cannot_judge", scene?, criteria: [{id, met, note?}]}`. `accepted` needs every criterion judged; `changes_requested` needs a scene `{summary, missing?, extra?, findings?: [{where, expected?, actual?}]}` that the next Attempt can act on. The host adds submission and digest.',
  lanes: ['reviewer'],
  input: z.strictObject({
    verdict: z.enum(['accepted', 'changes_requested', 'rejected', 'cannot_judge']),
    scene: scene.optional(),
    criteria: z
      .array(z.strictObject({ id: slug, met: z.boolean(), note: z.string().max(2000).optional() }))
      .max(200)
      .default([]),
  }),
  effect: 'record',
  subject: () => 'review',
  async run(args, env) {
    const submission = env.context.submission;
    if (!submission) return no('invalid_transition', { detail: 'this round has no submission to judge' });
    const answer = await env.command(
      'review.record',
      plain({
        submission: submission.id,
        digest: submission.digest,
        verdict: args.verdict,
        criteria: args.criteria as unknown as Json,
        scene: args.scene as unknown as Json | undefined,
      }),
    );
    if (!answer.ok) return answer;
    env.end('submitted', args.verdict, { said: true });
    return { ok: true, value: answer.result, summary: `${args.verdict}${args.scene ? `: ${args.scene.summary.slice(0, 300)}` : ''}` };
  },
});
