import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDecimals, compareDecimals, decimalOf, isDecimal } from './decimal.ts';

/** A decimal with its exact value in units of 10^-10, made without the code under test. */
const decimal = fc
  .record({
    negative: fc.boolean(),
    whole: fc.bigInt({ min: 0n, max: 10n ** 30n - 1n }),
    digits: fc.integer({ min: 0, max: 10 }),
    fraction: fc.bigInt({ min: 0n, max: 10n ** 10n - 1n }),
  })
  .map(({ negative, whole, digits, fraction }) => {
    const cut = digits === 0 ? 0n : fraction % 10n ** BigInt(digits);
    const text = `${negative ? '-' : ''}${whole}${digits === 0 ? '' : `.${cut.toString().padStart(digits, '0')}`}`;
    const units = whole * 10n ** 10n + cut * 10n ** BigInt(10 - digits);
    return { text, units: negative ? -units : units };
  });
const unitsOf = (text: string): bigint => {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  const units = BigInt(whole) * 10n ** 10n + BigInt(fraction.padEnd(10, '0') || '0');
  return text.startsWith('-') ? -units : units;
};

describe('exact decimals', () => {
  it('add without loss, in any order', () => {
    fc.assert(
      fc.property(fc.array(decimal, { maxLength: 50 }), (list) => {
        const sum = addDecimals(list.map((one) => one.text));
        expect(unitsOf(sum as string)).toBe(list.reduce((total, one) => total + one.units, 0n));
        expect(addDecimals(list.map((one) => one.text).reverse())).toBe(sum);
      }),
    );
  });

  it('compare by value', () => {
    fc.assert(fc.property(decimal, decimal, (a, b) => void expect(compareDecimals(a.text, b.text)).toBe(a.units < b.units ? -1 : a.units > b.units ? 1 : 0)));
  });

  it('keep the places of the summands', () => {
    expect(addDecimals([])).toBe('0');
    expect(addDecimals(['0.1', '0.2'])).toBe('0.3');
    expect(addDecimals(['1.50', '1.5'])).toBe('3.00');
    expect(addDecimals(['-0.05', '0.01'])).toBe('-0.04');
    expect(addDecimals(['-0.00'])).toBe('0.00');
    expect(compareDecimals('1.0', '1.00')).toBe(0);
  });

  it('refuse what is no decimal', () => {
    for (const text of ['', '1.', '.5', '1e3', '+1', ' 1', '1,000', 'NaN', '٣', '1.2.3', '0x10', `${'9'.repeat(31)}`]) {
      expect(isDecimal(text)).toBe(false);
      expect(addDecimals(['1', text])).toBeUndefined();
    }
    expect(compareDecimals('1', 'x')).toBeUndefined();
  });

  it('take a JSON number only where its text is exact', () => {
    expect(decimalOf(12.5)).toBe('12.5');
    expect(decimalOf('8196324.25')).toBe('8196324.25');
    expect(decimalOf(0.1 + 0.2)).toBeUndefined();
    expect(decimalOf(1e21)).toBeUndefined();
    expect(decimalOf(1234567890123456 * 10)).toBeUndefined();
    expect(decimalOf(null)).toBeUndefined();
    expect(decimalOf(['1'])).toBeUndefined();
  });
});
