import { describe, expect, it } from 'vitest';
import { type Actor, type Scope, scopes } from '../../domain/context.ts';
import { sha256 } from '../../domain/testing/world.ts';
import { isRefusal } from '../../domain/refusals.ts';
import type { Json } from '../../domain/values.ts';
import { type WorkspaceCommandType, workspaceCatalogue, workspaceCommandTypes } from './catalogue.ts';
import { decideSetting, type SettingCommand, giverOf, parseWorkspaceCommand, settingLimits } from './decide.ts';
import { resolveProfile } from './resolve.ts';
import { budgetOf, changed, emptySettings, outgoingOf, rulesOf, type WorkspaceState } from './state.ts';

/** The state after these commands; a refused one fails the test. */
function stateAfter(...commands: [WorkspaceCommandType, Json][]): WorkspaceState {
  return commands.reduce((state, [type, payload]) => {
    const decided = attempt(state, type, payload);
    if (isRefusal(decided)) throw new Error(`${type}: ${JSON.stringify(decided)}`);
    return changed(state, decided.change, state.version + 1, 1000, 'person:a');
  }, emptySettings());
}
function attempt(state: WorkspaceState, type: WorkspaceCommandType, payload: Json, version?: number) {
  const command = parseWorkspaceCommand({ type, expected: version === undefined ? {} : { version }, payload });
  return isRefusal(command) ? command : decideSetting(state, command as SettingCommand, { template: () => undefined, hook: () => 'hook', sha256 });
}

const provider = { name: 'main', kind: 'openai-compatible', baseUrl: 'https://models.example.com/v1' };

describe('who may', () => {
  it.each(workspaceCommandTypes)('%s: a person or token with its scope, nobody else', (type) => {
    const { scope, person, also }: { scope: Scope; person?: true; also?: Scope } = workspaceCatalogue[type];
    const all = also ? [scope, also] : [scope];
    const may = (actor: Actor) => giverOf(actor, type);
    expect(may({ kind: 'person', principal: 'person:a', scopes: all })).toBe('person:a');
    const token = may({ kind: 'token', principal: 'token:t', scopes: all });
    if (person) expect(token).toMatchObject({ code: 'forbidden' });
    else expect(token).toBe('token:t');
    expect(may({ kind: 'person', principal: 'person:a', scopes: scopes.filter((each) => each !== scope) })).toMatchObject({ code: 'scope_missing', current: { scope } });
    // No agent changes what holds it.
    expect(may({ kind: 'round', round: 'r1', fence: 1, runner: 'x' })).toMatchObject({ code: 'forbidden' });
    expect(may({ kind: 'host' })).toMatchObject({ code: 'forbidden' });
  });
});

describe('settings', () => {
  it('put replaces whole, remove takes away, and versions tell them apart', () => {
    const state = stateAfter(['provider.put', provider], ['provider.put', { name: 'main', kind: 'openai' }]);
    expect(state.settings.provider.get('main')).toEqual({ value: { name: 'main', kind: 'openai' }, version: 2, at: 1000, by: 'person:a' });
    expect(attempt(state, 'provider.put', provider, 1)).toMatchObject({ code: 'setting_stale', current: { version: 2 } });
    expect(attempt(state, 'provider.put', provider, 2)).toMatchObject({ change: { kind: 'provider', name: 'main' } });
    expect(attempt(state, 'provider.remove', { name: 'main' })).toEqual({
      change: { kind: 'provider', name: 'main', value: null },
      before: { name: 'main', kind: 'openai' },
      audit: null,
    });
    expect(attempt(state, 'provider.remove', { name: 'other' })).toMatchObject({ code: 'not_found', errors: [{ pointer: '/payload/name' }] });
  });

  it('what is used is not removed', () => {
    const state = stateAfter(
      ['secret.put', { name: 'key', value: 'xxxxxx' }],
      ['provider.put', { ...provider, secret: 'key' }],
      ['profile.put', { name: 'writer', provider: 'main', model: 'm' }],
      ['mcp.put', { name: 'crm', url: 'https://crm.example.com/mcp', header: { name: 'x-key', secret: 'key' }, tools: [] }],
    );
    expect(attempt(state, 'secret.remove', { name: 'key' })).toMatchObject({ code: 'setting_in_use', current: { by: ['mcp:crm', 'provider:main'] } });
    expect(attempt(state, 'provider.remove', { name: 'main' })).toMatchObject({ code: 'setting_in_use', current: { by: ['profile:writer'] } });
  });

  it('what is referred to must be there, and what a kind needs must be given', () => {
    const none = emptySettings();
    expect(attempt(none, 'provider.put', { ...provider, secret: 'key' })).toMatchObject({ code: 'setting_missing', errors: [{ pointer: '/payload/secret' }] });
    expect(attempt(none, 'provider.put', { name: 'main', kind: 'openai-compatible' })).toMatchObject({ code: 'schema_invalid', errors: [{ pointer: '/payload/baseUrl' }] });
    expect(attempt(none, 'profile.put', { name: 'p', provider: 'main', model: 'm' })).toMatchObject({ code: 'setting_missing', errors: [{ pointer: '/payload/provider' }] });
    expect(attempt(stateAfter(['provider.put', provider]), 'profile.put', { name: 'p', provider: 'main' })).toMatchObject({
      errors: [{ pointer: '/payload/model', code: 'missing_field' }],
    });
    expect(attempt(none, 'mcp.put', { name: 'm', url: 'https://a.example.com', header: { name: 'x', secret: 's' }, tools: [] })).toMatchObject({
      code: 'setting_missing',
      errors: [{ pointer: '/payload/header/secret' }],
    });
  });

  it('no more of a kind than its limit; one that is there may still be replaced', () => {
    const full = stateAfter(
      ...Array.from({ length: settingLimits.mcp }, (_, at): [WorkspaceCommandType, Json] => ['mcp.put', { name: `m${at}`, url: 'https://a.example.com', tools: [] }]),
    );
    expect(attempt(full, 'mcp.put', { name: 'more', url: 'https://a.example.com', tools: [] })).toMatchObject({ code: 'limit_exceeded', current: { of: settingLimits.mcp } });
    expect(attempt(full, 'mcp.put', { name: 'm0', url: 'https://b.example.com', tools: [] })).toMatchObject({ change: { name: 'm0' } });
  });

  it.each(['ftp://a.example.com', 'https://user@a.example.com', 'https://a.example.com/?access_token=1', 'https://a.example.com/#x', 'javascript:alert(1)', 'a.example.com'])(
    'the address %s is refused',
    (url) => {
      expect(attempt(emptySettings(), 'mcp.put', { name: 'm', url, tools: [] })).toMatchObject({ code: 'schema_invalid', errors: [{ pointer: '/payload/url' }] });
    },
  );

  it('names that every object has are refused', () => {
    expect(attempt(emptySettings(), 'secret.put', { name: 'constructor', value: 'xxxxxx' })).toMatchObject({
      code: 'schema_invalid',
      errors: [{ pointer: '/payload/name', code: 'reserved' }],
    });
  });

  it('the audit of a secret is its name', () => {
    expect(attempt(emptySettings(), 'secret.put', { name: 'key', value: 'canary-core' })).toEqual({
      change: { kind: 'secret', name: 'key', value: { name: 'key' } },
      before: null,
      audit: { name: 'key' },
    });
  });

  it('something finite and open holds until it is set', () => {
    const none = emptySettings();
    expect(rulesOf(none)).toEqual([]);
    expect(outgoingOf(none)).toEqual({ allow: null, deny: [] });
    expect(budgetOf(none)).toMatchObject({ period: { tokens: expect.any(Number) }, parallelRounds: expect.any(Number) });
  });
});

