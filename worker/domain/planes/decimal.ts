/** Exact decimal numbers as strings, by BigInt: amounts never pass through a float. At most 30 digits before the point and 10 after it. */
import type { Json } from '../values.ts';

interface Decimal {
  /** Value times 10^scale. */
  units: bigint;
  scale: number;
}

const shape = /^(-?)(\d{1,30})(?:\.(\d{1,10}))?$/;

function parse(text: string): Decimal | undefined {
  const match = shape.exec(text);
  if (!match) return undefined;
  const fraction = match[3] ?? '';
  const units = BigInt(`${match[2]}${fraction}`);
  return { units: match[1] === '-' ? -units : units, scale: fraction.length };
}

function scaled({ units, scale }: Decimal, to: number): bigint {
  return units * 10n ** BigInt(to - scale);
}

function text(units: bigint, scale: number): string {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  return `${units < 0n ? '-' : ''}${whole}${scale > 0 ? `.${digits.slice(digits.length - scale)}` : ''}`;
}

export function isDecimal(value: string): boolean {
  return shape.test(value);
}

/**
 * A JSON value as a decimal string, or undefined. Numbers count only where their text is exact: no exponent, at most 15 significant digits
 * (a float holds those without loss). Everything longer must be a string.
 */
export function decimalOf(value: Json | undefined): string | undefined {
  if (typeof value === 'string') return isDecimal(value) ? value : undefined;
  if (typeof value !== 'number') return undefined;
  const written = String(value);
  return isDecimal(written) && written.replace(/^-?0*\.?0*/, '').replace('.', '').length <= 15 ? written : undefined;
}

/** The exact sum, with as many decimal places as the longest of the summands; `0` of none. Undefined when one of them is no decimal. The sum itself may have more digits than a summand may. */
export function addDecimals(values: readonly string[]): string | undefined {
  let units = 0n;
  let scale = 0;
  for (const value of values) {
    const next = parse(value);
    if (!next) return undefined;
    const to = Math.max(scale, next.scale);
    units = scaled({ units, scale }, to) + scaled(next, to);
    scale = to;
  }
  return text(units, scale);
}

/** -1, 0 or 1 by value: `1.0` equals `1.00`. Undefined when one of them is no decimal. */
export function compareDecimals(a: string, b: string): -1 | 0 | 1 | undefined {
  const [left, right] = [parseAny(a), parseAny(b)];
  if (!left || !right) return undefined;
  const scale = Math.max(left.scale, right.scale);
  const difference = scaled(left, scale) - scaled(right, scale);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** Sums may be longer than what is taken in. */
function parseAny(value: string): Decimal | undefined {
  const match = /^-?\d{1,60}(?:\.(\d{1,10}))?$/.exec(value);
  return match ? { units: BigInt(value.replace('.', '')), scale: match[1]?.length ?? 0 } : undefined;
}
