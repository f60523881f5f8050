/** The server as AI SDK sees it: what it plays is what a real provider package makes of it. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { APICallError, jsonSchema, streamText, tool } from 'ai';
import { afterEach, describe, expect, it } from 'vitest';
import { call, inTurn, type Script, say, tooMany, use } from './script.ts';
import { scripts } from './scripts/index.ts';
import { type ModelServer, type ModelServerOptions, startModelServer } from './server.ts';

let server: ModelServer;
afterEach(() => server.close());

async function open(options: ModelServerOptions): Promise<ModelServer> {
  server = await startModelServer(options);
  return server;
}

const model = (name = 'scripted', key = 'sk-test-1234567890') => createOpenAICompatible({ name: 'test', baseURL: server.url, apiKey: key, includeUsage: true }).chatModel(name);
const lookUp = tool({ description: 'looks up', inputSchema: jsonSchema<{ id?: string }>({ type: 'object', properties: { id: { type: 'string' } } }) });

/** One model call: what it streamed, what it says at the end, what went wrong. */
async function one(name?: string, abort?: AbortSignal) {
  const errors: unknown[] = [];
  const result = streamText({
    model: model(name),
    instructions: 'You are a test.',
    prompt: 'Do it.',
    tools: { look_up: lookUp },
    maxRetries: 0,
    onError: ({ error }) => void errors.push(error),
    ...(abort ? { abortSignal: abort } : {}),
  });
  const parts: { type: string }[] = [];
  try {
    for await (const part of result.stream) parts.push(part);
  } catch (error) {
    errors.push(error);
  }
  return { errors, parts, kinds: parts.map((part) => part.type), result };
}

describe('a scripted model', () => {
  it('streams text, reasoning, several calls in order, and usage', async () => {
    await open({
      script: () =>
        use([call('look_up', { id: '1' }), call('look_up', { id: '90071992547409931234' })], {
          text: 'I look.',
          reasoning: 'hm',
          usage: { input: 100, output: 20, cacheRead: 60 },
        }),
    });
    const { result, errors } = await one();
    expect(errors).toEqual([]);
    expect(await result.text).toBe('I look.');
    expect(await result.reasoningText).toBe('hm');
    expect((await result.toolCalls).map((made) => made.input)).toEqual([{ id: '1' }, { id: '90071992547409931234' }]);
    expect(await result.finishReason).toBe('tool-calls');
    expect((await result.usage).inputTokens).toBe(100);
    expect((await result.usage).inputTokenDetails).toMatchObject({ cacheReadTokens: 60 });
    expect(server.faults).toEqual([]);
  });

  it('tells conversations apart and plays each from its start', async () => {
    await open({ script: inTurn(say('first'), say('second')) });
    const ask = async (conversation: string) => {
      const result = streamText({ model: model(), prompt: 'x', headers: { 'x-conversation': conversation }, maxRetries: 0 });
      return await result.text;
    };
    expect([await ask('a'), await ask('b'), await ask('a')]).toEqual(['first', 'first', 'second']);
    expect(server.seen.map((seen) => seen.conversation)).toEqual(['a', 'b', 'a']);
  });

  it('hands a script the results of its calls', async () => {
    const turns: Parameters<Script>[0][] = [];
    await open({
      script: (turn) => {
        turns.push(turn);
        return turn.results.length > 0 ? say('done') : use([call('look_up', { id: '7' })]);
      },
    });
    const withResult = tool({
      inputSchema: jsonSchema<{ id?: string }>({ type: 'object', properties: { id: { type: 'string' } } }),
      execute: async ({ id }) => ({ found: id ?? '' }),
    });
    const result = streamText({ model: model(), instructions: 'sys', prompt: 'go', tools: { look_up: withResult }, stopWhen: ({ steps }) => steps.length > 3, maxRetries: 0 });
    expect(await result.text).toBe('done');
    expect(turns.map((turn) => [turn.answers, turn.results.map((made) => made.value)])).toEqual([
      [0, []],
      [1, [{ found: '7' }]],
    ]);
    expect(turns[1]).toMatchObject({ system: 'sys', asked: 'go', tools: ['look_up'] });
  });
});

