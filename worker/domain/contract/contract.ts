/** The contract of a Goal: what must finally be delivered, what must not be touched, how it is verified and what it may cost. */
import { z } from 'zod';
import { checkSpec } from '../planes/check-spec.ts';
import { executor, json, longText, slug } from '../values.ts';

/** `check`: by receipts of the named checks; `review`: by an Acceptance of an item that covers it; `attest`: by a named person. */
export const criterion = z.strictObject({
  id: slug,
  text: z.string().min(1).max(4000),
  verify: z.enum(['check', 'review', 'attest']),
  /** For `check`: keys of the contract's checks that must all pass. */
  checks: z.array(slug).max(20).default([]),
});
export type Criterion = z.infer<typeof criterion>;

/** Arguments that a rule is about: a JSON pointer into them and the value it must equal or match. */
export const argumentRule = z.strictObject({ pointer: z.string().max(200), equals: json.optional(), matches: z.string().max(200).optional() });

/** A tool call that a non-goal forbids. `tool` is a name or a prefix that ends in `*`; without `where` every call of it. */
export const forbids = z.strictObject({ tool: z.string().min(1).max(80), where: z.array(argumentRule).max(10).default([]) });
export const nonGoal = z.strictObject({ id: slug, text: z.string().min(1).max(4000), forbids: z.array(forbids).max(20).default([]) });
export type NonGoal = z.infer<typeof nonGoal>;

/**
 * What is counted on the way. An id counts once, when it is decided (ledger) or parked (needs-review list).
 * `target` is a number, or the size of the array under a fact key; then only ids of that array count.
 */
export const milestone = z.strictObject({
  key: slug,
  title: z.string().min(1).max(200),
  target: z.union([z.int().min(1), z.strictObject({ fact: z.string().max(200) })]),
  /** A person must confirm before the Goal completes. */
  confirm: z.boolean().default(false),
});
export type Milestone = z.infer<typeof milestone>;

/** First match; over the matches, deny beats ask beats allow. */
export const policyRule = z.strictObject({ tool: z.string().max(80), where: z.array(argumentRule).max(10).default([]), then: z.enum(['allow', 'ask', 'deny']) });
export type PolicyRule = z.infer<typeof policyRule>;

/** What a person expects who says nothing: enough for some hundreds of model calls with a full window, and a sum that hurts nobody. */
const DEFAULT_TOKENS = 10_000_000;
const DEFAULT_MONEY = { amount: 2000, currency: 'USD' };

const limitShape = {
  /** Rounds of any lane over the life of the Goal. */
  rounds: z.int().min(1).max(100_000),
  /** Wall time from confirmation, milliseconds. */
  wallTimeMs: z
    .int()
    .min(1000)
    .max(366 * 86_400_000),
  /** Rounds open at the same time. */
  parallelRounds: z.int().min(1).max(64),
  /** Rounds in a row without an applied change, per lane and target, before the stop `no_progress`. */
  emptyRounds: z.int().min(1).max(10),
  /** Failed Attempts and negative verdicts per item before a coordinator or a person decides. */
  attempts: z.int().min(1).max(20),
  /** Calls in one round before it hands back. */
  stepsPerRound: z.int().min(10).max(50_000),
  /** Drift: every `stride` calls the host looks at the last `window`; one subject in all of them, and no milestone moved, raises the level. */
  drift: z.strictObject({ window: z.int().min(2).max(100), stride: z.int().min(1).max(100) }),
  /**
   * What models may spend over the life of the Goal: tokens of every kind, and money (minor units of `currency`) where prices are known. Finite where nobody says, like every
   * limit; 0 means none. Absent in records that are older than this: none.
   */
  tokens: z.int().min(0).max(1_000_000_000_000),
  money: z.strictObject({ amount: z.int().min(0).max(1_000_000_000), currency: z.string().regex(/^[A-Z]{3}$/) }),
};
/** A change of some limits. */
export const limitsPatch = z.strictObject(limitShape).partial();
export const limits = z.strictObject({
  rounds: limitShape.rounds.default(200),
  wallTimeMs: limitShape.wallTimeMs.default(7 * 86_400_000),
  parallelRounds: limitShape.parallelRounds.default(4),
  emptyRounds: limitShape.emptyRounds.default(2),
  attempts: limitShape.attempts.default(5),
  stepsPerRound: limitShape.stepsPerRound.default(5000),
  drift: limitShape.drift.default({ window: 8, stride: 10 }),
  tokens: limitShape.tokens.default(DEFAULT_TOKENS),
  money: limitShape.money.default(DEFAULT_MONEY),
});
export type Limits = Omit<z.infer<typeof limits>, 'tokens' | 'money'> & Partial<Pick<z.infer<typeof limits>, 'tokens' | 'money'>>;
export const defaultLimits: z.infer<typeof limits> = limits.parse({});

/** Who carries the lanes that no Work Item names. A lane without a carrier is a wait for the Goal's owner. */
export const laneCarriers = z.strictObject({ coordinator: executor.optional(), reviewers: z.array(executor).max(10).default([]) });
export type LaneCarriers = z.infer<typeof laneCarriers>;

export const contract = z.strictObject({
  title: z.string().min(1).max(200),
  /** At most 32,000 code points; kept verbatim. */
  objective: longText(32_000),
  criteria: z.array(criterion).min(1).max(200),
  nonGoals: z.array(nonGoal).max(100).default([]),
  checks: z.array(checkSpec).max(200).default([]),
  milestones: z.array(milestone).max(50).default([]),
  limits: limits.default(defaultLimits),
  policies: z.array(policyRule).max(100).default([]),
  planPolicy: z.enum(['auto', 'confirm']).default('auto'),
});
/** What an intake round may propose: what may be spent stays the person's. */
export const draftContract = contract.omit({ limits: true }).extend({ limits: limitsPatch.omit({ tokens: true, money: true }).default({}) });
/** What a coordinator may propose to change: parts that are left out stay as they are. What may be spent and what is asked or denied stays the person's. */
export const amendment = z.strictObject({
  title: contract.shape.title.optional(),
  objective: contract.shape.objective.optional(),
  criteria: contract.shape.criteria.optional(),
  // Without the defaults of the contract: left out is not empty.
  nonGoals: contract.shape.nonGoals.unwrap().optional(),
  checks: contract.shape.checks.unwrap().optional(),
  milestones: contract.shape.milestones.unwrap().optional(),
  limits: limitsPatch.omit({ tokens: true, money: true }).optional(),
});
export type Contract = z.infer<typeof contract>;
export type ContractInput = z.input<typeof contract>;
