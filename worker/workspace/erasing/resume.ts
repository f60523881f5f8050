/** Erasures that were begun and are not done: told to go on. A crash between the batch in D1 and the object, or an alarm that was lost, ends here. */
import type { Env } from '../../env.ts';
import { errorOf, log } from '../../observe/log.ts';
import { workspaceStub } from '../workspace-stub.ts';
import { type Erasure, unfinished } from './erasures.ts';
import { goOn } from './person.ts';

/** In one sweep, oldest first. */
const perSweep = 20;

type Bound = Pick<Env, 'DB' | 'WORKSPACES'>;

export async function goOnWith(env: Bound, erasure: Erasure): Promise<void> {
  if (erasure.kind === 'person') await goOn(env, erasure);
  else await workspaceStub(env, erasure.subject).erase({ v: 1, workspace: erasure.subject, erasure: erasure.id });
}

/** How many there were. One that fails keeps no other from its turn. */
export async function resumeErasures(env: Bound): Promise<number> {
  const found = await unfinished(env.DB, perSweep);
  for (const erasure of found) await goOnWith(env, erasure).catch((error: unknown) => log('error', 'erasures', 'not_resumed', { erasure: erasure.id, error: errorOf(error) }));
  return found.length;
}
