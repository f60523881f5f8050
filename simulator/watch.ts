/** Everything that must hold of one Goal, looked at after each step and at the end. Keeps the first thing that is wrong. */
import { isDeepStrictEqual } from 'node:util';
import type { Command } from '../worker/domain/commands.ts';
import type { Context, Row } from '../worker/domain/context.ts';
import { nextOf } from '../worker/domain/continuation/next.ts';
import type { Event } from '../worker/domain/events.ts';
import { rewritten } from '../worker/domain/immutable.ts';
import { type Given, recordViolations, sameIdSameAnswer, violations } from '../worker/domain/invariants.ts';
import type { State } from '../worker/domain/state.ts';
import type { Core, Handled } from '../worker/goal/core.ts';
import { domainCore } from '../worker/goal/domain-core.ts';
import { lookupOf } from '../worker/goal/lookup.ts';
import type { MemoryStore } from '../worker/goal/memory-store.ts';
import { upcastBoth } from './parts/code.ts';
import type { GoalHost } from './parts/goal-host.ts';
import type { World } from './world.ts';

export class Watch {
  readonly #world: World;
  readonly host: GoalHost;
  /** After the last commit that is durable. */
  state: State = domainCore.empty();
  readonly events: Event[] = [];
  wrong: string | undefined;
  readonly #given = new Map<string, Given>();
  /** Commands that were refused, with the `seq` that the record had then: a later one may apply it after all. */
  readonly #refused = new Map<string, number>();
  /** Model calls that were charged. */
  readonly #charged = new Set<string>();
  /** The last image of each row. */
  readonly #rows = new Map<string, Row>();
  #opens = 0;

  constructor(world: World, host: GoalHost) {
    this.#world = world;
    this.host = host;
  }

