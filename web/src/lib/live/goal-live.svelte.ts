/** The thin runes face of `LiveGoal`: one reactive value, swapped whole at most once per animation frame. */
import ReconnectingWebSocket from 'partysocket/ws';
import { goalPath, readGoal } from '../api/client.ts';
import { LiveGoal, type LiveState } from './connection.ts';
import type { LiveStream } from './streams.ts';

/** Keep-alive: the platform answers without waking the object. Two missed answers end a dead connection. */
const pingMs = 25_000;
/** The ticket of a socket holds five minutes; renewed well before. */
const renewMs = 120_000;

export class GoalLive {
  #live: LiveGoal;
  state = $state.raw<LiveState>({ phase: 'loading' });
  streams = $state.raw<readonly LiveStream[]>([]);

  constructor(goal: string) {
    this.#live = new LiveGoal(`${goalPath(goal)}/socket`, {
      open: (url, events) => {
        const socket = new ReconnectingWebSocket(() => new URL(url(), location.href.replace(/^http/, 'ws')).href, [], {
          minReconnectionDelay: 500,
          maxReconnectionDelay: 8000,
          connectionTimeout: 8000,
        });
        let heard = Date.now();
        let renewed = heard;
        socket.addEventListener('open', () => {
          heard = Date.now();
          renewed = heard;
          events.onopen();
        });
        socket.addEventListener('message', (event) => {
          heard = Date.now();
          events.onmessage(String(event.data));
        });
        socket.addEventListener('close', (event) => events.onclose(event.code, event.reason));
        const timer = setInterval(() => {
          if (socket.readyState !== socket.OPEN) return;
          if (Date.now() - heard > pingMs * 2.5) return socket.reconnect();
          socket.send('{"kind":"ping"}');
          if (Date.now() - renewed > renewMs) {
            renewed = Date.now();
            socket.send('{"kind":"renew"}');
          }
        }, pingMs);
        return {
          send: (text) => socket.send(text),
          close: () => {
            clearInterval(timer);
            socket.close();
          },
        };
      },
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
