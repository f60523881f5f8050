import { expect, test } from 'vitest';
import { Crash, MemoryStore } from './memory-store.ts';
import { exerciseStore, expectedOfStore } from './testing/store-contract.ts';

test('does what every store does', () => {
  expect(exerciseStore(new MemoryStore())).toEqual(expectedOfStore);
});

test('a copy holds what was durable and goes its own way', () => {
  const store = new MemoryStore();
  exerciseStore(store);
  const copy = store.copy();
  copy.transaction(() => copy.putRows([{ kind: 'message', id: '000009', seq: 9, data: null }]));
  expect(store.row('message', '000009')).toBeUndefined();
  expect(copy.countRows('message')).toBe(store.countRows('message') + 1);
});

test('after a crash nothing can be read or written by that process', () => {
  const store = new MemoryStore({
    afterWrite: () => {
      throw new Crash('after');
    },
  });
  expect(() => store.transaction(() => store.putCursor('book', { seq: 1, tries: 0, retryAt: 0, quarantined: 0 }))).toThrow(Crash);
  expect(() => store.cursor('book')).toThrow(Crash);
  expect(store.copy().cursor('book')?.seq).toBe(1);
});

test('hooks learn what a transaction writes', () => {
  const seen: string[] = [];
  const store = new MemoryStore({ beforeWrite: (writes) => seen.push(`before ${writes.join()}`), afterWrite: (writes) => seen.push(`after ${writes.join()}`) });
  store.transaction(() => {
    store.putLease('r', { runner: 'x', fence: 1, until: 1 });
    store.setAlarm(5);
  });
  expect(seen).toEqual(['before lease,alarm', 'after lease,alarm']);
  expect(() => store.setAlarm(6)).toThrow('outside a transaction');
});
