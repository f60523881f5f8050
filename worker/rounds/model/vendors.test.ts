/**
 * A round over the wire formats of the vendors: their packages, answers as the vendors stream them, and what the next request gives back. What a vendor wants to see again
 * (signatures of thinking, encrypted reasoning, thought signatures of calls) is in it, beside the call and its one result.
 */
import { describe, expect, it } from 'vitest';
import { isRefusal } from '../../domain/refusals.ts';
import { pinOpened } from '../../models/models-of.ts';
import { workerContext } from '../../tools/testing/fake-env.ts';
import type { ProviderKind } from '../../workspace/settings.ts';
import { FakeGoal } from '../testing/fake-goal.ts';
import { playRound } from './testing/play-round.ts';

type Body = { [key: string]: unknown };
const sse = (events: object[], named: boolean) =>
  new Response(events.map((event) => `${named ? `event: ${(event as { type: string }).type}\n` : ''}data: ${JSON.stringify(event)}\n\n`).join(''), {
    headers: { 'content-type': 'text/event-stream' },
  });

/** Plays a worker's round: the n-th request gets the n-th answer. */
async function play(kind: ProviderKind, model: string, answers: (() => Response)[]) {
  const bodies: Body[] = [];
  const fetch: typeof globalThis.fetch = async (_input, init) => {
    bodies.push(JSON.parse(String(init?.body)) as Body);
    return answers[bodies.length - 1]?.() ?? new Response('{}', { status: 400 });
  };
  const pinned = await pinOpened(
    {},
    { provider: { name: 'vendor', kind, baseUrl: 'https://vendor.example/v1', secret: 'k' }, profile: { name: 'worker', model }, key: 'sk-vendor' },
    fetch,
  );
  if (isRefusal(pinned)) throw new Error(pinned.detail);
  const goal = new FakeGoal(workerContext({ executor: { kind: 'agent', profile: 'worker' }, principal: 'agent:worker', leaseMs: 90_000 }));
  await playRound(goal, pinned);
  const end = goal.given.findLast(([type]) => type === 'round.end')?.[1];
  return {
    bodies,
    goal,
    end,
    tools: goal.steps.flatMap((step) => (step.next && step.next.tool !== 'model.call' ? [step.next.tool] : [])),
    used: goal.steps.flatMap((step) => (step.last?.used ? [step.last.used] : [])),
  };
}

describe('Anthropic', () => {
  const turn = (name: string, id: string) => () =>
    sse(
      [
        {
          type: 'message_start',
          message: {
            id: 'msg_1',
            type: 'message',
            role: 'assistant',
            model: 'claude-opus-5',
            content: [],
            stop_reason: null,
            stop_sequence: null,
            usage: { input_tokens: 3, cache_creation_input_tokens: 109_075, cache_read_input_tokens: 0, output_tokens: 1 },
          },
        },
        { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'I look at ' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'the files.' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: `signed-${id}` } },
        { type: 'content_block_stop', index: 0 },
        { type: 'content_block_start', index: 1, content_block: { type: 'redacted_thinking', data: 'hidden' } },
        { type: 'content_block_stop', index: 1 },
        { type: 'content_block_start', index: 2, content_block: { type: 'text', text: '' } },
        { type: 'content_block_delta', index: 2, delta: { type: 'text_delta', text: 'Looking.' } },
        { type: 'content_block_stop', index: 2 },
        { type: 'content_block_start', index: 3, content_block: { type: 'tool_use', id, name, input: {} } },
        { type: 'content_block_delta', index: 3, delta: { type: 'input_json_delta', partial_json: '{}' } },
        { type: 'content_block_stop', index: 3 },
        { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: { output_tokens: 81 } },
        { type: 'message_stop' },
      ],
      true,
    );

  it('gets its thinking back as it signed it, then the call and its result; cache writes have their price', async () => {
    const { bodies, tools, end, used } = await play('anthropic', 'claude-opus-5', [turn('files_list', 'toolu_1'), turn('hand_back', 'toolu_2')]);
    expect(end).toMatchObject({ outcome: 'handed_back' });
    expect(tools).toEqual(['files.list', 'hand_back']);
    const messages = bodies[1]?.messages as { role: string; content: Body[] }[];
    const assistant = messages.find((message) => message.role === 'assistant');
    const id = assistant?.content.find((part) => part.type === 'tool_use')?.id;
    expect(assistant?.content).toMatchObject([
      { type: 'thinking', thinking: 'I look at the files.', signature: 'signed-toolu_1' },
      { type: 'redacted_thinking', data: 'hidden' },
      { type: 'text', text: 'Looking.' },
      { type: 'tool_use', name: 'files_list', input: {} },
    ]);
    expect(messages.at(-1)).toMatchObject({ role: 'user', content: [{ type: 'tool_result', tool_use_id: id }] });
    // Everything before the newest is kept by the provider.
    expect(bodies[1]?.cache_control).toEqual({ type: 'ephemeral' });
    expect(used[0]).toMatchObject({ tokens: 3 + 109_075 + 81, cacheWrite: 109_075 });
  });
});

