/** Times and sizes in the reader's language. `now` is handed in, so that what ages on the page ages together. */

import { m } from '../paraglide/messages.js';
import { getLocale } from '../paraglide/runtime.js';

const tag = (): string => (getLocale() === 'zh-cn' ? 'zh-CN' : 'en-GB');

export const clock = (at: number): string => new Intl.DateTimeFormat(tag(), { hour: '2-digit', minute: '2-digit', hour12: false }).format(at);
export const clockSeconds = (at: number): string => new Intl.DateTimeFormat(tag(), { hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false }).format(at);

/** The time of day today, with the date on other days. */
export function moment(at: number, now: number): string {
  const sameDay = new Date(at).toDateString() === new Date(now).toDateString();
  return sameDay ? clock(at) : new Intl.DateTimeFormat(tag(), { dateStyle: 'medium', timeStyle: 'short' }).format(at);
}

/** A time with its day, in a time zone that is named with it. */
export const momentIn = (at: number, zone: string): string =>
  new Intl.DateTimeFormat(tag(), {
    timeZone: zone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hour12: false,
    timeZoneName: 'short',
  }).format(at);
/** 0 is Sunday. */
export const weekday = (day: number, style: 'short' | 'long' = 'long'): string =>
  new Intl.DateTimeFormat(tag(), { weekday: style, timeZone: 'UTC' }).format(Date.UTC(2023, 0, 1 + day));

const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
];

export function ago(at: number, now: number): string {
  const passed = now - at;
  for (const [unit, ms] of steps) {
    if (passed >= ms * (unit === 'second' ? 2 : 1)) return new Intl.RelativeTimeFormat(tag(), { numeric: 'always', style: 'short' }).format(-Math.floor(passed / ms), unit);
  }
  return m.ago_now();
}

export function size(bytes: number): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;
  let value = bytes;
  let index = 0;
  while (value >= 1000 && index < units.length - 1) {
    value /= 1000;
    index += 1;
  }
  return new Intl.NumberFormat(tag(), { style: 'unit', unit: units[index], unitDisplay: index === 0 ? 'long' : 'short', maximumFractionDigits: value < 10 ? 1 : 0 }).format(value);
}

/** Milliseconds as seconds, for how long a call took. */
export const seconds = (ms: number): string =>
  new Intl.NumberFormat(tag(), { style: 'unit', unit: 'second', unitDisplay: 'narrow', maximumFractionDigits: ms < 10_000 ? 1 : 0 }).format(ms / 1000);
/** How long something took, in the unit that says it best. */
export function duration(ms: number): string {
  const [unit, one] =
    ms < 120_000
      ? (['second', 1000] as const)
      : ms < 7_200_000
        ? (['minute', 60_000] as const)
        : ms < 172_800_000
          ? (['hour', 3_600_000] as const)
          : (['day', 86_400_000] as const);
  return new Intl.NumberFormat(tag(), { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 1 }).format(ms / one);
}
export const count = (value: number): string => new Intl.NumberFormat(tag()).format(value);
export const list = (values: readonly string[]): string => new Intl.ListFormat(tag(), { type: 'conjunction' }).format(values);
/** `micros`: millionths of the currency's main unit, as what is used and reserved is counted. */
export function micros(amount: number, currency: string): string {
  const format = new Intl.NumberFormat(tag(), { style: 'currency', currency });
  return format.format(amount / 1_000_000);
}
/** The same in minor units, as limits are given; rounded up. */
export function minorOf(amount: number, currency: string): number {
  const digits = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
  return Math.ceil(amount / 10 ** (6 - digits));
}
