import { describe, expect, it } from 'vitest';
import { upcoming } from '../../../../worker/workspace/core/triggers/cron.ts';
import { cronOf, type Plain, plainOf, plainStart, steps } from './schedule.ts';

const plain = (more: Partial<Plain>): Plain => ({ ...plainStart, ...more });

describe('plain words', () => {
  it.each([
    [plain({ every: 'minutes', minutes: 1 }), '* * * * *'],
    [plain({ every: 'minutes', minutes: 15 }), '*/15 * * * *'],
    [plain({ every: 'hour', past: 5 }), '5 * * * *'],
    [plain({ every: 'day', time: '00:10' }), '10 0 * * *'],
    [plain({ every: 'weekdays', time: '09:30' }), '30 9 * * 1-5'],
    [plain({ every: 'week', time: '23:59', days: [0, 3] }), '59 23 * * 0,3'],
    [plain({ every: 'month', time: '08:00', day: 31 }), '0 8 31 * *'],
    [plain({ every: 'month', time: '08:00', day: 'L' }), '0 8 L * *'],
  ])('%o are %s, and back', (words, cron) => {
    expect(cronOf(words)).toBe(cron);
    expect(plainOf(cron)).toEqual(words);
  });
  it('are not said of what is more than they say', () => {
    for (const cron of ['*/7 * * * *', '0 9-17 * * *', '0 9 1 1 *', '0 9 1 * 1', '0,30 9 * * *', '0 8 * * 1#2', '0 8 * * MON', '0 8 * * 7', '0 8 32 * *', '0 8 * *', '60 8 * * *'])
      expect(plainOf(cron)).toBeNull();
  });
  it('are no schedule while a part is missing', () => {
    expect(cronOf(plain({ every: 'day', time: '' }))).toBeNull();
    expect(cronOf(plain({ every: 'week', days: [] }))).toBeNull();
    expect(cronOf(plain({ every: 'hour', past: 60 }))).toBeNull();
  });
  it('of minutes mean the same distance each time, over the hour too', () => {
    const from = Date.UTC(2027, 0, 4);
    for (const minutes of steps) {
      const times = [from, ...upcoming({ cron: cronOf(plain({ every: 'minutes', minutes })) ?? '', zone: 'UTC' }, from, 90)];
      expect(new Set(times.slice(1).map((time, n) => time - (times[n] ?? 0)))).toEqual(new Set([minutes * 60_000]));
    }
  });
});
