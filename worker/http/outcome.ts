/** A value or why there is none. Bodies come from outside and may hold any key, so a refusal is never told apart by looking into one. */
import type { Refusal } from '../domain/refusals.ts';

export type Outcome<T> = { ok: true; value: T } | { ok: false; refusal: Refusal };

export function good<T>(value: T): Outcome<T> {
  return { ok: true, value };
}

export function bad<T>(refusal: Refusal): Outcome<T> {
  return { ok: false, refusal };
}
