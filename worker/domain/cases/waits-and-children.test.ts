/** Cases of pausing, answering, messages and children: what is stopped, what goes on, what is heard. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Actor } from '../context.ts';
import { nextOf } from '../continuation/next.ts';
import { ok, World } from '../testing/world.ts';
import type { Json } from '../values.ts';
import { resumePacket } from '../views/resume-packet.ts';
import { roundContext } from '../views/round-context.ts';
import { begin, call, openRound, owner, planned, refused, skill, submit, whyOf } from './scenes.ts';

const of = (world: World, type: string) => world.events.filter((event) => event.type === type);

describe('B03 a paused goal', () => {
  it.each(['scheduled', 'claimed'])('takes back a round that is %s; resuming schedules exactly one', (phase) => {
    const world = new World();
    planned(world, [{ key: 'a' }]);
    const round = openRound(world, 'worker', 'a');
    if (phase === 'claimed') ok(world.host('round.claim', { round: round.id, fence: round.fence, runner: 'r' }));
    ok(world.give(owner, 'goal.pause'));
    expect(refused(world.host('round.claim', { round: round.id, fence: round.fence, runner: 'r' })).code).toMatch(/^(goal_paused|round_superseded)$/);
    expect(refused(world.host('round.start', { round: round.id, fence: round.fence, runner: 'r' })).code).toMatch(/^(goal_paused|round_superseded)$/);
    expect(world.lookup.row('round', round.id)?.data).toMatchObject({ phase: 'ended', outcome: 'cancelled' });
    const seq = world.state.seq;
    for (let n = 0; n < 100; n += 1) world.tick(60_000);
    expect(world.state.seq).toBe(seq);
    expect(whyOf(world)).toEqual({ kind: 'paused' });
    ok(world.give(owner, 'goal.resume'));
    expect(world.rounds()).toHaveLength(1);
    expect(world.rounds()[0]?.id).not.toBe(round.id);
  });

  it('refuses the next call of a round that runs, and still takes what was sent', () => {
    const world = new World();
    planned(world, [{ key: 'a' }, { key: 'b' }]);
    const actor = begin(world, 'a');
    const { permit } = ok(world.give(actor, 'round.step', call('mail.send', { to: 'x' }, { effect: 'outside' }))) as { permit: { effect: string; nonce: string } };
    ok(world.give(owner, 'goal.pause'));
    expect(refused(world.give(actor, 'round.step', call('files.read', {}))).code).toBe('goal_paused');
    expect(refused(submit(world, actor, 'a')).code).toBe('goal_paused');
    ok(world.give(actor, 'effect.settle', { effect: permit.effect, nonce: permit.nonce, outcome: 'succeeded' }));
    ok(world.give(actor, 'round.end', { outcome: 'interrupted' }));
    expect(world.rounds()).toEqual([]);
    expect(refused(world.give(owner, 'goal.pause')).code).toBe('goal_paused');
    ok(world.give(owner, 'goal.resume'));
    expect(world.rounds().filter((round) => round.item === 'a')).toHaveLength(1);
  });
});

describe('B35 a wait that only its waiter could end', () => {
  it.each(['offer:a', 'attempt:x', 'children:x', 'approval:x', 'effect:x', 'blocker:q', 'milestone:m'])(
    "on what is the host's (%s) is refused, and the round goes on",
    (correlation) => {
      const world = new World();
      planned(world, [{ key: 'a' }]);
      const actor = begin(world, 'a');
      expect(refused(world.give(actor, 'round.end', { outcome: 'waiting', wait: { kind: 'external', correlation, reason: 'r' } }))).toMatchObject({
        code: 'schema_invalid',
        errors: [{ code: 'reserved' }],
      });
      ok(submit(world, actor, 'a'));
    },
  );

  it('on itself has a mover, and holds up nobody else', () => {
    const world = new World();
    planned(world, [{ key: 'a' }, { key: 'b' }]);
    ok(world.give(begin(world, 'a'), 'round.end', { outcome: 'waiting', wait: { kind: 'external', correlation: 'result-of-a', reason: 'my own result' } }));
    ok(submit(world, begin(world, 'b'), 'b'));
    expect(nextOf(world.state, world.now, world.carriers).who).toContainEqual({ mover: 'person:ada', act: 'signal', ref: 'result-of-a' });
    // The person may also take the item out of it.
    ok(world.give(owner, 'work.release', { item: 'a' }));
    expect(world.rounds().some((round) => round.item === 'a') || Object.keys(world.state.waits).length > 0).toBe(true);
  });

  it('on time needs a time', () => {
    const world = new World();
    planned(world, [{ key: 'a' }]);
    const actor = begin(world, 'a');
    expect(refused(world.give(actor, 'round.end', { outcome: 'waiting', wait: { kind: 'timer', correlation: 't', reason: 'r' } }))).toMatchObject({
      code: 'schema_invalid',
      errors: [{ pointer: '/payload/wait/dueInMs' }],
    });
  });
});

it('B55 two answers a moment apart: both stored, one continuation, nobody stuck', () => {
  for (let n = 0; n < 100; n += 1) {
    const world = new World();
    planned(world, [{ key: 'a' }]);
    const form = { type: 'object' };
    ok(world.give(begin(world, 'a'), 'work.block', { item: 'a', key: 'q1', reason: 'one?', form }));
    ok(world.give(owner, 'work.block', { item: 'a', key: 'q2', reason: 'two?', form }));
    const order = n % 2 ? ['q1', 'q2'] : ['q2', 'q1'];
    const before = of(world, 'round.scheduled').length;
    for (const blocker of order) {
      expect(world.rounds()).toEqual([]);
      ok(world.give(owner, 'blocker.resolve', { blocker, answer: { to: blocker } }));
      world.now += n % 10;
    }
    expect(of(world, 'round.scheduled').length - before).toBe(1);
    for (const blocker of order) {
      const row = world.lookup.row('blocker', blocker)?.data as { answerBody: string };
      expect(world.lookup.body(row.answerBody)).toEqual({ to: blocker });
    }
    expect(refused(world.give(owner, 'blocker.resolve', { blocker: 'q1', answer: {} })).code).toBe('invalid_transition');
    ok(submit(world, begin(world, 'a'), 'a'));
  }
});

it('B55 signals for two waits of one name, in any order, each release their own', () => {
  fc.assert(
    fc.property(fc.shuffledSubarray([1, 2, 3], { minLength: 3, maxLength: 3 }), (order) => {
      const world = new World();
      planned(world, [{ key: 'a' }, { key: 'b' }, { key: 'c' }]);
      for (const key of ['a', 'b', 'c']) ok(world.give(begin(world, key), 'round.end', { outcome: 'waiting', wait: { kind: 'external', correlation: 'same', reason: key } }));
      for (const generation of order) {
        ok(world.give(owner, 'wait.signal', { correlation: 'same', generation, payload: generation }));
        expect(world.rounds().map((round) => round.item)).toContain(['a', 'b', 'c'][generation - 1]);
      }
      expect(world.rounds()).toHaveLength(3);
    }),
    { numRuns: 6 },
  );
});

it('B57 what ran before a wait does not run again, and each wait has its own answer', () => {
  const world = new World();
  planned(world, [{ key: 'a' }]);
  const post = (actor: Actor, text: string) =>
    ok(world.give(actor, 'round.step', call('mail.send', { text }, { effect: 'outside' }))) as { permit?: { effect: string; nonce: string }; repeat?: Json };
  const sent: string[] = [];
  const send = (actor: Actor, text: string) => {
    const { permit } = post(actor, text);
    if (!permit) return;
    sent.push(text);
    ok(world.give(actor, 'effect.settle', { effect: permit.effect, nonce: permit.nonce, outcome: 'succeeded', result: { id: `sent-${text}` } }));
  };
  // The agent runs from its beginning every time, as scripts do.
  for (const answer of ['no', 'yes']) {
    const actor = begin(world, 'a');
    send(actor, 'M');
    ok(world.give(actor, 'round.end', { outcome: 'waiting', wait: { kind: 'external', correlation: 'answer', reason: 'yes or no?' } }));
    const generation = world.state.generations.answer ?? 0;
    ok(world.give(owner, 'wait.signal', { correlation: 'answer', generation, payload: answer }));
    expect(refused(world.give(owner, 'wait.signal', { correlation: 'answer', generation, payload: 'too late' }))).toMatchObject({ code: 'invalid_transition' });
  }
  const last = begin(world, 'a');
  expect(post(last, 'M')).toMatchObject({ repeat: { result: { id: 'sent-M' } } });
  send(last, 'N');
  expect(sent).toEqual(['M', 'N']);
  const answers = world.lookup
    .rows('wait', {})
    .map((row) => row.data as { correlation: string; payloadBody?: string })
    .filter((wait) => wait.correlation === 'answer')
    .map((wait) => world.lookup.body(wait.payloadBody ?? ''));
  expect(answers).toEqual(['no', 'yes']);
});

it('B59 every message is in exactly one inbox, in order, however rounds roll over', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(5), { minLength: 100, maxLength: 400 }), (moves) => {
      const world = new World();
      planned(world, [{ key: 'a' }]);
      let posted = 0;
      let actor: Actor | null = null;
      const read: { text: string; round: string }[] = [];
      const post = () => ok(world.give(owner, 'message.post', { text: `message ${++posted}` }));
      const inbox = () => {
        if (actor?.kind !== 'round') return;
        const { notices } = ok(world.give(actor, 'round.step', {})) as { notices: { kind: string; upTo: number; texts: string[] }[] };
        for (const notice of notices) {
          if (notice.kind !== 'messages') continue;
          for (const text of notice.texts) read.push({ text, round: actor.round });
          ok(world.give(actor, 'message.handle', { upTo: notice.upTo }));
        }
      };
      const act = [
        post,
        post,
        () => {
          const round = world.rounds()[0];
          if (round?.phase === 'scheduled') actor = world.start(round);
        },
        inbox,
        () => {
          if (!actor) return;
          ok(world.give(actor, 'round.end', { outcome: 'waiting', wait: { kind: 'external', correlation: 'go', reason: 'r' } }));
          actor = null;
          post();
          ok(world.give(owner, 'wait.signal', { correlation: 'go', generation: world.state.generations.go ?? 0 }));
        },
        () => {
          if (actor?.kind !== 'round') return;
          world.tick(0, [{ round: actor.round, fence: actor.fence }]);
          actor = null;
          if (world.rounds().length === 0) world.give(owner, 'goal.resume');
        },
      ];
      for (const move of moves) act[move]?.();
      for (let n = 0; n < 50 && world.state.messages.handled < posted; n += 1) {
        if (world.rounds().length === 0) world.give(owner, 'goal.resume');
        if (!actor) act[2]?.();
        inbox();
      }
      expect(read.map((entry) => entry.text)).toEqual(Array.from({ length: posted }, (_, n) => `message ${n + 1}`));
      const handled = world.lookup.rows('message', {}).map((row) => (row.data as { handledBy?: string }).handledBy);
      expect(handled).toEqual(read.map((entry) => entry.round));
    }),
    { numRuns: 15 },
  );
});

describe('B63 children of a round that was interrupted', () => {
  function scene() {
    const world = new World();
    planned(world, [{ key: 'a' }], { limits: { parallelRounds: 8 } });
    const parent = begin(world, 'a');
    ok(
      world.give(parent, 'subagent.spawn', {
        children: [
          { name: 'c1', brief: 1 },
          { name: 'c2', brief: 2 },
        ],
      }),
    );
    const child = (name: string) => {
      const round = world.rounds().find((entry) => world.state.subagents[entry.subagent ?? '']?.name === name);
      if (!round) throw new Error(`no round for ${name}`);
      return round.phase === 'scheduled' ? world.start(round) : ({ kind: 'round', round: round.id, fence: round.fence, runner: round.runner ?? '' } as Actor);
    };
    return { world, parent: parent as Actor & { kind: 'round' }, child };
  }
  const states = (world: World) => world.lookup.rows('subagent').map((row) => (row.data as { state: string }).state);

  it.each(['interrupted', 'lost', 'a message'])('(%s) go on, and the next Attempt has them', (how) => {
    const { world, parent, child } = scene();
    const [c1, c2] = [child('c1'), child('c2')];
    if (how === 'interrupted') ok(world.give(parent, 'round.end', { outcome: 'interrupted' }));
    else if (how === 'lost') world.tick(0, [{ round: parent.round, fence: parent.fence }]);
    else ok(world.give(owner, 'message.post', { text: 'stop for a moment' }));
    expect(states(world)).toEqual(['open', 'open']);
    ok(world.give(c1, 'round.step', call('files.read', {})));
    ok(world.give(c1, 'subagent.return', { ok: true, result: 'one' }));
    if (how === 'a message') return;
    const next = begin(world, 'a');
    const context = roundContext(world.state, next.round, world.lookup, 1000);
    expect(context.children).toEqual({ c1: { state: 'returned', ok: true, result: 'one' }, c2: { state: 'open' } });
    ok(
      world.give(next, 'subagent.spawn', {
        children: [
          { name: 'c1', brief: 1 },
          { name: 'c2', brief: 2 },
        ],
      }),
    );
    expect(states(world), 'no third child for the same work').toEqual(['returned', 'open']);
    expect(refused(submit(world, next, 'a')).code).toBe('invalid_transition');
    ok(world.give(next, 'round.end', { outcome: 'waiting' }));
    ok(world.give(c2, 'subagent.return', { ok: true, result: 'two' }));
    ok(submit(world, begin(world, 'a'), 'a'));
  });

  it.each(['subagent.cancel', 'work.cancel', 'work.release', 'work.takeOver', 'attempt.end', 'goal.cancel', 'after a loss'])(
    'end with what a person or their parent decides: %s',
    (how) => {
      const { world, parent, child } = scene();
      const c1 = child('c1');
      const expected = () => ({ itemVersion: world.state.items.a?.version ?? 0 });
      if (how === 'subagent.cancel') for (const id of Object.keys(world.state.subagents)) ok(world.give(parent, 'subagent.cancel', { subagent: id }));
      else if (how === 'attempt.end') ok(world.give(parent, 'attempt.end', { item: 'a', outcome: 'failed' }));
      else if (how === 'goal.cancel') ok(world.give(owner, 'goal.cancel'));
      else if (how === 'work.release') ok(world.give(owner, 'work.release', { item: 'a' }));
      else if (how === 'after a loss') {
        world.tick(0, [{ round: parent.round, fence: parent.fence }]);
        ok(world.give(owner, 'work.cancel', { item: 'a' }, { expected: expected() }));
      } else ok(world.give(owner, how as 'work.cancel', { item: 'a' }, { expected: expected() }));
      expect(states(world)).toEqual(['cancelled', 'cancelled']);
      expect(refused(world.give(c1, 'round.step', call('files.read', {}))).code).toMatch(/^(round_superseded|goal_not_active)$/);
    },
  );
});

it('B65 the store names the children that are at work, whatever a context forgot', () => {
  const world = new World();
  planned(world, [{ key: 'a' }], { limits: { parallelRounds: 8 } });
  const parent = begin(world, 'a');
  const spawn = {
    children: [
      { name: 'c1', brief: 1, executor: skill('c.js') },
      { name: 'c2', brief: 2, executor: skill('c.js') },
    ],
  };
  ok(world.give(parent, 'subagent.spawn', spawn));
  const packet = resumePacket(world.state, world.lookup, { round: parent.round });
  expect(packet.children).toEqual(Object.values(world.state.subagents).map(({ id, name, state }) => ({ id, name, state })));
  expect(packet.children).toHaveLength(2);
  expect(ok(world.give(parent, 'subagent.spawn', spawn))).toMatchObject({ open: 2 });
  expect(Object.keys(world.state.subagents)).toHaveLength(2);
});
