/** Money in whole numbers: limits in minor units of a currency (cents), what is used and reserved in millionths of its main unit. */

const digitsOf = new Map<string, number>();

/** Digits after the point of a currency; 2 where it is not known. */
export function currencyDigits(currency: string): number {
  let digits = digitsOf.get(currency);
  if (digits === undefined) {
    try {
      digits = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
    } catch {
      digits = 2;
    }
    digitsOf.set(currency, digits);
  }
  return digits;
}

/** Millionths of the main unit in one minor unit. */
export function minorUnits(currency: string): number {
  return 10 ** (6 - currencyDigits(currency));
}
