/** Cases of work that goes on without getting anywhere, and of work that was stopped although it got somewhere. */
import { describe, expect, it } from 'vitest';
import { nextOf } from '../continuation/next.ts';
import { IDLE_WAITS, PROVIDER_TRIES } from '../limits.ts';
import { isRefusal } from '../refusals.ts';
import type { Round } from '../state.ts';
import { ok, World } from '../testing/world.ts';
import type { Json } from '../values.ts';
import { accept, adopt, begin, contract, openRound, owner, planned, refused, skill, submit, whyOf } from './scenes.ts';

const scheduled = (world: World, target: string) => world.events.filter((event) => event.type === 'round.scheduled' && event.round.target === target).length;
const rounds = (world: World) => world.events.filter((event) => event.type === 'round.scheduled').length;

/** An hour in ticks of five seconds; whoever gets a round does the same with it every time. */
function anHour(world: World, act: (round: Round) => void): void {
  for (let n = 0; n < 720; n += 1) {
    world.tick(5000);
    for (const round of world.rounds()) act(round);
  }
}

describe('B01 a goal that only waits', () => {
  it('has no round while it waits for a signal, and exactly one after it', () => {
    const world = new World();
    planned(world, [{ key: 'a' }]);
    const actor = begin(world, 'a');
    ok(world.give(actor, 'round.end', { outcome: 'waiting', note: 'still waiting', wait: { kind: 'external', correlation: 'ext-1', reason: 'the outside process' } }));
    const seq = world.state.seq;
    anHour(world, () => {});
    expect(world.state.seq, 'time alone wrote nothing').toBe(seq);
    expect(world.rounds()).toEqual([]);
    expect(nextOf(world.state, world.now, world.carriers)).toMatchObject({
      why: { kind: 'waiting', kinds: ['external'] },
      who: [{ mover: 'person:ada', act: 'signal', ref: 'ext-1' }],
    });
    ok(world.give(owner, 'wait.signal', { correlation: 'ext-1', generation: 1, payload: { done: true } }));
    expect(scheduled(world, 'item:a')).toBe(2);
    expect(world.rounds()).toHaveLength(1);
    expect(refused(world.give(owner, 'wait.signal', { correlation: 'ext-1', generation: 1 })).code, 'the same signal again starts nothing').toBe('invalid_transition');
    expect(world.rounds()).toHaveLength(1);
  });

  it('that arrived before its waiter is matched once', () => {
    const world = new World();
    planned(world, [{ key: 'a' }]);
    ok(world.give(owner, 'wait.signal', { correlation: 'ext-1', generation: 1, payload: 7 }));
    ok(world.give(begin(world, 'a'), 'round.end', { outcome: 'waiting', wait: { kind: 'external', correlation: 'ext-1', reason: 'r' } }));
    expect(scheduled(world, 'item:a')).toBe(2);
    expect(world.state.signals).toEqual({});
  });

  const ends: Record<string, Json> = {
    'says that it waits and names nothing': { outcome: 'waiting' },
    'sets a timer of no time': { outcome: 'waiting', wait: { kind: 'timer', correlation: 'poll', dueInMs: 0, reason: 'poll' } },
    'polls every five seconds': { outcome: 'waiting', wait: { kind: 'timer', correlation: 'poll', dueInMs: 5000, reason: 'poll' } },
    'waits for what runs out': { outcome: 'waiting', wait: { kind: 'external', correlation: 'ext', dueInMs: 1000, reason: 'poll' } },
    'hands back': { outcome: 'handed_back', note: 'Nothing to do yet.' },
    'claims to have delivered': { outcome: 'submitted' },
  };
  it.each(Object.keys(ends))('an agent that %s is stopped, and a person is named', (name) => {
    const world = new World();
    planned(world, [{ key: 'a' }]);
    const before = rounds(world);
    anHour(world, (round) => ok(world.give(world.start(round), 'round.end', round.lane === 'worker' ? ends[name] : { outcome: 'handed_back' })));
    expect(scheduled(world, 'item:a')).toBeLessThanOrEqual(IDLE_WAITS);
    // The coordinator looks at the stop, and finds nothing either.
    expect(rounds(world) - before).toBeLessThanOrEqual(IDLE_WAITS + 2);
    expect(world.rounds()).toEqual([]);
    expect(whyOf(world).kind).toBe('no_progress');
    expect(nextOf(world.state, world.now, world.carriers).who).toContainEqual({ mover: 'person:ada', act: 'resume', ref: 'goal' });
    const seq = world.state.seq;
    anHour(world, () => {});
    expect(world.state.seq).toBe(seq);
  });

  it('a child that only waits comes back as failed, and its parent goes on once', () => {
    const world = new World();
    planned(world, [{ key: 'a' }]);
    const parent = begin(world, 'a');
    ok(world.give(parent, 'subagent.spawn', { children: [{ name: 'slow', brief: 'wait' }] }));
    ok(world.give(parent, 'round.end', { outcome: 'waiting' }));
    for (let n = 0; n < 20; n += 1) {
      const child = world.rounds().find((round) => round.subagent);
      if (child) ok(world.give(world.start(child), 'round.end', { outcome: 'waiting' }));
    }
    expect(Object.values(world.state.subagents)).toMatchObject([{ state: 'failed' }]);
    expect(world.rounds()).toMatchObject([{ target: 'item:a' }]);
  });

  it('signals that come one after another are no poll', () => {
    const world = new World();
    planned(world, [{ key: 'a' }]);
    for (let n = 1; n <= IDLE_WAITS + 3; n += 1) {
      ok(world.give(begin(world, 'a'), 'round.end', { outcome: 'waiting', wait: { kind: 'external', correlation: 'mail', reason: 'the next mail' } }));
      ok(world.give(owner, 'wait.signal', { correlation: 'mail', generation: n, payload: n }));
    }
    expect(world.rounds()).toHaveLength(1);
  });
});

