import { z } from 'zod';
import { scene } from '../../domain/planes/check-spec.ts';
import { evidenceRef, type Json, slug } from '../../domain/values.ts';
import { byCommand, no } from '../answers.ts';
import { tool } from '../tool.ts';

interface SeenItem {
  submissions?: { id: string; verdicts?: { id: string; verdict: string; live: boolean }[] }[];
}

export const acceptanceInvalidate = tool({
  name: 'acceptance.invalidate',
  description:
    'A fault found downstream: the acceptance of the upstream `item` falls, with the scene `{summary, findings?, ...}` that its rework will read and the evidence. The upstream item must be a hard input of yours (a coordinator: any). Your own round ends with it, and your item waits for the rework; only a `verify` item may. `acceptance` names one exactly, instead of `item`.',
  lanes: ['worker', 'coordinator'],
  input: z.strictObject({ item: slug.optional(), acceptance: z.string().max(200).optional(), scene, evidence: z.array(evidenceRef).max(50).default([]) }),
  effect: 'record',
  subject: (args) => args.item ?? args.acceptance ?? 'acceptance',
  async run(args, env) {
    let acceptance = args.acceptance;
    if (acceptance === undefined) {
      if (args.item === undefined) return no('schema_invalid', { errors: [{ pointer: '/item', code: 'required', detail: 'an item or an acceptance' }] });
      const view = (await env.read({ what: 'item', item: args.item })) as SeenItem | undefined;
      acceptance = (view?.submissions ?? []).flatMap((each) => each.verdicts ?? []).findLast((each) => each.live && each.verdict === 'accepted')?.id;
      if (acceptance === undefined) return no('not_found', { detail: `${args.item} has no live acceptance` });
    }
    const answer = await byCommand(
      env,
      'acceptance.invalidate',
      { acceptance, scene: args.scene as unknown as Json, evidence: args.evidence },
      () => `${args.item ?? acceptance}: ${args.scene.summary.slice(0, 300)}`,
    );
    // A worker's own Attempt rests on what has just fallen, so the same commit ends it.
    if (answer.ok && env.context.lane === 'worker') env.end('handed_back', 'upstream invalidated', { said: true });
    return answer;
  },
});
