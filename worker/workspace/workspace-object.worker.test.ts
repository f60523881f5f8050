/** The workspace's object as it runs: its door, its commands, what it seals, opens and grants. */
import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import type { Actor } from '../domain/context.ts';
import { scopes } from '../domain/context.ts';
import type { Json } from '../domain/values.ts';
import type { Env } from '../env.ts';
import { openFor } from './client.ts';
import type { WorkspaceCommandType } from './core/catalogue.ts';
import { workspaceStub } from './workspace-stub.ts';

const bindings = env as unknown as Env;
const person: Actor = { kind: 'person', principal: 'person:a', scopes };

let count = 0;
const give = (
  workspace: string,
  type: WorkspaceCommandType,
  payload: Json,
  more: { commandId?: string; actor?: Actor; reason?: string; dryRun?: boolean; version?: number } = {},
) =>
  workspaceStub(bindings, workspace).command({
    v: 1,
    workspace,
    actor: more.actor ?? person,
    envelope: {
      type,
      commandId: more.commandId ?? `c${++count}`,
      expected: more.version === undefined ? {} : { version: more.version },
      payload,
      dryRun: more.dryRun ?? false,
      ...(more.reason === undefined ? {} : { reason: more.reason }),
    },
  });
const object = (workspace: string) => bindings.WORKSPACES.get(bindings.WORKSPACES.idFromName(workspace));

/** Every value of every row, as text; bytes as Latin-1, so that a value in the clear is found in them too. */
function everything(workspace: string): Promise<string> {
  return runInDurableObject(object(workspace), (_, state) => {
    const tables = state.storage.sql
      .exec<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\' AND name NOT LIKE 'sqlite%'")
      .toArray();
    const text = (value: unknown) => (value instanceof ArrayBuffer ? String.fromCharCode(...new Uint8Array(value)) : String(value));
    return tables
      .flatMap(({ name }) =>
        state.storage.sql
          .exec(`SELECT * FROM ${name}`)
          .toArray()
          .map((row) => Object.values(row).map(text).join('|')),
      )
      .join('\n');
  });
}

