/**
 * What a workspace sets about its models: providers, and the agent profiles that use them. Keys are not here: a provider names a secret, and the
 * secret is opened when a round needs it. A changed setting counts from the next round.
 */
import { z } from 'zod';
import { slug } from '../domain/values.ts';

/**
 * An address of a service: http or https, and nothing in it that identifies who calls, as settings are shown to people. Keys travel in headers, from sealed secrets.
 * Which hosts may be reached is the outgoing guard's to say, when something is sent.
 */
export const serviceUrl = z
  .string()
  .max(500)
  .superRefine((text, ctx) => {
    const wrong = (code: string, message: string) => ctx.addIssue({ code: 'custom', message, params: { code } });
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return wrong('invalid_value', 'an http or https address');
    if (url.username !== '' || url.password !== '') wrong('credentials_in_address', 'no name or password in the address; use a secret');
    if ([...url.searchParams.keys()].some((name) => /key|token|secret|passw|auth|sig/i.test(name))) wrong('credentials_in_address', 'no key in the address; use a secret');
    if (url.hash !== '') wrong('invalid_value', 'no fragment');
  });

/** `openai-compatible` covers Ollama, LM Studio, llama.cpp, vLLM, DeepSeek, Qwen and the like. `workers-ai` needs the binding of that name. */
export const providerKind = z.enum(['anthropic', 'openai', 'google', 'openai-compatible', 'workers-ai']);
export type ProviderKind = z.infer<typeof providerKind>;

export const provider = z.strictObject({
  name: slug,
  kind: providerKind,
  /** Without a trailing slash. Needed for `openai-compatible`; replaces the vendor's own for the others. */
  baseUrl: serviceUrl.optional(),
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

/** A remote MCP server whose tools agents may use. */
export const mcpServer = z.strictObject({
  name: slug,
  url: serviceUrl,
  /** A header that is sent along: `prefix` and then the value of the secret, e.g. `authorization`, `Bearer `. */
  header: z
    .strictObject({
      name: z.string().regex(/^[A-Za-z0-9-]{1,64}$/),
      prefix: z.string().max(40).default(''),
      secret: slug,
    })
    .optional(),
  /** Names of the tools that may be called. Nothing else of the server is offered. */
  tools: z.array(z.string().min(1).max(128)).max(200),
  /** Those of them that only read: they need no permit and no approval, where the server itself says the same. */
  readOnly: z.array(z.string().min(1).max(128)).max(200).optional(),
});
export type McpServer = z.infer<typeof mcpServer>;

/** Tokens, and money in millionths of the main unit of `currency` (5 USD = 5_000_000). Absent: no limit. */
const amounts = { tokens: z.int().min(0).optional(), micros: z.int().min(0).optional() };

/** What all Goals of the workspace together may use. Days and months are those of UTC. */
export const workspaceBudget = z.strictObject({
  currency: z.string().regex(/^[A-Z]{3}$/),
  period: z.strictObject({ of: z.enum(['day', 'month']), ...amounts }).optional(),
  total: z.strictObject(amounts).optional(),
  /** Rounds of all Goals that may run at once. */
  parallelRounds: z.int().min(1).max(1000),
});
export type WorkspaceBudget = z.infer<typeof workspaceBudget>;
/** In force until somebody sets one. Finite by its tokens; in which currency money is limited is for whoever pays to say, and a contract limits its own. */
export const defaultBudget: WorkspaceBudget = { currency: 'USD', period: { of: 'month', tokens: 200_000_000 }, parallelRounds: 20 };
