/** Exact decimal sums: amounts are text and stay text. */
const shape = /^-?\d{1,30}(\.\d{1,10})?$/;

export const isDecimal = (text: unknown): text is string => typeof text === 'string' && shape.test(text);

interface Parts {
  units: bigint;
  scale: number;
}

function parts(text: string): Parts {
  const [whole = '0', fraction = ''] = text.split('.');
  return { units: BigInt(whole + fraction), scale: fraction.length };
}

/** The sum, with as many places as the longest of the amounts, at least two. */
export function sumDecimals(amounts: readonly string[]): string {
  const all = amounts.map(parts);
  const scale = Math.max(2, ...all.map((each) => each.scale));
  const units = all.reduce((sum, each) => sum + each.units * 10n ** BigInt(scale - each.scale), 0n);
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  return `${units < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** Negative, zero or positive as `a` is less than, equal to or greater than `b`. */
export function compareDecimals(a: string, b: string): number {
  const left = parts(a);
  const right = parts(b);
  const scale = Math.max(left.scale, right.scale);
  const difference = left.units * 10n ** BigInt(scale - left.scale) - right.units * 10n ** BigInt(scale - right.scale);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}
