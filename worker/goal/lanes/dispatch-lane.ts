/**
 * Hands scheduled rounds and checks that run outside to Runners. What is to be sent is read off the working set, so nothing is stored:
 * after a restart what is still open is sent again, which a Runner and the fence make harmless. A message that is lost for good is
 * made good by the domain, which schedules the round again under the next fence when it was not heard of in time.
 */

import { waitsForGrant } from '../../domain/continuation/grants.ts';
import { openProbes } from '../../domain/effects/probe.ts';
import type { Json } from '../../domain/values.ts';
import type { DispatchMessage } from '../ports.ts';
import type { ProtocolPorts } from '../protocol-ports.ts';
import type { WorkingSet } from '../working-set.ts';
import { Lane, sendTimeoutMs, type Turn, withTimeout } from './lane.ts';

/** Messages of one hand-over; a queue takes 100. */
const batchSize = 100;

export class DispatchLane extends Lane {
  readonly name = 'dispatch';
  readonly #set: WorkingSet;
  /** What this process has sent, as `<kind> <id> <fence>`; pruned to what is still open. */
  #sent = new Set<string>();

  constructor(ports: ProtocolPorts, set: WorkingSet) {
    super(ports);
    this.#set = set;
  }

  pending(): boolean {
    return this.#open().some((message) => !this.#sent.has(nameOf(message)));
  }

  /** Memory was thrown away: what is open is sent again. */
  forget(): void {
    this.#sent = new Set();
  }

  protected pace(): number {
    return 0;
  }

  protected details(): { [key: string]: Json } {
    return { open: this.#open().length };
  }

  protected async turn(): Promise<Turn> {
    const open = this.#open();
    const names = new Set(open.map(nameOf));
    for (const name of this.#sent) if (!names.has(name)) this.#sent.delete(name);
    const due = open.filter((message) => !this.#sent.has(nameOf(message)));
    const batch = due.slice(0, batchSize);
    if (batch.length > 0) await withTimeout(this.ports.timers, sendTimeoutMs, this.ports.dispatch.send(batch));
    for (const message of batch) this.#sent.add(nameOf(message));
    this.ports.counters.lane(this.name).sent += batch.length;
    return due.length > batch.length ? 'more' : 'done';
  }

  #open(): DispatchMessage[] {
    const live = this.#set.live();
    if (!live || live.meta.erased) return [];
    const { workspace, goal } = live.meta;
    const messages: DispatchMessage[] = [];
    for (const round of Object.values(live.state.rounds)) {
      if (round.phase === 'scheduled' && !waitsForGrant(round)) messages.push({ v: 1, kind: 'round', workspace, goal, round: round.id, fence: round.fence });
    }
    for (const check of Object.values(live.state.checks)) messages.push({ v: 1, kind: 'check', workspace, goal, check: check.id, fence: check.fence });
    // Asking about an effect is a check of it: the Runner reads which of the two it is.
    for (const probe of openProbes(live.state)) messages.push({ v: 1, kind: 'check', workspace, goal, check: probe.effect, fence: probe.fence });
    return messages;
  }
}

function nameOf(message: DispatchMessage): string {
  return message.kind === 'round' ? `round ${message.round} ${message.fence}` : `check ${message.check} ${message.fence}`;
}
