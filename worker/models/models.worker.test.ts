/** Models inside the Workers runtime: a workspace's settings, the outgoing guard, the packages, streaming against a real server. */
import { env } from 'cloudflare:workers';
import { streamText } from 'ai';
import { describe, expect, inject, it } from 'vitest';
import { scopes } from '../domain/context.ts';
import { isRefusal } from '../domain/refusals.ts';
import type { Json } from '../domain/values.ts';
import type { Env } from '../env.ts';
import type { WorkspaceCommandType } from '../workspace/core/catalogue.ts';
import { openFor } from '../workspace/client.ts';
import { workspaceStub } from '../workspace/workspace-stub.ts';
import { callError } from './call-error.ts';
import { pinModel, pinProvider } from './models-of.ts';

const bindings = env as unknown as Env;
const key = 'sk-canary-runtime-test';

let count = 0;
async function give(workspace: string, type: WorkspaceCommandType, payload: Json): Promise<void> {
  count += 1;
  const answer = await workspaceStub(bindings, workspace).command({
    v: 1,
    workspace,
    actor: { kind: 'person', principal: 'person:a', scopes },
    envelope: { type, commandId: `c${count}`, expected: {}, payload, dryRun: false },
  });
  expect(answer).toMatchObject({ outcome: 'applied' });
}

async function workspaceWith(name: string, model: string, baseUrl = inject('modelServer')): Promise<string> {
  await give(name, 'secret.put', { name: 'model-key', value: key });
  await give(name, 'provider.put', { name: 'scripted', kind: 'openai-compatible', baseUrl, secret: 'model-key' });
  await give(name, 'profile.put', { name: 'default', provider: 'scripted', model, window: 8000 });
  return name;
}

async function pinned(workspace: string, profile = 'worker', from: Env = bindings) {
  const model = await pinModel(from, workspace, profile);
  if (isRefusal(model)) throw new Error(`${model.code} ${model.detail}`);
  return model;
}

const failing = async (workspace: string, from?: Env) => {
  const seen: unknown[] = [];
  const { model } = await pinned(workspace, 'worker', from);
  try {
    await streamText({ model, prompt: 'x', maxRetries: 0, onError: ({ error }) => void seen.push(error) }).consumeStream({ onError: (error) => void seen.push(error) });
  } catch (error) {
    seen.push(error);
  }
  return callError(seen[0], Date.now(), [key]);
};

describe('the model of a round', () => {
  it('comes from the settings of the workspace and streams, with usage', async () => {
    const model = await pinned(await workspaceWith('models-a', 'echo'));
    expect(model).toMatchObject({ id: 'scripted/echo', provider: 'scripted', profile: 'worker', window: 8000, output: 2000, secrets: [key] });
    const result = streamText({ model: model.model, prompt: 'hello', maxRetries: 0 });
    expect(await result.text).toBe('hello');
    expect((await result.usage).inputTokens).toBeGreaterThan(0);
    const places = (await (await fetch(`${new URL(inject('modelServer')).origin}/_find?value=${key}`)).json()) as string[];
    expect(places).toEqual([]);
  });

  it('stays as it was pinned when a setting changes; the next one is new', async () => {
    const workspace = await workspaceWith('models-b', 'echo');
    const before = await pinned(workspace);
    await give(workspace, 'profile.put', { name: 'default', provider: 'scripted', model: 'talks' });
    expect(await streamText({ model: before.model, prompt: 'hello', maxRetries: 0 }).text).toBe('hello');
    expect((await pinned(workspace)).id).toBe('scripted/talks');
  });

  it('of another workspace is another one', async () => {
    await workspaceWith('models-c', 'echo');
    expect(await pinModel(bindings, 'models-d', 'worker')).toMatchObject({ refused: true, code: 'setting_missing' });
  });

  it('knows vendors and their prices, and what a vendor lacks', async () => {
    await give('models-e', 'secret.put', { name: 'k', value: key });
    await give('models-e', 'provider.put', { name: 'claude', kind: 'anthropic', secret: 'k' });
    expect(await pinProvider(bindings, 'models-e', 'claude', 'claude-haiku-4-5')).toMatchObject({ window: 200_000, prices: { input: 1_000_000 } });
    expect(await pinProvider(bindings, 'models-e', 'claude', undefined)).toMatchObject({ code: 'setting_missing', current: { setting: 'profile' } });
    await give('models-e', 'provider.put', { name: 'bare', kind: 'openai' });
    expect(await pinProvider(bindings, 'models-e', 'bare', 'gpt-6-luna')).toMatchObject({ code: 'setting_missing', current: { missing: 'secret' } });
  });
});

describe('B87 a provider that asked for fewer calls', () => {
  it('is slow for every round of that workspace, and for nobody else', async () => {
    const workspace = await workspaceWith('models-slow', 'echo');
    await workspaceWith('models-quick', 'echo');
    await give(workspace, 'provider.put', { name: 'other', kind: 'openai-compatible', baseUrl: inject('modelServer') });
    await give(workspace, 'profile.put', { name: 'reviewer', provider: 'other', model: 'echo' });
    const now = Date.now();
    (await pinned(workspace)).slow?.note(now, 60_000);
    const left = async (where: string, profile: string) => (await pinned(where, profile)).slow?.left(now) ?? 0;
    expect(await left(workspace, 'coordinator')).toBeGreaterThanOrEqual(60_000);
    expect(await left(workspace, 'reviewer')).toBe(0);
    expect(await left('models-quick', 'worker')).toBe(0);
    // What a round in another isolate is told.
    await expect.poll(async () => openFor(bindings, { v: 1, workspace, what: 'profile', profile: 'worker' })).toMatchObject({ slowMs: expect.any(Number) });
    expect(await openFor(bindings, { v: 1, workspace, what: 'profile', profile: 'reviewer' })).not.toHaveProperty('slowMs');
  });
});

describe('without settings', () => {
  const local = (url: string): Env => ({ ...bindings, LONGHAUL_MODEL_URL: url, LONGHAUL_MODEL: 'echo', LONGHAUL_MODEL_WINDOW: '9000' });

  it('the environment names a model in development', async () => {
    const model = await pinned('models-f', 'reviewer', local(`${inject('modelServer')}/`));
    expect(model).toMatchObject({ id: 'local/echo', profile: 'reviewer', window: 9000, prices: null, warnings: ['window_small', 'price_unknown'] });
    expect(await streamText({ model: model.model, prompt: 'hello', maxRetries: 0 }).text).toBe('hello');
  });
});

describe('what goes wrong is told apart as in Node', () => {
  it.each([
    ['down', { kind: 'retry', code: 'overloaded' }],
    ['no-such-model', { kind: 'refused', code: 'model' }],
    ['cut', { kind: 'retry', code: 'cut' }],
    ['reset', { kind: 'retry', code: 'network' }],
  ])('%s', async (model, expected) => {
    expect(await failing(await workspaceWith(`models-${model}`, model))).toMatchObject(expected);
  });

  it('an address where nobody answers, and one that may not be called', async () => {
    expect(await failing(await workspaceWith('models-g', 'echo', 'http://127.0.0.1:9/v1'))).toMatchObject({ kind: 'retry', code: 'network' });
    const workspace = await workspaceWith('models-h', 'echo');
    expect(await failing(workspace, { ...bindings, LONGHAUL_DEV: '0' })).toMatchObject({ kind: 'refused', code: 'address' });
  });
});
