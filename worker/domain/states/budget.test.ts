import { describe, expect, it } from 'vitest';
import { MODEL_CALL } from '../model-call.ts';
import type { RefusalCode } from '../refusals.ts';
import { isRefusal } from '../refusals.ts';
import { ok, type World } from '../testing/world.ts';
import { type Acting, adopt, begin, checked, contract, itemOf, lanes, movers, owner, planned, refused, roundOf, rows, skill, stateOf, submit, versions, whyOf } from './stage.ts';

const agent = { kind: 'agent', profile: 'worker' };
const CENT = 10_000;
type Amount = { tokens: number; money: number; currency?: string };
type Used = { tokens: number; money: number; cacheRead?: number; cacheWrite?: number };

/** A bound goal whose items are carried by an agent. */
function withAgents(items: object[], limits: object, more: object = {}): World {
  const world = checked();
  world.carriers = { agent: true, skill: () => true };
  ok(world.give(owner, 'goal.create', { mode: 'bound', confirmed: true, lanes, contract: contract({ limits, ...more }) }));
  const actor = world.start(roundOf(world, 'coordinator'));
  adopt(
    world,
    actor,
    items.map((item) => ({ executor: agent, ...item })),
  );
  ok(world.give(actor, 'round.end', { outcome: 'handed_back' }));
  return world;
}

interface Stepped {
  outcome: 'go' | 'refused' | 'ended';
  call: string;
  refusal?: { code: RefusalCode; current: unknown };
}
const modelCall = (world: World, actor: Acting, reserve: Amount | undefined, last?: { call: string; used?: Used }): Stepped =>
  ok(
    world.give(actor, 'round.step', {
      ...(last ? { last: { ok: true, summary: 'said', ...last } } : {}),
      next: { tool: MODEL_CALL, args: {}, subject: 'turn', effect: 'none', ...(reserve ? { reserve } : {}) },
    }),
  ) as unknown as Stepped;
const budgetOf = (world: World) => world.state.budget;

