/**
 * What a call costs: whole millionths of the currency's main unit, rounded up, so that many small calls never cost less than they did.
 * Input that was read from or written to the provider's cache has a price of its own.
 */
import type { LanguageModelUsage } from 'ai';
import type { Prices } from '../workspace/settings.ts';

/** `long`: from more than `above` input tokens on, the whole call has these prices. Ascending. */
export type ModelPrices = Prices & { long?: readonly (Omit<Prices, 'currency'> & { above: number })[] };

/** Tokens of one call. `input` is what was neither read from nor written to a cache; `output` includes reasoning. */
export interface CallUse {
  input: number;
  cacheRead: number;
  cacheWrite: number;
  output: number;
}

/** What a provider reported; null when it reported nothing that can be counted. A part that is missing is what the total leaves for it. */
export function useOf(usage: LanguageModelUsage): CallUse | null {
  const { inputTokens: total, outputTokens, inputTokenDetails: details } = usage;
  if (total === undefined && outputTokens === undefined) return null;
  const cacheRead = count(details?.cacheReadTokens);
  const cacheWrite = count(details?.cacheWriteTokens);
  const input = details?.noCacheTokens ?? (total ?? 0) - cacheRead - cacheWrite;
  return { input: count(input), cacheRead, cacheWrite, output: count(outputTokens) };
}

const count = (value: number | undefined) => (value === undefined || !Number.isFinite(value) ? 0 : Math.max(0, Math.round(value)));

/** All tokens of a call, cached ones among them: what a budget in tokens counts. */
export const tokensUsed = (use: CallUse): number => use.input + use.cacheRead + use.cacheWrite + use.output;

/** Null prices cost nothing that could be counted: null. */
export function costOf(prices: ModelPrices, use: CallUse): number;
export function costOf(prices: ModelPrices | null, use: CallUse): number | null;
export function costOf(prices: ModelPrices | null, use: CallUse): number | null {
  if (!prices) return null;
  const at = step(prices, use.input + use.cacheRead + use.cacheWrite);
  return millionths([
    [use.input, at.input],
    [use.cacheRead, at.cacheRead ?? at.input],
    [use.cacheWrite, at.cacheWrite ?? at.input],
    [use.output, at.output],
  ]);
}

/** The most that a call of so many tokens can cost, whatever the provider's cache does: what is reserved before it. */
export function worstCost(prices: ModelPrices, tokens: { input: number; output: number }): number {
  const at = step(prices, tokens.input);
  return millionths([
    [tokens.input, Math.max(at.input, at.cacheRead ?? 0, at.cacheWrite ?? 0)],
    [tokens.output, at.output],
  ]);
}

function step(prices: ModelPrices, input: number): Omit<Prices, 'currency'> {
  return prices.long?.findLast((one) => input > one.above) ?? prices;
}

/** Prices are of a million tokens. Products pass 2^53. */
function millionths(parts: readonly (readonly [tokens: number, price: number])[]): number {
  const sum = parts.reduce((total, [tokens, price]) => total + BigInt(Math.ceil(tokens)) * BigInt(price), 0n);
  return Number((sum + 999_999n) / 1_000_000n);
}
