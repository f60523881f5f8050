/** A workspace's outbox, as everything outside it calls it. What the object throws becomes `unavailable`: every call may be repeated. */
import { refuse } from '../domain/refusals.ts';
import type { Env } from '../env.ts';
import { goalLocationHint } from '../goal/goal-id.ts';
import { errorOf, log } from '../observe/log.ts';
import type { OutboxRefused, OutboxRpc } from './rpc.ts';

export function outboxStub(env: Pick<Env, 'OUTBOXES'>, workspace: string): OutboxRpc {
  // The platform's own stub type maps every result through its serializer types, which recursive JSON does not survive.
  return env.OUTBOXES.get(env.OUTBOXES.idFromName(workspace), { locationHint: goalLocationHint }) as unknown as OutboxRpc;
}

export async function askOutbox<T>(env: Pick<Env, 'OUTBOXES'>, workspace: string, call: (outbox: OutboxRpc) => Promise<T>): Promise<T | OutboxRefused> {
  try {
    return await call(outboxStub(env, workspace));
  } catch (error) {
    log('error', 'notify', 'answer.lost', { workspace, error: errorOf(error) });
    return { outcome: 'refused', refusal: refuse('unavailable', { detail: 'The outbox does not answer.' }) };
  }
}
