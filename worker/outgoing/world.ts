/** The world outside as a round reaches it. The Runner gives the real one; tests a fixed one. */
import { type Refusal, refuse } from '../domain/refusals.ts';
import type { OutgoingRules } from './address.ts';

export interface World {
  /** What the outgoing guard goes by: the workspace's lists as they stood when the round first asked. A refusal while the workspace does not answer. */
  rules(): Promise<OutgoingRules | Refusal>;
  /** A secret of the workspace. Its value is in the round's redactor before this returns. */
  secret(name: string): Promise<{ value: string } | Refusal>;
  /** What sends, under the guard. Absent: the platform's fetch. */
  send?: typeof fetch;
}

/** A world that is known beforehand. */
export function fixedWorld(rules: OutgoingRules, more: { secrets?: Readonly<Record<string, string>>; send?: typeof fetch } = {}): World {
  return {
    rules: async () => rules,
    async secret(name) {
      const value = more.secrets?.[name];
      return value === undefined ? refuse('setting_missing', { detail: `there is no secret ${name}` }) : { value };
    },
    ...(more.send ? { send: more.send } : {}),
  };
}
