/** Names of Goals and of their objects. A goal id is derived from who creates it by which command, so that creating twice is creating once. */
import { createHash } from 'node:crypto';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/** Where objects are created, near the primary of the book. */
export const goalLocationHint: DurableObjectLocationHint = 'enam';

/** `goal_` and 32 characters (160 bits) of a hash. `source` says what made it: `[principal, commandId]`, or `['trigger', id, delivery]`. */
export function goalIdOf(workspace: string, source: readonly string[]): string {
  const digest = createHash('sha256')
    .update(JSON.stringify(['goal', workspace, ...source]))
    .digest();
  let text = '';
  for (let bit = 0; bit < 160; bit += 5) {
    const at = bit >> 3;
    const pair = ((digest[at] ?? 0) << 8) | (digest[at + 1] ?? 0);
    text += alphabet[(pair >> (11 - (bit & 7))) & 31];
  }
  return `goal_${text}`;
}

export const goalIdPattern = /^goal_[0-9a-hjkmnp-tv-z]{32}$/;
export const workspacePattern = /^[a-z0-9][a-z0-9-]{0,62}$/;

/** Name of the Goal's object. Neither part can hold a slash. */
export function goalObjectName(workspace: string, goal: string): string {
  return `${workspace}/${goal}`;
}
