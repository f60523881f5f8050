/** The token of an Attempt, as the Goal sees it: it lives with the Attempt, does what the Attempt may, and reads what a round of the item would be given. */
import { describe, expect, it } from 'vitest';
import { catalogue, commandTypes, type Givers } from '../commands.ts';
import type { Actor } from '../context.ts';
import { EXTERNAL_LEASE_MS } from '../limits.ts';
import { itemOf, owner, planned, refused } from '../states/stage.ts';
import { ok, type World } from '../testing/world.ts';
import { assignmentView } from '../views/assignment.ts';
import { attemptReadRefusal, grantOf } from './attempt-grant.ts';

const robot: Actor = { kind: 'token', principal: 'token:robot', scopes: ['work:submit'] };
const outside = { executor: { kind: 'external', name: 'robot' } };
const digest = (letter: string) => letter.repeat(64);
const file = (path: string, letter: string) => ({ path, digest: digest(letter), size: 1, type: 'text/plain' });

/** The item is claimed by the robot; the actor is whoever has the token of that Attempt. */
function claimed(world: World, item = 'a'): Extract<Actor, { kind: 'attempt' }> {
  const given = ok(world.give(robot, 'work.claim', { item })) as { attempt: string; fence: number };
  return { kind: 'attempt', principal: 'token:robot', item, attempt: given.attempt, fence: given.fence };
}
const work = (world: World, actor: Extract<Actor, { kind: 'attempt' }>) => ok(world.give(actor, 'attempt.start', { item: actor.item, fence: actor.fence }));
const submit = { item: 'a', artifacts: [], summary: 'Made.' };

