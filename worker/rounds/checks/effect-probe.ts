/** Asks outside whether an unknown effect happened, as its tool wrote down when it was sent. */
import type { ProbeJob } from '../../domain/views/types.ts';
import { Redactor } from '../../observe/redactor.ts';
import { askOverHttp, type Found, httpProbe } from '../../tools/http/probe.ts';
import type { RoundRun } from '../run-round.ts';
import type { CheckPorts } from './run-check.ts';

/** Repeatable: the same effect and fence give one record. */
export async function runProbe(job: ProbeJob, ports: Pick<CheckPorts, 'goal' | 'world' | 'redactor'>): Promise<RoundRun> {
  const probe = httpProbe.safeParse(job.probe);
  const found: Found = probe.success ? await askOverHttp(probe.data, job.key, ports.world) : { found: 'unclear', evidence: `the probe of ${job.tool} cannot be read here` };
  const redactor = ports.redactor ?? new Redactor();
  const answer = await ports.goal.command({ kind: 'host' }, 'effect.probe', `probe:${job.effect}:${job.fence}`, {
    effect: job.effect,
    fence: job.fence,
    found: found.found,
    evidence: redactor.text(found.evidence).slice(0, 2000),
  });
  if (answer.ok) return { kind: 'done', why: found.found };
  return answer.refusal.code === 'unavailable' ? { kind: 'later', afterMs: 2000 } : { kind: 'done', why: answer.refusal.code };
}
