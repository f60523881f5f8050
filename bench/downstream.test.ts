import { expect, test } from 'vitest';
import type { EventView } from '../worker/domain/views/types.ts';
import { waits } from './downstream.ts';
import { median, quantile } from './load.ts';

let seq = 0;
const event = (type: string, at: number, more: Partial<EventView> = {}): EventView => ({ seq: ++seq, at, type, by: 'host', data: null, ...more });

test('from an acceptance to the first call of what it unlocked, and of nothing else', () => {
  const events = [
    event('acceptance.recorded', 100, { item: 'a' }),
    event('round.scheduled', 100, { item: 'b', round: 'r1' }),
    event('round.scheduled', 100, { item: 'a', round: 'r2' }),
    event('round.scheduled', 130, { item: 'c', round: 'r3' }),
    event('call.authorized', 140, { round: 'r2' }),
    event('call.authorized', 141, { round: 'r3' }),
    event('call.authorized', 150, { round: 'r1' }),
    event('call.authorized', 190, { round: 'r1' }),
  ];
  expect(waits(events)).toEqual([50]);
});

test('middle values', () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 2, 3])).toBe(2.5);
  expect(quantile([1, 2, 3, 4], 1)).toBe(4);
});
