/** What failed calls are taken for, as they come through AI SDK from a real socket. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { APICallError, streamText } from 'ai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, call, say, tooMany, use } from '../../testing/model-server/script.ts';
import { type ModelServer, startModelServer } from '../../testing/model-server/server.ts';
import { callError } from './call-error.ts';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

const key = 'sk-canary-1234567890abcdef';

async function failing(answer: Answer, fetch = globalThis.fetch, signal?: AbortSignal) {
  server.play(() => answer);
  const model = createOpenAICompatible({ name: 'test', baseURL: server.url, apiKey: key, fetch }).chatModel('m');
  let first: unknown;
  const seen = (error: unknown) => {
    first ??= error;
  };
  const result = streamText({ model, prompt: 'x', maxRetries: 0, onError: ({ error }) => seen(error), ...(signal ? { abortSignal: signal } : {}) });
  try {
    for await (const part of result.stream) {
      if (part.type === 'error') seen(part.error);
      // How a signal that fired shows itself.
      if (part.type === 'abort') seen(signal?.reason);
    }
  } catch (error) {
    seen(error);
  }
  return callError(first, Date.parse('2026-11-30T12:00:00Z'), [key]);
}
const error = (status: number, message: string, more: object = {}): Answer => ({ kind: 'error', status, message, ...more });

describe('worth another try', () => {
  it.each([
    ['429 with seconds', tooMany(7), { code: 'limited', afterMs: 7000 }],
    ['429 with a date', tooMany('Mon, 30 Nov 2026 12:01:30 GMT'), { code: 'limited', afterMs: 90_000 }],
    ['429 with milliseconds', error(429, 'slow', { headers: { 'retry-after-ms': '250', 'retry-after': '9' } }), { code: 'limited', afterMs: 250 }],
    ['429 without a word of it', tooMany(), { code: 'limited' }],
    [
      '429 as Google says it',
      { kind: 'raw', status: 429, body: '{"error":{"message":"Resource exhausted","details":[{"retryDelay":"34.5s"}]}}' },
      { code: 'limited', afterMs: 34_500 },
    ],
    ['500', error(500, 'down'), { code: 'overloaded' }],
    ['503 that says when', error(503, 'busy', { retryAfter: 3 }), { code: 'overloaded', afterMs: 3000 }],
    ['529', error(529, 'Overloaded'), { code: 'overloaded' }],
    ['a stream that breaks', use([call('f', { a: 'long enough to be cut' })], { drop: { at: 'call' } }), { code: 'cut' }],
    ['a stream that ends without a reason', say('half', { drop: { at: 'text', quiet: true } }), { code: 'cut' }],
    ['a connection that is closed', { kind: 'reset' }, { code: 'network' }],
  ] as [string, Answer, object][])('%s', async (_, answer, expected) => {
    const found = await failing(answer);
    expect(found).toMatchObject({ kind: 'retry', ...expected });
    if (!('afterMs' in expected)) expect(found).not.toHaveProperty('afterMs');
  });

  it.each([
    ['data: {"error":{"message":"Rate limit exceeded","code":429}}\n\n', 'limited'],
    ['data: {"error":{"message":"Internal server error","code":500}}\n\ndata: [DONE]\n\n', 'overloaded'],
    ['data: {"error":"model runner has unexpectedly stopped"}\n\n', 'overloaded'],
    ['data: not json\n\n', 'cut'],
    ['<html>a page</html>', 'cut'],
    ['', 'cut'],
  ])('within a stream that began well: %s', async (body, code) => {
    expect(await failing({ kind: 'raw', status: 200, headers: { 'content-type': 'text/event-stream' }, body })).toMatchObject({ kind: 'retry', code });
  });

  it('nobody answers at the address', async () => {
    const gone = await startModelServer();
    await gone.close();
    expect(await failing(say(''), (_, init) => fetch(`${gone.url}/chat/completions`, init))).toMatchObject({ kind: 'retry', code: 'network' });
  });

  it('no answer in time', async () => {
    expect(await failing({ kind: 'hang' }, globalThis.fetch, AbortSignal.timeout(30))).toMatchObject({ kind: 'retry', code: 'timeout' });
  });
});

describe('not worth another try', () => {
  it.each([
    ['key', error(401, 'Incorrect API key provided')],
    ['key', error(400, 'API key not valid. Please pass a valid API key.')],
    ['permission', error(403, 'Project has no access to this model')],
    ['quota', error(429, 'You exceeded your current quota, please check your plan and billing details', { code: 'insufficient_quota' })],
    ['quota', error(429, 'Rate limit reached for requests per day (RPD)', { retryAfter: 40_000 })],
    ['quota', error(402, 'Insufficient Balance')],
    ['model', error(404, 'The model does not exist')],
    ['too_long', error(400, "This model's maximum context length is 8192 tokens.", { code: 'context_length_exceeded' })],
    ['too_long', error(400, 'prompt is too long: 210000 tokens > 200000 maximum')],
    [
      'too_long',
      {
        kind: 'raw',
        status: 200,
        headers: { 'content-type': 'text/event-stream' },
        body: 'data: {"error":{"message":"the request exceeds the available context size","code":400}}\n\n',
      },
    ],
    ['content', error(400, 'The response was filtered due to the content_filter policy')],
    ['request', error(400, "Invalid schema for function 'x'")],
  ] as [string, Answer][])('%s', async (code, answer) => {
    expect(await failing(answer)).toMatchObject({ kind: 'refused', code });
  });

  it('what is a fault of the program is unknown', () => {
    expect(callError(new RangeError('x'), 0)).toMatchObject({ kind: 'unknown' });
    expect(callError(undefined, 0)).toEqual({ kind: 'unknown', detail: '' });
  });
});

describe('what is said of it', () => {
  it('holds no key, whole or in the part that a provider quotes', async () => {
    expect(JSON.stringify(await failing(error(401, `Incorrect API key provided: ${key}. Also sk-canar***cdef.`)))).not.toMatch(/canar|cdef/);
  });
  it('is short', () => {
    const long = new APICallError({ message: 'x '.repeat(5000), url: 'http://x', requestBodyValues: {}, statusCode: 500 });
    expect(callError(long, 0).detail.length).toBeLessThan(310);
  });
});
