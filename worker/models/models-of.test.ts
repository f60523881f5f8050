/** A profile becomes a model: through the real packages of the vendors, over real HTTP. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { streamText } from 'ai';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { isRefusal } from '../domain/refusals.ts';
import type { ProviderKind } from '../workspace/settings.ts';
import { type Opened, pinOpened } from './models-of.ts';

const key = 'sk-canary-0123456789';

describe('the packages of the vendors', () => {
  const seen: { url: string; headers: Record<string, string>; body: { [key: string]: unknown } }[] = [];
  let vendor: Server;
  let base: string;
  beforeAll(async () => {
    vendor = createServer(async (request, response) => {
      let body = '';
      for await (const part of request) body += part;
      seen.push({ url: request.url ?? '', headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)])), body: JSON.parse(body) });
      response.writeHead(500).end('{}');
    });
    await new Promise<void>((resolve) => vendor.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`;
  });
  afterAll(() => vendor.close());

  const ask = async (kind: ProviderKind) => {
    const opened: Opened = { provider: { name: 'p', kind, baseUrl: `${base}/${kind}`, secret: 's' }, profile: { name: 'worker', model: 'some-model', temperature: 0.2 }, key };
    const pinned = await pinOpened({}, opened, fetch);
    if (isRefusal(pinned)) throw new Error(pinned.detail);
    expect(pinned).toMatchObject({ id: 'p/some-model', provider: 'p', profile: 'worker', temperature: 0.2, secrets: [key] });
    seen.length = 0;
    await streamText({ model: pinned.model, prompt: 'x', maxRetries: 0, onError: () => {} }).consumeStream();
    expect(seen).toHaveLength(1);
    return seen[0]!;
  };

  it.each([
    ['anthropic', '/anthropic/messages', 'x-api-key', key],
    ['openai', '/openai/responses', 'authorization', `Bearer ${key}`],
    ['google', '/google/models/some-model:streamGenerateContent?alt=sse', 'x-goog-api-key', key],
    ['openai-compatible', '/openai-compatible/chat/completions', 'authorization', `Bearer ${key}`],
  ] as const)('%s sends the key in its header and nowhere else, once', async (kind, path, header, value) => {
    const { url, headers, body } = await ask(kind);
    expect(url).toBe(path);
    expect(headers[header]).toBe(value);
    expect(JSON.stringify({ ...headers, [header]: '' }) + url + JSON.stringify(body)).not.toContain('canary');
  });

  it('keeps nothing at OpenAI, and lets Anthropic cache', async () => {
    expect((await ask('openai')).body).toMatchObject({ store: false });
    expect((await ask('anthropic')).body).toMatchObject({ cache_control: { type: 'ephemeral' } });
  });

  it('goes through the fetch that it is given', async () => {
    const through = vi.fn<typeof fetch>(async () => new Response('{}', { status: 500 }));
    const pinned = await pinOpened({}, { provider: { name: 'p', kind: 'openai', secret: 's' }, profile: { name: 'w', model: 'gpt-6-luna' }, key }, through);
    if (isRefusal(pinned)) throw new Error(pinned.detail);
    await streamText({ model: pinned.model, prompt: 'x', maxRetries: 0, onError: () => {} }).consumeStream();
    expect(String(through.mock.calls[0]?.[0])).toBe('https://api.openai.com/v1/responses');
  });
});

describe('what is missing is named', () => {
  it.each([
    [{ name: 'p', kind: 'anthropic' }, 'secret'],
    [{ name: 'p', kind: 'openai-compatible' }, 'baseUrl'],
    [{ name: 'p', kind: 'workers-ai' }, 'binding'],
  ] as const)('%o', async (provider, missing) => {
    expect(await pinOpened({}, { provider, profile: { name: 'w', model: 'm' } }, fetch)).toMatchObject({ refused: true, code: 'setting_missing', current: { missing } });
  });
});
