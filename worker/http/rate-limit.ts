/**
 * How often one may ask. Counted in this isolate, exactly and for the headers; and, where the platform's counters are bound, over the isolates of one place, approximately. What is a matter of
 * money or of storage is not held here but counted by the workspace.
 */
import { createHash } from 'node:crypto';
import { type Refusal, refuse } from '../domain/refusals.ts';
import type { Env } from '../env.ts';

/** Milliseconds. The platform's counters know 10 and 60 seconds only. */
export const windowMs = 60_000;

/** Requests a minute. `caller`: of a person or a token. `failed`: tokens from one address that open nothing; those that do are never held up by them. `sign_in`: requests to `/auth` from one address. `mailbox`: those about one e-mail address. `hook`: deliveries from one address. */
export const policies = { caller: 1200, failed: 60, sign_in: 30, mailbox: 10, hook: 600 } as const;
export type Policy = keyof typeof policies;

/** Keys counted at once; then the oldest windows go. */
const keysAtMost = 20_000;

interface Window {
  used: number;
  endsAt: number;
}

export interface Taken {
  ok: boolean;
  headers: Record<string, string>;
  refusal: Refusal;
}

export class Counters {
  readonly #windows = new Map<string, Window>();

  /** Counts one, unless the window is full already. */
  take(policy: Policy, key: string, limit: number, now: number): Taken {
    const window = this.#open(`${policy} ${key}`, now);
    const ok = window.used < limit;
    if (ok) window.used++;
    return this.#said(policy, limit, window, ok, now);
  }

  #open(key: string, now: number): Window {
    const known = this.#windows.get(key);
    if (known && known.endsAt > now) return known;
    const window = { used: 0, endsAt: now + windowMs };
    // The newest is last: what is cut off first is oldest.
    this.#windows.delete(key);
    this.#windows.set(key, window);
    for (const old of this.#windows.keys()) {
      if (this.#windows.size <= keysAtMost) break;
      this.#windows.delete(old);
    }
    return window;
  }

  #said(policy: Policy, limit: number, window: Window, ok: boolean, now: number): Taken {
    const seconds = Math.max(1, Math.ceil((window.endsAt - now) / 1000));
    return { ok, headers: headersOf(policy, limit, Math.max(0, limit - window.used), seconds, ok), refusal: full(policy, limit, seconds) };
  }
}

function headersOf(policy: Policy, limit: number, left: number, seconds: number, ok: boolean): Record<string, string> {
  return {
    'ratelimit-policy': `"${policy}";q=${limit};w=${windowMs / 1000}`,
    ratelimit: `"${policy}";r=${left};t=${seconds}`,
    ...(ok ? {} : { 'retry-after': String(seconds) }),
  };
}

const full = (policy: Policy, limit: number, seconds: number): Refusal =>
  refuse('rate_limited', { current: { policy, allowed: limit, windowSeconds: windowMs / 1000, retryAfterSeconds: seconds } });

const counted = new Counters();

/** Null where nothing is counted: a development build's own sign-in, and an address that the platform does not tell. */
export async function take(env: Env, policy: Policy, key: string | null, now: number): Promise<Taken | null> {
  if (key === null) return null;
  const limit = limitOf(env, policy);
  const taken = counted.take(policy, key, limit, now);
  const binding = policy === 'caller' ? env.LIMIT_CALLERS : policy === 'failed' || policy === 'hook' ? undefined : env.LIMIT_SIGN_IN;
  if (!taken.ok || !binding) return taken;
  const { success } = await binding.limit({ key: `${policy} ${key}` }).catch(() => ({ success: true }));
  return success ? taken : { ...taken, ok: false, headers: headersOf(policy, limit, 0, windowMs / 1000, false), refusal: full(policy, limit, windowMs / 1000) };
}

function limitOf(env: Env, policy: Policy): number {
  const set = policy === 'caller' ? Number(env.LONGHAUL_CALLS_PER_MINUTE) : Number.NaN;
  return Number.isSafeInteger(set) && set > 0 ? set : policies[policy];
}

/** An e-mail address as the key of a counter: whoever reads the memory of counters learns none. */
export const mailboxKey = (address: string): string => createHash('sha256').update(address.trim().toLowerCase()).digest('hex');
