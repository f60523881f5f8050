import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRefusal } from '../../domain/refusals.ts';
import type { Json } from '../../domain/values.ts';
import { sha256 } from '../../goal/sha256.ts';
import type { WorkspaceCommandType } from './catalogue.ts';
import { type AgentNeeds, afterTest, type Connection, connectionsOf, decideConnections, type KeptTest, type TestOutcome } from './connections.ts';
import { decideSetting, parseWorkspaceCommand, type SettingCommand } from './decide.ts';
import { changed, emptySettings, type WorkspaceState } from './state.ts';

type Given = [WorkspaceCommandType, Json];
function changedBy(state: WorkspaceState, ...given: Given[]): WorkspaceState {
  return given.reduce((before, [type, payload]) => {
    const command = parseWorkspaceCommand({ type, expected: {}, payload });
    const decided = isRefusal(command) ? command : decideSetting(before, command as SettingCommand, { template: () => undefined, hook: () => 'hook', sha256 });
    if (isRefusal(decided)) throw new Error(`${type}: ${JSON.stringify(decided)}`);
    return changed(before, decided.change, before.version + 1, 1000, 'person:a');
  }, state);
}
const key: Given = ['secret.put', { name: 'key', value: 'xxxxxx' }];
const provider: Given = ['provider.put', { name: 'main', kind: 'openai', secret: 'key' }];
const default_: Given = ['profile.put', { name: 'default', provider: 'main', model: 'm' }];
const crm: Given = ['mcp.put', { name: 'crm', url: 'https://crm.example.com/mcp', header: { name: 'x-key', secret: 'key' }, tools: ['look'] }];
const base = changedBy(emptySettings(), key, provider, default_, crm);
const worker: AgentNeeds = { profile: 'worker', remote: true };

function needed(state: WorkspaceState, needs = worker): Connection[] {
  const found = connectionsOf(state, needs, false);
  if (!found.ok) throw new Error(found.untested.code);
  return found.connections;
}
const works: TestOutcome = { is: 'works' };
const wrongKey: TestOutcome = { is: 'refused', code: 'key', detail: 'Incorrect API key provided.' };
const busy: TestOutcome = { is: 'later', code: 'limited', detail: 'Rate limit reached' };

/** The tests that were made, as the object keeps them. */
class Bench {
  readonly tests = new Map<string, KeptTest>();
  now = 0;
  test(connection: Connection, outcome: TestOutcome): KeptTest {
    const test = afterTest(this.tests.get(connection.id), connection, outcome, this.now, 0);
    this.tests.set(connection.id, test);
    return test;
  }
  decide(state: WorkspaceState, needs = worker) {
    return decideConnections(needed(state, needs), (id) => this.tests.get(id), this.now);
  }
}

describe('what a round needs', () => {
  it('is its model, and the MCP servers that offer it something', () => {
    expect(needed(base).map(({ setting, shown }) => [setting, shown])).toEqual([
      ['provider:main', 'main/m'],
      ['mcp:crm', 'crm'],
    ]);
    expect(needed(base, { profile: 'worker', remote: false })).toHaveLength(1);
    expect(needed(changedBy(base, ['mcp.put', { name: 'crm', url: 'https://crm.example.com/mcp', tools: [] }]))).toHaveLength(1);
  });
  it('is tested once for profiles that say the same of the model, and apart where one says otherwise', () => {
    const [first] = needed(base);
    expect(needed(base, { profile: 'reviewer', remote: false })[0]?.id).toBe(first?.id);
    const cooler = changedBy(base, ['profile.put', { name: 'reviewer', temperature: 0 }]);
    expect(needed(cooler, { profile: 'reviewer', remote: false })[0]?.id).not.toBe(first?.id);
  });
  it('that is not set is named, and is somebody’s to set', () => {
    const found = connectionsOf(base, { profile: 'writer', remote: false }, false);
    expect(found).toMatchObject({ ok: false, untested: { setting: 'profile:writer', code: 'setting_missing', person: true } });
    expect(connectionsOf(emptySettings(), worker, true)).toMatchObject({ ok: true, connections: [{ setting: 'environment' }] });
  });
});

