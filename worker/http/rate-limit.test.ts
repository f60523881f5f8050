import { describe, expect, it } from 'vitest';
import type { Env } from '../env.ts';
import { Counters, take, windowMs } from './rate-limit.ts';

describe('counters', () => {
  it('let through as many as the policy says, tell what is left, and begin again with the next window', () => {
    const counters = new Counters();
    expect(counters.take('caller', 'a', 2, 1000)).toMatchObject({ ok: true, headers: { 'ratelimit-policy': '"caller";q=2;w=60', ratelimit: '"caller";r=1;t=60' } });
    expect(counters.take('caller', 'a', 2, 2000)).toMatchObject({ ok: true, headers: { ratelimit: '"caller";r=0;t=59' } });
    const full = counters.take('caller', 'a', 2, 31_000);
    expect(full).toMatchObject({
      ok: false,
      headers: { ratelimit: '"caller";r=0;t=30', 'retry-after': '30' },
      refusal: { code: 'rate_limited', current: { policy: 'caller', allowed: 2, windowSeconds: 60, retryAfterSeconds: 30 } },
    });
    expect(counters.take('caller', 'b', 2, 31_000).ok).toBe(true);
    expect(counters.take('sign_in', 'a', 2, 31_000).ok).toBe(true);
    expect(counters.take('caller', 'a', 2, 1000 + windowMs).ok).toBe(true);
  });

  it('forget the oldest rather than grow', () => {
    const counters = new Counters();
    counters.take('caller', 'first', 1, 0);
    for (let n = 0; n < 20_000; n++) counters.take('caller', `k${n}`, 1, 1);
    expect(counters.take('caller', 'first', 1, 2).ok).toBe(true);
    expect(counters.take('caller', 'k19999', 1, 2).ok).toBe(false);
  });
});

describe('limits of an installation', () => {
  const env = {} as Env;

  it('ask the counters of the platform too, and let through where those do not answer', async () => {
    const bound = (limit: () => Promise<{ success: boolean }>) => ({ LIMIT_CALLERS: { limit } }) as unknown as Env;
    expect(
      await take(
        bound(async () => ({ success: false })),
        'caller',
        'x1',
        0,
      ),
    ).toMatchObject({ ok: false, refusal: { code: 'rate_limited' } });
    expect(
      await take(
        bound(async () => ({ success: true })),
        'caller',
        'x2',
        0,
      ),
    ).toMatchObject({ ok: true });
    expect(
      await take(
        bound(() => Promise.reject(new Error('away'))),
        'caller',
        'x3',
        0,
      ),
    ).toMatchObject({ ok: true });
    expect(await take(env, 'caller', null, 0)).toBeNull();
  });

  it('take the calls a minute from the settings', async () => {
    const one = { LONGHAUL_CALLS_PER_MINUTE: '1' } as Env;
    expect((await take(one, 'caller', 'y', 0))?.ok).toBe(true);
    expect((await take(one, 'caller', 'y', 0))?.ok).toBe(false);
  });
});
