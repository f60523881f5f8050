/**
 * Providers that asked for fewer calls, per workspace: another workspace has another key, another provider another limit. Rounds of one isolate share it; it is a courtesy and no
 * promise, since a round that does not know of it is told by the provider itself.
 */
const until = new Map<string, number>();
/** Entries kept; beyond, those that are over are dropped. */
const kept = 1000;

const place = (workspace: string, provider: string) => `${workspace}/${provider}`;

/** `now` in milliseconds. A shorter wait does not shorten a longer one. */
export function slowDown(workspace: string, provider: string, now: number, forMs: number): void {
  if (until.size >= kept) for (const [key, end] of until) if (end <= now) until.delete(key);
  const key = place(workspace, provider);
  until.set(key, Math.max(until.get(key) ?? 0, now + forMs));
}

/** Milliseconds until that provider may be called again; 0: now. */
export function slowFor(workspace: string, provider: string, now: number): number {
  return Math.max(0, (until.get(place(workspace, provider)) ?? 0) - now);
}
