import { describe, expect, it } from 'vitest';
import { estimateTokens, TokenGauge } from './tokens.ts';

describe('an estimate', () => {
  it('is near for words, and not blind for digests', () => {
    expect(estimateTokens('')).toBe(0);
    const words = estimateTokens('The host keeps the record and decides what may change. '.repeat(100));
    expect(words).toBeGreaterThan(1000);
    expect(words).toBeLessThan(1500);
    // A digest in hex is about 40 tokens.
    const digests = estimateTokens(Array.from({ length: 50 }, (_, n) => n.toString(16).padStart(2, '0').repeat(16) + '9f3a7c01b2e84d56'.repeat(2)).join('\n'));
    expect(digests).toBeGreaterThan(50 * 33);
    expect(digests).toBeLessThan(50 * 50);
  });
  it('takes time in proportion to the text, whatever it is made of', () => {
    for (const text of ['a'.repeat(2_000_000), 'aB3/'.repeat(100_000), '<>'.repeat(500_000), `${'x'.repeat(40)} `.repeat(20_000), '中文'.repeat(200_000)])
      expect(estimateTokens(text)).toBeGreaterThan(0);
  });
  it('takes a long identifier for words', () => {
    expect(estimateTokens('acceptance_of_the_integrated_export_item')).toBeLessThan(16);
  });
});

describe('the correction', () => {
  it('goes up at once and down slowly', () => {
    const gauge = new TokenGauge();
    expect(gauge.corrected(1000)).toBe(1000);
    gauge.reported(1000, 1500);
    expect(gauge.corrected(1000)).toBe(1500);
    gauge.reported(1000, 1000);
    expect(gauge.corrected(1000)).toBe(1350);
  });
  it('does not follow nonsense', () => {
    const gauge = new TokenGauge();
    gauge.reported(1000, 0);
    gauge.reported(0, 5000);
    expect(gauge.factor).toBe(1);
    gauge.reported(10, 1_000_000);
    expect(gauge.factor).toBe(4);
  });
});
