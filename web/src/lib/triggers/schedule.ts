/** Schedules in plain words and as five fields of cron. What the words cannot say stays an expression. */

export type Every = 'minutes' | 'hour' | 'day' | 'weekdays' | 'week' | 'month';
export interface Plain {
  every: Every;
  /** Of `minutes`: 1, 2, 3, 4, 5, 6, 10, 12, 15, 20 or 30. */
  minutes: number;
  /** Of `hour`: minutes past it. */
  past: number;
  /** `09:30`. */
  time: string;
  /** Of `week`: 0 is Sunday, as in cron. */
  days: number[];
  /** Of `month`: 1 to 31, or the last. */
  day: number | 'L';
}
/** Steps that an hour can be cut into: only then is "every so many minutes" true of every hour. */
export const steps = [1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30];
export const plainStart: Plain = { every: 'day', minutes: 15, past: 0, time: '09:00', days: [1], day: 1 };

/** Null: something is not filled in. */
export function cronOf({ every, minutes, past, time, days, day }: Plain): string | null {
  const [, hour, minute] = /^([01]?\d|2[0-3]):([0-5]\d)/.exec(time) ?? [];
  const at = hour === undefined || minute === undefined ? null : `${Number(minute)} ${Number(hour)}`;
  switch (every) {
    case 'minutes':
      return minutes === 1 ? '* * * * *' : `*/${minutes} * * * *`;
    case 'hour':
      return Number.isInteger(past) && past >= 0 && past < 60 ? `${past} * * * *` : null;
    case 'day':
      return at && `${at} * * *`;
    case 'weekdays':
      return at && `${at} * * 1-5`;
    case 'week':
      return at && days.length > 0 ? `${at} * * ${[...days].sort((a, b) => a - b).join(',')}` : null;
    case 'month':
      return at && `${at} ${day} * *`;
    default:
      return every satisfies never;
  }
}

/** Null: the plain words have none for it. */
export function plainOf(cron: string): Plain | null {
  const [minute = '', hour = '', date = '', month = '', weekday = '', ...more] = cron.trim().split(/\s+/);
  if (more.length > 0 || month !== '*') return null;
  const step = minute === '*' ? 1 : Number(/^\*\/(\d{1,2})$/.exec(minute)?.[1] ?? Number.NaN);
  if (hour === '*' && date === '*' && weekday === '*') {
    if (steps.includes(step)) return { ...plainStart, every: 'minutes', minutes: step };
    return /^[0-5]?\d$/.test(minute) ? { ...plainStart, every: 'hour', past: Number(minute) } : null;
  }
  if (!/^[0-5]?\d$/.test(minute) || !/^([01]?\d|2[0-3])$/.test(hour)) return null;
  const time = `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`;
  if (weekday === '*') {
    if (date === '*') return { ...plainStart, every: 'day', time };
    if (date === 'L') return { ...plainStart, every: 'month', time, day: 'L' };
    return /^([1-9]|[12]\d|3[01])$/.test(date) ? { ...plainStart, every: 'month', time, day: Number(date) } : null;
  }
  if (date !== '*') return null;
  if (weekday === '1-5') return { ...plainStart, every: 'weekdays', time };
  return /^[0-6](,[0-6])*$/.test(weekday) ? { ...plainStart, every: 'week', time, days: [...new Set(weekday.split(',').map(Number))].sort((a, b) => a - b) } : null;
}
