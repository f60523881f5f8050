/** The workspace's object as a Goal sees it: the same decisions over a Map, on a network that loses what is asked and what is answered. It rings Goals that wait once a place is free. */
import type { Grants } from '../../worker/goal/ports.ts';
import { defaultBudget } from '../../worker/workspace/settings.ts';
import { MemoryWorkspace } from '../../worker/workspace/testing/memory-workspace.ts';
import type { GrantAnswer, GrantRequest } from '../../worker/workspace/rpc.ts';
import type { Process } from '../kernel/loop.ts';
import type { World } from '../world.ts';
import { never } from '../kernel/never.ts';
import type { GoalHost } from './goal-host.ts';

export class WorkspaceHost {
  readonly #world: World;
  readonly #memory: MemoryWorkspace;
  readonly #places: number;

  constructor(world: World, places: number) {
    this.#world = world;
    this.#places = places;
    this.#memory = new MemoryWorkspace(() => world.loop.now);
    this.#memory.budget = { ...defaultBudget, parallelRounds: places };
  }

  grantsFor(host: GoalHost, process: Process): Grants {
    return {
      grant: (request) =>
        this.#over(process, () => {
          const answer = this.#untested(host, request) ?? this.#memory.grant(request);
          const running = this.#memory.running();
          if (running > this.#places) this.#world.watchOf(host).fail(`places: ${running} rounds are at work on ${this.#places} places`);
          return answer;
        }),
      settle: (request) =>
        this.#over(process, () => {
          const answer = this.#memory.settle(request);
          this.#ring(host);
          return answer;
        }),
    };
  }

  /** A connection does not pass its test; somebody sets it right, and then the Goal is rung. */
  #untested(host: GoalHost, request: GrantRequest): GrantAnswer | undefined {
    if (!request.agent || this.#memory.holds(request) || !this.#world.take('connection untested')) return undefined;
    this.#memory.waiting.add(request.goal);
    this.#world.loop.after(500, null, () => this.#ring(host));
    return { outcome: 'untested', setting: 'provider:main', code: 'key', detail: '', person: true, retryAfterMs: 60_000 };
  }

  async #over<T>(process: Process, work: () => T): Promise<T> {
    const world = this.#world;
    if (!process.alive) return never();
    world.cover('lane', 'workspace');
    await world.loop.sleep(2, process);
    if (world.take('grant lost')) throw new Error('the workspace does not answer');
    const answer = structuredClone(work());
    await world.loop.sleep(1, process);
    if (world.take('grant unanswered')) throw new Error('its answer was lost');
    return answer;
  }

  #ring(host: GoalHost): void {
    if (!this.#memory.waiting.delete(host.goal) || this.#world.take('ring lost')) return;
    this.#world.loop.after(3, null, () => {
      if (!this.#world.over)
        void host
          .stub(null)
          .poke(host.door)
          .catch(() => {});
    });
  }

  /** Once a Goal is at its end and its lanes have delivered: nothing is held, and the workspace has counted exactly what the Goal has, corrections of late word among it. */
  wrongAtEnd(tokens: number): string[] {
    const open = this.#memory.open();
    const { used } = this.#memory;
    return [
      ...(open.length > 0 ? [`places: ${open.map((grant) => `${grant.round}:${grant.fence}`).join(', ')} of a goal that is over are still held`] : []),
      ...(used.tokens === tokens ? [] : [`places: the workspace counts ${used.tokens} tokens, the goal ${tokens}`]),
    ];
  }
}
