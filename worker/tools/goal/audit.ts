import { z } from 'zod';
import { evidenceRef, slug } from '../../domain/values.ts';
import { byCommand } from '../answers.ts';
import { tool } from '../tool.ts';

export const goalAudit = tool({
  name: 'goal.audit',
  description:
    'Classes every criterion of the current version: `{classes: [{criterion, class: "proven"|"contradicted"|"insufficient"|"missing", evidence: [ref], note?}]}`. The host checks what the evidence proves: a `check` criterion needs its passing receipt, a `review` criterion an acceptance that names it, an `attest` criterion a person.',
  lanes: ['coordinator'],
  input: z.strictObject({
    classes: z
      .array(
        z.strictObject({
          criterion: slug,
          class: z.enum(['proven', 'contradicted', 'insufficient', 'missing']),
          evidence: z.array(evidenceRef).max(50).default([]),
          note: z.string().max(2000).optional(),
        }),
      )
      .max(200),
  }),
  effect: 'record',
  subject: () => 'audit',
  run: (args, env) =>
    byCommand(env, 'goal.audit', { classes: args.classes.map(({ note, ...rest }) => (note === undefined ? rest : { ...rest, note })) }, () =>
      args.classes
        .map((each) => `${each.criterion} ${each.class}`)
        .join(', ')
        .slice(0, 500),
    ),
});
