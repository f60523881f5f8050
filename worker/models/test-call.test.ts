/** The test of a provider, against a server that misbehaves in every way it looks for. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Answer, call, inTurn, type Script, say, tooMany, use } from '../../testing/model-server/script.ts';
import { type ModelServer, startModelServer } from '../../testing/model-server/server.ts';
import { isRefusal } from '../domain/refusals.ts';
import { pinOpened } from './models-of.ts';
import { testModel } from './test-call.ts';

const key = 'sk-canary-abcdef123456';
let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

async function tested(script: Script | Answer, baseUrl = server.url, signal = AbortSignal.timeout(20_000)) {
  server.reset();
  server.play(typeof script === 'function' ? script : () => script);
  const prices = { currency: 'USD', input: 1_000_000, output: 2_000_000 };
  const pinned = await pinOpened({}, { provider: { name: 'p', kind: 'openai-compatible', baseUrl }, profile: { name: 'test', model: 'vendor/m', prices }, key }, fetch);
  if (isRefusal(pinned)) throw new Error(pinned.detail);
  let now = 0;
  return testModel(pinned, { now: () => (now += 40), signal });
}
const good = use(call('read_back', { word: 'harbour' }), { usage: { input: 100, output: 10 } });

it('passes a model that calls the tool and takes its result', async () => {
  const test = await tested((turn) => (turn.results[0]?.text === 'harbour' ? say('Done.', { usage: { input: 120, output: 5 } }) : good));
  expect(test).toMatchObject({
    ok: true,
    provider: 'p',
    model: 'vendor/m',
    worked: { answer: true, toolCall: true, toolResult: true },
    latencyMs: 40,
    used: { tokens: 235, money: 250 },
  });
  expect(test.warnings).toEqual(['window_assumed', 'window_small']);
  expect(server.faults).toEqual([]);
  expect(server.requests()).toHaveLength(2);
});

it.each([
  ['no_tool_call', say('I would rather talk.'), [true, false, false]],
  ['wrong_arguments', use(call('read_back', { word: 'port' })), [true, false, false]],
  ['no_answer', say(''), [false, false, false]],
  ['wrong_arguments', use(call('read_back', '{"word":')), [true, false, false]],
  ['no_tool_call', { kind: 'error', status: 400, message: 'registry.ollama.ai/library/tiny does not support tools' }, [false, false, false]],
  ['no_tool_call', { kind: 'error', status: 400, message: '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set' }, [false, false, false]],
  ['limited', tooMany(9), [false, false, false]],
  ['cut', use(call('read_back', { word: 'harbour' }), { drop: { at: 'call' } }), [false, false, false]],
  ['request', inTurn(good, { kind: 'error', status: 400, message: 'this role is not supported' }), [true, true, false]],
  ['overloaded', inTurn(good, { kind: 'error', status: 500, message: 'x' }), [true, true, false]],
] as [string, Script | Answer, boolean[]][])('says %s, once, with what to do', async (code, script, worked) => {
  const test = await tested(script);
  expect(test).toMatchObject({ ok: false, problem: { code } });
  expect(Object.values(test.worked)).toEqual(worked);
  expect(test.problem?.todo.length).toBeGreaterThan(10);
  expect(server.requests().length).toBe(worked[1] ? 2 : 1);
});

it('says how long a provider asks to wait, and that nobody is there', async () => {
  expect((await tested(tooMany(9))).problem?.retryAfterMs).toBe(9000);
  expect((await tested(good, 'http://127.0.0.1:9/v1')).problem?.code).toBe('network');
});

it('ends in time', async () => {
  const stop = new AbortController();
  const hanging = tested({ kind: 'hang' }, server.url, stop.signal);
  await expect.poll(() => server.seen.length).toBe(1);
  stop.abort(new DOMException('late', 'TimeoutError'));
  expect((await hanging).problem?.code).toBe('timeout');
});

it('never says the key, also where the provider or the model does', async () => {
  const quoted = await tested({ kind: 'error', status: 401, message: `Incorrect API key provided: ${key}` });
  expect(quoted.problem?.code).toBe('key');
  const said = await tested(say(`Your key is ${key} or ${Buffer.from(key).toString('base64')}`));
  expect(JSON.stringify([quoted, said])).not.toMatch(new RegExp(`canary|${Buffer.from(key).toString('base64').slice(0, 16)}`));
});
