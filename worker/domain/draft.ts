/** A working copy of the state: copies each collection once, when it is first touched, so that an event costs what it changes. */
import type { Item, Round, State } from './state.ts';

type Collections = { [K in keyof State]-?: State[K] extends Record<string, unknown> ? (string extends keyof State[K] ? K : never) : never }[keyof State];

export class Draft {
  readonly state: State;
  #owned = new Set<keyof State>();

  constructor(base: State) {
    this.state = { ...base };
  }

  /** The collection, safe to change. */
  own<K extends Collections>(name: K): State[K] {
    if (!this.#owned.has(name)) {
      this.state[name] = { ...this.state[name] } as State[K];
      this.#owned.add(name);
    }
    return this.state[name];
  }

  item(key: string, change: Partial<Item> | ((item: Item) => Partial<Item>)): void {
    const items = this.own('items');
    const item = items[key];
    if (!item) throw new Error(`event on an unknown item ${key}`);
    items[key] = { ...item, version: item.version + 1, ...(typeof change === 'function' ? change(item) : change) };
  }

  round(id: string, change: Partial<Round>): void {
    const rounds = this.own('rounds');
    const round = rounds[id];
    if (round) rounds[id] = { ...round, ...change };
  }
}
