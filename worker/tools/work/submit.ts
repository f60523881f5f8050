import { z } from 'zod';
import { type Artifact, evidenceRef, filePath, slug } from '../../domain/values.ts';
import { no } from '../answers.ts';
import { tool } from '../tool.ts';

export const submit = tool({
  name: 'submit',
  description:
    'Delivers a candidate for the item at hand and ends the round: `{artifacts: [path, ...], summary, claims: [{criterion, evidence: [ref, ...]}]}`. The paths are files that you wrote, or accepted inputs; the host adds their digests. Checks and review follow; a submission unlocks nothing by itself. When it is refused, the round goes on and the refusal says what is missing.',
  lanes: ['worker'],
  input: z.strictObject({
    artifacts: z.array(filePath).max(200),
    summary: z.string().min(1).max(8000),
    claims: z
      .array(z.strictObject({ criterion: slug, evidence: z.array(evidenceRef).min(1).max(50) }))
      .max(200)
      .default([]),
  }),
  effect: 'record',
  subject: () => 'submit',
  async run(args, env) {
    const item = env.context.item;
    if (!item) return no('invalid_transition', { detail: 'this round has no item to submit for' });
    const artifacts: Artifact[] = [];
    const unknown: { pointer: string; code: string; detail: string }[] = [];
    args.artifacts.forEach((path, i) => {
      const found = env.paths.get(path);
      if (found) artifacts.push(found);
      else unknown.push({ pointer: `/artifacts/${i}`, code: 'not_found', detail: path });
    });
    if (unknown.length > 0) return no('evidence_missing', { detail: 'files that nobody wrote', errors: unknown, current: { paths: [...env.paths.keys()].slice(0, 200) } });
    const answer = await env.command('submission.submit', { item: item.key, artifacts, summary: args.summary, claims: args.claims });
    if (!answer.ok) return answer;
    env.end('submitted', undefined, { said: true });
    return { ok: true, value: answer.result, summary: args.summary.slice(0, 500) };
  },
});
