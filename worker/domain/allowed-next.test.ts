import { expect, it } from 'vitest';
import { allowedNext } from './allowed-next.ts';
import { catalogue, commandTypes, type CommandType, type Givers } from './commands.ts';
import { scopes } from './context.ts';
import { isRefusal } from './refusals.ts';
import { begin, created, owner, planned, skill, submit } from './states/stage.ts';
import { ok, type World } from './testing/world.ts';

const all = { principal: 'person:ada', scopes };
const next = (world: World) => allowedNext(world.state, all);

/** Whether the state alone refuses it: the code that says so, whatever the payload. */
const forStatus = new Set(['goal_not_active', 'goal_paused']);

function worlds(): [string, World][] {
  const draft = created({}, { confirmed: false });
  const active = planned([{ key: 'a' }, { key: 'b', review: [{ by: 'person' }] }]);
  const waiting = planned([{ key: 'a', review: [{ by: 'person' }] }]);
  ok(submit(waiting, begin(waiting, 'a'), 'a'));
  const paused = planned([{ key: 'a' }]);
  ok(paused.give(owner, 'goal.pause'));
  const cancelled = planned([{ key: 'a' }]);
  ok(cancelled.give(owner, 'goal.cancel'));
  const blocked = planned([{ key: 'a' }]);
  ok(blocked.give(begin(blocked, 'a'), 'work.block', { item: 'a', key: 'q', reason: 'which?', form: { type: 'object' } }));
  return [
    ['draft', draft],
    ['active', active],
    ['waiting', waiting],
    ['paused', paused],
    ['cancelled', cancelled],
    ['blocked', blocked],
  ];
}

it.each(worlds())('names nothing that the status refuses, and all that needs no more than the status: %s', (_, world) => {
  const said = next(world);
  for (const type of commandTypes) {
    const { by }: { by: Givers } = catalogue[type];
    if (by.scope === undefined) expect(said).not.toContain(type);
  }
  const payloads: Partial<Record<CommandType, unknown>> = {
    'goal.confirm': {},
    'goal.pause': {},
    'goal.resume': {},
    'goal.cancel': {},
    'goal.setLimits': { limits: { rounds: 300 } },
    'message.post': { text: 'hello' },
    'blocker.withdraw': { blocker: 'q' },
    'work.claim': { item: 'a' },
  };
  for (const [type, payload] of Object.entries(payloads) as [CommandType, unknown][]) {
    const before = { state: world.state, events: world.events.length };
    const answer = world.give(owner, type, payload, { expected: { goalVersion: world.state.goalVersion } });
    if (!isRefusal(answer)) expect(said, `${type} was applied`).toContain(type);
    else if (forStatus.has(answer.code)) expect(said, `${type} was refused: ${answer.code}`).not.toContain(type);
    world.state = before.state;
    world.events.length = before.events;
  }
});

it('follows what there is to decide', () => {
  const world = planned([{ key: 'a', review: [{ by: 'person' }] }]);
  expect(next(world)).not.toEqual(expect.arrayContaining(['review.record']));
  ok(submit(world, begin(world, 'a'), 'a'));
  expect(next(world)).toContain('review.record');
  expect(next(world)).not.toContain('blocker.resolve');
  const asking = planned([{ key: 'a', executor: skill('a.js') }]);
  ok(asking.give(begin(asking, 'a'), 'work.block', { item: 'a', key: 'q', reason: 'which?', form: { type: 'object' } }));
  expect(next(asking)).toContain('blocker.resolve');
});

it('is what the scopes allow', () => {
  const world = planned([{ key: 'a' }]);
  expect(allowedNext(world.state, { principal: 'token:ci', scopes: [] })).toEqual([]);
  const submitter = allowedNext(world.state, { principal: 'token:ci', scopes: ['work:submit'] });
  expect(submitter.length).toBeGreaterThan(0);
  for (const type of submitter) expect((catalogue[type] as { by: Givers }).by.scope).toBe('work:submit');
});
