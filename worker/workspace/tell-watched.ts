/** The end of a session, a role or a token, told to the goals where its person has sockets. */
import type { PrincipalId } from '../domain/values.ts';
import type { Env } from '../env.ts';
import { goalStub } from '../goal/goal-stub.ts';
import { errorOf, log } from '../observe/log.ts';
import type { WorkspaceStore } from './workspace-store.ts';

/** Goals told at once. */
const toldAtOnce = 10;

/** Answers how many were asked. A goal where nobody looks on any longer is taken off the list; one that does not hear ends its sockets at their next renewal. */
export async function tellWatched(env: Pick<Env, 'GOALS'>, workspace: string, store: WorkspaceStore, principal: PrincipalId): Promise<number> {
  const watched = store.watchers.of(principal);
  const left = [...watched];
  const lane = async () => {
    for (let next = left.shift(); next; next = left.shift()) {
      const { goal, at } = next;
      try {
        const { open } = await goalStub(env, workspace, goal).credentialsChanged({ v: 1, workspace, goal, principal });
        if (open === 0) store.transaction(() => store.watchers.drop(principal, goal, at));
      } catch (error) {
        log('warn', 'workspace', 'watcher.untold', { workspace, goal, error: errorOf(error) });
      }
    }
  };
  await Promise.all(Array.from({ length: toldAtOnce }, lane));
  return watched.length;
}
