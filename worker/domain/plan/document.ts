/** The plan document: what an agent writes and what templates hold. A closed schema; unknown fields are refused. */
import { z } from 'zod';
import { checkSpec } from '../planes/check-spec.ts';
import { executor, json, slug } from '../values.ts';

export const itemKinds = ['produce', 'review', 'verify', 'integrate'] as const;

export const dependency = z.strictObject({ key: slug, kind: z.enum(['hard', 'soft']).default('hard') });
export type Dependency = z.infer<typeof dependency>;

/** `file:report.md`, `dir:site/`, `semantic:payment-batch`. Two items that may run at the same time cannot hold one exclusive output. */
export const output = z.strictObject({ scope: z.string().regex(/^(file|dir|semantic):[^\s]{1,200}$/), access: z.enum(['exclusive', 'shared']).default('exclusive') });
export type Output = z.infer<typeof output>;

/** One stage of a review policy, in order: the host's checks, an agent or skill reviewer, a person. `count` independent verdicts each. */
export const reviewStage = z.discriminatedUnion('by', [
  z.strictObject({ by: z.literal('checks') }),
  z.strictObject({ by: z.literal('agent'), reviewer: executor.optional(), count: z.int().min(1).max(5).default(1) }),
  z.strictObject({ by: z.literal('person'), count: z.int().min(1).max(5).default(1) }),
]);
export type ReviewStage = z.infer<typeof reviewStage>;

export const planItem = z.strictObject({
  key: slug,
  kind: z.enum(itemKinds).default('produce'),
  title: z.string().min(1).max(200),
  objective: z.string().max(8000).default(''),
  deliverable: z.string().max(4000).default(''),
  acceptance: z
    .array(z.strictObject({ id: slug, text: z.string().max(2000) }))
    .max(50)
    .default([]),
  covers: z.array(slug).max(200).default([]),
  /** Source files or upstream artifacts it reads, for people and the resume packet. */
  inputs: z.array(z.string().max(200)).max(50).default([]),
  outputs: z.array(output).max(50).default([]),
  dependsOn: z.array(dependency).max(200).default([]),
  parent: slug.optional(),
  required: z.boolean().default(true),
  executor: executor.optional(),
  review: z
    .array(reviewStage)
    .min(1)
    .max(6)
    .default([{ by: 'checks' }]),
  checks: z.array(checkSpec).max(50).default([]),
  /** `tokens` and `money` (minor units of the currency of the Goal's limit) over the life of the item, its reviewers and children included. */
  limits: z
    .strictObject({
      attempts: z.int().min(1).max(20).optional(),
      stepsPerRound: z.int().min(10).max(50_000).optional(),
      tokens: z.int().min(0).optional(),
      money: z.int().min(0).optional(),
    })
    .default({}),
  input: json.optional(),
});
export type PlanItem = z.infer<typeof planItem>;

export const planDocument = z.strictObject({ mode: z.enum(['bound', 'graph_only']), items: z.array(planItem) });
export type PlanDocument = z.infer<typeof planDocument>;
export type PlanDocumentInput = z.input<typeof planDocument>;
