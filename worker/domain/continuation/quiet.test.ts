/** Commands that skip `advance` leave nothing undone: after each of them the whole table still finds nothing to do. */
import { describe, expect, it } from 'vitest';
import type { Actor } from '../context.ts';
import { decideAsHost } from '../decide.ts';
import { isRefusal } from '../refusals.ts';
import { person, World } from '../testing/world.ts';
import { Turn } from '../turn.ts';
import type { Json } from '../values.ts';
import { advance } from './advance.ts';
import { isQuiet } from './quiet.ts';

const owner = person('ada');
const skill = (script: string) => ({ kind: 'skill', skill: 'demo', script });
const document: Json = {
  mode: 'bound',
  items: [
    { key: 'a', title: 'A', covers: ['c1'], executor: skill('a.js'), review: [{ by: 'checks' }, { by: 'agent' }] },
    { key: 'b', title: 'B', executor: { kind: 'person' }, dependsOn: [{ key: 'a' }] },
  ],
};

function created(): World {
  const world = new World();
  world.give(owner, 'goal.create', {
    mode: 'bound',
    confirmed: true,
    lanes: { coordinator: skill('plan.js'), reviewers: [skill('review.js')] },
    contract: { title: 'T', objective: 'Do it', criteria: [{ id: 'c1', text: 'done', verify: 'review' }] },
  });
  return world;
}

function given(world: World, actor: Actor, type: Parameters<World['give']>[1], payload: object = {}, more: Parameters<World['give']>[3] = {}): Json {
  const answer = world.give(actor, type, payload, more);
  if (isRefusal(answer)) throw new Error(`${type}: ${answer.code} ${answer.detail ?? ''}`);
  return answer;
}

function open(world: World, lane: string): Actor {
  const round = world.rounds('scheduled').find((each) => each.lane === lane);
  if (!round) throw new Error(`no round of the ${lane} lane`);
  return world.start(round);
}

/** Events that the whole table adds to the state as it is. */
function left(world: World): string[] {
  const turn = new Turn(world.state, {
    now: world.now,
    actor: { kind: 'host' },
    sha256: (text) => text,
    lookup: world.lookup,
    policy: world.policy,
    carriers: world.carriers,
    form: world.form,
  });
  advance(turn, decideAsHost);
  return turn.events.map((event) => event.type);
}

const call = (n: number) => ({ next: { tool: 'files.read', args: { path: `${n}` }, subject: `${n}`, effect: 'none', factOnly: [] } });

describe('quiet commands', () => {
  it('leave a fixpoint at every stage of a goal', () => {
    const world = created();
    let quiet = 0;
    const seen = new Set<string>();
    world.after = (before, _state, events) => {
      if (isQuiet(before, events, world.now)) {
        quiet += 1;
        for (const event of events) seen.add(event.type);
      }
      expect(left(world), events.map((event) => event.type).join(' ')).toEqual([]);
    };
    let n = 0;
    const chatter = (actor?: Actor) => {
      n += 1;
      given(world, owner, 'note.append', { topic: 'log', text: `note ${n}` });
      if (!actor) return;
      given(world, actor, 'tasks.set', { tasks: [{ text: 'look', done: false }] });
      const answer = given(world, actor, 'round.step', call(n)) as { call: string };
      given(world, actor, 'round.step', { last: { call: answer.call, ok: true, summary: 'read' } });
    };

    const planner = open(world, 'coordinator');
    chatter(planner);
    const { proposal } = given(world, planner, 'plan.propose', { document }) as { proposal: string };
    chatter(planner);
    given(world, planner, 'plan.adopt', { proposal }, { reason: 'first' });
    chatter(planner);
    given(world, planner, 'round.end', { outcome: 'handed_back' });
    const worker = open(world, 'worker');
    chatter(worker);
    given(world, owner, 'goal.pause');
    chatter();
    given(world, owner, 'goal.resume');
    chatter(world.rounds('started').length > 0 ? worker : undefined);
    const again = world.rounds('started').length > 0 ? worker : open(world, 'worker');
    given(world, again, 'submission.submit', { item: 'a', artifacts: [{ path: 'out.txt', digest: 'a'.repeat(64), size: 1 }], summary: 'done' });
    chatter();
    const reviewer = open(world, 'reviewer');
    chatter(reviewer);
    const submission = world.state.items.a?.submission;
    given(world, reviewer, 'review.record', { submission: submission?.id, digest: submission?.digest, verdict: 'accepted', criteria: [{ id: 'c1', met: true }] });
    chatter();

    expect(quiet).toBeGreaterThan(15);
    for (const type of ['note.appended', 'tasks.set', 'call.authorized', 'call.recorded']) expect(seen, type).toContain(type);
  });

  it('do what fell due meanwhile', () => {
    const world = created();
    const [round] = world.rounds('scheduled');
    world.now = (round?.dueBy ?? 0) + 1;
    given(world, owner, 'note.append', { topic: 'log', text: 'late' });
    expect(world.events.slice(-2).map((event) => event.type)).toEqual(['note.appended', 'round.redispatched']);
  });
});