describe('a model call', () => {
  it('sets its worst case aside before it, and is settled by what it used, in the same commit that sets the next aside', () => {
    const world = withAgents([{ key: 'a' }], { tokens: 1000, money: { amount: 100, currency: 'EUR' } });
    const actor = begin(world, 'a');
    const first = modelCall(world, actor, { tokens: 300, money: 20 * CENT, currency: 'EUR' });
    expect(budgetOf(world)).toMatchObject({ tokens: 0, money: 0, reservedTokens: 300, reservedMoney: 20 * CENT });
    const second = modelCall(world, actor, { tokens: 400, money: 0 }, { call: first.call, used: { tokens: 120, money: 8 * CENT, cacheRead: 60, cacheWrite: 10 } });
    expect(budgetOf(world)).toMatchObject({ tokens: 120, money: 8 * CENT, reservedTokens: 400, reservedMoney: 0 });
    ok(world.give(actor, 'round.end', { outcome: 'handed_back', last: { call: second.call, ok: true, summary: 's', used: { tokens: 500, money: 0 } } }));
    // What was really used stands, also where it is more than was set aside.
    expect(budgetOf(world)).toMatchObject({ tokens: 620, money: 8 * CENT, reservedTokens: 0, reservedMoney: 0 });
    expect(world.state.spent['item:a']).toEqual({ tokens: 620, money: 8 * CENT });
    expect(rows(world, 'usage')).toMatchObject([
      { call: first.call, round: actor.round, item: 'a', lane: 'worker', profile: 'agent:worker', tokens: 120, cacheRead: 60, cacheWrite: 10, late: false },
      { call: second.call, tokens: 500 },
    ]);
    expect(rows(world, 'round').find((row) => row.id === actor.round)).toMatchObject({ tokens: 620, money: 8 * CENT, cacheRead: 60, modelCalls: 2, steps: 0 });
  });

  it('is no step: not looked at for drift, not counted against the steps, and no progress', () => {
    const world = withAgents([{ key: 'a' }], { tokens: 100_000, stepsPerRound: 30, drift: { window: 2, stride: 1 } });
    const actor = begin(world, 'a');
    for (let n = 0; n < 25; n += 1) expect(modelCall(world, actor, { tokens: 10, money: 0 }).outcome).toBe('go');
    expect(world.state.rounds[actor.round]).toMatchObject({ steps: 0, recent: [], drift: 'none', progress: 0, modelCalls: 25 });
    const tool = ok(world.give(actor, 'round.step', { next: { tool: 't', args: {}, subject: 's', effect: 'none' } })) as { call: string };
    expect(tool.call).toBe(`${actor.round}/000026`);
    ok(world.give(actor, 'round.end', { outcome: 'handed_back' }));
    expect(rows(world, 'round').find((row) => row.id === actor.round)).toMatchObject({ outcome: 'empty', steps: 1, modelCalls: 25 });
  });

  it('of which nobody knows what it costs is not made; what a policy asks about tools does not ask about it', () => {
    const world = withAgents([{ key: 'a' }], { tokens: 1000 }, { policies: [{ tool: '*', then: 'deny' }] });
    const actor = begin(world, 'a');
    expect(modelCall(world, actor, undefined)).toMatchObject({ outcome: 'refused', refusal: { code: 'schema_invalid' } });
    expect(modelCall(world, actor, { tokens: 1, money: 0 }).outcome).toBe('go');
  });

  it('has an end to how often in one round', () => {
    const world = withAgents([{ key: 'a' }], { tokens: 1_000_000, stepsPerRound: 10 });
    const actor = begin(world, 'a');
    for (let n = 0; n < 10; n += 1) expect(modelCall(world, actor, { tokens: 1, money: 0 }).outcome).toBe('go');
    expect(modelCall(world, actor, { tokens: 1, money: 0 })).toMatchObject({ outcome: 'ended', refusal: { code: 'limit_exceeded' } });
  });
});

describe('what nobody said', () => {
  const inFlight = () => {
    const world = withAgents([{ key: 'a' }], { tokens: 1000 });
    const actor = begin(world, 'a');
    return { world, actor, call: modelCall(world, actor, { tokens: 300, money: 0 }).call };
  };
  const charged = (world: World, tokens: number, assumed: boolean) => {
    expect(budgetOf(world)).toMatchObject({ tokens, reservedTokens: 0 });
    expect(rows(world, 'usage').at(-1)).toMatchObject({ tokens, ...(assumed ? { assumed: true } : {}) });
    expect(rows(world, 'usage').at(-1)?.assumed ?? false).toBe(assumed);
  };

  it.each([
    ['the round is lost', (world: World, actor: Acting) => world.tick(0, [{ round: actor.round, fence: actor.fence }])],
    ['the goal is cancelled', (world: World) => void ok(world.give(owner, 'goal.cancel', {}))],
    ['the round ends without a word of it', (world: World, actor: Acting) => void ok(world.give(actor, 'round.end', { outcome: 'failed' }))],
    ['the item is delivered', (world: World, actor: Acting) => void ok(submit(world, actor, 'a'))],
  ])('is charged at what was set aside, and marked: %s', (_, end) => {
    const { world, actor, call } = inFlight();
    end(world, actor);
    charged(world, 300, true);
    expect(rows(world, 'round').find((row) => row.id === actor.round)).toMatchObject({ tokens: 300, assumed: 1 });
    // Late word takes its place, once.
    ok(world.give(actor, 'usage.record', { call, tokens: 90, money: 0 }));
    charged(world, 90, false);
    expect(rows(world, 'usage').at(-1)).toMatchObject({ late: true });
    expect(rows(world, 'round').find((row) => row.id === actor.round)).toMatchObject({ tokens: 90, assumed: 0 });
    expect(world.state.spent['item:a']).toEqual({ tokens: 90, money: 0 });
    expect(ok(world.give(actor, 'usage.record', { call, tokens: 12, money: 0 }))).toEqual({ counted: false });
    charged(world, 90, false);
  });

  it('before the next call is charged then; the word that comes with a later step corrects it', () => {
    const { world, actor, call } = inFlight();
    const next = modelCall(world, actor, { tokens: 100, money: 0 });
    expect(budgetOf(world)).toMatchObject({ tokens: 300, reservedTokens: 100 });
    ok(world.give(actor, 'usage.record', { call, tokens: 40, money: 0 }));
    expect(budgetOf(world)).toMatchObject({ tokens: 40, reservedTokens: 100 });
    ok(world.give(actor, 'round.step', { last: { call: next.call, ok: false, summary: 'cut off' } }));
    expect(budgetOf(world)).toMatchObject({ tokens: 140, reservedTokens: 0 });
    expect(rows(world, 'usage').at(-1)).toMatchObject({ call: next.call, assumed: true });
  });

  it('is settled while it is still open by word that comes apart from a step; a call of another round, or of none, is not known', () => {
    const { world, actor, call } = inFlight();
    ok(world.give(actor, 'usage.record', { call, tokens: 30, money: 0 }));
    expect(budgetOf(world)).toMatchObject({ tokens: 30, reservedTokens: 0 });
    ok(world.give(actor, 'round.step', { last: { call, ok: true, summary: 's', used: { tokens: 31, money: 0 } } }));
    expect(budgetOf(world)).toMatchObject({ tokens: 30, reservedTokens: 0 });
    refused(world, 'not_found', actor, 'usage.record', { call: `${actor.round}/000099`, tokens: 1 });
    refused(world, 'not_found', actor, 'usage.record', { call: 'rnd_other/000001', tokens: 1 });
  });
});

