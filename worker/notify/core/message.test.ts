/** What programs get. */
import { expect, it } from 'vitest';
import { sha256 } from '../../domain/testing/world.ts';
import { bodyOf, type Happening, messageId } from './message.ts';

const happening: Happening = {
  goal: 'goal_1',
  key: 'answer:blocker:b1:2',
  type: 'blocker.raised',
  at: 1_800_000_000_000,
  seq: 41,
  ref: 'blocker:b1',
  act: 'answer',
  who: 'person:ada',
  item: 'invoice',
};

it('is small, and holds ids, codes and a link', () => {
  expect(JSON.parse(bodyOf('acme', happening, 'https://longhaul.example'))).toEqual({
    type: 'blocker.raised',
    timestamp: '2027-01-15T08:00:00.000Z',
    data: {
      workspace: 'acme',
      goal: 'goal_1',
      seq: 41,
      ref: 'blocker:b1',
      act: 'answer',
      who: 'person:ada',
      item: 'invoice',
      link: 'https://longhaul.example/goals/goal_1?needs=blocker%3Ab1',
    },
  });
  const long = 'x'.repeat(300);
  const largest = { ...happening, goal: long, key: long, ref: long, who: long, item: long, why: long, due: 1, trigger: { name: long, firing: long } };
  expect(bodyOf('w'.repeat(63), largest, 'https://longhaul.example').length).toBeLessThan(20_000);
});

it('has one id per happening: the same again, another for another type, goal, key or workspace, and never a dot', () => {
  const id = messageId('acme', happening, sha256);
  expect(id).toMatch(/^msg_[0-9a-f]{32}$/);
  expect(messageId('acme', { ...happening, at: 5 } as Happening, sha256)).toBe(id);
  const others = [
    messageId('other', happening, sha256),
    messageId('acme', { ...happening, goal: 'goal_2' }, sha256),
    messageId('acme', { ...happening, key: 'event:1' }, sha256),
    messageId('acme', { ...happening, type: 'person.needed' }, sha256),
  ];
  expect(new Set([id, ...others]).size).toBe(5);
});