describe('raising the budget', () => {
  const state = stateAfter(['budget.set', { currency: 'EUR', period: { of: 'day', tokens: 100 }, parallelRounds: 3 }]);
  it('changes what is named and keeps the rest', () => {
    expect(attempt(state, 'budget.raise', { period: { tokens: 200 } })).toMatchObject({
      change: { value: { currency: 'EUR', period: { of: 'day', tokens: 200 }, parallelRounds: 3 } },
    });
    expect(attempt(state, 'budget.raise', { parallelRounds: 4 })).toMatchObject({ change: { value: { period: { tokens: 100 }, parallelRounds: 4 } } });
  });
  it.each([
    [{ period: { tokens: 100 } }, '/payload/period/tokens', 'not_higher'],
    [{ period: { micros: 5 } }, '/payload/period/micros', 'no_limit'],
    [{ total: { tokens: 5 } }, '/payload/total/tokens', 'no_limit'],
    [{}, '/payload', 'missing_field'],
  ])('%j is refused', (payload, pointer, code) => {
    expect(attempt(state, 'budget.raise', payload)).toMatchObject({ code: 'schema_invalid', errors: [{ pointer, code }] });
  });
});

describe('a profile', () => {
  const base = {
    name: 'default',
    provider: 'main',
    model: 'big',
    window: 100_000,
    output: 8000,
    prices: { input: 3_000_000, output: 15_000_000 },
    temperature: 0.2,
    instructions: 'Be brief.',
  };
  const state = stateAfter(
    ['provider.put', provider],
    ['provider.put', { name: 'other', kind: 'openai' }],
    ['profile.put', base],
    ['profile.put', { name: 'reviewer', model: 'small', instructions: 'Doubt.' }],
    ['profile.put', { name: 'elsewhere', provider: 'other', model: 'x' }],
    ['profile.put', { name: 'worker', window: 50_000 }],
  );
  it('that sets nothing is the default under its own name', () => {
    expect(resolveProfile(state, 'coordinator')).toMatchObject({ ok: true, profile: { ...base, name: 'coordinator' }, provider: { name: 'main' } });
  });
  it('that names a model takes no window and no prices of another one', () => {
    const reviewer = resolveProfile(state, 'reviewer');
    expect(reviewer).toEqual({ ok: true, profile: { name: 'reviewer', provider: 'main', model: 'small', temperature: 0.2, instructions: 'Doubt.' }, provider });
    expect(resolveProfile(state, 'elsewhere')).toMatchObject({ ok: true, profile: { provider: 'other', model: 'x' }, provider: { name: 'other' } });
  });
  it('may set the window of the inherited model', () => {
    expect(resolveProfile(state, 'worker')).toMatchObject({ profile: { model: 'big', window: 50_000, output: 8000 } });
  });
  it('without model or of no name says what is missing', () => {
    expect(resolveProfile(emptySettings(), 'worker')).toMatchObject({ ok: false, refusal: { code: 'setting_missing', current: { setting: 'profile', name: 'default' } } });
    expect(resolveProfile(state, 'nobody')).toMatchObject({ ok: false, refusal: { code: 'setting_missing', current: { setting: 'profile', name: 'nobody' } } });
  });
});
