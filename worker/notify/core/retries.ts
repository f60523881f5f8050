/** When a delivery is tried again, and what an answer means. Pure. */

const minute = 60_000;
const hour = 60 * minute;
/** Milliseconds before the second, third, ... try: together about three days. */
const waits = [5000, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour];
/** Tries of one delivery. */
export const TRIES = waits.length + 1;
/** The longest that a receiver may put a try off. */
const longestAskedFor = 24 * hour;

/** Null: it was tried often enough. `tries` so far; `random` in [0, 1): a fifth more or less, so that what failed together does not come back together. */
export function retryAt(tries: number, now: number, random: number, afterMs = 0): number | null {
  const wait = waits[tries - 1];
  return wait === undefined ? null : now + Math.max(Math.round(wait * (0.8 + 0.4 * random)), Math.min(afterMs, longestAskedFor));
}

export type Judged = { is: 'delivered' } | { is: 'gone' } | { is: 'again'; fault: string; afterMs?: number };

/** `gone`: the receiver wants nothing more, ever. A redirect is no receipt, and nobody follows it. */
export function judgeAnswer(status: number, retryAfter: string | null, now: number): Judged {
  if (status >= 200 && status < 300) return { is: 'delivered' };
  if (status === 410) return { is: 'gone' };
  const afterMs = afterOf(retryAfter, now);
  return { is: 'again', fault: `status_${status}`, ...(afterMs === undefined ? {} : { afterMs }) };
}

function afterOf(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