it('B05 bad completion calls: refused, bounded, and the goal stays active with a person named', () => {
  const world = new World();
  ok(world.give(owner, 'goal.create', { mode: 'goal_only', confirmed: true, lanes: { coordinator: skill('work.js') }, contract: contract() }));
  for (let n = 0; n < 5; n += 1) {
    const round = world.rounds()[0];
    if (!round) break;
    const actor = world.start(round);
    const before = world.state.seq;
    // What is left of cut arguments, what was never a field, and a claim that is simply not true.
    expect(refused(world.give(actor, 'goal.complete', '{"expected_version":')).code).toBe('schema_invalid');
    expect(refused(world.give(actor, 'goal.complete', { expected_version: 1 })).code).toBe('schema_invalid');
    expect(refused(world.give(actor, 'goal.complete', {})).code).toBe('criterion_unproven');
    expect(world.state.seq, 'a refused call leaves nothing').toBe(before);
    ok(world.give(actor, 'round.end', { outcome: 'handed_back' }));
  }
  expect(rounds(world)).toBe(2);
  expect(world.state.status).toBe('active');
  expect(nextOf(world.state, world.now, world.carriers)).toMatchObject({ why: { kind: 'no_progress' }, who: [{ mover: 'person:ada', act: 'resume' }] });
});

