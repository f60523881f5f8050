/** The thin runes face of `LiveGoal`: one reactive value, swapped whole at most once per animation frame. */
import { goalPath, readGoal } from '../api/client.ts';
import { LiveGoal, type LiveState } from './connection.ts';
import { openSocket } from './socket.ts';
import type { LiveStream } from './streams.ts';

export class GoalLive {
  #live: LiveGoal;
  state = $state.raw<LiveState>({ phase: 'loading' });
  streams = $state.raw<readonly LiveStream[]>([]);

  constructor(goal: string) {
    this.#live = new LiveGoal(`${goalPath(goal)}/socket`, {
      open: openSocket,
      probe: async () => {
        const answer = await readGoal(goal);
        if (answer.ok) return { outcome: 'found' };
        return answer.problem.status === 404 ? { outcome: 'not_found' } : { outcome: 'failed', code: answer.problem.code, requestId: answer.problem.requestId };
      },
      now: Date.now,
      schedule: (work) => (document.visibilityState === 'visible' ? requestAnimationFrame(work) : setTimeout(work, 250)),
    });
    this.#live.subscribe((state) => {
      this.state = state;
    });
    this.#live.subscribeStreams((streams) => {
      this.streams = streams;
    });
  }

  start(): void {
    this.#live.start();
  }
  stop(): void {
    this.#live.stop();
  }
  get read(): LiveGoal['read'] {
    return this.#live.read.bind(this.#live);
  }
  loadEarlier(): Promise<void> {
    return this.#live.loadEarlier();
  }
}
