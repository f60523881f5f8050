/** From a message of the queue to the Runner that it is for. */
import type { Env } from '../env.ts';
import type { DispatchMessage } from '../goal/ports.ts';

/**
 * A Runner is named by what it runs *and the fence*: a message delivered twice finds the same object and is one hand-over, while a dispatch under
 * a higher fence gets an object of its own, so that one that hangs on an old fence can never stand in its way. The Goal refuses the old one.
 */
export function runnerName(message: DispatchMessage): string {
  const work = message.kind === 'round' ? message.round : message.check;
  return `${message.workspace}/${message.goal}/${message.kind}/${work}/${message.fence}`;
}

export interface RunnerRpc {
  accept(message: DispatchMessage): Promise<{ accepted: true }>;
}

/** Hands one message over; returns in milliseconds. Throws when the object cannot be reached: the queue delivers again. */
export async function acceptDispatch(env: Pick<Env, 'RUNNERS'>, message: DispatchMessage): Promise<void> {
  const runner = env.RUNNERS.get(env.RUNNERS.idFromName(runnerName(message))) as unknown as RunnerRpc;
  await runner.accept(message);
}