describe('a workspace in its object', () => {
  test('reading what was never set writes nothing', async () => {
    expect(await workspaceStub(bindings, 'untouched').read({ v: 1, workspace: 'untouched', query: { what: 'settings' } })).toMatchObject({
      outcome: 'found',
      value: { version: 0, providers: [] },
    });
    expect(await openFor(bindings, { v: 1, workspace: 'untouched', what: 'profile', profile: 'worker' })).toMatchObject({
      outcome: 'refused',
      refusal: { code: 'setting_missing' },
    });
    expect(await openFor(bindings, { v: 1, workspace: 'untouched', what: 'outgoing' })).toEqual({ outcome: 'opened', policy: { allow: null, deny: [] }, version: 0 });
    expect(await runInDurableObject(object('untouched'), (_, state) => state.storage.sql.exec("SELECT name FROM sqlite_master WHERE name = 'migrations'").toArray())).toEqual([]);
  });

  test('a profile comes with its provider and its key, also after the object was evicted', async () => {
    const workspace = 'opens';
    expect(await give(workspace, 'secret.put', { name: 'key', value: 'sk-canary-opens' })).toEqual({ outcome: 'applied', version: 1, replayed: false, dryRun: false });
    await give(workspace, 'provider.put', { name: 'main', kind: 'openai-compatible', baseUrl: 'http://127.0.0.1:9/v1', secret: 'key' });
    await give(workspace, 'profile.put', { name: 'default', provider: 'main', model: 'm1', window: 32_000, temperature: 0.5 });
    await give(workspace, 'profile.put', { name: 'reviewer', model: 'm2' });
    await evictDurableObject(object(workspace));
    expect(await openFor(bindings, { v: 1, workspace, what: 'profile', profile: 'worker' })).toEqual({
      outcome: 'opened',
      profile: { name: 'worker', provider: 'main', model: 'm1', window: 32_000, temperature: 0.5 },
      provider: { name: 'main', kind: 'openai-compatible', baseUrl: 'http://127.0.0.1:9/v1', secret: 'key' },
      key: 'sk-canary-opens',
      version: 4,
    });
    // The window is the first model's.
    expect(await openFor(bindings, { v: 1, workspace, what: 'profile', profile: 'reviewer' })).toMatchObject({
      profile: { name: 'reviewer', provider: 'main', model: 'm2', temperature: 0.5 },
    });
    expect(await openFor(bindings, { v: 1, workspace, what: 'profile', profile: 'reviewer' })).not.toHaveProperty('profile.window');
    // A provider's key is none that a tool could be talked into sending elsewhere.
    expect(await openFor(bindings, { v: 1, workspace, what: 'secret', name: 'key' })).toMatchObject({
      outcome: 'refused',
      refusal: { code: 'forbidden', current: { by: ['provider:main'] } },
    });
    await give(workspace, 'secret.put', { name: 'crm', value: 'canary-crm-opens' });
    expect(await openFor(bindings, { v: 1, workspace, what: 'secret', name: 'crm' })).toEqual({ outcome: 'opened', value: 'canary-crm-opens', secretVersion: 5 });
    expect(await openFor(bindings, { v: 1, workspace, what: 'secret', name: 'other' })).toMatchObject({
      outcome: 'refused',
      refusal: { code: 'setting_missing', current: { setting: 'secret', name: 'other' } },
    });
    expect(await openFor(bindings, { v: 1, workspace, what: 'profile', profile: 'nobody' })).toMatchObject({
      outcome: 'refused',
      refusal: { code: 'setting_missing', current: { setting: 'profile' } },
    });
  });

  test('an MCP server comes with its header opened', async () => {
    const workspace = 'mcp';
    await give(workspace, 'secret.put', { name: 'crm', value: 'canary-crm' });
    await give(workspace, 'mcp.put', { name: 'crm', url: 'https://crm.example.com/mcp', header: { name: 'authorization', prefix: 'Bearer ', secret: 'crm' }, tools: ['find'] });
    expect(await openFor(bindings, { v: 1, workspace, what: 'mcp' })).toMatchObject({
      outcome: 'opened',
      servers: [{ server: { name: 'crm', tools: ['find'] }, headers: { authorization: 'Bearer canary-crm' }, secrets: ['canary-crm'] }],
    });
    expect(await give(workspace, 'secret.remove', { name: 'crm' })).toMatchObject({ outcome: 'rejected', refusal: { code: 'setting_in_use', current: { by: ['mcp:crm'] } } });
  });

  test('answers for its own workspace only', async () => {
    await give('mine', 'secret.put', { name: 'key', value: 'canary-mine' });
    const wrong = workspaceStub(bindings, 'mine');
    expect(await wrong.openFor({ v: 1, workspace: 'theirs', what: 'secret', name: 'key' })).toMatchObject({ outcome: 'refused', refusal: { code: 'not_found' } });
    expect(await wrong.read({ v: 1, workspace: 'theirs', query: { what: 'secrets' } })).toMatchObject({ outcome: 'refused', refusal: { code: 'not_found' } });
    expect(await openFor(bindings, { v: 1, workspace: 'theirs', what: 'secret', name: 'key' })).toMatchObject({ outcome: 'refused', refusal: { code: 'setting_missing' } });
  });
});

test('an address that the guard refused in a round stands in the audit once, and fits the chain', async () => {
  const workspace = 'refused-address';
  const refused = { v: 1 as const, workspace, goal: 'goal_a', round: 'round_1', host: '169.254.169.254', code: 'private_address' };
  const stub = workspaceStub(bindings, workspace);
  for (let n = 0; n < 3; n++) expect(await stub.addressRefused(refused)).toMatchObject({ outcome: 'recorded', seq: 1 });
  expect(await stub.addressRefused({ ...refused, host: 'x'.repeat(300) })).toMatchObject({ outcome: 'refused', refusal: { code: 'schema_invalid' } });
  expect(await stub.addressRefused({ ...refused, workspace: 'other' })).toMatchObject({ outcome: 'refused', refusal: { code: 'not_found' } });
  expect(await stub.read({ v: 1, workspace, query: { what: 'audit', limit: 10 } })).toMatchObject({
    outcome: 'found',
    value: [{ type: 'outgoing.refused', by: 'host', subject: '169.254.169.254', after: { goal: 'goal_a', round: 'round_1', code: 'private_address' } }],
  });
});

