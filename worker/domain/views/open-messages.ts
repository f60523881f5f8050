/** What people and agents said to the goal and nobody handled yet, oldest first. */
import type { Lookup } from '../context.ts';
import { MESSAGES_READ } from '../limits.ts';
import { dataOf, textOf } from '../record.ts';
import { nine } from '../rows.ts';
import type { State } from '../state.ts';
import type { PrincipalId } from '../values.ts';

export interface OpenMessage {
  message: number;
  by: PrincipalId;
  at: number;
  text: string;
  /** The version in force when it was said. */
  goalVersion: number;
  /** The goal has a newer version since: where the two differ, the newer version counts. */
  older: boolean;
}

/** At most `limit`; `not`: the round whose own messages are left out. */
export function openMessages(state: State, lookup: Lookup, { limit, not }: { limit: number; not?: string }): OpenMessage[] {
  if (state.messages.posted <= state.messages.handled) return [];
  return lookup
    .rows('message', { after: nine(state.messages.handled), limit: MESSAGES_READ })
    .map((row) => dataOf('message', row))
    .filter((message) => not === undefined || message.round !== not)
    .slice(0, limit)
    .map((message) => {
      // A record from before this field: said under the first version.
      const goalVersion = message.goalVersion ?? 1;
      return { message: message.message, by: message.by, at: message.at, text: textOf(lookup, message.textBody), goalVersion, older: goalVersion < state.goalVersion };
    });
}

/** As an agent reads it: what was said under an older version says so in itself. */
export function worded(message: Pick<OpenMessage, 'text' | 'goalVersion' | 'older'>, current: number): string {
  return message.older
    ? `[Said under version ${message.goalVersion} of the goal. Version ${current} is in force and counts wherever the two differ.] ${message.text}`
    : message.text;
}
