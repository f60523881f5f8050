/** The cron's safety net: an alarm that was lost leaves a Goal, or the triggers of a workspace, asleep past its time, and D1 shows it. */
import { overdueGoals } from '../book/queries.ts';
import type { Env } from '../env.ts';
import { goalStub } from '../goal/goal-stub.ts';
import { errorOf, log } from '../observe/log.ts';
import { resumeErasures } from '../workspace/erasing/resume.ts';
import { overdueWorkspaces } from '../workspace/triggers/wake-book.ts';
import { workspaceStub } from '../workspace/workspace-stub.ts';
import { sweepStaging } from '../rounds/r2-files.ts';
import { type Swept, sweepLeftovers } from './leftovers.ts';

/** Goals, and workspaces, poked in one sweep. The longest overdue come first; the rest are there again a minute later. */
const perSweep = 200;
/** At once: an invocation may hold six connections open. */
const atOnce = 6;

export interface Poked {
  poked: number;
  failed: number;
}

/** Pokes overdue Goals; one that fails keeps no other from its poke. Repeatable. */
export async function sweep(env: Env, now: number): Promise<Poked> {
  return pokeEach(await overdueGoals(env.DB, now, perSweep), ({ workspace, goal }) => goalStub(env, workspace, goal).poke({ v: 1, workspace, goal }));
}

/** The same with workspaces whose triggers were due. */
export async function sweepTriggers(env: Env, now: number): Promise<Poked> {
  return pokeEach(await overdueWorkspaces(env.DB, now, perSweep), (workspace) => workspaceStub(env, workspace).poke({ v: 1, workspace }));
}

async function pokeEach<T>(overdue: readonly T[], poke: (each: T) => Promise<unknown>): Promise<Poked> {
  let failed = 0;
  for (let at = 0; at < overdue.length; at += atOnce) {
    for (const result of await Promise.allSettled(overdue.slice(at, at + atOnce).map(poke))) {
      if (result.status === 'fulfilled') continue;
      failed++;
      log('error', 'sweep', 'poke.failed', { error: errorOf(result.reason) });
    }
  }
  return { poked: overdue.length - failed, failed };
}

export interface AllSwept {
  goals: Poked | null;
  triggers: Poked | null;
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
    triggers: await tried('triggers.failed', () => sweepTriggers(env, now)),
    staging: await tried('staging.failed', () => sweepStaging(env.FILES, now)),
    leftovers: await tried('leftovers.failed', () => sweepLeftovers(env, now)),
    erasures: await tried('erasures.failed', () => resumeErasures(env)),
  };
}
