import { expect, it } from 'vitest';
import { endsOf } from './system-text.ts';
import { aliasOf } from './tool-definitions.ts';
import { toolsOfRound } from './tools-of-round.ts';

it('names what ends a round, of what it has', () => {
  expect(endsOf({ lane: 'worker' })).toEqual(['submit', 'block', 'ask', 'subagents', 'acceptance_invalidate', 'hand_back']);
  expect(endsOf({ lane: 'worker', brief: { name: 'a', value: 1 } } as Parameters<typeof endsOf>[0])).toEqual(['return']);
  expect(endsOf({ lane: 'reviewer' })).toEqual(['review_record', 'hand_back']);
  expect(endsOf({ lane: 'coordinator', purpose: 'plan' })).toEqual(['hand_back', 'block', 'ask']);
  expect(endsOf({ lane: 'coordinator', purpose: 'work' })).toEqual(['finish', 'hand_back', 'block', 'ask']);
  expect(endsOf({ lane: 'coordinator', purpose: 'intake' })).toEqual(['goal_draft', 'hand_back']);
  for (const lane of ['coordinator', 'worker', 'reviewer'] as const) {
    const has = toolsOfRound({ lane }).map(({ name }) => aliasOf(name));
    for (const name of endsOf({ lane })) expect(has).toContain(name);
  }
});
