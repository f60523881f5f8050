/** Prices as people type them: currency units for a million tokens; the setting has millionths of the unit. */
import type { Prices } from '../api/types.ts';

const millionths = 1_000_000;

export interface PriceInputs {
  currency: string;
  input: string;
  output: string;
  cacheRead: string;
  cacheWrite: string;
}

const shown = (value: number | undefined): string => (value === undefined ? '' : String(value / millionths));

export function priceInputs(prices: Prices | undefined): PriceInputs {
  return {
    currency: prices?.currency ?? 'USD',
    input: shown(prices?.input),
    output: shown(prices?.output),
    cacheRead: shown(prices?.cacheRead),
    cacheWrite: shown(prices?.cacheWrite),
  };
}

/** `undefined`: nothing is filled in, the catalogue's prices hold. `null`: not prices. */
export function pricesOf(inputs: PriceInputs): Prices | undefined | null {
  const [input, output, cacheRead, cacheWrite] = [inputs.input, inputs.output, inputs.cacheRead, inputs.cacheWrite].map((text) => {
    if (text.trim() === '') return undefined;
    const value = Number(text);
    return Number.isFinite(value) && value >= 0 ? Math.round(value * millionths) : null;
  });
  if ([input, output, cacheRead, cacheWrite].every((value) => value === undefined)) return undefined;
  const currency = inputs.currency.trim().toUpperCase();
  if (typeof input !== 'number' || typeof output !== 'number' || cacheRead === null || cacheWrite === null || !/^[A-Z]{3}$/.test(currency)) return null;
  return { currency, input, output, ...(cacheRead === undefined ? {} : { cacheRead }), ...(cacheWrite === undefined ? {} : { cacheWrite }) };
}
