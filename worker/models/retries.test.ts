import { describe, expect, it } from 'vitest';
import type { CallError } from './call-error.ts';
import { Retries, resendLimit, waitInRound } from './retries.ts';
import { slowDown, slowFor } from './slow-downs.ts';

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

  it('slows that provider of that workspace only, and a shorter word does not shorten it', () => {
    slowDown('ws-a', 'one', 1000, 5000);
    slowDown('ws-a', 'one', 1000, 100);
    expect([slowFor('ws-a', 'one', 2000), slowFor('ws-a', 'two', 2000), slowFor('ws-b', 'one', 2000), slowFor('ws-a', 'one', 6000)]).toEqual([4000, 0, 0, 0]);
  });
});
