/** What the workspace's MCP server of that name offers, under one deadline for the workspace's answers and the server's. No secret is in it. */
import { type Refusal, refuse } from '../../domain/refusals.ts';
import type { Json } from '../../domain/values.ts';
import type { Env } from '../../env.ts';
import { Redactor } from '../../observe/redactor.ts';
import { outgoingRules } from '../../outgoing/policy.ts';
import { connectDeadline, type Inspected, inspectServer } from '../../tools/mcp/connect.ts';
import { openFor } from '../client.ts';

export async function inspectNamed(env: Env, workspace: string, name: string): Promise<Inspected | Refusal> {
  const deadline = connectDeadline();
  const asked = await deadline.of(Promise.all([openFor(env, { v: 1, workspace, what: 'mcp' }), openFor(env, { v: 1, workspace, what: 'outgoing' })]));
  if (!asked) return refuse('unavailable', { detail: 'The workspace does not answer.' });
  const [servers, outgoing] = asked;
  if (servers.outcome !== 'opened') return servers.refusal;
  if (outgoing.outcome !== 'opened') return outgoing.refusal;
  const opened = servers.servers.find((each) => each.server.name === name);
  if (!opened) return refuse('setting_missing', { detail: `there is no MCP server ${name}`, current: { servers: servers.servers.map((each) => each.server.name) } });
  const seen = await inspectServer(opened, outgoingRules(env, outgoing.policy), deadline);
  const redactor = new Redactor();
  for (const value of opened.secrets) redactor.add(value, opened.server.header?.secret ?? name);
  return redactor.json(seen as unknown as Json) as unknown as Inspected;
}
