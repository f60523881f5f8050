/** The same inside the Workers runtime: packages, catalogue and streaming against a real server. */
import { streamText } from 'ai';
import { expect, inject, it } from 'vitest';
import { isRefusal } from '../domain/refusals.ts';
import { callError } from './call-error.ts';
import { pinOpened } from './models-of.ts';

const pin = async (model: string, at = inject('modelServer')) => {
  const pinned = await pinOpened({}, { provider: { name: 'scripted', kind: 'openai-compatible', baseUrl: at }, profile: { name: 'worker', model }, key: 'sk-runtime-test' });
  if (isRefusal(pinned)) throw new Error(pinned.detail);
  return pinned;
};
const failing = async (model: string, at?: string) => {
  const seen: unknown[] = [];
  const pinned = await pin(model, at);
  try {
    await streamText({ model: pinned.model, prompt: 'x', maxRetries: 0, onError: ({ error }) => void seen.push(error) }).consumeStream({
      onError: (error) => void seen.push(error),
    });
  } catch (error) {
    seen.push(error);
  }
  return callError(seen[0], Date.now());
};

it('streams, with usage', async () => {
  const result = streamText({ model: (await pin('echo')).model, prompt: 'hello', maxRetries: 0 });
  expect(await result.text).toBe('hello');
  expect((await result.usage).inputTokens).toBeGreaterThan(0);
});

it('knows vendors and their prices', async () => {
  const pinned = await pinOpened({}, { provider: { name: 'a', kind: 'anthropic', secret: 'k' }, profile: { name: 'worker', model: 'claude-haiku-4-5' }, key: 'k' });
  expect(pinned).toMatchObject({ window: 200_000, prices: { input: 1_000_000 } });
});

it('tells failures apart as it does in Node', async () => {
  expect(await failing('down')).toMatchObject({ kind: 'retry', code: 'overloaded' });
  expect(await failing('no-such-model')).toMatchObject({ kind: 'refused', code: 'model' });
  expect(await failing('cut')).toMatchObject({ kind: 'retry', code: 'cut' });
  expect(await failing('reset')).toMatchObject({ kind: 'retry', code: 'network' });
  expect(await failing('echo', 'http://127.0.0.1:9/v1')).toMatchObject({ kind: 'retry', code: 'network' });
});
