/** The test of a remote MCP server: what it offers, and what of the workspace's list could be used. Nothing of it is called, and no key is in the answer. */
import { isRefusal, refuse } from '../domain/refusals.ts';
import { slug } from '../domain/values.ts';
import { testAgain } from '../workspace/client.ts';
import { inspectNamed } from '../workspace/connections/inspect-named.ts';
import { answer, type WorkspaceRoute } from './route.ts';

export const testServerRoute: WorkspaceRoute['handle'] = async ({ env, workspace, params }) => {
  const name = slug.safeParse(params.name);
  if (!name.success) return refuse('not_found');
  const seen = await inspectNamed(env, workspace, name.data);
  if (isRefusal(seen)) return seen;
  const { problem, ...rest } = seen;
  // Goals that stand because it failed before need not wait until it is tested again by itself.
  if (!problem) await testAgain(env, { v: 1, workspace, setting: `mcp:${name.data}` });
  return answer({ ok: problem === undefined, server: name.data, ...rest, ...(problem ? { problem: { code: problem.code, detail: problem.detail } } : {}) });
};
