/** When a delivery is tried again. */
import { describe, expect, it } from 'vitest';
import { judgeAnswer, retryAt, TRIES } from './retries.ts';

const hour = 3_600_000;

describe('tries', () => {
  it('go on for about three days, further and further apart, and end', () => {
    let at = 0;
    const gaps: number[] = [];
    for (let tries = 1; tries < TRIES; tries++) {
      const next = retryAt(tries, at, 0.5);
      if (next === null) throw new Error('too early');
      gaps.push(next - at);
      at = next;
    }
    expect(gaps).toEqual([...gaps].sort((a, b) => a - b));
    expect(at / hour).toBeGreaterThan(72);
    expect(at / hour).toBeLessThan(96);
    expect(retryAt(TRIES, at, 0.5)).toBeNull();
  });

  it('do not come at the same moment for all that failed at once', () => {
    expect(retryAt(2, 0, 0)).toBe(240_000);
    expect(retryAt(2, 0, 1)).toBe(360_000);
  });

  it('wait as long as the receiver asks, at most a day', () => {
    expect(retryAt(1, 0, 0.5, hour)).toBe(hour);
    expect(retryAt(1, 0, 0.5, 1000 * hour)).toBe(24 * hour);
    expect(retryAt(1, 0, 0.5, 1)).toBe(5000);
  });
});

describe('an answer', () => {
  it('is a receipt in the 200s alone; 410 is the end; a redirect is followed by nobody', () => {
    expect(judgeAnswer(204, null, 0)).toEqual({ is: 'delivered' });
    expect(judgeAnswer(410, null, 0)).toEqual({ is: 'gone' });
    for (const status of [301, 308, 400, 401, 404, 500]) expect(judgeAnswer(status, null, 0)).toEqual({ is: 'again', fault: `status_${status}` });
  });

  it('says how long to wait in seconds or as a date; what is neither says nothing', () => {
    expect(judgeAnswer(429, '120', 0)).toMatchObject({ afterMs: 120_000 });
    expect(judgeAnswer(503, new Date(90_000).toUTCString(), 30_000)).toMatchObject({ afterMs: 60_000 });
    expect(judgeAnswer(503, 'soon', 0)).toEqual({ is: 'again', fault: 'status_503' });
  });
});
