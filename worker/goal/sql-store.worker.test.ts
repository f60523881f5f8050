import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type { Env } from '../env.ts';
import { SqlStore } from './sql-store.ts';
import { exerciseStore, expectedOfStore } from './testing/store-contract.ts';

const { GOALS } = env as unknown as Env;
const stub = (name: string) => GOALS.get(GOALS.idFromName(name));

test('does what every store does', async () => {
  const seen = await runInDurableObject(stub('store/one'), async (_, state) => {
    const found = exerciseStore(new SqlStore(state.storage));
    await state.storage.deleteAlarm();
    return found;
  });
  expect(seen).toEqual(expectedOfStore);
});

test('what was written is there for the next process; an alarm of a rolled-back transaction is not', async () => {
  await runInDurableObject(stub('store/two'), async (_, state) => {
    const store = new SqlStore(state.storage);
    store.transaction(() => store.putMeta({ workspace: 'store', goal: 'two', erased: false }));
    expect(() =>
      store.transaction(() => {
        store.setAlarm(Date.now() + 3_600_000);
        throw new Error('no');
      }),
    ).toThrow('no');
    expect(await state.storage.getAlarm()).toBeNull();
    expect(new SqlStore(state.storage).meta()).toEqual({ workspace: 'store', goal: 'two', erased: false });
  });
});

test('reading creates no table', async () => {
  await runInDurableObject(stub('store/three'), (_, state) => {
    const store = new SqlStore(state.storage);
    expect([store.meta(), store.lastSeq(), store.rows('message', {})]).toEqual([undefined, 0, []]);
    expect(state.storage.sql.exec("SELECT name FROM sqlite_master WHERE name NOT LIKE '\\_cf%' ESCAPE '\\'").toArray()).toEqual([]);
  });
});