describe('the token of an attempt', () => {
  it('does its work from start to submission, and accepts nothing', () => {
    const world = planned([{ key: 'a', ...outside, review: [{ by: 'person' }] }]);
    const actor = claimed(world);
    work(world, actor);
    ok(world.give(actor, 'attempt.heartbeat', { item: 'a', fence: actor.fence }));
    ok(world.give(actor, 'artifact.put', { artifact: file('out.txt', 'a'), role: 'working' }));
    expect(world.lookup.rows('artifact').at(-1)).toMatchObject({ item: 'a', attempt: actor.attempt });
    const { submission } = ok(world.give(actor, 'submission.submit', { ...submit, artifacts: [file('out.txt', 'a')] })) as { submission: string };
    expect(itemOf(world, 'a')).toMatchObject({ submission: { id: submission, by: 'token:robot' }, verdict: null });
    const judged = { submission, digest: itemOf(world, 'a').submission?.digest, verdict: 'accepted', criteria: [] };
    refused(world, 'forbidden', actor, 'review.record', judged);
    // What it submitted is its holder's: who holds the item judges it no more than the token does.
    refused(world, 'self_review', { ...robot, scopes: ['work:review'] } as Actor, 'review.record', judged);
  });

  it('gives no command beside those that say so, and none about another item', () => {
    const world = planned([
      { key: 'a', ...outside },
      { key: 'b', ...outside },
    ]);
    const actor = claimed(world);
    const of = commandTypes.filter((type) => (catalogue[type].by as Givers).attempt);
    expect(of.sort()).toEqual(['artifact.put', 'attempt.end', 'attempt.heartbeat', 'attempt.start', 'submission.submit', 'work.block']);
    refused(world, 'forbidden', actor, 'work.claim', { item: 'a' });
    refused(world, 'forbidden', actor, 'message.post', { text: 'hello' });
    refused(world, 'forbidden', actor, 'attempt.start', { item: 'b', fence: 1 }, { current: { item: 'a' } });
    const beside = claimed(world, 'b');
    refused(world, 'forbidden', actor, 'work.block', { item: 'b', key: 'q', reason: 'Which?', form: { type: 'string' } });
    expect(itemOf(world, 'b').attempt?.id).toBe(beside.attempt);
  });

  it('ends when the lease ends, and goes on as long as it is renewed', () => {
    const world = planned([{ key: 'a', ...outside }]);
    const actor = claimed(world);
    work(world, actor);
    world.now += EXTERNAL_LEASE_MS - 1;
    ok(world.give(actor, 'attempt.heartbeat', { item: 'a', fence: actor.fence }));
    world.now += EXTERNAL_LEASE_MS;
    // The host has not looked yet: it is over all the same.
    refused(world, 'lease_lost', actor, 'attempt.heartbeat', { item: 'a', fence: actor.fence });
    refused(world, 'lease_lost', actor, 'submission.submit', submit);
    world.tick();
    refused(world, 'round_superseded', actor, 'submission.submit', submit);
  });

  it('is dead when the attempt ended, by a submission, a question, or somebody who takes over, and the next attempt needs another', () => {
    const world = planned([{ key: 'a', ...outside, review: [{ by: 'person' }] }]);
    const first = claimed(world);
    work(world, first);
    ok(world.give(first, 'submission.submit', submit));
    refused(world, 'round_superseded', first, 'attempt.heartbeat', { item: 'a', fence: first.fence });
    const delivered = itemOf(world, 'a').submission;
    const scene = { summary: 'Not yet.' };
    ok(world.give(owner, 'review.record', { submission: delivered?.id, digest: delivered?.digest, verdict: 'changes_requested', scene }));
    refused(world, 'fence_stale', first, 'submission.submit', submit, { current: { fence: itemOf(world, 'a').attempt?.fence } });

    const second = { ...first, attempt: itemOf(world, 'a').attempt?.id ?? '', fence: itemOf(world, 'a').attempt?.fence ?? 0 };
    work(world, second);
    ok(world.give(second, 'work.block', { item: 'a', key: 'q', reason: 'Which?', form: { type: 'string' } }));
    refused(world, 'round_superseded', second, 'submission.submit', submit);
    ok(world.give(owner, 'blocker.resolve', { blocker: 'q', answer: 'this' }));
    const third = claimed(world);
    ok(world.give(owner, 'work.takeOver', { item: 'a' }, { expected: { itemVersion: itemOf(world, 'a').version } }));
    refused(world, 'fence_stale', third, 'attempt.start', { item: 'a', fence: third.fence });
  });

  it('is given to who holds the item, for the fence it is held under', () => {
    const world = planned([{ key: 'a', ...outside }, { key: 'b' }]);
    const { attempt, fence } = claimed(world);
    const ask = (holder: string, item: string, at = fence, now = world.now) => grantOf(world.state, holder, item, at, now);
    expect(ask('token:robot', 'a')).toEqual({ item: 'a', attempt, fence, until: world.now + EXTERNAL_LEASE_MS });
    expect(ask('token:other', 'a')).toMatchObject({ code: 'forbidden', current: { holder: 'token:robot' } });
    expect(ask('token:robot', 'a', fence - 1)).toMatchObject({ code: 'fence_stale' });
    expect(ask('token:robot', 'a', fence, world.now + EXTERNAL_LEASE_MS)).toMatchObject({ code: 'lease_lost' });
    expect(ask('token:robot', 'none')).toMatchObject({ code: 'not_found' });
    // A Runner carries it: there is nobody who could be given a token.
    expect(ask(itemOf(world, 'b').assignment?.owner ?? '', 'b', itemOf(world, 'b').attempt?.fence)).toMatchObject({ code: 'lease_lost' });
  });

  it('reads its assignment, facts and files, and nothing beside them', () => {
    const world = planned([
      { key: 'up', ...outside },
      { key: 'a', ...outside, dependsOn: [{ key: 'up' }] },
      { key: 'b', ...outside },
    ]);
    ok(world.give(owner, 'artifact.put', { artifact: file('in.txt', '1'), role: 'source' }));
    const up = claimed(world, 'up');
    work(world, up);
    ok(world.give(up, 'submission.submit', { item: 'up', artifacts: [file('up.txt', '2')], summary: 'Up.' }));
    const b = claimed(world, 'b');
    work(world, b);
    ok(world.give(b, 'artifact.put', { artifact: file('b.txt', '3'), role: 'working' }));
    const a = claimed(world);
    work(world, a);
    ok(world.give(a, 'artifact.put', { artifact: file('a.txt', '4'), role: 'working' }));

    const read = (what: string, more: object = {}, now = world.now) => attemptReadRefusal(world.state, a, { what, ...more }, world.lookup, now)?.code ?? null;
    expect([read('assignment', { item: 'a' }), read('resume_packet', { item: 'a' }), read('fact')]).toEqual([null, null, null]);
    expect(['1', '2', '4'].map((letter) => read('artifact', { digest: digest(letter) }))).toEqual([null, null, null]);
    expect([read('artifact', { digest: digest('3') }), read('assignment', { item: 'b' }), read('resume_packet'), read('resume_packet', { item: 'b' })]).toEqual(
      Array.from({ length: 4 }, () => 'not_found'),
    );
    for (const what of ['goal', 'graph', 'item', 'events', 'rows', 'body', 'next', 'doctor', 'check', 'book_row']) expect(read(what, { item: 'a' }), what).toBe('forbidden');
    expect(read('assignment', { item: 'a' }, world.now + EXTERNAL_LEASE_MS)).toBe('lease_lost');

    expect(assignmentView(world.state, 'a', world.lookup)).toMatchObject({
      item: { key: 'a', attempt: a.attempt },
      holder: 'token:robot',
      fence: a.fence,
      state: 'running',
      leaseUntil: world.now + EXTERNAL_LEASE_MS,
      sources: [{ path: 'in.txt' }],
      upstream: [{ item: 'up', artifacts: [{ path: 'up.txt' }] }],
      working: [{ path: 'a.txt' }],
    });
  });
});
