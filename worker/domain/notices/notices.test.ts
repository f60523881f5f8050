/** What of a Goal is told: each happening once, and what waits for a person with a key of its own. */
import { describe, expect, it } from 'vitest';
import { nextOf } from '../continuation/next.ts';
import { isRefusal } from '../refusals.ts';
import { scopes } from '../context.ts';
import { World } from '../testing/world.ts';
import { needsOf, NOTICE_MAX_AGE_MS, noticesOf } from './notices.ts';

const ada = { kind: 'person' as const, principal: 'person:ada', scopes };
const needs = (world: World) => needsOf(world.state, nextOf(world.state, world.now, world.carriers));

function begun(): World {
  const world = new World();
  const made = world.give(ada, 'goal.create', {
    mode: 'goal_only',
    confirmed: true,
    contract: { title: 'T', objective: 'Do it', criteria: [{ id: 'c1', text: 'done', verify: 'attest' }] },
    lanes: { coordinator: { kind: 'person', principal: 'person:ada' } },
  });
  if (isRefusal(made)) throw new Error(JSON.stringify(made));
  return world;
}

describe('what happened', () => {
  it('is told with the number of its event, and not when it is long past', () => {
    const world = begun();
    world.give(ada, 'goal.cancel');
    const [told] = noticesOf(world.state, world.events, world.now);
    expect(told).toMatchObject({ type: 'goal.cancelled', key: `event:${world.events.find(({ type }) => type === 'goal.cancelled')?.seq}` });
    expect(noticesOf(world.state, world.events, world.now + NOTICE_MAX_AGE_MS + 1)).toEqual([]);
  });
});

describe('what waits for a person', () => {
  it('is told once per time that it is asked, with who is asked and where it is decided', () => {
    const world = begun();
    const raise = () => world.give(ada, 'goal.block', { key: 'account', reason: 'Which account?', form: { type: 'string' } });
    const raised = raise();
    if (isRefusal(raised)) throw new Error(JSON.stringify(raised));
    const asked = () => needs(world).find(({ type }) => type === 'blocker.raised');
    const first = asked();
    expect(first).toMatchObject({ act: 'answer', who: 'person:ada', ref: expect.stringMatching(/^blocker:/) });
    expect(asked()?.key).toBe(first?.key);
    const id = first?.ref?.slice('blocker:'.length) ?? '';
    const { generation } = world.state.blockers[id] ?? {};
    expect(world.give(ada, 'blocker.resolve', { blocker: id, generation, answer: 'The first' })).not.toMatchObject({ code: expect.anything() });
    expect(asked()).toBeUndefined();
    raise();
    expect(asked()?.key).not.toBe(first?.key);
  });

  it('is nothing while a person has paused the goal', () => {
    const world = begun();
    world.give(ada, 'goal.block', { key: 'account', reason: 'Which account?', form: { type: 'string' } });
    world.give(ada, 'goal.pause');
    expect(needs(world)).toEqual([]);
  });
});
