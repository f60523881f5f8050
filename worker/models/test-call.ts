/** A small conversation with a model, as rounds have it: a streamed answer, a tool call with the right arguments, a result that is taken. It costs a few hundred tokens. */
import { jsonSchema, type ModelMessage, streamText, tool } from 'ai';
import { Redactor } from '../observe/redactor.ts';
import { type CallError, callError } from './call-error.ts';
import type { ModelWarning } from './catalogue.ts';
import type { PinnedModel } from './pinned-model.ts';
import { type CallUse, costOf, type ModelPrices, tokensUsed, useOf } from './prices.ts';

type Failed = Exclude<CallError, { kind: 'unknown' }>['code'];
/** Beside what calls fail of: it answered, but not with what rounds need. */
export type TestProblem = Failed | 'no_tool_call' | 'wrong_arguments' | 'no_answer' | 'unknown';

/** What to do; the console words it by code. */
const todos: Readonly<Record<TestProblem, string>> = {
  key: 'Check the key: copy it anew, and look whether it was withdrawn. Put it as the secret that the provider names.',
  permission: 'The key is known but may not use this model. Choose another model, or give the key that permission at the provider.',
  quota: 'The account is out of credit or over its quota. Add credit or raise the quota at the provider.',
  model: 'Check the name of the model and the address. An OpenAI-compatible address usually ends in /v1.',
  too_long: 'The prompt is longer than the model takes. Set the context window in the profile as the server runs it.',
  content: 'The provider refuses this content. Try another model.',
  address: 'This address may not be called from here. See the outgoing rules of the workspace; a local address works in development only.',
  request: 'The provider does not take the request as it is. See what it said; the kind of provider may be another one.',
  limited: 'The provider asks for fewer calls. Wait and test again.',
  overloaded: 'The provider has trouble. Try again in a while.',
  network: 'Nothing answers at this address. Is the server running, and the port right?',
  cut: 'The answer broke off. Try again; if it stays, look for a proxy in between.',
  timeout: 'No answer in time. A local model may still be loading: try again.',
  no_tool_call: 'The model answered but called no tool; agents cannot work with it. Choose a model that can call tools, and look whether the server has that switched on.',
  wrong_arguments: 'The model called the tool with other arguments than it was asked for. A larger model is more reliable.',
  no_answer: 'The model said nothing. Choose another one.',
  unknown: 'This was not expected. See what was said.',
};

export interface ProviderTest {
  ok: boolean;
  provider: string;
  model: string;
  /** In order; the first that is false is what failed. */
  worked: { answer: boolean; toolCall: boolean; toolResult: boolean };
  /** Of the first answer, whole; null when there was none. */
  latencyMs: number | null;
  used: { tokens: number; money: number | null } | null;
  window: number;
  output: number;
  prices: ModelPrices | null;
  warnings: readonly ModelWarning[];
  problem?: { code: TestProblem; detail: string; todo: string; retryAfterMs?: number };
}

export interface TestPorts {
  now: () => number;
  /** Ends the test. */
  signal: AbortSignal;
}

const word = 'harbour';
const toolName = 'read_back';
const instructions = `You are tested. Call the tool ${toolName} when you are asked to, once, and do nothing else.`;
const asked: ModelMessage = { role: 'user', content: `Call the tool ${toolName} with the word "${word}".` };
const tools = {
  [toolName]: tool({
    description: 'Reads a word back to you.',
    inputSchema: jsonSchema<{ word?: string }>({ type: 'object', properties: { word: { type: 'string' } }, required: ['word'], additionalProperties: false }),
  }),
};

