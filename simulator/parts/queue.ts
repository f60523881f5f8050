/** The queue between a Goal and its Runners: at least once, in any order. */
import type { DispatchMessage } from '../../worker/goal/ports.ts';
import { below } from '../kernel/random.ts';
import type { World } from '../world.ts';

export class Queue {
  readonly #world: World;
  #count = 0;
  constructor(world: World) {
    this.#world = world;
  }

  put(message: DispatchMessage): void {
    const world = this.#world;
    const n = ++this.#count;
    world.cover('lane', message.kind === 'check' ? 'check' : 'dispatch');
    if (world.take('message lost')) return;
    const copies = world.take('message doubled') ? 2 : 1;
    for (let copy = 0; copy < copies; copy++) {
      const late = world.take('message late') ? 35_000 + below(60_000, world.script.seed, 'late', n) : 0;
      this.#deliver(structuredClone(message), late + 1 + below(40, world.script.seed, 'queue', n, copy), 0);
    }
  }

  #deliver(message: DispatchMessage, ms: number, tries: number): void {
    this.#world.loop.after(ms, null, () => {
      this.#world.runnerOf(message).accept((taken) => {
        // What was not acknowledged comes again, a bounded number of times.
        if (!taken && tries < 5) this.#deliver(message, 1000 * 2 ** tries, tries + 1);
      });
    });
  }
}
