/** A model that answers as a test scripts it, through the real provider package and real streaming, without a socket. Writes down what it was asked. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { PinnedModel } from '../../../models/pinned-model.ts';

export interface Asked {
  messages: { role: string; content: unknown; tool_calls?: { id: string; function: { name: string; arguments: string } }[]; tool_call_id?: string }[];
  tools: { function: { name: string; description: string; parameters: unknown } }[];
}

export type Said =
  /** `calls`: name and arguments, as JSON or as the raw text of it. */
  | { text?: string; calls?: [string, unknown][]; raw?: boolean; finish?: 'stop' | 'tool_calls' | 'length'; usage?: { prompt_tokens: number; completion_tokens: number } }
  | { status: number; headers?: Record<string, string>; body?: string }
  /** The stream ends in the middle of the first call's arguments. */
  | { dropped: [string, string] };

type Script = (asked: Asked, n: number, signal: AbortSignal | undefined) => Said | Promise<Said>;

export class ScriptedModel {
  readonly asked: Asked[] = [];
  readonly #script: Script;

  /** `signal`: of the request; a script may wait for the caller to break it off. */
  constructor(script: Said[] | Script) {
    this.#script = typeof script === 'function' ? script : (_, n) => script[n] ?? { text: 'nothing more in the script' };
  }

  pinned(more: Partial<PinnedModel> = {}): PinnedModel {
    const provider = createOpenAICompatible({
      name: 'scripted',
      baseURL: 'http://model.invalid/v1',
      includeUsage: true,
      fetch: (_url, init) => this.#answer(String(init?.body), init?.signal ?? undefined),
    });
    return {
      id: 'scripted/one',
      provider: 'scripted',
      warnings: [],
      profile: 'worker',
      model: provider.chatModel('one'),
      window: 128_000,
      output: 4000,
      prices: null,
      secrets: [],
      ...more,
    };
  }

  /** What the model read last, as one text. */
  get lastText(): string {
    return JSON.stringify(this.asked.at(-1)?.messages ?? []);
  }

  /** The results the model has been given for its calls, by the id of the call, in order. */
  results(at = -1): string[] {
    return (this.asked.at(at)?.messages ?? []).filter((message) => message.role === 'tool').map((message) => String(message.content));
  }

  async #answer(body: string, signal: AbortSignal | undefined): Promise<Response> {
    const asked = JSON.parse(body) as Asked;
    this.asked.push(asked);
    const said = await this.#script(asked, this.asked.length - 1, signal);
    if ('status' in said) return new Response(said.body ?? '{"error":{"message":"scripted"}}', { status: said.status, headers: said.headers ?? {} });
    const chunks: unknown[] = [];
    const chunk = (delta: unknown, finish: string | null = null) =>
      chunks.push({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'one', choices: [{ index: 0, delta, finish_reason: finish }] });
    if ('dropped' in said) {
      chunk({ tool_calls: [{ index: 0, id: 'x', type: 'function', function: { name: said.dropped[0], arguments: said.dropped[1] } }] });
      return sse(chunks, false);
    }
    for (const part of (said.text ?? '').match(/[\s\S]{1,20}/g) ?? []) chunk({ content: part });
    for (const [index, [name, args]] of (said.calls ?? []).entries()) {
      const text = typeof args === 'string' ? args : JSON.stringify(args);
      const half = Math.ceil(text.length / 2);
      chunk({ tool_calls: [{ index, id: `id-${index}`, type: 'function', function: { name, arguments: text.slice(0, half) } }] });
      if (text.length > half) chunk({ tool_calls: [{ index, function: { arguments: text.slice(half) } }] });
    }
    chunk({}, said.finish ?? (said.calls ? 'tool_calls' : 'stop'));
    chunks.push({
      id: 'c',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'one',
      choices: [],
      usage: { total_tokens: 0, ...(said.usage ?? { prompt_tokens: Math.ceil(body.length / 4), completion_tokens: 10 }) },
    });
    return sse(chunks, true);
  }
}

function sse(chunks: unknown[], whole: boolean): Response {
  const text = `${chunks.map((each) => `data: ${JSON.stringify(each)}\n\n`).join('')}${whole ? 'data: [DONE]\n\n' : ''}`;
  return new Response(text, { headers: { 'content-type': 'text/event-stream' } });
}