describe('a call that does not fit', () => {
  it('is not made: its round ends handed back and the goal stops with what remains; one action raises the limit and goes on', () => {
    const world = withAgents([{ key: 'a' }, { key: 'b', dependsOn: [{ key: 'a' }] }], { tokens: 1000 });
    const actor = begin(world, 'a');
    const first = modelCall(world, actor, { tokens: 600, money: 0 });
    const answer = modelCall(world, actor, { tokens: 700, money: 0 }, { call: first.call, used: { tokens: 500, money: 0 } });
    expect(answer).toMatchObject({
      outcome: 'ended',
      refusal: { code: 'budget_exceeded', current: { scope: 'goal', limit: 'tokens', used: 500, reserved: 0, of: 1000, needed: { tokens: 700 } }, allowedNext: ['goal.setLimits'] },
    });
    expect(rows(world, 'round').find((row) => row.id === actor.round)).toMatchObject({ outcome: 'handed_back', why: 'budget', tokens: 500 });
    expect(rows(world, 'call').at(-1)).toMatchObject({ refused: { code: 'budget_exceeded', ref: 'tokens' } });
    expect(whyOf(world)).toEqual({
      kind: 'budget',
      limit: 'tokens',
      scope: 'goal',
      used: 500,
      reserved: 0,
      of: 1000,
      needed: 700,
      remains: { items: { count: 2, head: ['a', 'b'] }, criteria: { count: 1, head: ['c1'] } },
    });
    expect(movers(world)).toEqual(['person:ada raise_limit tokens']);
    expect(stateOf(world, 'a')).toBe('running');
    // Time alone moves nothing, and no round is spent on finding that out.
    world.tick(86_400_000);
    expect(world.rounds()).toEqual([]);
    // Raised, but not enough for that call: still a stop.
    ok(world.give(owner, 'goal.setLimits', { limits: { tokens: 1100 } }, { expected: versions(world) }));
    expect(whyOf(world)).toMatchObject({ kind: 'budget', of: 1100 });
    ok(world.give(owner, 'goal.setLimits', { limits: { tokens: 1200 } }, { expected: versions(world) }));
    expect(modelCall(world, begin(world, 'a'), { tokens: 700, money: 0 }).outcome).toBe('go');
    expect(itemOf(world, 'a').attempts).toBe(1);
  });

  it('for what is set aside by another goes on when that settles, without a person', () => {
    const world = withAgents([{ key: 'a' }, { key: 'b' }], { tokens: 1000 });
    const a = begin(world, 'a');
    const b = begin(world, 'b');
    const call = modelCall(world, a, { tokens: 800, money: 0 });
    expect(modelCall(world, b, { tokens: 500, money: 0 })).toMatchObject({ outcome: 'ended', refusal: { current: { used: 0, reserved: 800 } } });
    expect(movers(world).filter((mover) => mover.includes('raise_limit'))).toEqual([]);
    expect(world.rounds()).toHaveLength(1);
    ok(world.give(a, 'round.step', { last: { call: call.call, ok: true, summary: 's', used: { tokens: 100, money: 0 } } }));
    expect(modelCall(world, begin(world, 'b'), { tokens: 500, money: 0 }).outcome).toBe('go');
  });

  it('is no round that turned on the spot, however often', () => {
    const world = withAgents([{ key: 'a' }], { tokens: 1000, emptyRounds: 1 });
    for (let n = 1; n <= 4; n += 1) {
      expect(modelCall(world, begin(world, 'a'), { tokens: 1000 * n + 1, money: 0 }).outcome).toBe('ended');
      expect(itemOf(world, 'a').stop).toBeNull();
      ok(world.give(owner, 'goal.setLimits', { limits: { tokens: 1000 * (n + 1) } }, { expected: versions(world) }));
    }
    expect(world.state.streaks).toEqual({});
  });

  it('leaves work that needs no model going', () => {
    const world = withAgents([{ key: 'a' }, { key: 'b', executor: skill('b.js') }], { tokens: 0 });
    expect(world.rounds().map((round) => round.item)).toEqual(['b']);
    expect(whyOf(world)).toMatchObject({ kind: 'ready' });
    expect(movers(world)).toContain('person:ada raise_limit tokens');
    ok(submit(world, begin(world, 'b'), 'b'));
    expect(whyOf(world)).toMatchObject({ kind: 'budget', limit: 'tokens', used: 0, of: 0 });
  });

  it('in a currency that the limit does not count in fits nowhere', () => {
    const world = withAgents([{ key: 'a' }], { tokens: 1000, money: { amount: 100, currency: 'CNY' } });
    expect(modelCall(world, begin(world, 'a'), { tokens: 10, money: 10, currency: 'USD' })).toMatchObject({
      outcome: 'ended',
      refusal: { code: 'budget_exceeded', current: { limit: 'money', needed: { currency: 'USD' } } },
    });
  });

  it('counts minor units as the currency has them', () => {
    const world = withAgents([{ key: 'a' }], { tokens: 1000, money: { amount: 3, currency: 'JPY' } });
    const actor = begin(world, 'a');
    expect(modelCall(world, actor, { tokens: 10, money: 3_000_000, currency: 'JPY' }).outcome).toBe('go');
    expect(modelCall(world, actor, { tokens: 10, money: 1, currency: 'JPY' })).toMatchObject({ outcome: 'ended', refusal: { current: { of: 3_000_000, used: 3_000_000 } } });
  });

  it('also while a reviewer or a coordinator makes it', () => {
    const world = withAgents([{ key: 'a', executor: skill('a.js'), review: [{ by: 'agent', reviewer: { kind: 'agent', profile: 'reviewer' } }] }], { tokens: 1000 });
    ok(submit(world, begin(world, 'a'), 'a'));
    const actor = world.start(roundOf(world, 'reviewer', 'a')) as Acting;
    expect(modelCall(world, actor, { tokens: 1001, money: 0 }).outcome).toBe('ended');
    expect(whyOf(world)).toMatchObject({ kind: 'budget' });
    ok(world.give(owner, 'goal.setLimits', { limits: { tokens: 2000 } }, { expected: versions(world) }));
    expect(roundOf(world, 'reviewer', 'a').phase).toBe('scheduled');
  });
});

