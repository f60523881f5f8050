/** Small scenes that the cases share: a goal, its plan, and what agents and people do in it. */

import type { Actor } from '../context.ts';
import { nextOf } from '../continuation/next.ts';
import { isRefusal, type Refusal } from '../refusals.ts';
import type { Round } from '../state.ts';
import { ok, person, type World } from '../testing/world.ts';
import type { Json } from '../values.ts';
import type { Why } from '../views/types.ts';

export const owner = person('ada');
export const skill = (script: string) => ({ kind: 'skill', skill: 'demo', script });
export const hex = (n: number) => n.toString(16).padStart(64, '0');

export const contract = (more: object = {}) => ({ title: 'T', objective: 'Do it', criteria: [{ id: 'c1', text: 'done', verify: 'attest' }], ...more });

/** A bound goal with a coordinator and a reviewer, and its plan adopted. Items get a script of their own unless they name an executor. */
export function planned(world: World, items: object[], more: object = {}): void {
  ok(world.give(owner, 'goal.create', { mode: 'bound', confirmed: true, lanes: { coordinator: skill('plan.js'), reviewers: [skill('review.js')] }, contract: contract(more) }));
  const actor = world.start(openRound(world, 'coordinator'));
  adopt(world, actor, items);
  ok(world.give(actor, 'round.end', { outcome: 'handed_back' }));
}

export function documentOf(items: object[]): Json {
  return { mode: 'bound', items: items.map((item) => ({ title: 'An item', executor: skill('work.js'), ...item })) } as unknown as Json;
}

export function adopt(world: World, actor: Actor, items: object[], more: object = {}): Json {
  const expected = { planRevision: world.state.plan?.revision ?? 0 };
  const { proposal } = ok(world.give(actor, 'plan.propose', { document: documentOf(items) }, { expected })) as { proposal: string };
  return ok(world.give(actor, 'plan.adopt', { proposal, ...more }, { expected, reason: 'a better plan' }));
}

export function openRound(world: World, lane: Round['lane'], item?: string): Round {
  const round = world.rounds().find((entry) => entry.lane === lane && (item === undefined || entry.item === item) && entry.subagent === undefined);
  if (!round) throw new Error(`no ${lane} round on ${item ?? 'anything'}: ${JSON.stringify(whyOf(world))}`);
  return round;
}

/** Starts the worker's round on the item. */
export function begin(world: World, item: string): Actor & { kind: 'round' } {
  return world.start(openRound(world, 'worker', item)) as Actor & { kind: 'round' };
}

export function submit(world: World, actor: Actor, item: string, more: object = {}): Refusal | Json {
  return world.give(actor, 'submission.submit', { item, artifacts: [{ path: `${item}.txt`, digest: hex(item.length), size: 1 }], summary: `made ${item}`, ...more });
}

/** Works on the item until it is accepted by the host's checks. */
export function accept(world: World, item: string): void {
  ok(submit(world, begin(world, item), item));
  if (world.state.items[item]?.verdict?.verdict !== 'accepted') throw new Error(`${item} was not accepted`);
}

export function whyOf(world: World): Why {
  return nextOf(world.state, world.now, world.carriers).why;
}

export function refused(answer: Refusal | Json): Refusal {
  if (!isRefusal(answer)) throw new Error(`not refused: ${JSON.stringify(answer)}`);
  return answer;
}

export const call = (tool: string, args: Json, more: object = {}) => ({ next: { tool, args, subject: 'a subject', effect: 'none', factOnly: [], ...more } });
