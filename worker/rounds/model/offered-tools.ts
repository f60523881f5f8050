/**
 * Which definitions go with a call. All of them where the window has room; else those that the lane cannot do without, as many as fit in their share, and
 * `tools_load` for the others.
 */
import type { Json } from '../../domain/values.ts';
import type { Definition } from './tool-definitions.ts';

/** Share of the window that definitions may take before only some are offered. */
const ALL = 0.35;
const SOME = 0.2;

/** First what ends a round, then what it mostly does; the others in the order of the registry. */
const first: readonly string[] = [
  ...['submit', 'review_record', 'return', 'goal_draft', 'goal_audit', 'finish', 'hand_back', 'plan_propose', 'plan_adopt', 'block'],
  ...[
    'files_read',
    'files_write',
    'ledger_record',
    'ask',
    'json_read',
    'facts_get',
    'ledger_decided',
    'work_read',
    'message_handle',
    'csv_read',
    'facts_record',
    'json_write',
    'checks_list',
    'work_list',
  ],
];

export class OfferedTools {
  readonly #all: readonly Definition[];
  #offered: Definition[];

  constructor(all: readonly Definition[], window: number, tokensOf: (definition: Definition) => number) {
    this.#all = all;
    const total = all.reduce((sum, each) => sum + tokensOf(each), 0);
    if (total <= window * ALL) {
      this.#offered = [...all];
      return;
    }
    const rank = (alias: string) => (first.includes(alias) ? first.indexOf(alias) : first.length);
    let left = window * SOME;
    this.#offered = [];
    for (const each of [...all].sort((a, b) => rank(a.alias) - rank(b.alias))) {
      left -= tokensOf(each);
      if (left >= 0 || this.#offered.length < 4) this.#offered.push(each);
    }
  }

  /** Of this call. */
  get offered(): Definition[] {
    const rest = this.#all.filter((each) => !this.#offered.includes(each));
    return rest.length === 0 ? this.#offered : [...this.#offered, loader(rest)];
  }

  /** Also a tool whose definition was not sent may be called: its arguments are checked in any case. */
  get all(): readonly Definition[] {
    return this.#all;
  }

  load(names: readonly string[]): Json {
    const found = this.#all.filter((each) => names.includes(each.alias) || names.includes(each.name));
    for (const each of found) if (!this.#offered.includes(each)) this.#offered.push(each);
    return {
      loaded: found.map((each) => each.alias),
      unknown: names.filter((name) => !found.some((each) => each.alias === name || each.name === name)).map((name) => name.slice(0, 80)),
    };
  }
}

function loader(rest: readonly Definition[]): Definition {
  return {
    name: 'tools_load',
    alias: 'tools_load',
    description: `Adds definitions of further tools to this conversation: \`{names: [...]}\`. There are: ${rest.map((each) => each.alias).join(', ')}.`,
    schema: { type: 'object', properties: { names: { type: 'array', items: { type: 'string' } } }, required: ['names'] },
  };
}
