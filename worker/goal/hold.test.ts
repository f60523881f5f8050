/** When an answer is kept back so that a process can be killed with a round in flight. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { holdAt } from './hold.ts';

beforeEach(() => void vi.stubGlobal('__LONGHAUL_DEV__', true));
afterEach(() => void vi.unstubAllGlobals());

const progress = (count: number, accepted: number, inRound = true) => ({ milestones: { decided: count, other: 99 }, accepted, inRound });
const holds = (env: Parameters<typeof holdAt>[0], at: ReturnType<typeof progress>) => {
  vi.useFakeTimers();
  const held = holdAt(env).hold?.(at) !== undefined;
  vi.useRealTimers();
  return held;
};

test('of a milestone: from the commit that reaches it, as long as its round goes on', () => {
  const env = { LONGHAUL_DEV: '1', LONGHAUL_HOLD_AT: '5', LONGHAUL_HOLD_ON: 'decided' };
  expect(holds(env, progress(4, 9))).toBe(false);
  expect(holds(env, progress(5, 0))).toBe(true);
  expect(holds(env, progress(6, 0))).toBe(true);
  // What reaches it and ends its round with it leaves nothing in flight: the next round is held.
  expect(holds(env, progress(5, 0, false))).toBe(false);
});

test('of accepted items, where no milestone is named', () => {
  const env = { LONGHAUL_DEV: '1', LONGHAUL_HOLD_AT: '2' };
  expect(holds(env, progress(9, 1))).toBe(false);
  expect(holds(env, progress(0, 2))).toBe(true);
});

test('never outside development, nor without a count', () => {
  expect(holdAt({ LONGHAUL_HOLD_AT: '1' })).toEqual({});
  expect(holdAt({ LONGHAUL_DEV: '1' })).toEqual({});
  expect(holdAt({ LONGHAUL_DEV: '1', LONGHAUL_HOLD_AT: '0' })).toEqual({});
  vi.stubGlobal('__LONGHAUL_DEV__', false);
  expect(holdAt({ LONGHAUL_DEV: '1', LONGHAUL_HOLD_AT: '1' })).toEqual({});
});
