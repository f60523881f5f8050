/** Long polling without polling: the waiting side holds a socket to the Goal's object, which may sleep meanwhile, and the next frame ends the wait. */
import { goalStub } from '../goal/goal-stub.ts';
import type { Call } from './route.ts';
import { socketRequest } from './socket.ts';

/** Returns once an event with `seq` > `after` was committed, after `ms` milliseconds, when the caller has gone, or when the object cannot be reached. */
export async function waitForEvent(call: Call, goal: string, after: number, ms: number): Promise<void> {
  const response = await goalStub(call.env, call.workspace, goal)
    .fetch(socketRequest(call, goal, after, true))
    .catch(() => undefined);
  const socket = response?.webSocket;
  if (!socket) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    const done = () => {
      clearTimeout(timer);
      resolve();
    };
    socket.addEventListener('message', (message) => {
      if (seqOf(message.data) > after) done();
    });
    socket.addEventListener('close', done);
    socket.addEventListener('error', done);
    call.request.signal.addEventListener('abort', done);
    socket.accept();
  });
  socket.close(1000, 'waited');
}

function seqOf(data: unknown): number {
  if (typeof data !== 'string') return 0;
  try {
    const frame: unknown = JSON.parse(data);
    return frame !== null && typeof frame === 'object' && 'seq' in frame && typeof frame.seq === 'number' ? frame.seq : 0;
  } catch {
    return 0;
  }
}
