/** An erased Goal's content outside its object: deleted until that is known to have worked. */
import type { Json } from '../../domain/values.ts';
import type { ProtocolPorts } from '../protocol-ports.ts';
import type { WorkingSet } from '../working-set.ts';
import { Lane, type Turn, withTimeout } from './lane.ts';

/** Milliseconds. Thousands of files may have to be listed and deleted. */
const eraseTimeoutMs = 60_000;

export class EraseLane extends Lane {
  readonly name = 'erase';
  readonly #set: WorkingSet;

  constructor(ports: ProtocolPorts, set: WorkingSet) {
    super(ports);
    this.#set = set;
  }

  pending(): boolean {
    const live = this.#set.live();
    return live?.meta.erased === true && this.ports.outside !== undefined && this.ports.store.cursor(this.name) === undefined;
  }

  protected pace(): number {
    return 0;
  }

  protected details(): { [key: string]: Json } {
    return {};
  }

  protected async turn(): Promise<Turn> {
    const live = this.#set.live();
    if (!live || !this.ports.outside) return 'done';
    await withTimeout(this.ports.timers, eraseTimeoutMs, this.ports.outside.erase(live.meta.workspace, live.meta.goal));
    this.ports.store.transaction(() => this.ports.store.putCursor(this.name, { seq: 1, tries: 0, retryAt: 0, quarantined: 0 }));
    return 'done';
  }
}
