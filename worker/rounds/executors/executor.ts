/** What carries out a claimed round. It ends the session; the Runner tells the Goal. */
import type { Session } from '../session.ts';

export interface RoundExecutor {
  /** Resolves when nothing of it runs any more. Never throws: a failure is an ending of the session. */
  run(session: Session): Promise<void>;
}
