/**
 * What a workspace sets about its models: providers, and the agent profiles that use them. Keys are not here: a provider names a secret, and the
 * secret is opened when a round needs it. A changed setting counts from the next round.
 */
import { z } from 'zod';
import { slug } from '../domain/values.ts';

/** `openai-compatible` covers Ollama, LM Studio, llama.cpp, vLLM, DeepSeek, Qwen and the like. `workers-ai` needs the binding of that name. */
export const providerKind = z.enum(['anthropic', 'openai', 'google', 'openai-compatible', 'workers-ai']);
export type ProviderKind = z.infer<typeof providerKind>;

export const provider = z.strictObject({
  name: slug,
  kind: providerKind,
  /** Without a trailing slash. Needed for `openai-compatible`; replaces the vendor's own for the others. */
  baseUrl: z.string().url().max(500).optional(),
  /** Name of the workspace secret that holds the key. */
  secret: slug.optional(),
});
export type Provider = z.infer<typeof provider>;

/** Price of a million tokens, in millionths of the main unit of `currency` (3 USD = 3_000_000). */
export const prices = z.strictObject({
  currency: z.string().length(3).default('USD'),
  input: z.int().min(0),
  output: z.int().min(0),
  /** Absent: as `input`. */
  cacheRead: z.int().min(0).optional(),
  cacheWrite: z.int().min(0).optional(),
});
export type Prices = z.infer<typeof prices>;

/** Three are built in: `coordinator`, `worker`, `reviewer`. A profile without a model of its own uses that of `default`. */
export const profile = z.strictObject({
  name: slug,
  provider: slug.optional(),
  model: z.string().min(1).max(200).optional(),
  /** Tokens. Absent: from the catalogue of models. */
  window: z.int().min(1000).optional(),
  output: z.int().min(100).optional(),
  prices: prices.optional(),
  /** Added to the built-in instructions of its lane. */
  instructions: z.string().max(8000).optional(),
  temperature: z.number().min(0).max(2).optional(),
});
export type Profile = z.infer<typeof profile>;
export const builtInProfiles = ['default', 'coordinator', 'worker', 'reviewer'] as const;
