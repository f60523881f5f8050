/** What the tests of the transitions share: a goal at a chosen place, and how a transition that does not exist is shown to change nothing. */
import { expect } from 'vitest';
import type { CommandType, Envelope } from '../commands.ts';
import type { Actor } from '../context.ts';
import { nextOf } from '../continuation/next.ts';
import { violations } from '../invariants.ts';
import { isRefusal, type Refusal, type RefusalCode } from '../refusals.ts';
import type { Item, Round } from '../state.ts';
import { ok, person, World } from '../testing/world.ts';
import type { Json } from '../values.ts';
import type { ItemState } from '../views/types.ts';
import { itemState } from '../work/derive.ts';

export const owner = person('ada');
export const other = person('bob');
export const skill = (script: string) => ({ kind: 'skill', skill: 'demo', script });
export const hex = (n: number) => n.toString(16).padStart(64, '0');
export const contract = (more: object = {}) => ({ title: 'T', objective: 'Do it', criteria: [{ id: 'c1', text: 'done', verify: 'attest' }], ...more });
export const lanes = { coordinator: skill('plan.js'), reviewers: [skill('review.js'), skill('review2.js')] };

/** A world in which every step is checked against everything that must always hold. */
export function checked(): World {
  const world = new World();
  world.after = (before, state, events) => {
    const wrong = violations({ before, state, events, lookup: world.lookup, now: world.now, carriers: world.carriers });
    if (wrong.length > 0) throw new Error(wrong.join('\n'));
  };
  return world;
}

export function created(more: object = {}, given: object = {}): World {
  const world = checked();
  ok(world.give(owner, 'goal.create', { mode: 'bound', confirmed: true, lanes, contract: contract(more), ...given }));
  return world;
}

export function documentOf(items: object[], mode = 'bound'): Json {
  return { mode, items: items.map((item) => ({ title: 'An item', executor: skill('work.js'), ...item })) } as unknown as Json;
}

/** A bound goal whose plan a coordinator made and adopted; its round has ended. */
export function planned(items: object[], more: object = {}, given: object = {}): World {
  const world = created(more, given);
  const actor = world.start(roundOf(world, 'coordinator'));
  adopt(world, actor, items);
  ok(world.give(actor, 'round.end', { outcome: 'handed_back' }));
  return world;
}

export function propose(world: World, actor: Actor, items: object[]): string {
  return (
    ok(world.give(actor, 'plan.propose', { document: documentOf(items, world.state.mode) }, { expected: { planRevision: world.state.plan?.revision ?? 0 } })) as {
      proposal: string;
    }
  ).proposal;
}

export function adopt(world: World, actor: Actor, items: object[], more: object = {}): Json {
  return ok(
    world.give(actor, 'plan.adopt', { proposal: propose(world, actor, items), ...more }, { expected: { planRevision: world.state.plan?.revision ?? 0 }, reason: 'a better plan' }),
  );
}

export function roundOf(world: World, lane: Round['lane'], item?: string): Round {
  const round = world.rounds().find((entry) => entry.lane === lane && entry.subagent === undefined && (item === undefined || entry.item === item));
  if (!round) throw new Error(`no ${lane} round on ${item ?? 'anything'}: ${JSON.stringify(whyOf(world))}`);
  return round;
}

export type Acting = Actor & { kind: 'round' };
export const begin = (world: World, item: string): Acting => world.start(roundOf(world, 'worker', item)) as Acting;
export const coordinate = (world: World, purpose: Round['purpose']): Acting => {
  const round = roundOf(world, 'coordinator');
  expect(round.purpose).toBe(purpose);
  return world.start(round) as Acting;
};

export function submit(world: World, actor: Actor, item: string, more: object = {}): Refusal | Json {
  return world.give(actor, 'submission.submit', { item, artifacts: [{ path: `${item}.txt`, digest: hex(item.length), size: 1 }], summary: `made ${item}`, ...more });
}

/** Delivers the item, which the host's checks accept. */
export function accept(world: World, item: string, more: object = {}): void {
  ok(submit(world, begin(world, item), item, more));
  expect(stateOf(world, item)).toBe('accepted');
}

export function verdict(world: World, actor: Actor, item: string, is: string, more: object = {}): Refusal | Json {
  const submission = itemOf(world, item).submission;
  return world.give(actor, 'review.record', {
    submission: submission?.id,
    digest: submission?.digest,
    verdict: is,
    ...(is === 'changes_requested' ? { scene: { summary: 'it is not right yet' } } : {}),
    ...more,
  });
}

export const review = (world: World, item: string, is: string, more: object = {}) => verdict(world, world.start(roundOf(world, 'reviewer', item)), item, is, more);
export const stateOf = (world: World, item: string): ItemState => itemState(world.state, item);
export function itemOf(world: World, key: string): Item {
  const item = world.state.items[key];
  if (!item) throw new Error(`no item ${key}`);
  return item;
}
export const whyOf = (world: World) => nextOf(world.state, world.now, world.carriers).why;
export const movers = (world: World) => nextOf(world.state, world.now, world.carriers).who.map(({ mover, act, ref }) => `${mover} ${act} ${ref}`);
export const versions = (world: World, item?: string) => ({
  goalVersion: world.state.goalVersion,
  planRevision: world.state.plan?.revision ?? 0,
  ...(item ? { itemVersion: itemOf(world, item).version } : {}),
});
export const since = (world: World, seq: number) => world.events.filter((event) => event.seq > seq).map((event) => event.type);
export const rows = (world: World, kind: Parameters<World['lookup']['rows']>[0]) => world.lookup.rows(kind).map((row) => row.data as Record<string, Json>);

/** The command is refused with the code, says what is current where that is asked for, and nothing at all has changed. */
export function refused(
  world: World,
  code: RefusalCode,
  actor: Actor,
  type: CommandType,
  payload: unknown = {},
  more: Partial<Pick<Envelope, 'expected' | 'reason'>> & { current?: unknown } = {},
): Refusal {
  const { current, ...given } = more;
  const before = JSON.stringify(world.state);
  const events = world.events.length;
  const answer = world.give(actor, type, payload, given);
  if (!isRefusal(answer)) throw new Error(`${type} was applied: ${JSON.stringify(answer)}`);
  expect(answer.code, `${type}: ${answer.detail ?? ''} ${JSON.stringify(answer.errors ?? '')}`).toBe(code);
  if (current !== undefined) expect(answer.current).toMatchObject(current as object);
  expect(JSON.stringify(world.state)).toBe(before);
  expect(world.events).toHaveLength(events);
  return answer;
}
