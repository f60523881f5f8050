/** The test of a remote MCP server: what it offers, and what of the workspace's list could be used. Nothing of it is called, and no key is in the answer. */
import { refuse } from '../domain/refusals.ts';
import { slug } from '../domain/values.ts';
import { Redactor } from '../observe/redactor.ts';
import { outgoingRules } from '../outgoing/policy.ts';
import { inspectServer } from '../tools/mcp/connect.ts';
import { openFor } from '../workspace/client.ts';
import { answer, type WorkspaceRoute } from './route.ts';

export const testServerRoute: WorkspaceRoute['handle'] = async ({ env, workspace, params }) => {
  const name = slug.safeParse(params.name);
  if (!name.success) return refuse('not_found');
  const [servers, outgoing] = await Promise.all([openFor(env, { v: 1, workspace, what: 'mcp' }), openFor(env, { v: 1, workspace, what: 'outgoing' })]);
  if (servers.outcome !== 'opened') return servers.refusal;
  if (outgoing.outcome !== 'opened') return outgoing.refusal;
  const opened = servers.servers.find((each) => each.server.name === name.data);
  if (!opened) return refuse('setting_missing', { detail: `there is no MCP server ${name.data}`, current: { servers: servers.servers.map((each) => each.server.name) } });
  const seen = await inspectServer(opened, outgoingRules(env, outgoing.policy));
  const redactor = new Redactor();
  for (const value of opened.secrets) redactor.add(value, opened.server.header?.secret ?? name.data);
  return answer(redactor.json({ ok: seen.problem === undefined, server: name.data, ...seen }));
};