describe('the budget of an item', () => {
  it('stops that item alone, its reviewers counted in; one action raises it and goes on', () => {
    const world = withAgents([{ key: 'a', limits: { tokens: 100, money: 5 } }, { key: 'b' }], { tokens: 1000, money: { amount: 100, currency: 'USD' } });
    const a = begin(world, 'a');
    const call = modelCall(world, a, { tokens: 80, money: 0 });
    expect(modelCall(world, a, { tokens: 80, money: 0 }, { call: call.call, used: { tokens: 60, money: 1 } })).toMatchObject({
      refusal: { code: 'budget_exceeded', current: { scope: 'item', item: 'a', limit: 'tokens', used: 60, of: 100 } },
    });
    const b = begin(world, 'b');
    expect(modelCall(world, b, { tokens: 500, money: 0 }).outcome).toBe('go');
    expect(movers(world)).toContain('person:ada raise_limit item:a/tokens');
    ok(submit(world, b, 'b'));
    expect(whyOf(world)).toMatchObject({ kind: 'budget', scope: 'item', item: 'a', limit: 'tokens', needed: 80, remains: { items: { head: ['a'] } } });
    refused(world, 'not_found', owner, 'goal.setLimits', { items: { zz: { tokens: 1 } } }, { expected: versions(world) });
    ok(world.give(owner, 'goal.setLimits', { items: { a: { tokens: 200 } } }, { expected: versions(world) }));
    const again = begin(world, 'a');
    expect(modelCall(world, again, { tokens: 80, money: 0 }).outcome).toBe('go');
    // Its money is still that of the plan.
    expect(modelCall(world, again, { tokens: 1, money: 5 * CENT })).toMatchObject({ refusal: { current: { scope: 'item', limit: 'money', of: 5 * CENT } } });
  });
});

