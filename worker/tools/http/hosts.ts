/** Where a call that carries a secret may go: the workspace must have named the host. An agent that was talked into sending a key elsewhere cannot. */
import type { OutgoingRules } from '../../outgoing/address.ts';

export function hostsForSecrets(rules: OutgoingRules, secrets: readonly string[]): OutgoingRules {
  return secrets.length === 0 ? rules : { ...rules, allow: rules.allow ?? [] };
}
