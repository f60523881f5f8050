/** A dispatched round from its claim to its end. Knows no storage: the Runner keeps what must outlive a crash. */
import type { Refusal } from '../domain/refusals.ts';
import type { RoundContext } from '../goal/rpc.ts';
import type { ModelSource } from '../models/model-source.ts';
import type { RemoteTools } from '../tools/mcp/connect.ts';
import { executorFor } from './executors/executors.ts';
import type { GoalCalls } from './goal-calls.ts';
import type { AgentPorts } from './model/agent-round.ts';
import type { Sandbox } from './sandbox/sandbox.ts';
import { Session, type SessionPorts } from './session.ts';

export interface RoundPorts extends SessionPorts, Partial<Pick<AgentPorts, 'every' | 'pause' | 'random'>> {
  goal: GoalCalls;
  sandbox: Sandbox;
  /** Absent: no agent profile has a model here. */
  models?: ModelSource;
  /** Connects to the workspace's remote servers, before the round begins. Never throws: what cannot be used is said by a tool. */
  remoteTools?(context: RoundContext): Promise<RemoteTools>;
}

export type RoundRun = { kind: 'done'; why: string } | { kind: 'later'; afterMs: number };

/** Longest wait for somebody else's lease, milliseconds. */
const LATER_LIMIT = 120_000;

/**
 * `again`: this Runner had begun and did not end; the Goal then ends that run as lost and schedules the next, which is another dispatch.
 * Throws only when the Goal cannot be reached; the caller tries again with `again` set.
 */
export async function runRound(work: { round: string; fence: number }, runner: string, again: boolean, ports: RoundPorts): Promise<RoundRun> {
  const claimed = await ports.goal.claim({ round: work.round, fence: work.fence, runner, again });
  if (claimed.outcome === 'refused') return refused(claimed.refusal, claimed.retryAfterMs);
  const remote = await ports.remoteTools?.(claimed.context);
  const session = new Session(claimed.context, runner, remote ? { ...ports, tools: remote.tools } : ports);
  try {
    await executorFor(claimed.context.executor, ports).run(session);
  } catch (error) {
    session.close('failed', error instanceof Error ? error.message : String(error));
  }
  await remote?.close();
  await session.finish();
  return { kind: 'done', why: (await session.over).outcome };
}

function refused(refusal: Refusal, retryAfterMs: number | undefined): RoundRun {
  if (retryAfterMs !== undefined) return { kind: 'later', afterMs: Math.min(LATER_LIMIT, Math.max(100, retryAfterMs)) };
  if (refusal.code === 'unavailable') return { kind: 'later', afterMs: 2000 };
  return { kind: 'done', why: refusal.code };
}
