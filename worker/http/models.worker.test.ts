/** Models over HTTP: the test of a provider, the catalogue, what answers on this machine. */
import { env as bindings } from 'cloudflare:workers';
import { beforeAll, expect, inject, it } from 'vitest';
import type { Env } from '../env.ts';
import { checkedApp } from './testing/conformity.ts';

const env = bindings as unknown as Env;
const key = 'sk-canary-http-000111';
const app = checkedApp;
const at = '/v1/workspaces/local';

async function ask(path: string, body?: object, vars: object = {}) {
  const response = await app.fetch(new Request(`http://127.0.0.1:8787${path}`, body ? { method: 'POST', body: JSON.stringify(body) } : {}), { ...env, ...vars });
  const text = await response.text();
  expect(text).not.toContain(key);
  return { status: response.status, body: JSON.parse(text) };
}

let count = 0;
const give = (type: string, payload: object) => ask(`${at}/commands`, { type, commandId: `m${++count}`, payload });

beforeAll(async () => {
  expect((await give('secret.put', { name: 'scripted-key', value: key })).status).toBe(200);
  expect((await give('provider.put', { name: 'scripted', kind: 'openai-compatible', baseUrl: inject('modelServer'), secret: 'scripted-key' })).status).toBe(200);
});

it('tests a provider before a profile uses it', async () => {
  const tested = await ask(`${at}/providers/scripted/test`, { model: 'reads-back' });
  expect(tested).toMatchObject({ status: 200, body: { ok: true, provider: 'scripted', model: 'reads-back', worked: { answer: true, toolCall: true, toolResult: true } } });
  expect((await ask(`${at}/providers/scripted/test`, { model: 'talks' })).body).toMatchObject({ ok: false, problem: { code: 'no_tool_call' } });
  expect((await ask(`${at}/providers/scripted/test`, { model: 'no-such' })).body).toMatchObject({ ok: false, problem: { code: 'model' } });
});

it('refuses what it cannot test, and says why', async () => {
  expect((await ask(`${at}/providers/absent/test`, { model: 'm' })).body).toMatchObject({ code: 'setting_missing' });
  expect((await ask(`${at}/providers/scripted/test`, {})).body).toMatchObject({ code: 'setting_missing' });
  expect((await ask(`${at}/providers/scripted/test`, { models: 'm' })).status).toBe(422);
  expect((await ask(`/v1/workspaces/other/providers/scripted/test`, { model: 'm' })).status).toBe(404);
});

it('tests the model that the environment names', async () => {
  const vars = { LONGHAUL_MODEL_URL: inject('modelServer'), LONGHAUL_MODEL: 'reads-back' };
  expect((await ask(`${at}/providers/local/test`, {}, vars)).body).toMatchObject({ ok: true, model: 'reads-back' });
});

it('lists models by vendor and by provider', async () => {
  const { body } = await ask(`${at}/models/catalogue?provider=anthropic`);
  expect(body.data.find((one: { id: string }) => one.id === 'claude-haiku-4-5')).toMatchObject({ window: 200_000, prices: { currency: 'USD', input: 1_000_000 }, warnings: [] });
  expect((await ask(`${at}/models/catalogue?provider=scripted`)).body).toEqual({ data: [] });
  expect((await ask(`${at}/models/catalogue?provider=absent`)).body).toMatchObject({ code: 'setting_missing' });
  expect((await ask(`${at}/models/catalogue`)).status).toBe(422);
});

it('offers what answers on this machine', async () => {
  const { body } = await ask(`${at}/models/local`, undefined, { LONGHAUL_MODEL_URL: inject('modelServer'), LONGHAUL_MODEL: 'echo' });
  const named = body.data.find((one: { name: string }) => one.name === 'local');
  expect(named).toMatchObject({ baseUrl: inject('modelServer') });
  expect(named.models.map((model: { id: string }) => model.id)).toContain('echo');
});