describe('children', () => {
  const spawned = (children: object[], limits: object = { tokens: 1000 }) => {
    const world = withAgents([{ key: 'a' }], limits);
    const parent = begin(world, 'a');
    ok(world.give(parent, 'subagent.spawn', { children }));
    ok(world.give(parent, 'round.end', { outcome: 'waiting' }));
    const child = (name: string) => {
      const id = Object.values(world.state.subagents).find((entry) => entry.name === name)?.id;
      const round = world.rounds().find((entry) => entry.subagent === id);
      if (!round) throw new Error(`no round of ${name}`);
      return world.start(round) as Acting;
    };
    return { world, child };
  };

  it('get what they ask for, or equal parts of the rest with one left for the parent; what they use is the item’s and the goal’s too', () => {
    const { world, child } = spawned([
      { name: 'one', brief: 1, limits: { tokens: 400 } },
      { name: 'two', brief: 2 },
      { name: 'three', brief: 3 },
    ]);
    expect(Object.values(world.state.subagents).map((entry) => entry.slice?.tokens)).toEqual([400, 200, 200]);
    const call = modelCall(world, child('one'), { tokens: 300, money: 0 });
    expect(call.outcome).toBe('go');
    ok(
      world.give({ kind: 'round', round: call.call.slice(0, -7), fence: 1, runner: `runner-${call.call.slice(0, -7)}` }, 'round.step', {
        last: { call: call.call, ok: true, summary: 's', used: { tokens: 250, money: 0 } },
      }),
    );
    expect(world.state.spent).toMatchObject({ 'item:a': { tokens: 250, money: 0 } });
    expect(budgetOf(world).tokens).toBe(250);
  });

  it('past their slice fail with the reason, and their parent goes on', () => {
    const { world, child } = spawned([{ name: 'one', brief: 1, limits: { tokens: 50 } }]);
    expect(modelCall(world, child('one'), { tokens: 60, money: 0 })).toMatchObject({
      outcome: 'ended',
      refusal: { code: 'budget_exceeded', current: { scope: 'subagent', of: 50 } },
    });
    expect(Object.values(world.state.subagents)).toMatchObject([{ state: 'failed' }]);
    expect(roundOf(world, 'worker', 'a').phase).toBe('scheduled');
  });

  it('with nothing to spend fail at once; where nothing is left for any, none is admitted', () => {
    const { world } = spawned([{ name: 'one', brief: 1, limits: { tokens: 0 } }]);
    expect(Object.values(world.state.subagents)).toMatchObject([{ state: 'failed' }]);
    const poor = withAgents([{ key: 'a' }], { tokens: 10 });
    const parent = begin(poor, 'a');
    const call = modelCall(poor, parent, { tokens: 10, money: 0 });
    ok(poor.give(parent, 'round.step', { last: { call: call.call, ok: true, summary: 's', used: { tokens: 10, money: 0 } } }));
    refused(poor, 'budget_exceeded', parent, 'subagent.spawn', { children: [{ name: 'one', brief: 1 }] });
  });

  it('cannot be given more than there is', () => {
    const world = withAgents([{ key: 'a', limits: { tokens: 100 } }], { tokens: 1000 });
    const parent = begin(world, 'a');
    refused(
      world,
      'budget_exceeded',
      parent,
      'subagent.spawn',
      { children: [{ name: 'one', brief: 1, limits: { tokens: 101 } }] },
      { current: { limit: 'tokens', left: 100, needed: 101 } },
    );
    ok(world.give(parent, 'subagent.spawn', { children: [{ name: 'one', brief: 1, limits: { tokens: 70 } }] }));
    refused(world, 'budget_exceeded', parent, 'subagent.spawn', { children: [{ name: 'two', brief: 1, limits: { tokens: 31 } }] });
    // A script needs none.
    ok(world.give(parent, 'subagent.spawn', { children: [{ name: 'three', brief: 1, executor: skill('x.js') }] }));
    expect(Object.values(world.state.subagents).find((child) => child.name === 'three')?.slice).toBeUndefined();
  });
});

