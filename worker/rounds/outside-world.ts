/** The world outside of one round or check: the workspace's lists and secrets, opened when first needed and kept until it ends. */
import { type Refusal, refuse } from '../domain/refusals.ts';
import type { Env } from '../env.ts';
import type { RoundContext } from '../goal/rpc.ts';
import type { Redactor } from '../observe/redactor.ts';
import type { OutgoingRules } from '../outgoing/address.ts';
import { outgoingRules } from '../outgoing/policy.ts';
import type { World } from '../outgoing/world.ts';
import { connectDeadline, connectServers, noServers, type RemoteTools } from '../tools/mcp/connect.ts';
import { openFor, recordRefusedAddress } from '../workspace/client.ts';

/** `whose`: what the audit says of addresses that the guard refuses. It is told beside the round, which waits for nothing and fails by nothing there. */
export function outsideWorld(env: Env, workspace: string, redactor: Redactor, whose: { goal: string; round: string }): World {
  const onRefused: OutgoingRules['onRefused'] = (host, code) => void recordRefusedAddress(env, { v: 1, workspace, ...whose, host: redactor.text(host).slice(0, 260), code });
  let rules: Promise<OutgoingRules | Refusal> | undefined;
  const secrets = new Map<string, string>();
  return {
    rules() {
      rules ??= openFor(env, { v: 1, workspace, what: 'outgoing' }).then((answer) => {
        if (answer.outcome === 'opened') return { ...outgoingRules(env, answer.policy), onRefused };
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

/** The workspace's MCP servers, for a round of an agent. Where the workspace refuses to say which, `mcp.servers` says why: the agent can tell that from a workspace without any. */
export async function remoteTools(
  env: Env,
  workspace: string,
  context: RoundContext,
  world: World,
  redactor: Redactor,
  /** For the workspace's answers and the servers' together. */
  deadline = connectDeadline(),
): Promise<RemoteTools> {
  const none: RemoteTools = { tools: [], close: async () => {} };
  if (context.executor.kind !== 'agent' || context.purpose === 'intake') return none;
  const silent = () => noServers(refuse('unavailable', { detail: `The workspace did not answer within ${deadline.within} ms.` }));
  const answer = await deadline.of(openFor(env, { v: 1, workspace, what: 'mcp' }));
  if (!answer) return silent();
  if (answer.outcome !== 'opened') return noServers(answer.refusal);
  if (answer.servers.length === 0) return none;
  for (const { server, secrets } of answer.servers) for (const value of secrets) redactor.add(value, server.header?.secret ?? server.name);
  const rules = await deadline.of(world.rules());
  if (!rules) return silent();
  if ('refused' in rules) return noServers(rules);
  return connectServers(answer.servers, rules, world.send, deadline);
}
