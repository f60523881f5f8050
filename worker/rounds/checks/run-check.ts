/** A check that needs files, the network or a sandbox: read the job, evaluate, give the answer as the host. */
import type { Evaluation } from '../../domain/planes/checks.ts';
import type { Json } from '../../domain/values.ts';
import type { CheckJob, ProbeJob } from '../../goal/rpc.ts';
import type { Redactor } from '../../observe/redactor.ts';
import type { World } from '../../outgoing/world.ts';
import type { Files } from '../../tools/tool.ts';
import type { GoalCalls } from '../goal-calls.ts';
import type { RoundRun } from '../run-round.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { runProbe } from './effect-probe.ts';
import { checkerVersion, evaluateOutside } from './evaluate.ts';
import { inputsOf } from './inputs.ts';

export interface CheckPorts {
  goal: GoalCalls;
  files: Files;
  sandbox: Sandbox;
  world: World;
  redactor?: Redactor;
}

/**
 * Repeatable: the same check and fence give one record. What keeps a check from running is an answer too (`pass: null` with the scene): the host
 * tries again by its own clock and then asks a person. Throws only when the Goal cannot be reached.
 */
export async function runCheck(work: { check: string; fence: number }, ports: CheckPorts): Promise<RoundRun> {
  const job = (await ports.goal.read({ what: 'check', check: work.check, fence: work.fence })) as CheckJob | ProbeJob | undefined;
  if (!job) return { kind: 'done', why: 'not asked any more' };
  if ('probe' in job) return runProbe(job, ports);
  let result: Evaluation;
  try {
    result = await evaluateOutside(job, ports);
  } catch (error) {
    result = { pass: null, scene: { summary: `The check could not run: ${error instanceof Error ? error.message : String(error)}`.slice(0, 2000) } };
  }
  const answer = await ports.goal.command({ kind: 'host' }, 'check.record', `check:${work.check}:${work.fence}`, {
    check: work.check,
    fence: work.fence,
    pass: result.pass,
    ...(result.scene ? { scene: result.scene as unknown as Json } : {}),
    inputs: inputsOf(job),
    checker: checkerVersion(job.spec),
  });
  if (answer.ok) return { kind: 'done', why: 'recorded' };
  return answer.refusal.code === 'unavailable' ? { kind: 'later', afterMs: 2000 } : { kind: 'done', why: answer.refusal.code };
}
