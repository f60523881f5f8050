/** What the object takes over RPC is checked like anything from outside: a wrong figure would be spent. */
import { z } from 'zod';
import { schemaProblems } from '../../domain/problems.ts';
import { type Refusal, refuse } from '../../domain/refusals.ts';

const amount = z.int().min(0);
const id = z.string().min(1).max(200);
const key = { v: z.literal(1), workspace: z.string(), goal: id, round: id, fence: z.int().min(0) };
const currency = z
  .string()
  .regex(/^[A-Z]{3}$/)
  .optional();

export const grantShape = z.strictObject({
  ...key,
  tokens: amount,
  money: amount,
  currency,
  least: z.strictObject({ tokens: amount, money: amount }).optional(),
  holdMs: z.int().min(1).optional(),
  agent: z.strictObject({ profile: id, remote: z.boolean() }).optional(),
});
export const settleShape = z.strictObject({ ...key, used: z.strictObject({ tokens: amount, money: amount }), asOf: amount, currency });

/** At most an hour: what ends later is a person's matter. */
export const slowDownShape = z.strictObject({ v: z.literal(1), workspace: z.string(), provider: id, forMs: z.int().min(0).max(3_600_000) });

export const testAgainShape = z.strictObject({ v: z.literal(1), workspace: z.string(), setting: id });
export const addressRefusedShape = z.strictObject({
  v: z.literal(1),
  workspace: z.string(),
  goal: id,
  round: id,
  host: z.string().min(1).max(260),
  code: z.string().min(1).max(60),
});

/** Undefined where it fits. */
export function misfit(shape: z.ZodType, value: unknown): Refusal | undefined {
  const parsed = shape.safeParse(value);
  return parsed.success ? undefined : refuse('schema_invalid', { errors: schemaProblems(parsed.error) });
}
