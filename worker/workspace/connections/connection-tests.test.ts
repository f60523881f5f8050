import { beforeEach, describe, expect, it } from 'vitest';
import type { KeptTest, TestOutcome } from '../core/connections.ts';
import { type Change, changed, emptySettings, type WorkspaceState } from '../core/state.ts';
import { ConnectionTests } from './connection-tests.ts';

const worker = { profile: 'worker', remote: true };
let state: WorkspaceState;
let kept: Map<string, KeptTest>;
let begun: { setting: string; end(outcome: TestOutcome): void }[];
let rung: number;
let tests: ConnectionTests;
const set = (change: Change) => {
  state = changed(state, change, state.version + 1, 0, 'person:a');
};
/** Ends the last test that was begun, and lets what follows from it happen. */
async function end(outcome: TestOutcome): Promise<void> {
  begun.at(-1)?.end(outcome);
  await new Promise((resolve) => setImmediate(resolve));
}

function open(environment: boolean): void {
  tests = new ConnectionTests({
    state: () => state,
    kept: (id) => kept.get(id),
    keep: (test) => void kept.set(test.connection.id, test),
    list: () => [...kept.values()],
    test: ({ setting }) => new Promise((resolve) => begun.push({ setting, end: resolve })),
    tested: () => {
      rung += 1;
    },
    environment,
    now: () => 0,
    random: () => 0,
    background: () => {},
  });
}
beforeEach(() => {
  [state, kept, begun, rung] = [emptySettings(), new Map(), [], 0];
  set({ kind: 'provider', name: 'main', value: { name: 'main', kind: 'openai', secret: 'key' } });
  set({ kind: 'profile', name: 'default', value: { name: 'default', provider: 'main', model: 'm' } });
  open(false);
});

describe('one test for whoever asks', () => {
  it('is begun once, kept, and heard of by ring', async () => {
    for (let n = 0; n < 50; n++) expect(tests.ask(worker)).toMatchObject({ code: 'testing' });
    expect(begun).toHaveLength(1);
    await end({ is: 'works' });
    expect(rung).toBe(1);
    expect(tests.ask(worker)).toBeUndefined();
    expect(tests.views()).toMatchObject([{ setting: 'provider:main', shown: 'main/m', standing: 'works' }]);
    // Another process knows it too.
    open(false);
    expect(tests.ask(worker)).toBeUndefined();
    expect(begun).toHaveLength(1);
  });
  it('counts for nothing where a setting was changed meanwhile, be it to what it was', async () => {
    tests.ask(worker);
    set({ kind: 'secret', name: 'key', value: { name: 'key' } });
    await end({ is: 'works' });
    expect(kept.size).toBe(0);
    expect(rung).toBe(1);
    expect(tests.ask(worker)).toMatchObject({ code: 'testing' });
    expect(begun).toHaveLength(2);
  });
  it('that failed is said while it stands for the settings as they are, and made again when somebody says so', async () => {
    tests.ask(worker);
    await end({ is: 'refused', code: 'key', detail: 'no' });
    expect(tests.ask(worker)).toMatchObject({ code: 'key', person: true });
    expect(begun).toHaveLength(1);
    expect(tests.again('mcp:other')).toBe(false);
    expect(tests.again('provider:main')).toBe(true);
    expect(tests.ask(worker)).toMatchObject({ code: 'key', person: true });
    expect(begun).toHaveLength(2);
    set({ kind: 'secret', name: 'key', value: { name: 'key' } });
    expect(tests.views()).toEqual([]);
  });
});

it('the model that the environment names is tested once per process, and kept nowhere', async () => {
  state = emptySettings();
  open(true);
  expect(tests.ask(worker)).toMatchObject({ setting: 'environment', code: 'testing' });
  await end({ is: 'refused', code: 'key', detail: 'no' });
  expect(tests.ask({ profile: 'reviewer', remote: false })).toMatchObject({ setting: 'environment', code: 'key' });
  expect(tests.again('environment')).toBe(true);
  tests.ask(worker);
  await end({ is: 'works' });
  expect(tests.ask(worker)).toBeUndefined();
  expect(tests.views()).toMatchObject([{ setting: 'environment', standing: 'works' }]);
  expect(kept.size).toBe(0);
  open(true);
  expect(tests.ask(worker)).toMatchObject({ code: 'testing' });
});
