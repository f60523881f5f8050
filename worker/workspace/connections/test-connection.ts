/** One test of one connection: of a model the small conversation with a tool call, of an MCP server what it offers. It never throws, and no key is in what it says. */
import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import type { Env } from '../../env.ts';
import { pinModel } from '../../models/models-of.ts';
import { type TestProblem, testModel } from '../../models/test-call.ts';
import { errorOf, log } from '../../observe/log.ts';
import type { Connection, TestOutcome } from '../core/connections.ts';
import { inspectNamed } from './inspect-named.ts';

/** Milliseconds of a whole test of a model. A local one may have to load first. */
const modelTestMs = 90_000;

/** What may pass by itself. What a model did otherwise than it was asked may be chance: it is asked again before somebody is. */
const passes: ReadonlySet<TestProblem> = new Set(['limited', 'overloaded', 'network', 'cut', 'timeout', 'unknown', 'no_tool_call', 'wrong_arguments', 'no_answer']);

export async function testConnection(env: Env, workspace: string, connection: Connection): Promise<TestOutcome> {
  try {
    return connection.kind === 'model' ? await testOfModel(env, workspace, connection.name) : await testOfServer(env, workspace, connection.name);
  } catch (error) {
    log('error', 'workspace', 'connection.test_failed', { workspace, setting: connection.setting, error: errorOf(error) });
    return { is: 'later', code: 'unknown', detail: '' };
  }
}

async function testOfModel(env: Env, workspace: string, profile: string): Promise<TestOutcome> {
  const pinned = await pinModel(env, workspace, profile);
  if (isRefusal(pinned)) return ofRefusal(pinned);
  const { problem } = await testModel(pinned, { now: Date.now, signal: AbortSignal.timeout(modelTestMs) });
  if (!problem) return { is: 'works' };
  const { code, detail, retryAfterMs } = problem;
  return { is: passes.has(code) ? 'later' : 'refused', code, detail, ...(retryAfterMs === undefined ? {} : { afterMs: retryAfterMs }) };
}

async function testOfServer(env: Env, workspace: string, name: string): Promise<TestOutcome> {
  const seen = await inspectNamed(env, workspace, name);
  if (isRefusal(seen)) return ofRefusal(seen);
  const { problem } = seen;
  return problem ? { is: problem.passes ? 'later' : 'refused', code: problem.code, detail: problem.detail } : { is: 'works' };
}

const ofRefusal = ({ code, detail }: Refusal): TestOutcome => ({ is: code === 'unavailable' ? 'later' : 'refused', code, detail: detail ?? '' });
