/** What is kept of a Goal outside its object: rows of the book, and files. Each step may be repeated. */
import { eraseGoal } from '../book/d1-book.ts';
import type { Env } from '../env.ts';
import { filesGone } from '../workspace/client.ts';
import { goalFilesPrefix, indexKey } from './file-key.ts';

/** Keys that R2 lists and deletes in one call. */
const keysAtOnce = 1000;

/**
 * The book first: from then on no late batch is taken. A file that a round which does not know yet puts afterwards is named by no record,
 * and is found by the sweep of leftovers.
 */
export async function eraseEverywhere(env: Pick<Env, 'DB' | 'FILES' | 'WORKSPACES'>, workspace: string, goal: string): Promise<void> {
  await eraseGoal(env.DB, workspace, goal);
  for (const prefix of [goalFilesPrefix(workspace, goal), `staging/${workspace}/${goal}/`]) {
    for (;;) {
      const { objects, truncated } = await env.FILES.list({ prefix, limit: keysAtOnce });
      if (objects.length > 0) await env.FILES.delete(objects.map((object) => object.key));
      if (!truncated) break;
    }
  }
  await env.FILES.delete(indexKey(workspace, goal));
  await filesGone(env, workspace, goal, null);
}
