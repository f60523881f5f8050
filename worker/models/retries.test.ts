import { describe, expect, it } from 'vitest';
import type { CallError } from './call-error.ts';
import { Retries, resendLimit, waitInRound } from './retries.ts';
import { SlowDowns } from './slow-downs.ts';

const limited = (afterMs?: number): CallError => ({ kind: 'retry', code: 'limited', detail: 'slow down', ...(afterMs === undefined ? {} : { afterMs }) });

describe('B87 a provider that limits', () => {
  it('is waited for as it asked, with jitter on top, and after five times the round ends', () => {
    const retries = new Retries(() => 0.5);
    for (let n = 0; n < resendLimit; n += 1) expect(retries.after(limited(2000))).toEqual({ then: 'again', afterMs: 2250 });
    expect(retries.after(limited(2000))).toMatchObject({ then: 'later', retryAfterMs: 30_000 });
    expect(retries.made).toBe(5);
  });

  it('never comes back before it was asked to', () => {
    for (const random of [0, 0.99]) expect(new Retries(() => random).after(limited(7000))).toMatchObject({ afterMs: Math.ceil(7000 * (1 + random / 4)) });
  });

  it('a long wait ends the round instead of holding it, up to a cap', () => {
    expect(new Retries(() => 0).after(limited(waitInRound + 1))).toMatchObject({ then: 'later', retryAfterMs: waitInRound + 1 });
    expect(new Retries(() => 0).after(limited(9 * 3_600_000))).toMatchObject({ then: 'later', retryAfterMs: 3_600_000 });
    expect(new Retries(() => 0).after(limited(5000), 4000)).toMatchObject({ then: 'later' });
  });

  it('without a word of it, doubles', () => {
    const low = new Retries(() => 0);
    expect([1, 2, 3, 4, 5].map(() => low.after(limited()))).toEqual([500, 1000, 2000, 4000, 8000].map((afterMs) => ({ then: 'again', afterMs })));
  });

  it('a quota or a wrong key is not tried again', () => {
    const error: CallError = { kind: 'refused', code: 'quota', detail: 'daily limit' };
    expect(new Retries().after(error)).toEqual({ then: 'stop', error });
    expect(new Retries().after({ kind: 'unknown', detail: '' })).toMatchObject({ then: 'stop' });
  });

  it('a shorter word does not shorten a longer one, and another name is another', () => {
    const slow = new SlowDowns();
    slow.note('one', 1000, 5000);
    slow.note('one', 1000, 100);
    expect([slow.left('one', 2000), slow.left('two', 2000), slow.left('one', 6000)]).toEqual([4000, 0, 0]);
  });

  it('whoever comes later waits as well, without being sent away first', () => {
    const retries = new Retries(() => 0);
    expect(retries.held(4000)).toEqual({ then: 'again', afterMs: 4000 });
    expect(retries.held(90_000)).toEqual({ then: 'later', retryAfterMs: 90_000 });
    expect(retries.held(4000, 3000)).toEqual({ then: 'later', retryAfterMs: 30_000 });
    expect(retries.made).toBe(0);
  });
});