  fail(what: string): void {
    if (this.wrong || this.#world.over) return;
    this.wrong = what;
    this.#world.say(`WRONG ${what}`);
  }

  committed(before: State, handled: Handled, given: { command: Command; context: Context }, store: MemoryStore): void {
    const { now, actor } = given.context;
    const world = this.#world;
    const events = upcastBoth(handled.events);
    if (before.seq !== this.state.seq) this.fail(`record: a commit follows ${before.seq}, and ${this.state.seq} is durable`);
    const lookup = lookupOf(store, new Map());
    for (const wrong of violations({
      before,
      state: handled.state,
      events,
      lookup,
      now,
      carriers: world.carriers,
      command: given.command,
      actor,
      policies: given.context.policy.rules,
    }))
      this.fail(wrong);
    for (const row of handled.rows) {
      const key = `${row.kind}/${row.id}`;
      for (const wrong of rewritten(this.#rows.get(key), row)) this.fail(wrong);
      this.#rows.set(key, row);
    }
    for (const event of events) {
      if (event.type !== 'usage.recorded' || event.call === undefined) continue;
      if (this.#charged.has(event.call) && !event.instead) this.fail(`budget: ${event.call} was charged twice`);
      this.#charged.add(event.call);
    }
    this.state = handled.state;
    this.events.push(...events);
    this.#cover(before, handled.state, events, now);
    if (world.options.trace) for (const event of events) world.say(`    ${event.seq} ${event.type} ${brief(event)}`);
  }

  #cover(before: State, state: State, events: readonly Event[], now: number): void {
    const { coverage } = this.#world;
    const count = (kind: keyof typeof coverage, name: string) => this.#world.cover(kind, name);
    for (const event of events) {
      count('event', event.type);
      if (event.type === 'round.ended') count('reached', `round ${event.outcome}`);
      if (event.type === 'round.ended' && event.outcome === 'lost') count('reached', 'a lease that ran out');
      // Decided before the round that asked has ended.
      if (event.type === 'approval.asked' && this.#world.take('approval at once')) this.#world.loop.after(0, null, () => this.#world.person('approve'));
      if (event.type === 'usage.recorded' && event.assumed) count('reached', 'a model call charged without word');
      if (event.type === 'usage.recorded' && event.instead) count('reached', 'late word of a model call');
      if (event.type === 'context.recorded' && event.phase === 'undone') count('reached', 'a compaction broken off');
      if (event.type === 'context.recorded' && event.phase === 'done') count('reached', 'a compaction done');
      if (event.type === 'round.ended' && event.retryAt !== undefined) count('reached', 'a round put off by its provider');
      if (event.type === 'goal.limitsSet') {
        const { why } = nextOf(before, Math.max(now, before.at), this.#world.carriers);
        if (why.kind === 'budget' && why.limit !== 'rounds') count('reached', 'a budget of tokens or money raised');
      }
      if (event.type === 'late.recorded' || (event.type === 'effect.settled' && event.late)) count('reached', 'a late command');
      if (event.type === 'round.claimed') {
        const round = state.rounds[event.round];
        if (round) count('lane', round.subagent ? 'subagent' : round.lane);
      }
    }
    if (events.length === 0) return;
    const { why } = nextOf(state, now, this.#world.carriers);
    count('reached', why.kind === 'terminal' ? state.status : why.kind);
  }

  /** A process folds what is on disk: it is what the one before had, from zero and from the snapshot. */
  opened(store: MemoryStore, core: Core): void {
    if (this.state.seq === 0) return;
    const kept = store.snapshot();
    const usable = kept && kept.foldVersion === core.foldVersion;
    if (usable) this.#world.cover('reached', 'a snapshot is opened');
    if (!usable && this.#opens++ % 3 !== 0) return;
    const from = usable ? (kept.state as unknown as State) : core.empty();
    const folded = core.fold(from, store.events(from.seq, 100_000));
    if (!isDeepStrictEqual(plain(folded), plain(this.state)))
      this.fail(`record: the journal folded from ${from.seq} is another state than the one that was committed: ${difference(plain(folded), plain(this.state))}`);
  }

  answered(method: string, request: { [key: string]: unknown }, answer: unknown): void {
    if (method !== 'command') return;
    const { actor, envelope } = request as { actor: { kind: string; principal?: string; round?: string }; envelope: { commandId: string; dryRun: boolean } };
    const given = answer as { outcome: string; seq?: number; result?: unknown; replayed?: boolean };
    const key = `${actor.kind} ${actor.principal ?? actor.round ?? ''} ${envelope.commandId}`;
    if (given.outcome === 'rejected') this.#refused.set(key, this.state.seq);
    if (given.outcome !== 'applied' || envelope.dryRun) return;
    if (given.replayed) this.#world.cover('reached', 'a replay');
    if (given.replayed && !this.#given.has(key) && (given.seq ?? 0) <= (this.#refused.get(key) ?? -1))
      this.fail(`answers: ${key} was refused, and is answered as one that had been applied`);
    const now: Given = { key, body: JSON.stringify(envelope), seq: given.seq ?? 0, answer: JSON.stringify(given.result) };
    const before = this.#given.get(key);
    for (const wrong of sameIdSameAnswer(before, now)) this.fail(wrong);
    this.#given.set(key, before ?? now);
  }

  /** An effect is on its way out: it is on record as open, and no person has said meanwhile what became of it. */
  sent(key: string, body: string): void {
    this.#world.say(`    effect ${key.slice(0, 8)} is sent: ${body}`);
    const open = Object.values(this.state.effects).filter((effect) => effect.key === key);
    if (open.length === 0) this.fail(`effects: ${body} is sent under ${key.slice(0, 8)}, which is not open on record`);
  }

  /** What must hold of the whole record. */
  end(): void {
    const store = this.host.disk;
    const events = upcastBoth(store.events(0, 100_000));
    const snapshot = store.snapshot();
    const usable = snapshot?.foldVersion === domainCore.foldVersion ? (snapshot.state as unknown as State) : undefined;
    for (const wrong of recordViolations({
      events,
      state: this.state,
      rows: store.allRows(),
      body: (digest) => store.body(digest),
      empty: domainCore.empty(),
      ...(usable ? { snapshot: usable } : {}),
    }))
      this.fail(wrong);
    for (const event of this.events) {
      if (event.type !== 'effect.planned') continue;
      const { effect } = event;
      const applied = this.#world.outside.applied.get(effect.key)?.times ?? 0;
      const open = this.state.effects[effect.id];
      const row = store.row('effect', effect.id)?.data as { outcome?: string } | undefined;
      if (applied > 1) this.fail(`effects: ${effect.tool} was applied ${applied} times`);
      if (!open && row?.outcome === 'succeeded' && applied === 0) this.fail(`effects: ${effect.id} is on record as succeeded, and nothing happened outside`);
    }
  }
}

function brief(event: Event): string {
  const { seq: _s, at: _a, v: _v, type: _t, ...rest } = event as unknown as Record<string, unknown>;
  return JSON.stringify(rest, (key, value: unknown) => (key.endsWith('Body') || key.endsWith('Digest') || key === 'spec' || key === 'contract' ? undefined : value)).slice(0, 260);
}

/** The first place where two values differ. */
export function difference(a: unknown, b: unknown, at = ''): string {
  if (isDeepStrictEqual(a, b)) return '';
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return `${at}: ${JSON.stringify(a)?.slice(0, 200)} / ${JSON.stringify(b)?.slice(0, 200)}`;
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const found = difference((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key], `${at}/${key}`);
    if (found) return found;
  }
  return `${at}: keys in another order or absent`;
}

/** As storage keeps it: without what is undefined. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown;
}
