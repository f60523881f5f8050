/** Cases of consent and of what was sent: an approval covers one exact call and is not lost; an effect happens once. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Actor } from '../context.ts';
import { ok, World } from '../testing/world.ts';
import type { Json } from '../values.ts';
import { roundContext } from '../views/round-context.ts';
import { begin, call, openRound, owner, planned, refused, submit } from './scenes.ts';

const ask = {
  policies: [
    { tool: 'shell', then: 'ask' },
    { tool: 'http.get', then: 'ask' },
  ],
};
type Stepped = { outcome: string; wait?: string; refusal?: { code: string }; permit?: { effect: string; nonce: string; key: string }; repeat?: Json };
const step = (world: World, actor: Actor, tool: string, args: Json, more: object = {}) => ok(world.give(actor, 'round.step', call(tool, args, more))) as unknown as Stepped;
const prompts = (world: World) => world.events.filter((event) => event.type === 'approval.asked').length;

function decide(world: World, approval: string, decision: 'approved' | 'refused') {
  return world.give(owner, 'approval.decide', { approval, decision, callDigest: world.state.approvals[approval]?.callDigest ?? '0'.repeat(64) });
}

function approved(world: World, args: Json, tool = 'http.get'): Actor & { kind: 'round' } {
  const actor = begin(world, 'a');
  const { wait } = step(world, actor, tool, args);
  ok(world.give(actor, 'round.end', { outcome: 'waiting' }));
  ok(decide(world, wait ?? '', 'approved'));
  return begin(world, 'a');
}

describe('B51 a grant', () => {
  it('outlives lost and interrupted rounds: nobody is asked again', () => {
    const world = new World();
    planned(world, [{ key: 'a' }], ask);
    let actor = approved(world, { command: 'npm test' }, 'shell');
    for (let n = 0; n < 3; n += 1) {
      world.tick(1000, [{ round: actor.round, fence: actor.fence }]);
      expect(world.state.status).toBe('active');
      actor = begin(world, 'a');
    }
    expect(step(world, actor, 'shell', { command: 'npm test' })).toMatchObject({ outcome: 'go' });
    expect(prompts(world)).toBe(1);
  });

  it('survives a pause and a change of the plan elsewhere', () => {
    const world = new World();
    planned(world, [{ key: 'a' }, { key: 'b' }], ask);
    const actor = begin(world, 'a');
    const { wait } = step(world, actor, 'shell', { command: 'npm test' });
    ok(world.give(actor, 'round.end', { outcome: 'waiting' }));
    ok(world.give(owner, 'goal.pause'));
    ok(decide(world, wait ?? '', 'approved'));
    ok(world.give(owner, 'goal.resume'));
    expect(step(world, begin(world, 'a'), 'shell', { command: 'npm test' })).toMatchObject({ outcome: 'go' });
    expect(prompts(world)).toBe(1);
  });
});

describe('B53 an approval covers one exact call', () => {
  const url = 'https://api.example.test/v1/ping';

  it('with another query or another header it is asked for again; exactly as approved it runs, once', () => {
    const world = new World();
    planned(world, [{ key: 'a' }], ask);
    const actor = approved(world, { url, headers: { accept: 'a', host: 'b' } });
    expect(step(world, actor, 'http.get', { url: `${url}?x=1`, headers: { accept: 'a', host: 'b' } })).toMatchObject({ outcome: 'waiting' });
    expect(step(world, actor, 'http.get', { url, headers: { accept: 'a', host: 'b', extra: 'c' } })).toMatchObject({ outcome: 'waiting' });
    expect(prompts(world)).toBe(3);
    // The order of keys is no argument.
    expect(step(world, actor, 'http.get', { headers: { host: 'b', accept: 'a' }, url })).toMatchObject({ outcome: 'go' });
    expect(step(world, actor, 'http.get', { url, headers: { accept: 'a', host: 'b' } }), 'used up').toMatchObject({ outcome: 'waiting' });
  });

  it('is shown whole to the rounds of its target until it is used, and to nobody else; a refusal stays', () => {
    const world = new World();
    planned(world, [{ key: 'a', review: [{ by: 'agent' }] }, { key: 'b' }], ask);
    const decidedFor = (actor: Actor & { kind: 'round' }) => roundContext(world.state, actor.round, world.lookup, 1000).decided;
    const actor = approved(world, { url });
    expect(decidedFor(actor)).toEqual([{ approval: expect.any(String), tool: 'http.get', args: { url }, state: 'approved', expiresAt: expect.any(Number) }]);
    expect(decidedFor(begin(world, 'b'))).toBeUndefined();
    expect(step(world, actor, 'http.get', { url })).toMatchObject({ outcome: 'go' });
    expect(decidedFor(actor)).toBeUndefined();
    const { wait } = step(world, actor, 'http.get', { url: `${url}?x=1` });
    ok(world.give(actor, 'round.end', { outcome: 'waiting' }));
    ok(decide(world, wait ?? '', 'refused'));
    const next = begin(world, 'a');
    expect(decidedFor(next)).toEqual([{ approval: wait, tool: 'http.get', args: { url: `${url}?x=1` }, state: 'refused' }]);
    ok(submit(world, next, 'a'));
    expect(decidedFor(world.start(openRound(world, 'reviewer', 'a')) as Actor & { kind: 'round' })).toBeUndefined();
  });

  it('of one item is none for another, nor for another tool, nor once a fact behind it changed', () => {
    const world = new World();
    planned(world, [{ key: 'a' }, { key: 'b' }], { policies: [{ tool: '*', then: 'ask' }] });
    const a = begin(world, 'a');
    const fact = (value: Json) => ok(world.give(owner, 'fact.record', { facts: [{ key: 'amount', value, provenance: { from: 'person', principal: 'person:ada' } }] }));
    fact('10.00');
    const { wait } = step(world, a, 'pay', { amount: { $fact: 'amount' } }, { factOnly: ['/amount'] });
    ok(world.give(a, 'round.end', { outcome: 'waiting' }));
    ok(decide(world, wait ?? '', 'approved'));
    const again = begin(world, 'a');
    expect(step(world, begin(world, 'b'), 'pay', { amount: '10.00' })).toMatchObject({ outcome: 'waiting' });
    expect(step(world, again, 'pay.fast', { amount: '10.00' })).toMatchObject({ outcome: 'waiting' });
    fact('99.00');
    expect(step(world, again, 'pay', { amount: { $fact: 'amount' } }, { factOnly: ['/amount'] })).toMatchObject({ outcome: 'waiting' });
  });

  it('any other arguments are another call', () => {
    const args = fc.dictionary(
      fc.string({ maxLength: 4 }).filter((key) => key !== '__proto__' && !key.startsWith('$')),
      fc.oneof(fc.string({ maxLength: 4 }), fc.integer(), fc.boolean(), fc.constant(null)),
      { maxKeys: 3 },
    );
    fc.assert(
      fc.property(args, args, (one, two) => {
        const world = new World();
        planned(world, [{ key: 'a' }], ask);
        const actor = approved(world, one as Json);
        const same = JSON.stringify(Object.entries(one).sort()) === JSON.stringify(Object.entries(two).sort());
        expect(step(world, actor, 'http.get', two as Json).outcome).toBe(same ? 'go' : 'waiting');
      }),
      { numRuns: 60 },
    );
  });

  it('that was refused is refused for that call, and the first decision stands', () => {
    const world = new World();
    planned(world, [{ key: 'a' }], ask);
    const actor = begin(world, 'a');
    const { wait } = step(world, actor, 'shell', { command: 'rm -rf /' });
    ok(world.give(actor, 'round.end', { outcome: 'waiting' }));
    expect(refused(world.give(owner, 'approval.decide', { approval: wait, decision: 'approved', callDigest: '0'.repeat(64) })).code).toBe('approval_mismatch');
    ok(decide(world, wait ?? '', 'refused'));
    expect(refused(decide(world, wait ?? '', 'approved'))).toMatchObject({ code: 'invalid_transition', current: { state: 'refused' } });
    expect(step(world, begin(world, 'a'), 'shell', { command: 'rm -rf /' })).toMatchObject({ outcome: 'refused', refusal: { code: 'policy_denied' } });
  });
});

describe('B71 a call that was in flight when its round was stopped', () => {
  const args = { title: 'a change' };
  const send = (world: World, actor: Actor) => step(world, actor, 'create_pr', args, { effect: 'outside' });

  it.each(['released', 'lost', 'paused', 'blocked'])('(%s) leaves its mark: the next round gets its outcome and sends nothing', (how) => {
    const world = new World();
    planned(world, [{ key: 'a' }]);
    const actor = begin(world, 'a');
    const { permit } = send(world, actor);
    if (how === 'released') ok(world.give(owner, 'work.release', { item: 'a' }));
    else if (how === 'lost') world.tick(0, [{ round: actor.round, fence: actor.fence }]);
    else if (how === 'paused') {
      ok(world.give(owner, 'goal.pause'));
      ok(world.give(actor, 'round.end', { outcome: 'interrupted' }));
    } else ok(world.give(owner, 'work.block', { item: 'a', key: 'q', reason: 'wait', form: {} }));
    // Before it is known, nobody sends it again.
    const early = world.rounds().find((round) => round.item === 'a');
    if (early) expect(send(world, world.start(early))).toMatchObject({ outcome: 'refused', refusal: { code: 'effect_unknown' } });
    world.now += 2000;
    expect(ok(world.give(actor, 'effect.settle', { effect: permit?.effect, nonce: permit?.nonce, outcome: 'succeeded', result: { pr: 41 } }))).toMatchObject({
      outcome: 'succeeded',
      late: true,
    });
    if (how === 'paused') ok(world.give(owner, 'goal.resume'));
    if (how === 'blocked') ok(world.give(owner, 'blocker.resolve', { blocker: 'q', answer: {} }));
    const open = openRound(world, 'worker', 'a');
    const next: Actor = open.phase === 'scheduled' ? world.start(open) : { kind: 'round', round: open.id, fence: open.fence, runner: open.runner ?? '' };
    expect(send(world, next)).toMatchObject({ outcome: 'go', repeat: { result: { pr: 41 } } });
    expect(world.events.filter((event) => event.type === 'effect.planned')).toHaveLength(1);
    expect(world.lookup.rows('effect', {})).toMatchObject([{ data: { outcome: 'succeeded', late: true } }]);
    expect(world.lookup.rows('attempt', { item: 'a' })[0]?.data).toMatchObject({ state: how === 'lost' ? 'lost' : 'interrupted' });
  });

  it('and never settled is reconciled by a person before anything repeats it, under the same key', () => {
    const world = new World();
    planned(world, [{ key: 'a' }]);
    const actor = begin(world, 'a');
    const { permit } = send(world, actor);
    world.tick(0, [{ round: actor.round, fence: actor.fence }]);
    expect(world.rounds().filter((round) => round.item === 'a')).toEqual([]);
    expect(Object.values(world.state.waits)).toMatchObject([{ kind: 'reconcile', owner: 'person:ada' }]);
    expect(refused(world.give(owner, 'effect.reconcile', { effect: permit?.effect, outcome: 'not_applied', evidence: 'looked' })).code, 'too early to say').toBe(
      'invalid_transition',
    );
    world.tick(200_000);
    ok(world.give(owner, 'effect.reconcile', { effect: permit?.effect, outcome: 'not_applied', evidence: 'looked' }));
    const next = begin(world, 'a');
    expect(roundContext(world.state, next.round, world.lookup, 1).packet.effects).toEqual([]);
    expect(send(world, next).permit?.key).toBe(permit?.key);
  });
});