export async function testModel(pinned: PinnedModel, ports: TestPorts): Promise<ProviderTest> {
  const redactor = new Redactor();
  for (const secret of pinned.secrets) redactor.add(secret, 'key');
  const [provider, ...rest] = pinned.id.split('/');
  const test: ProviderTest = {
    ok: false,
    provider: provider ?? '',
    model: rest.join('/'),
    worked: { answer: false, toolCall: false, toolResult: false },
    latencyMs: null,
    used: null,
    window: pinned.window,
    output: pinned.output,
    prices: pinned.prices,
    warnings: pinned.warnings,
  };
  const failed = (code: TestProblem, detail: string, retryAfterMs?: number): ProviderTest => ({
    ...test,
    problem: { code, detail: redactor.text(detail), todo: todos[code], ...(retryAfterMs === undefined ? {} : { retryAfterMs }) },
  });
  const failedOf = (error: CallError): ProviderTest => {
    if (error.kind === 'unknown') return failed('unknown', error.detail);
    // Servers that could answer, but were not started for tools or with a model that knows none.
    if (error.code === 'request' && /\btools?\b|tool.choice/i.test(error.detail)) return failed('no_tool_call', error.detail);
    return failed(error.code, error.detail, error.afterMs);
  };

  const started = ports.now();
  const first = await ask(pinned, [asked], ports);
  if ('error' in first) return failedOf(first.error);
  test.latencyMs = ports.now() - started;
  count(test, first.use, pinned.prices);
  if (first.text === '' && first.calls.length === 0 && first.broken === undefined) return failed('no_answer', '');
  test.worked.answer = true;
  const [call] = first.calls;
  if (!call) return first.broken === undefined ? failed('no_tool_call', first.text.slice(0, 200)) : failed('wrong_arguments', first.broken);
  if (call.toolName !== toolName || (call.input as { word?: unknown } | undefined)?.word !== word)
    return failed('wrong_arguments', `${call.toolName} ${JSON.stringify(call.input)}`.slice(0, 200));
  test.worked.toolCall = true;
  const results: ModelMessage = {
    role: 'tool',
    content: first.calls.map((made) => ({ type: 'tool-result', toolCallId: made.toolCallId, toolName: made.toolName, output: { type: 'text', value: word } })),
  };
  const second = await ask(pinned, [asked, ...first.messages, results], ports);
  if ('error' in second) return failedOf(second.error);
  count(test, second.use, pinned.prices);
  test.worked.toolResult = true;
  return { ...test, ok: true };
}

interface Answer {
  text: string;
  calls: { toolCallId: string; toolName: string; input: unknown }[];
  /** Of a call that could not be read: an unknown tool, or arguments that are no JSON. */
  broken: string | undefined;
  messages: ModelMessage[];
  use: CallUse | null;
}

async function ask(pinned: PinnedModel, messages: ModelMessage[], { signal, now }: TestPorts): Promise<Answer | { error: CallError }> {
  let failure: unknown;
  const fail = (error: unknown) => {
    failure ??= error;
  };
  try {
    const result = streamText({
      model: pinned.model,
      instructions,
      messages,
      tools,
      maxRetries: 0,
      abortSignal: signal,
      maxOutputTokens: Math.min(pinned.output, 4000),
      ...(pinned.temperature === undefined ? {} : { temperature: pinned.temperature }),
      onError: ({ error }) => fail(error),
    });
    for await (const part of result.stream) if (part.type === 'abort') fail(signal.reason);
    if (failure === undefined) {
      const made = await result.toolCalls;
      const broken = made.find((one) => one.invalid === true);
      return {
        text: await result.text,
        calls: made.filter((one) => one.invalid !== true),
        broken: broken && `${broken.toolName} ${typeof broken.input === 'string' ? broken.input : JSON.stringify(broken.input)}`.slice(0, 200),
        // A call that was broken has its error as a message of its own, which is no answer to the others.
        messages: (await result.response).messages.filter((message) => message.role === 'assistant'),
        use: useOf(await result.usage),
      };
    }
  } catch (error) {
    fail(error);
  }
  return { error: callError(failure, now(), pinned.secrets) };
}

function count(test: ProviderTest, use: CallUse | null, prices: ModelPrices | null): void {
  if (!use) return;
  const money = costOf(prices, use);
  test.used = { tokens: (test.used?.tokens ?? 0) + tokensUsed(use), money: money === null ? null : (test.used?.money ?? 0) + money };
}