describe('limits', () => {
  it('are finite where nobody says, in every mode and by every way in', () => {
    for (const world of [planned([{ key: 'a' }]), withAgents([{ key: 'a' }], {})]) {
      expect(world.state.limits.tokens).toBeGreaterThan(0);
      expect(world.state.limits.money).toMatchObject({ currency: 'USD' });
    }
    const graph = checked();
    ok(graph.give(owner, 'goal.create', { mode: 'graph_only', title: 'G', confirmed: true, lanes }));
    expect(graph.state.limits.tokens).toBeGreaterThan(0);
    const proposed = checked();
    ok(proposed.give(owner, 'goal.propose', { sentence: 'Do it' }));
    expect(proposed.state.limits.tokens).toBeGreaterThan(0);
    expect(isRefusal(proposed.give(owner, 'goal.setLimits', { limits: { money: { amount: 5, currency: 'usd' } } }, { expected: versions(proposed) }))).toBe(true);
  });
  it('of a record that is older than they are allow a model nothing, until a person gives some', () => {
    const world = withAgents([{ key: 'a' }], { tokens: 10 });
    world.state = { ...world.state, limits: { ...world.state.limits, tokens: undefined, money: undefined } };
    expect(modelCall(world, begin(world, 'a'), { tokens: 1, money: 0 })).toMatchObject({ refusal: { code: 'budget_exceeded', current: { of: 0 } } });
    ok(world.give(owner, 'goal.setLimits', { limits: { tokens: 10 } }, { expected: versions(world) }));
    expect(modelCall(world, begin(world, 'a'), { tokens: 1, money: 0 }).outcome).toBe('go');
  });
});
