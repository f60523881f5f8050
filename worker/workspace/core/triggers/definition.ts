/** What a trigger is: what makes it fire, what a firing does, and what becomes of a firing while an earlier one is not finished. */
import { z } from 'zod';
import { json, slug } from '../../../domain/values.ts';

/** A JMESPath expression of what the firing knows: `{data, headers, trigger, firing, at, due}`. */
export const expression = z.string().min(1).max(1000);
/** A value as it stands, or one that is asked of the firing. */
export const mapped = z.union([z.strictObject({ value: json }), z.strictObject({ from: expression })]);
export type Mapped = z.infer<typeof mapped>;

/** Whose signatures are understood. `standard`: Standard Webhooks. `feishu`: Lark too. */
export const hookStyles = ['standard', 'github', 'stripe', 'slack', 'feishu'] as const;
export type HookStyle = (typeof hookStyles)[number];

const source = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('cron'),
    cron: z.string().min(1).max(200),
    /** IANA, e.g. `Asia/Shanghai`. */
    zone: z.string().min(1).max(64),
    /** What becomes of due times at which nobody was there. */
    missed: z
      .discriminatedUnion('rule', [
        z.strictObject({ rule: z.literal('skip') }),
        z.strictObject({ rule: z.literal('coalesce') }),
        z.strictObject({ rule: z.literal('replay'), most: z.int().min(1).max(100) }),
      ])
      .default({ rule: 'coalesce' }),
  }),
  z.strictObject({
    kind: z.literal('webhook'),
    style: z.enum(hookStyles),
    /** Names of secrets of the workspace; a second one while keys change. */
    secrets: z.array(slug).min(1).max(2),
    /** How far the time in a signature may be from now, either way. GitHub's has none. */
    toleranceSeconds: z.int().min(30).max(3600).default(300),
    /** What does not pass is on record and fires nothing. False, null, and what is empty do not pass. */
    filter: expression.optional(),
  }),
  /** Fires when it is told to: `trigger.fire`, which every trigger understands. */
  z.strictObject({ kind: z.literal('api') }),
]);

const action = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('goal'),
    template: slug,
    parameters: z.record(slug, mapped).default({}),
    /** What completes the business round: the end of its goal, or nothing but somebody's word. There is no default: it is said. */
    ends: z.enum(['goal', 'command']),
  }),
  /** Releases a wait of a goal. Without `generation` the first wait under that correlation: a later one is released by naming it. */
  z.strictObject({ kind: z.literal('signal'), goal: mapped, correlation: mapped, generation: mapped.default({ value: 1 }), payload: mapped.optional() }),
  z.strictObject({ kind: z.literal('message'), goal: mapped, text: mapped }),
  /** Answers what a business round of another trigger, or of this one, waits for. */
  z.strictObject({ kind: z.literal('answer'), round: mapped, correlation: mapped, generation: mapped, payload: mapped.optional() }),
]);

/** How long an owed firing may wait for its turn, minutes. Afterwards it is missed. */
const withinMinutes = z
  .int()
  .min(1)
  .max(7 * 1440);
const overlap = z.discriminatedUnion('rule', [
  /** On record, and nothing more. */
  z.strictObject({ rule: z.literal('skip') }),
  /** One is owed, the newest; it stands for those it took the place of. */
  z.strictObject({ rule: z.literal('queue'), withinMinutes: withinMinutes.default(60) }),
  /** All are owed, in order, up to so many; what is too many is skipped. */
  z.strictObject({ rule: z.literal('replay'), most: z.int().min(1).max(100).default(20), withinMinutes: withinMinutes.default(1440) }),
]);
export type Overlap = z.infer<typeof overlap>;

export const triggerDefinition = z.strictObject({
  name: slug,
  title: z.string().max(200).default(''),
  source,
  does: action,
  overlap: overlap.default({ rule: 'skip' }),
  paused: z.boolean().default(false),
});
export type TriggerDefinition = z.infer<typeof triggerDefinition>;

/** As it is kept. */
export interface Trigger extends TriggerDefinition {
  /** Of this trigger, and of no later one of the same name: firings are named by it. */
  id: string;
  /** The end of its address, hard to guess; null where nothing comes in. */
  hook: string | null;
}