describe('a bad wire', () => {
  it('cuts a call: the package reports an error and no call', async () => {
    await open({ script: () => use([call('look_up', { id: 'a long enough argument' })], { drop: { at: 'call' } }) });
    const { errors, kinds } = await one();
    expect(errors).toHaveLength(1);
    expect(kinds).not.toContain('tool-call');
  });

  it('ends quietly in mid-call, without a finish reason', async () => {
    await open({ script: () => use([call('look_up', { id: 'a long enough argument' })], { drop: { at: 'call', quiet: true } }) });
    const { parts } = await one();
    expect(parts.some((part) => part.type === 'tool-input-start')).toBe(true);
  });

  it('sends broken and empty arguments as they are', async () => {
    await open({ script: () => use([call('look_up', '{"id":'), call('look_up', '')], { finish: 'length' }) });
    await one();
    expect(server.seen[0]).toMatchObject({ answer: 'message', status: 200 });
  });

  it('answers 429 with Retry-After, 500, and nothing at all', async () => {
    await open({ script: inTurn(tooMany(7), { kind: 'error', status: 500, message: 'down' }, { kind: 'reset' }, { kind: 'hang' }) });
    const limited = (await one()).errors[0] as APICallError;
    expect(APICallError.isInstance(limited)).toBe(true);
    expect([limited.statusCode, limited.responseHeaders?.['retry-after']]).toEqual([429, '7']);
    expect(((await one()).errors[0] as APICallError).statusCode).toBe(500);
    expect((await one()).errors).toHaveLength(1);
    const stop = new AbortController();
    const hanging = one(undefined, stop.signal);
    await expect.poll(() => server.seen.length).toBe(4);
    stop.abort();
    expect((await hanging).kinds).toContain('abort');
    await expect.poll(() => server.seen[3]?.aborted).toBe(true);
  });

  it('refuses what hosted models refuse', async () => {
    await open({ script: () => say('fine'), key: 'sk-right', window: 50 });
    const post = async (body: unknown, key = 'sk-right') => {
      const response = await fetch(`${server.url}/chat/completions`, { method: 'POST', headers: { authorization: `Bearer ${key}` }, body: JSON.stringify(body) });
      return [response.status, ((await response.json()) as { error?: { message: string } }).error?.message ?? ''] as const;
    };
    const user = { role: 'user', content: 'x' };
    const made = { role: 'assistant', tool_calls: [{ id: 'c1', function: { name: 'f', arguments: '{}' } }] };
    expect(await post({ model: 'm', messages: [user] }, 'sk-wrong')).toEqual([401, 'Incorrect API key provided.']);
    expect((await post({ model: 'm', messages: [user, made] }))[1]).toContain('did not have response messages: c1');
    expect((await post({ model: 'm', messages: [user, { role: 'tool', tool_call_id: 'c9', content: '' }] }))[1]).toContain('must be a response to a preceding message');
    expect((await post({ model: 'm', messages: [user], tools: [{ type: 'function', function: { name: 'files.read' } }] }))[1]).toContain('does not match pattern');
    expect((await post({ model: 'm', messages: [{ role: 'user', content: 'long '.repeat(60) }] }))[1]).toContain('maximum context length is 50');
    expect((await post({ model: 'm', messages: [user] }))[0]).toBe(200);
    expect(server.faults).toHaveLength(3);
  });
});

describe('what it saw', () => {
  it('is searched for a canary in any form; the bearer is where a key belongs', async () => {
    await open({ script: () => say('ok'), scripts });
    const key = 'sk-canary-7f3a9c';
    const send = (content: string) =>
      fetch(`${server.url}/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}` },
        body: JSON.stringify({ model: 'echo', messages: [{ role: 'user', content }] }),
      });
    await send('nothing');
    expect(server.find(key)).toEqual([]);
    for (const form of [key, Buffer.from(`x${key}`).toString('base64'), Buffer.from(`some words ${key} more`).toString('base64'), encodeURIComponent(key)]) {
      server.reset();
      await send(form);
      expect(server.find(key)).toEqual(['POST /v1/chat/completions body']);
    }
    const away = (await (await fetch(`${server.origin}/_find?value=${key}`)).json()) as string[];
    expect(away).toHaveLength(1);
  });
});
