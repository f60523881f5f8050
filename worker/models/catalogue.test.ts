import { describe, expect, it } from 'vitest';
import { catalogueOf, limitsOf, outputCap, pricesOf } from './catalogue.ts';

const at = new Date('2026-11-30T12:00:00Z');

describe('the catalogue', () => {
  it('knows a model of a vendor by its dated name', async () => {
    const limits = await limitsOf({ kind: 'anthropic' }, 'claude-haiku-4-5-20251001', {}, at);
    expect(limits).toMatchObject({ window: 200_000, output: outputCap, warnings: [], from: { window: 'catalogue', output: 'catalogue', prices: 'catalogue' } });
    expect(limits.prices).toEqual({ currency: 'USD', input: 1_000_000, output: 5_000_000, cacheRead: 100_000, cacheWrite: 1_250_000 });
  });

  it('knows a vendor by the address of an OpenAI-compatible provider, and warns of a small window', async () => {
    const limits = await limitsOf({ kind: 'openai-compatible', baseUrl: 'https://api.deepseek.com/v1' }, 'deepseek-chat', {}, at);
    expect(limits.prices?.input).toBeGreaterThan(0);
    expect(limits.window).toBeLessThan(100_000);
    expect(limits.warnings).toEqual(['window_small']);
  });

  it('says what it assumes of an unknown model: a small window, no price', async () => {
    const limits = await limitsOf({ kind: 'openai-compatible', baseUrl: 'http://127.0.0.1:11434/v1' }, 'claude-haiku-4-5', {}, at);
    expect(limits).toEqual({
      window: 32_000,
      output: 8000,
      prices: null,
      from: { window: 'assumed', output: 'assumed', prices: 'unknown' },
      warnings: ['window_assumed', 'window_small', 'price_unknown'],
    });
  });

  it('is overridden by the profile, each figure alone', async () => {
    const prices = { currency: 'EUR', input: 1, output: 2 };
    const limits = await limitsOf({ kind: 'openai' }, 'no-such-model', { window: 200_000, prices }, at);
    expect(limits).toMatchObject({ window: 200_000, output: outputCap, prices, from: { window: 'profile', output: 'assumed', prices: 'profile' }, warnings: [] });
    expect((await limitsOf({ kind: 'anthropic' }, 'claude-haiku-4-5', { output: 64_000 }, at)).output).toBe(64_000);
  });

  it('has prices for longer prompts', () => {
    expect(pricesOf({ input_mtok: { base: 1, tiers: [{ start: 1000, price: 2 }] }, output_mtok: 0.0375 })).toEqual({
      currency: 'USD',
      input: 1_000_000,
      output: 37_500,
      long: [{ above: 1000, input: 2_000_000, output: 37_500 }],
    });
    expect(pricesOf({ input_mtok: 1 })).toBeNull();
  });

  it('lists what can hold a conversation', async () => {
    const ids = async (kind: 'anthropic' | 'openai' | 'google' | 'workers-ai') => (await catalogueOf({ kind }, at)).map((entry) => entry.id);
    expect(await ids('anthropic')).toContain('claude-haiku-4-5');
    expect((await ids('openai')).filter((id) => /embedding|whisper|audio|image/.test(id))).toEqual([]);
    expect((await ids('google')).every((id) => id.startsWith('gem'))).toBe(true);
    expect((await ids('workers-ai')).length).toBeGreaterThan(2);
    expect(await catalogueOf({ kind: 'openai-compatible', baseUrl: 'http://127.0.0.1:8000/v1' }, at)).toEqual([]);
  });
});
