import { describe, expect, it } from 'vitest';
import { costOf, type ModelPrices, tokensUsed, useOf, worstCost } from './prices.ts';

/** 3 and 15 USD a million tokens, cache read 0.30, cache write 3.75. */
const sonnet: ModelPrices = { currency: 'USD', input: 3_000_000, output: 15_000_000, cacheRead: 300_000, cacheWrite: 3_750_000 };

describe('B83 the cost of a call', () => {
  it('keeps four counters apart, each with its own rate', () => {
    // 3 x 3 + 109,075 x 3.75 + 81 x 15 = 9 + 409,031.25 + 1,215 millionths of a dollar.
    expect(costOf(sonnet, { input: 3, cacheWrite: 109_075, cacheRead: 0, output: 81 })).toBe(410_256);
    // 5 x 3 + 109,000 x 0.3 + 90 x 15.
    expect(costOf(sonnet, { input: 5, cacheWrite: 0, cacheRead: 109_000, output: 90 })).toBe(34_065);
  });

  it('is exact where products pass 2^53, and rounds up once', () => {
    expect(costOf({ currency: 'USD', input: 999_999_999_999, output: 1 }, { input: 9_999_999, cacheRead: 0, cacheWrite: 0, output: 0 })).toBe(
      Number((9_999_999n * 999_999_999_999n + 999_999n) / 1_000_000n),
    );
    expect(costOf(sonnet, { input: 0, cacheRead: 1, cacheWrite: 0, output: 0 })).toBe(1);
  });

  it('without prices of the cache, cached input costs as input; without prices it is not known', () => {
    expect(costOf({ currency: 'USD', input: 2_000_000, output: 0 }, { input: 1, cacheRead: 2, cacheWrite: 3, output: 9 })).toBe(12);
    expect(costOf(null, { input: 1, cacheRead: 0, cacheWrite: 0, output: 1 })).toBeNull();
  });

  it('has another price for the whole call beyond a length', () => {
    const long: ModelPrices = { currency: 'USD', input: 1_000_000, output: 1_000_000, long: [{ above: 1000, input: 2_000_000, output: 3_000_000 }] };
    const use = { cacheRead: 400, cacheWrite: 0, output: 10 };
    expect(costOf(long, { ...use, input: 600 })).toBe(1010);
    expect(costOf(long, { ...use, input: 601 })).toBe(2032);
  });

  it('never costs more than what was reserved for it', () => {
    const reserved = worstCost(sonnet, { input: 1000, output: 200 });
    for (const [input, cacheRead, cacheWrite] of [
      [1000, 0, 0],
      [0, 1000, 0],
      [0, 0, 1000],
      [300, 300, 400],
    ] as const)
      expect(costOf(sonnet, { input, cacheRead, cacheWrite, output: 200 })).toBeLessThanOrEqual(reserved);
  });
});

describe('what a provider reports', () => {
  const usage = (value: object) => value as Parameters<typeof useOf>[0];
  it('is split into four; what is missing is what the total leaves', () => {
    expect(useOf(usage({ inputTokens: 100, outputTokens: 7, inputTokenDetails: { noCacheTokens: 30, cacheReadTokens: 60, cacheWriteTokens: 10 } }))).toEqual({
      input: 30,
      cacheRead: 60,
      cacheWrite: 10,
      output: 7,
    });
    const some = useOf(usage({ inputTokens: 100, outputTokens: undefined, inputTokenDetails: { cacheReadTokens: 60 } }));
    expect(some).toEqual({ input: 40, cacheRead: 60, cacheWrite: 0, output: 0 });
    expect(some && tokensUsed(some)).toBe(100);
  });
  it('is null when nothing was reported, and never below nothing', () => {
    expect(useOf(usage({ inputTokens: undefined, outputTokens: undefined }))).toBeNull();
    expect(useOf(usage({ inputTokens: 10, outputTokens: Number.NaN, inputTokenDetails: { cacheReadTokens: 60 } }))).toEqual({ input: 0, cacheRead: 60, cacheWrite: 0, output: 0 });
  });
});
