/** The cron's safety net: an alarm that was lost leaves a Goal asleep past its time, and the book shows it. */
import { overdueGoals } from '../book/queries.ts';
import type { Env } from '../env.ts';
import { goalStub } from '../goal/goal-stub.ts';

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
      console.error(JSON.stringify({ at: 'sweep', error: String(result.reason) }));
    }
  }
  return { poked: overdue.length - failed, failed };
}
