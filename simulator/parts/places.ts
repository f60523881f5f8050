/** The Workspace object as Goals meet it: its places for rounds, with answers that get lost, come late or twice, or not at all for a while. A neighbour takes a place now and then. */
import type { Grants } from '../../worker/goal/ports.ts';
import type { GrantRequest, SettleRequest } from '../../worker/workspace/rpc.ts';
import { MemoryWorkspace } from '../../worker/workspace/testing/memory-workspace.ts';
import type { Process } from '../kernel/loop.ts';
import { below, chance } from '../kernel/random.ts';
import type { World } from '../world.ts';

/** Longer than a lane waits for an answer. */
const lateMs = 15_000;

export class Places {
  readonly #world: World;
  readonly #workspaces = new Map<string, MemoryWorkspace>();
  #calls = 0;
  #downUntil = 0;

  constructor(world: World) {
    this.#world = world;
  }

  of(workspace: string): MemoryWorkspace {
    let found = this.#workspaces.get(workspace);
    if (!found) {
      found = new MemoryWorkspace(() => this.#world.loop.now);
      found.budget = { ...found.budget, parallelRounds: 1 + below(3, this.#world.script.seed, 'places', workspace) };
      this.#workspaces.set(workspace, found);
      this.#neighbour(found, workspace);
    }
    return found;
  }

  /** As one process of a Goal holds it. */
  port(process: Process): Grants {
    return {
      grant: (request) => this.#call(process, () => this.of(request.workspace).grant(request)),
      settle: (request) => this.#call(process, () => this.#settle(request)),
    };
  }

  #settle(request: SettleRequest) {
    const workspace = this.of(request.workspace);
    const answer = workspace.settle(request);
    this.#ring(request.workspace);
    return answer;
  }

  #ring(workspace: string): void {
    const world = this.#world;
    for (const goal of this.of(workspace).waiting) {
      // A ring may get lost: the Goal asks again by its own clock.
      if (!world.calm && chance(30, world.script.seed, 'ring', this.#calls)) {
        world.cover('fault', 'workspace ring lost');
        continue;
      }
      const host = world.hosts.find((each) => each.workspace === workspace && each.goal === goal);
      if (host)
        world.loop.after(3, null, () => {
          if (!world.over)
            void host
              .stub(null)
              .poke(host.door)
              .catch(() => {});
        });
    }
    this.of(workspace).waiting.clear();
  }

  /** Another Goal of the workspace, which comes and goes. */
  #neighbour(workspace: MemoryWorkspace, name: string): void {
    const world = this.#world;
    const request = (n: number): GrantRequest => ({ v: 1, workspace: name, goal: 'another', round: `r${n}`, fence: 1, tokens: 0, money: 0 });
    for (let n = 0; n < 3; n += 1) {
      const at = below(20_000, world.script.seed, 'neighbour', n);
      world.loop.after(at, null, () => void workspace.grant(request(n)));
      world.loop.after(at + 2000 + below(20_000, world.script.seed, 'neighbour stays', n), null, () => {
        workspace.settle({ ...request(n), used: { tokens: 0, money: 0 } });
        this.#ring(name);
      });
    }
  }

  async #call<T>(process: Process, work: () => T): Promise<T> {
    const world = this.#world;
    const { seed } = world.script;
    const n = this.#calls++;
    if (!process.alive) return new Promise<T>(() => {});
    await world.loop.sleep(2, process);
    const trouble = !world.calm && chance(30, seed, 'workspace', n);
    const kind = trouble ? below(5, seed, 'workspace fault', n) : -1;
    if (kind === 0) this.#downUntil = world.loop.now + 3000 + below(20_000, seed, 'workspace down', n);
    if (!world.calm && this.#downUntil > world.loop.now) {
      world.cover('fault', 'workspace down');
      throw new Error('the workspace does not answer');
    }
    if (kind === 1) {
      world.cover('fault', 'workspace request lost');
      throw new Error('the request was lost');
    }
    if (kind === 2) {
      // Still on its way when the lane has long asked again.
      world.cover('fault', 'workspace late');
      world.loop.after(lateMs, null, () => {
        if (!world.over) work();
      });
      await world.loop.sleep(lateMs * 2, process);
      throw new Error('the answer came too late');
    }
    const answer = work();
    if (kind === 3) {
      world.cover('fault', 'workspace doubled');
      work();
    }
    if (kind === 4) {
      world.cover('fault', 'workspace answer lost');
      throw new Error('the answer was lost');
    }
    return structuredClone(answer);
  }

  /** At the end: whoever has a place is a round that is open. */
  wrong(): string | undefined {
    for (const host of this.#world.hosts) {
      const { state } = this.#world.watchOf(host);
      const owed = Object.keys(state.settling);
      if (owed.length > 0) return `places: ${owed.join(', ')} were not given back`;
      const open = this.of(host.workspace)
        .open()
        .filter((grant) => grant.goal === host.goal && state.rounds[grant.round]?.fence !== grant.fence);
      if (open.length > 0) return `places: the workspace holds one for ${open.map((grant) => `${grant.round}:${grant.fence}`).join(', ')}, which nobody runs`;
    }
    return undefined;
  }
}