describe('before the first round', () => {
  it('what was never tested is tested, and the round waits for it without asking anybody', () => {
    expect(new Bench().decide(base)).toMatchObject({ test: [{ setting: 'provider:main' }, { setting: 'mcp:crm' }], answer: { code: 'testing', person: false } });
  });
  it('a wrong key is somebody’s to set right: it says so, and is not tried again at every question', () => {
    const bench = new Bench();
    for (const each of needed(base)) bench.test(each, each.kind === 'mcp' ? works : wrongKey);
    const { test, answer } = bench.decide(base);
    expect(test).toEqual([]);
    expect(answer).toMatchObject({ setting: 'provider:main', code: 'key', detail: 'Incorrect API key provided.', person: true });
    expect(answer?.retryAfterMs).toBeGreaterThan(10 * 60_000);
    // Nobody tells when it was set right on the other side: what stood stays said while it is looked at again.
    bench.now += answer?.retryAfterMs ?? 0;
    expect(bench.decide(base)).toMatchObject({ test: [{ setting: 'provider:main' }], answer: { code: 'key', person: true } });
  });
  it.each([
    ['the key', key],
    ['the provider', provider],
    ['the outgoing rules', ['outgoing.set', { allow: null, deny: ['bad.example.com'] }] as Given],
  ])('%s put again is tested at once', (_, given) => {
    const bench = new Bench();
    for (const each of needed(base)) bench.test(each, each.kind === 'mcp' ? works : wrongKey);
    expect(bench.decide(changedBy(base, given)).test.map((each) => each.setting)).toContain('provider:main');
  });
  it('what works is asked no more until something that it rests on is changed', () => {
    const bench = new Bench();
    for (const each of needed(base)) bench.test(each, works);
    expect(bench.decide(base)).toEqual({ test: [] });
    bench.now += 365 * 86_400_000;
    expect(bench.decide(changedBy(base, ['profile.put', { name: 'writer', model: 'other', provider: 'main' }]))).toEqual({ test: [] });
    expect(bench.decide(changedBy(base, crm)).test.map((each) => each.setting)).toEqual(['mcp:crm']);
    expect(bench.decide(changedBy(base, key)).test.map((each) => each.setting)).toEqual(['provider:main', 'mcp:crm']);
  });
  it('what may pass is tried again by itself, each time later, as the other side asks at least, and after a while somebody is told', () => {
    const bench = new Bench();
    const [model] = needed(base);
    if (!model) throw new Error('no model');
    const waits = Array.from({ length: 12 }, () => {
      const { again } = bench.test(model, busy);
      const wait = (again ?? 0) - bench.now;
      bench.now = again ?? 0;
      return wait;
    });
    expect(waits.slice(0, 4)).toEqual([5000, 10_000, 20_000, 40_000]);
    expect(Math.max(...waits)).toBe(600_000);
    expect(bench.test(model, { ...busy, afterMs: 1_800_000 }).again).toBe(bench.now + 1_800_000);
    bench.tests.clear();
    const asks = [1, 2, 3].map(() => {
      bench.test(model, busy);
      return bench.decide(base).answer?.person;
    });
    expect(asks).toEqual([false, false, true]);
    // Tries for other settings are none for these.
    const [anew] = needed(changedBy(base, key));
    if (!anew) throw new Error('no model');
    expect(bench.test(anew, busy).failed).toBe(1);
  });
});

it('always: a round begins only when each of its connections was tested, and worked, since anything that it rests on was changed', () => {
  const move = fc.oneof(
    fc
      .constantFrom<Given>(
        key,
        provider,
        default_,
        crm,
        ['profile.put', { name: 'worker', model: 'n' }],
        ['profile.put', { name: 'worker' }],
        ['outgoing.set', { allow: null, deny: [] }],
      )
      .map((given) => ({ do: 'set' as const, given })),
    fc.record({ do: fc.constant('test' as const), which: fc.nat(1), outcome: fc.constantFrom(works, works, wrongKey, busy) }),
    fc.record({ do: fc.constant('time' as const), ms: fc.constantFrom(1000, 60_000, 3_600_000) }),
  );
  fc.assert(
    fc.property(fc.array(move, { maxLength: 40 }), (moves) => {
      const bench = new Bench();
      let state = base;
      /** By what is asked for: whether the last test since a change worked. A change of the model is another connection. */
      const fresh = new Map<string, boolean>();
      const touches: Record<string, string[]> = { 'secret.put': ['model', 'mcp'], 'outgoing.set': ['model', 'mcp'], 'provider.put': ['model'], 'mcp.put': ['mcp'] };
      const modelOf = () => `model ${state.settings.profile.get('worker')?.value.model ?? 'm'}`;
      for (const made of moves) {
        if (made.do === 'set') {
          state = changedBy(state, made.given);
          for (const kind of touches[made.given[0]] ?? []) for (const name of [...fresh.keys()]) if (name.startsWith(kind)) fresh.delete(name);
        } else if (made.do === 'test') {
          const connection = needed(state)[made.which];
          if (!connection) continue;
          bench.test(connection, made.outcome);
          fresh.set(connection.kind === 'mcp' ? 'mcp' : modelOf(), made.outcome.is === 'works');
        } else bench.now += made.ms;
        const { test, answer } = bench.decide(state);
        expect(answer === undefined).toBe(fresh.get('mcp') === true && fresh.get(modelOf()) === true);
        // Nothing stands for good: what does not work is being tested, or has a time at which it is.
        if (answer) expect(test.length > 0 || answer.retryAfterMs <= 45 * 60_000).toBe(true);
      }
    }),
    { numRuns: 300 },
  );
});
