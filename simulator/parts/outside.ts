/** The service outside that agents change things in. It honours idempotency keys, and keeps what a person would find when asked. */
import type { World } from '../world.ts';

interface Applied {
  key: string;
  body: string;
  times: number;
}

export class Outside {
  readonly #world: World;
  /** By the key that was sent. */
  readonly applied = new Map<string, Applied>();
  readonly #askedOnce = new Set<string>();
  constructor(world: World) {
    this.#world = world;
  }

  async fetch(url: string, init: RequestInit): Promise<Response> {
    const world = this.#world;
    if (init.method === 'GET') return this.#asked(new URL(url).pathname.slice(1));
    const [, workspace = '', runner = ''] = new URL(url).pathname.split('/');
    const process = world.runners.get(decodeURIComponent(runner))?.process;
    const never = () => new Promise<Response>(() => {});
    if (!process) return never();
    const key = new Headers(init.headers).get('idempotency-key') ?? '';
    const body = String(init.body);
    const die = (side: 'before' | 'after') => {
      if (!world.point('runner.effect', side)) return false;
      world.runners.get(decodeURIComponent(runner))?.kill(`${side} an effect was sent`);
      return true;
    };
    if (die('before')) return never();
    world.watchBy(workspace).sent(key, body);
    const lost = world.take('effect lost');
    const silent = lost || world.take('effect timeout');
    if (!lost) {
      const before = this.applied.get(key);
      if (before && before.body !== body) world.watchBy(workspace).fail(`effects: one key for two calls: ${before.body} and ${body}`);
      this.applied.set(key, { key, body, times: before ? before.times : 1 });
    }
    if (die('after')) return never();
    if (silent) return new Promise((_, reject) => init.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error)));
    await world.loop.sleep(5, process);
    return new Response('{"ok":true}', { status: 200, headers: { 'content-type': 'application/json' } });
  }

  /** Whether a call of that key happened. Of some keys the first question is not answered. */
  async #asked(key: string): Promise<Response> {
    await this.#world.loop.sleep(5, null);
    const first = !this.#askedOnce.has(key);
    this.#askedOnce.add(key);
    if (first && key < '4') return new Response('busy', { status: 503 });
    return new Response('{}', { status: this.applied.has(key) ? 200 : 404 });
  }
}
