/** The cron's safety net: an alarm that was lost leaves a Goal asleep past its time, and the book shows it. */
import { overdueGoals } from '../book/queries.ts';
import type { Env } from '../env.ts';
import { goalStub } from '../goal/goal-stub.ts';
import { errorOf, log } from '../observe/log.ts';
import { resumeErasures } from '../workspace/erasing/resume.ts';
import { sweepStaging } from '../rounds/r2-files.ts';
import { type Swept, sweepLeftovers } from './leftovers.ts';

/** Goals poked in one sweep. The longest overdue come first; the rest are there again a minute later. */
const perSweep = 200;
/** At once: an invocation may hold six connections open. */
const atOnce = 6;

/** Pokes overdue Goals; one that fails keeps no other from its poke. Repeatable. */
export async function sweep(env: Env, now: number): Promise<{ poked: number; failed: number }> {
  const overdue = await overdueGoals(env.DB, now, perSweep);
  let failed = 0;
  for (let at = 0; at < overdue.length; at += atOnce) {
    const settled = await Promise.allSettled(overdue.slice(at, at + atOnce).map(({ workspace, goal }) => goalStub(env, workspace, goal).poke({ v: 1, workspace, goal })));
    for (const result of settled) {
      if (result.status === 'fulfilled') continue;
      failed++;
      log('error', 'sweep', 'poke.failed', { error: errorOf(result.reason) });
    }
  }
  return { poked: overdue.length - failed, failed };
}

export interface AllSwept {
  goals: Awaited<ReturnType<typeof sweep>> | null;
  staging: number | null;
  leftovers: Swept | null;
  erasures: number | null;
}

/** Everything that is due once a minute. One that fails keeps none of the others from its turn; null says which did. */
export async function sweepAll(env: Env, now: number): Promise<AllSwept> {
  const tried = async <T>(code: string, work: () => Promise<T>): Promise<T | null> => {
    try {
      return await work();
    } catch (error) {
      log('error', 'sweep', code, { error: errorOf(error) });
      return null;
    }
  };
  return {
    goals: await tried('goals.failed', () => sweep(env, now)),
    staging: await tried('staging.failed', () => sweepStaging(env.FILES, now)),
    leftovers: await tried('leftovers.failed', () => sweepLeftovers(env, now)),
    erasures: await tried('erasures.failed', () => resumeErasures(env)),
  };
}