describe('B07 the gap reads the same and work goes on', () => {
  const milestones = [{ key: 'invoices', title: 'Invoices', target: 20 }];
  const decide = (n: number) => ({
    entries: [
      {
        subject: `inv-${n}`,
        milestone: 'invoices',
        verdict: 'ok',
        reason: 'checked',
        evidence: [`fact:inv-${n}`],
        facts: [{ key: `inv-${n}`, value: n, provenance: { from: 'person', principal: 'person:ada' } }],
      },
    ],
  });

  it('in audits of a goal without a graph', () => {
    const world = new World();
    ok(
      world.give(owner, 'goal.create', {
        mode: 'goal_only',
        confirmed: true,
        lanes: { coordinator: skill('work.js') },
        contract: contract({
          milestones,
          criteria: [{ id: 'all', text: 'all', verify: 'check', checks: ['all'] }],
          checks: [{ key: 'all', kind: 'count', of: { from: 'ledger', milestone: 'invoices' }, equals: 20 }],
        }),
      }),
    );
    for (let n = 1; n <= 20; n += 1) {
      expect(whyOf(world), `before round ${n}`).toMatchObject({ kind: 'ready' });
      const actor = world.start(openRound(world, 'coordinator'));
      ok(world.give(actor, 'ledger.record', decide(n)));
      ok(world.give(actor, 'round.end', { outcome: 'handed_back', note: 'Some invoices are missing.', finish: true }));
    }
    expect(world.state.blockers).toEqual({});
    expect(world.state.status).toBe('completed');
  });

  it('and where nothing is counted in between, the same gap twice is asked about', () => {
    const world = new World();
    ok(
      world.give(owner, 'goal.create', {
        mode: 'goal_only',
        confirmed: true,
        lanes: { coordinator: skill('work.js') },
        contract: contract({
          milestones,
          criteria: [{ id: 'all', text: 'all', verify: 'check', checks: ['all'] }],
          checks: [{ key: 'all', kind: 'count', of: { from: 'ledger', milestone: 'invoices' }, equals: 20 }],
        }),
      }),
    );
    for (let n = 0; n < 4 && world.rounds().length > 0; n += 1) ok(world.give(world.start(openRound(world, 'coordinator')), 'round.end', { outcome: 'handed_back', finish: true }));
    expect(whyOf(world)).not.toMatchObject({ kind: 'ready' });
    expect(rounds(world)).toBeLessThanOrEqual(3);
  });

  it('an agent that audits itself before it asks to finish hides no gap: its owner is asked what only a person can say', () => {
    const world = new World();
    ok(
      world.give(owner, 'goal.create', {
        mode: 'goal_only',
        confirmed: true,
        lanes: { coordinator: skill('work.js') },
        contract: contract({ criteria: [{ id: 'said', text: 'a person says so', verify: 'attest' }] }),
      }),
    );
    ok(world.give(owner, 'criterion.attest', { criterion: 'said', holds: false, statement: 'not yet' }, { expected: { goalVersion: 1 } }));
    const work = () => world.start(openRound(world, 'coordinator'));
    const early = work();
    ok(world.give(early, 'goal.audit', { classes: [] }));
    ok(world.give(early, 'round.end', { outcome: 'handed_back', finish: true }));
    for (let n = 0; n < 3 && world.rounds().length > 0; n += 1) ok(world.give(work(), 'round.end', { outcome: 'handed_back', finish: true }));
    expect(Object.keys(world.state.blockers)).toEqual(['uncovered-said']);
    expect(world.rounds()).toEqual([]);
    expect(world.state.stop).toBeNull();
  });

  it.each([
    [true, 0],
    [false, 1],
  ])('in verdicts of a reviewer (work goes on: %s)', (goesOn, stops) => {
    const world = new World();
    planned(world, [{ key: 'a', review: [{ by: 'agent' }] }], { milestones });
    for (let n = 1; n <= 3; n += 1) {
      if (!world.rounds().some((round) => round.lane === 'worker')) break;
      const actor = begin(world, 'a');
      if (goesOn) ok(world.give(actor, 'ledger.record', decide(n)));
      ok(submit(world, actor, 'a'));
      const { submission } = world.state.items.a ?? {};
      ok(
        world.give(world.start(openRound(world, 'reviewer')), 'review.record', {
          submission: submission?.id,
          digest: submission?.digest,
          verdict: 'changes_requested',
          scene: { summary: 'Some invoices are missing.' },
        }),
      );
    }
    expect(world.events.filter((event) => event.type === 'item.stopped')).toHaveLength(stops);
  });

  it('in rounds that each deliver one of many items', () => {
    const world = new World();
    planned(
      world,
      Array.from({ length: 5 }, (_, n) => ({ key: `i${n}` })),
    );
    for (let n = 0; n < 5; n += 1) {
      accept(world, `i${n}`);
      expect(world.state.stop).toBeNull();
    }
    expect(Object.values(world.state.streaks)).toEqual([]);
  });
});

it('B09 the gate is asked once per state, and a child that is at work is waited for at no cost', () => {
  const world = new World();
  planned(world, [{ key: 'a' }], {
    criteria: [{ id: 'c1', text: 'all', verify: 'check', checks: ['all'] }],
    checks: [{ key: 'all', kind: 'count', of: { from: 'review_list', milestone: 'm' }, equals: 9 }],
  });
  const parent = begin(world, 'a');
  ok(world.give(parent, 'subagent.spawn', { children: [{ name: 'c', brief: 'work' }] }));
  ok(world.give(parent, 'round.end', { outcome: 'waiting' }));
  const child = world.rounds().find((round) => round.subagent);
  if (!child) throw new Error('no round for the child');
  const childActor = world.start(child);
  const seq = world.state.seq;
  anHour(world, () => {});
  expect(world.state.seq).toBe(seq);
  expect(Object.values(world.state.waits)).toMatchObject([{ kind: 'subagent' }]);
  expect(world.events.filter((event) => event.type === 'check.requested')).toEqual([]);
  ok(world.give(childActor, 'subagent.return', { ok: true, result: { text: 'found it' } }));
  expect(world.rounds()).toMatchObject([{ target: 'item:a', lane: 'worker' }]);
  ok(submit(world, begin(world, 'a'), 'a'));
  // The graph is closed and the gate denies: it was asked about this state, and is not asked about it again.
  const asked = () => world.events.filter((event) => event.type === 'check.requested').length;
  expect(asked()).toBe(1);
  anHour(world, (round) => ok(world.give(world.start(round), 'round.end', { outcome: 'handed_back' })));
  expect(asked()).toBe(1);
});

