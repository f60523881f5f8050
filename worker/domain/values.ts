/** Shapes every part of the domain shares. Nothing here has behaviour beyond parsing. */
import { z } from 'zod';

/** Any JSON value. Numbers beyond 2^53 must travel as strings. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
/** What a service outside answered: taken as it is, since refusing it would lose the testimony. */
export const foreignJson: z.ZodType<Json> = z.json() as unknown as z.ZodType<Json>;

/** A whole number past 2^53 was rounded by whoever parsed it, and nothing tells what it was: it is refused with its place (`unsafe_integer`). */
export const json: z.ZodType<Json> = foreignJson.superRefine((value, ctx) => {
  const path = unsafeInteger(value, []);
  if (path) ctx.addIssue({ code: 'custom', path, message: 'a whole number beyond 2^53 travels as a string', params: { code: 'unsafe_integer' } });
});

function unsafeInteger(value: Json, path: (string | number)[]): (string | number)[] | null {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value) ? path : null;
  if (value === null || typeof value !== 'object') return null;
  for (const [key, inner] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
    const found = unsafeInteger(inner, [...path, key]);
    if (found) return found;
  }
  return null;
}

/** Text that people write, counted as people count: in code points. What is too long is refused with both figures, never cut. */
export function longText(limit: number) {
  return z
    .string()
    .min(1)
    .superRefine((text, ctx) => {
      if (text.length <= limit) return;
      const points = [...text].length;
      if (points > limit) ctx.addIssue({ code: 'custom', message: `${points} code points of at most ${limit}`, params: { code: 'too_large', count: points, limit } });
    })
    .meta({ maxLength: limit });
}

/** The working set keys things by name, and a name that every object inherits would be found where nothing of it exists. */
const isPlain = (name: string) => !(name in {});
const reservedName = { message: 'a name that is reserved', params: { code: 'reserved' } };

/** Stable, human-chosen name of a criterion, item, check, milestone or non-goal. */
export const slug = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/)
  .refine(isPlain, reservedName);

/** An id, correlation or key that names a thing on record. */
export const nameOf = (limit: number) => z.string().min(1).max(limit).refine(isPlain, reservedName);

/** SHA-256 as 64 lowercase hex digits. */
export const sha256Hex = z.string().regex(/^[0-9a-f]{64}$/);

/** A relative path of a file within a Goal: no leading slash, no `..`, no NUL, at most 200 characters. */
export const filePath = z
  .string()
  .min(1)
  .max(200)
  .refine((path) => !path.startsWith('/') && !path.includes('\0') && !path.split('/').some((part) => part === '..' || part === '.' || part === ''), {
    message: 'a relative path without empty, "." or ".." parts',
  })
  .refine(isPlain, reservedName);

/** An immutable file: its bytes live under its digest, `size` in bytes. */
export const artifact = z.strictObject({
  path: filePath,
  digest: sha256Hex,
  size: z.int().min(0),
  type: z.string().max(100).optional(),
});
export type Artifact = z.infer<typeof artifact>;

/**
 * Who acts. The prefix is the kind: `person:`, `token:`, `agent:`, `skill:`, `trigger:`, or exactly `host`.
 * The rest is opaque; names of people live elsewhere, where they can be erased.
 */
export type PrincipalId = string;
export const principalId = z.string().regex(/^(host|(person|token|agent|skill|trigger|external):[A-Za-z0-9._/-]{1,120})$/);

export const lanes = ['coordinator', 'worker', 'reviewer'] as const;
export type Lane = (typeof lanes)[number];

/** Who carries a Work Item or a lane. */
export const executor = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('skill'), skill: slug, script: z.string().regex(/^[a-z0-9-]+\.js$/), input: json.optional() }),
  z.strictObject({ kind: z.literal('agent'), profile: slug }),
  z.strictObject({ kind: z.literal('external'), name: slug }),
  z.strictObject({ kind: z.literal('person'), principal: principalId.optional() }),
]);
export type Executor = z.infer<typeof executor>;

/** The principal that a round of this executor acts for. */
export function principalOf(who: Executor): PrincipalId {
  switch (who.kind) {
    case 'skill':
      return `skill:${who.skill}/${who.script.slice(0, -3)}`;
    case 'agent':
      return `agent:${who.profile}`;
    case 'external':
      return `external:${who.name}`;
    case 'person':
      return who.principal ?? 'person:owner';
  }
}

/** A reference to evidence: `<kind>:<id>` with an optional `#section`, e.g. `artifact:<digest>#4.2`, `call:r3/17`, `receipt:chk_1`, `submission:sub_1`, `fact:invoice/1`, `file:contracts/a.md#4.2`. */
export const evidenceRef = z.string().regex(/^(artifact|file|call|receipt|submission|acceptance|fact|ledger|attestation|contract):[^\s#]{1,240}(#[^\n]{1,120})?$/);

/** What a business round waits for, by kind. */
export const awaitedKinds = ['answer', 'receipt', 'result'] as const;