describe('a secret', () => {
  test('stands in no row and no answer, and no digest of it either', async () => {
    const workspace = 'sealed';
    const canary = 'canary-7f3a-sealed';
    const answers = [
      await give(workspace, 'secret.put', { name: 'key', value: canary }, { commandId: 'put' }),
      await give(workspace, 'secret.put', { name: 'key', value: canary }, { commandId: 'put' }),
      await give(workspace, 'secret.put', { name: 'key', value: `${canary}x` }, { commandId: 'put' }),
      await give(workspace, 'secret.put', { name: 'key', value: canary }, { dryRun: true }),
      await give(workspace, 'secret.put', { name: 'key', value: canary }, { reason: `it is ${canary}` }),
      await workspaceStub(bindings, workspace).read({ v: 1, workspace, query: { what: 'secrets' } }),
      await workspaceStub(bindings, workspace).read({ v: 1, workspace, query: { what: 'settings' } }),
      await workspaceStub(bindings, workspace).read({ v: 1, workspace, query: { what: 'audit', limit: 10 } }),
    ];
    expect(answers).toMatchObject([
      { outcome: 'applied', version: 1, replayed: false },
      { outcome: 'applied', version: 1, replayed: true },
      { outcome: 'rejected', refusal: { code: 'command_reused' } },
      { outcome: 'applied', version: 1, dryRun: true },
      { outcome: 'rejected', refusal: { code: 'schema_invalid', errors: [{ pointer: '/reason', code: 'contains_secret' }] } },
      { outcome: 'found', value: { data: [{ name: 'key', version: 1, by: 'person:a', usedBy: [], lastUsedAt: null }], masterKey: 1, refusal: null } },
      { outcome: 'found' },
      { outcome: 'found', value: [{ type: 'secret.put', by: 'person:a', subject: 'key', before: null, after: { name: 'key' } }] },
    ]);
    const rows = await everything(workspace);
    expect(rows).toContain('secret.put');
    for (const text of [rows, JSON.stringify(answers)]) {
      expect(text).not.toContain(canary);
      expect(text).not.toContain(btoa(canary));
    }
    const payload = { expected: {}, payload: { name: 'key', value: canary }, reason: null, type: 'secret.put' };
    const plain = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(payload)));
    expect(rows).not.toContain(Array.from(new Uint8Array(plain), (byte) => byte.toString(16).padStart(2, '0')).join(''));
  });

  test('says when it was last opened; one that is put again was not opened yet, and the old value is gone at once', async () => {
    const workspace = 'rotated';
    const list = async () =>
      (await workspaceStub(bindings, workspace).read({ v: 1, workspace, query: { what: 'secrets' } })) as unknown as {
        value: { data: { version: number; lastUsedAt: number | null }[] };
      };
    const open = () => openFor(bindings, { v: 1, workspace, what: 'secret', name: 'key' });
    await give(workspace, 'secret.put', { name: 'key', value: 'canary-old' });
    expect((await list()).value.data).toMatchObject([{ version: 1, lastUsedAt: null }]);
    expect(await open()).toMatchObject({ outcome: 'opened', value: 'canary-old' });
    expect((await list()).value.data).toMatchObject([{ version: 1, lastUsedAt: expect.any(Number) }]);
    await give(workspace, 'secret.put', { name: 'key', value: 'canary-new' });
    expect((await list()).value.data).toMatchObject([{ version: 2, lastUsedAt: null }]);
    expect(await open()).toMatchObject({ outcome: 'opened', value: 'canary-new' });
    expect((await list()).value.data).toMatchObject([{ version: 2, lastUsedAt: expect.any(Number) }]);
    expect(await everything(workspace)).not.toContain('canary-');
  });

  test('that was moved to another name does not open', async () => {
    const workspace = 'moved';
    await give(workspace, 'secret.put', { name: 'one', value: 'canary-one' });
    await give(workspace, 'secret.put', { name: 'two', value: 'canary-two' });
    await runInDurableObject(object(workspace), (_, state) => {
      state.storage.sql.exec("UPDATE sealed SET iv = (SELECT iv FROM sealed WHERE name = 'one'), data = (SELECT data FROM sealed WHERE name = 'one') WHERE name = 'two'");
    });
    expect(await openFor(bindings, { v: 1, workspace, what: 'secret', name: 'two' })).toMatchObject({ outcome: 'refused', refusal: { code: 'sealing_unavailable' } });
    expect(await openFor(bindings, { v: 1, workspace, what: 'secret', name: 'one' })).toMatchObject({ value: 'canary-one' });
  });

  test('that was removed is gone, and a new one of that name has a new version', async () => {
    const workspace = 'removed';
    await give(workspace, 'secret.put', { name: 'key', value: 'canary-old' });
    await give(workspace, 'secret.remove', { name: 'key' });
    expect(await openFor(bindings, { v: 1, workspace, what: 'secret', name: 'key' })).toMatchObject({ outcome: 'refused' });
    await give(workspace, 'secret.put', { name: 'key', value: 'canary-new' }, { version: 0 });
    expect(await openFor(bindings, { v: 1, workspace, what: 'secret', name: 'key' })).toEqual({ outcome: 'opened', value: 'canary-new', secretVersion: 3 });
  });
});