describe('B29 planning that yields nothing', () => {
  const documents: Json[] = ['', 'First we look, then we act.', { mode: 'bound', items: [] }];
  it.each([
    ['in three rounds', 3],
    ['in one round', 1],
    ['in more rounds than idle ones are allowed', 3],
  ])('%s ends in a question that says why', (name, inRounds) => {
    const world = new World();
    const limits = name.startsWith('in more') ? { emptyRounds: 1 } : { emptyRounds: inRounds === 3 ? 5 : 2 };
    ok(world.give(owner, 'goal.create', { mode: 'bound', confirmed: true, lanes: { coordinator: skill('plan.js') }, contract: contract({ limits }) }));
    let left = [...documents];
    while (left.length > 0 && world.rounds().length > 0) {
      const actor = world.start(openRound(world, 'coordinator'));
      for (const document of left.splice(0, inRounds === 1 ? 3 : 1)) expect(refused(world.give(actor, 'plan.propose', { document })).code).toBe('plan_invalid');
      ok(world.give(actor, 'round.end', { outcome: 'handed_back' }));
    }
    left = [];
    expect(world.rounds()).toEqual([]);
    expect(whyOf(world)).toEqual({ kind: 'blocked', blockers: ['plan-invalid'] });
    expect(Object.values(world.state.blockers)).toHaveLength(1);
    const { reason } = world.state.blockers['plan-invalid'] ?? {};
    expect(reason).toMatch(/The last: \/\S* (empty_plan|wrong_type)/);
    expect(refused(world.give(owner, 'goal.complete', {}, { expected: { goalVersion: 1 } })).code).toBe('graph_open');
    // Answered, planning starts anew, once.
    ok(world.give(owner, 'blocker.resolve', { blocker: 'plan-invalid', answer: { decision: 'try_again' } }));
    expect(world.rounds()).toHaveLength(1);
    const again = world.start(openRound(world, 'coordinator'));
    adopt(world, again, [{ key: 'a' }]);
    expect(world.state.plan?.revision).toBe(1);
  });
});

it('B87 a provider that asks to wait is asked again as it says, with jitter, and a bounded number of times', () => {
  const world = new World();
  planned(world, [{ key: 'a' }, { key: 'b' }], { limits: { parallelRounds: 2 } });
  const times: number[] = [];
  for (let n = 0; n < 20; n += 1) {
    const round = world.rounds().find((entry) => entry.item === 'a' && entry.lane === 'worker');
    if (!round) break;
    times.push(world.now);
    ok(world.give(world.start(round), 'round.end', { outcome: 'failed', note: '429', retryAfterMs: 2000 }));
    expect(
      world.rounds().some((entry) => entry.item === 'a'),
      'nothing before its time',
    ).toBe(false);
    expect(
      world.rounds().some((entry) => entry.item === 'b'),
      'other work goes on',
    ).toBe(true);
    world.tick(1999);
    expect(world.rounds().some((entry) => entry.item === 'a')).toBe(false);
    world.tick(2002);
  }
  expect(times).toHaveLength(PROVIDER_TRIES);
  const retries = world.events.flatMap((event) => (event.type === 'round.ended' && event.retryAt !== undefined ? [event.retryAt - event.at] : []));
  for (const wait of retries) expect(wait).toBeGreaterThanOrEqual(2000);
  for (const wait of retries) expect(wait).toBeLessThan(4000);
  expect(new Set(retries).size, 'no two in step').toBeGreaterThan(1);
  expect(world.state.items.a?.stop).toMatchObject({ kind: 'errors' });
  // An agent does not lift it; a person does.
  const coordinator = world.rounds().find((entry) => entry.lane === 'coordinator');
  if (coordinator) expect(isRefusal(world.give(world.start(coordinator), 'work.resume', { item: 'a' }))).toBe(true);
  ok(world.give(owner, 'work.resume', { item: 'a' }));
  expect(world.rounds().some((entry) => entry.item === 'a')).toBe(true);
});
