/** The world outside of one round or check: the workspace's lists and secrets, opened when first needed and kept until it ends. */
import type { Refusal } from '../domain/refusals.ts';
import type { Env } from '../env.ts';
import type { Redactor } from '../observe/redactor.ts';
import type { OutgoingRules } from '../outgoing/address.ts';
import { outgoingRules } from '../outgoing/policy.ts';
import type { World } from '../outgoing/world.ts';
import { openFor } from '../workspace/client.ts';

export function outsideWorld(env: Env, workspace: string, redactor: Redactor): World {
  let rules: Promise<OutgoingRules | Refusal> | undefined;
  const secrets = new Map<string, string>();
  return {
    rules() {
      rules ??= openFor(env, { v: 1, workspace, what: 'outgoing' }).then((answer) => {
        if (answer.outcome === 'opened') return outgoingRules(env, answer.policy);
        rules = undefined;
        return answer.refusal;
      });
      return rules;
    },
    async secret(name) {
      const known = secrets.get(name);
      if (known !== undefined) return { value: known };
      const answer = await openFor(env, { v: 1, workspace, what: 'secret', name });
      if (answer.outcome !== 'opened') return answer.refusal;
      redactor.add(answer.value, name);
      secrets.set(name, answer.value);
      return { value: answer.value };
    },
  };
}