describe('places and budget', () => {
  const grant = (workspace: string, goal: string, round: string, more: { fence?: number; tokens?: number; money?: number; currency?: string } = {}) =>
    workspaceStub(bindings, workspace).grant({ v: 1, workspace, goal, round, fence: 1, tokens: 0, money: 0, ...more });
  const settle = (workspace: string, goal: string, round: string, used = { tokens: 0, money: 0 }, asOf = 1) =>
    workspaceStub(bindings, workspace).settle({ v: 1, workspace, goal, round, fence: 1, used, asOf });

  test('no more rounds at once than the limit, and a settled one makes room', async () => {
    const workspace = 'places';
    await give(workspace, 'budget.set', { currency: 'USD', parallelRounds: 2 });
    const asked = await Promise.all(['r1', 'r2', 'r3'].map((round) => grant(workspace, 'g', round)));
    expect(asked.map((answer) => answer.outcome)).toEqual(['granted', 'granted', 'full']);
    expect(asked[2]).toMatchObject({ by: 'places', running: 2, limit: 2 });
    expect(await grant(workspace, 'g', 'r1')).toMatchObject({ outcome: 'granted' });
    expect(await grant(workspace, 'g', 'r1', { fence: 2 })).toMatchObject({ outcome: 'granted' });
    expect(await grant(workspace, 'g', 'r1')).toMatchObject({ outcome: 'refused', refusal: { code: 'fence_stale' } });
    expect(await settle(workspace, 'g', 'r2')).toMatchObject({ outcome: 'settled', replayed: false });
    expect(await settle(workspace, 'g', 'r2')).toMatchObject({ outcome: 'settled', replayed: true });
    expect(await grant(workspace, 'g', 'r3')).toMatchObject({ outcome: 'granted' });
    expect(await grant(workspace, 'g', 'r2')).toEqual({ outcome: 'settled' });
  });

  test('the budget holds over all goals, what is unused comes back, and one action raises it', async () => {
    const workspace = 'budget';
    await give(workspace, 'budget.set', { currency: 'USD', total: { tokens: 1000, micros: 500 }, parallelRounds: 10 });
    expect(await grant(workspace, 'g1', 'r1', { tokens: 800, money: 100 })).toMatchObject({ outcome: 'granted', tokens: 800, money: 100, currency: 'USD' });
    expect(await grant(workspace, 'g2', 'r1', { tokens: 800 })).toMatchObject({ outcome: 'full', by: 'reserved' });
    await settle(workspace, 'g1', 'r1', { tokens: 300, money: 50 });
    expect(await grant(workspace, 'g2', 'r1', { tokens: 700 })).toMatchObject({ outcome: 'granted' });
    await settle(workspace, 'g2', 'r1', { tokens: 700, money: 0 });
    const spent = await grant(workspace, 'g2', 'r2', { tokens: 1 });
    expect(spent).toMatchObject({
      outcome: 'refused',
      refusal: { code: 'budget_exceeded', current: { scope: 'workspace', limit: 'tokens', of: 'total', used: 1000, allowed: 1000 } },
    });
    await evictDurableObject(object(workspace));
    expect(await workspaceStub(bindings, workspace).read({ v: 1, workspace, query: { what: 'usage', days: 7 } })).toMatchObject({
      outcome: 'found',
      value: {
        period: null,
        total: { used: { tokens: 1000, micros: 50 }, reserved: { tokens: 0, micros: 0 } },
        parallelRounds: { running: 0, limit: 10 },
        goals: [{ goal: 'g1' }, { goal: 'g2' }],
      },
    });
    expect(await give(workspace, 'budget.raise', { total: { tokens: 900 } })).toMatchObject({
      outcome: 'rejected',
      refusal: { errors: [{ pointer: '/payload/total/tokens', code: 'not_higher' }] },
    });
    expect(await give(workspace, 'budget.raise', { total: { tokens: 2000 } })).toMatchObject({ outcome: 'applied' });
    expect(await grant(workspace, 'g2', 'r2', { tokens: 1 })).toMatchObject({ outcome: 'granted' });
  });

  test('a bill that was lower than assumed gives back to the budget, and who stands for it is rung', async () => {
    const workspace = 'corrected';
    const waiting = () => runInDurableObject(object(workspace), (_, state) => state.storage.sql.exec('SELECT goal, until FROM waiting').toArray());
    const used = async () =>
      ((await workspaceStub(bindings, workspace).read({ v: 1, workspace, query: { what: 'usage', days: 1 } })) as unknown as { value: { total: { used: object }; days: object[] } })
        .value;
    await give(workspace, 'budget.set', { currency: 'USD', total: { tokens: 100 }, parallelRounds: 10 });
    await grant(workspace, 'g1', 'r1', { tokens: 100 });
    await settle(workspace, 'g1', 'r1', { tokens: 100, money: 40 }, 7);
    expect(await grant(workspace, 'g2', 'r1', { tokens: 10 })).toMatchObject({ outcome: 'refused' });
    expect(await waiting()).toEqual([{ goal: 'g2', until: 'raised' }]);
    expect(await settle(workspace, 'g1', 'r1', { tokens: 60, money: 25 }, 9)).toMatchObject({ outcome: 'settled', used: { tokens: 60, money: 25 }, replayed: false });
    await expect.poll(waiting).toEqual([]);
    await evictDurableObject(object(workspace));
    // What was said before comes late, and again.
    expect(await settle(workspace, 'g1', 'r1', { tokens: 100, money: 40 }, 7)).toMatchObject({ used: { tokens: 60, money: 25 }, replayed: true });
    expect(await used()).toMatchObject({ total: { used: { tokens: 60, micros: 25 } }, days: [{ tokens: 60, micros: 25, rounds: 1 }] });
    expect(await grant(workspace, 'g2', 'r1', { tokens: 40 })).toMatchObject({ outcome: 'granted', tokens: 40 });
  });

  test('tokens count whatever the currency, money in that of the budget', async () => {
    const workspace = 'currencies';
    await give(workspace, 'budget.set', { currency: 'USD', total: { tokens: 100 }, parallelRounds: 10 });
    expect(await grant(workspace, 'g1', 'r1', { tokens: 60, money: 7, currency: 'EUR' })).toMatchObject({ outcome: 'granted', currency: 'EUR' });
    expect(await grant(workspace, 'g1', 'r1', { tokens: 70, money: 7, currency: 'EUR' })).toMatchObject({ outcome: 'granted', tokens: 70 });
    expect(await grant(workspace, 'g2', 'r1', { tokens: 60 })).toMatchObject({ outcome: 'full', by: 'reserved' });
    await settle(workspace, 'g1', 'r1', { tokens: 70, money: 7 });
    expect(await grant(workspace, 'g2', 'r1', { tokens: 60 })).toMatchObject({ outcome: 'refused', refusal: { current: { used: 70, reserved: 0 } } });
    expect(await workspaceStub(bindings, workspace).read({ v: 1, workspace, query: { what: 'usage', days: 1 } })).toMatchObject({
      value: { total: { used: { tokens: 70, micros: 0 } }, days: [{ currency: 'EUR', tokens: 70, micros: 7 }] },
    });
  });

  test('who waits for a place or for money is rung when there is some, once', async () => {
    const workspace = 'rings';
    const waiting = () => runInDurableObject(object(workspace), (_, state) => state.storage.sql.exec('SELECT goal, until FROM waiting ORDER BY since, goal').toArray());
    await give(workspace, 'budget.set', { currency: 'USD', total: { tokens: 100 }, parallelRounds: 1 });
    await grant(workspace, 'g1', 'r1', { tokens: 10 });
    await grant(workspace, 'g2', 'r1', { tokens: 10 });
    await grant(workspace, 'g3', 'r1', { tokens: 10 });
    expect(await waiting()).toEqual([
      { goal: 'g2', until: 'settled' },
      { goal: 'g3', until: 'settled' },
    ]);
    await settle(workspace, 'g1', 'r1', { tokens: 95, money: 0 });
    // One place is free: one goal is rung, that which waited longest.
    await expect.poll(waiting).toEqual([{ goal: 'g3', until: 'settled' }]);
    expect(await grant(workspace, 'g2', 'r1', { tokens: 10 })).toMatchObject({ outcome: 'refused' });
    expect(await waiting()).toContainEqual({ goal: 'g2', until: 'raised' });
    await give(workspace, 'budget.raise', { total: { tokens: 1000 } });
    await expect.poll(waiting).toEqual([]);
  });

  test('a figure that is none is refused', async () => {
    expect(await grant('figures', 'g', 'r', { tokens: -1 })).toMatchObject({ outcome: 'refused', refusal: { code: 'schema_invalid', errors: [{ pointer: '/tokens' }] } });
    expect(await settle('figures', 'g', 'r', { tokens: 0.5, money: 0 })).toMatchObject({ outcome: 'refused', refusal: { code: 'schema_invalid' } });
  });
});