describe('OpenAI', () => {
  const turn = (name: string, id: string) => () =>
    sse(
      [
        { type: 'response.created', response: { id: 'resp_1', created_at: 1, model: 'gpt-6-luna' } },
        { type: 'response.output_item.added', output_index: 0, item: { type: 'reasoning', id: `rs_${id}`, encrypted_content: null, summary: [] } },
        { type: 'response.output_item.done', output_index: 0, item: { type: 'reasoning', id: `rs_${id}`, encrypted_content: `sealed-${id}`, summary: [] } },
        { type: 'response.output_item.added', output_index: 1, item: { type: 'function_call', id: `fc_${id}`, call_id: id, name, arguments: '' } },
        { type: 'response.function_call_arguments.delta', item_id: `fc_${id}`, output_index: 1, delta: '{}' },
        { type: 'response.output_item.done', output_index: 1, item: { type: 'function_call', id: `fc_${id}`, call_id: id, name, arguments: '{}', status: 'completed' } },
        {
          type: 'response.completed',
          response: {
            incomplete_details: null,
            usage: { input_tokens: 100, input_tokens_details: { cached_tokens: 60 }, output_tokens: 20, output_tokens_details: { reasoning_tokens: 10 } },
          },
        },
      ],
      false,
    );

  it('keeps nothing, and gets its reasoning back sealed', async () => {
    const { bodies, tools, end, used } = await play('openai', 'gpt-6-luna', [turn('files_list', 'call_a'), turn('hand_back', 'call_b')]);
    expect(end).toMatchObject({ outcome: 'handed_back' });
    expect(tools).toEqual(['files.list', 'hand_back']);
    expect(bodies[1]).toMatchObject({ store: false, include: expect.arrayContaining(['reasoning.encrypted_content']) });
    const input = bodies[1]?.input as Body[];
    const call = input.find((part) => part.type === 'function_call');
    expect(input.find((part) => part.type === 'reasoning')).toMatchObject({ encrypted_content: 'sealed-call_a' });
    expect(call).toMatchObject({ name: 'files_list', arguments: '{}' });
    expect(input.at(-1)).toMatchObject({ type: 'function_call_output', call_id: call?.call_id });
    // A reference to something that is not kept there would be refused.
    expect(input.some((part) => part.type === 'item_reference')).toBe(false);
    expect(used[0]).toMatchObject({ tokens: 120, cacheRead: 60 });
  });
});

describe('Google', () => {
  const turn = (name: string) => () =>
    sse(
      [
        {
          candidates: [
            {
              content: {
                role: 'model',
                parts: [
                  { text: 'I look at the files.', thought: true },
                  { functionCall: { name, args: {} }, thoughtSignature: `signed-${name}` },
                ],
              },
              finishReason: 'STOP',
            },
          ],
          usageMetadata: { promptTokenCount: 100, cachedContentTokenCount: 60, candidatesTokenCount: 10, thoughtsTokenCount: 5, totalTokenCount: 115 },
        },
      ],
      false,
    );

  it('gets the signature of each call back', async () => {
    const { bodies, tools, end, used } = await play('google', 'gemini-3.8-flash', [turn('files_list'), turn('hand_back')]);
    expect(end).toMatchObject({ outcome: 'handed_back' });
    expect(tools).toEqual(['files.list', 'hand_back']);
    const contents = bodies[1]?.contents as { role: string; parts: Body[] }[];
    expect(contents.find((content) => content.role === 'model')?.parts).toEqual(
      expect.arrayContaining([expect.objectContaining({ functionCall: expect.objectContaining({ name: 'files_list' }), thoughtSignature: 'signed-files_list' })]),
    );
    expect(contents.at(-1)?.parts).toMatchObject([{ functionResponse: { name: 'files_list' } }]);
    expect(used[0]).toMatchObject({ tokens: 115, cacheRead: 60 });
  });
});
