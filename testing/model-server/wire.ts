/** An answer as bytes of the OpenAI protocol: one JSON body, or server-sent events. */
import { randomUUID } from 'node:crypto';
import type { CompletionRequest, MessageAnswer, ToolCall, Usage } from './script.ts';

/** Rough, and the same for everybody: four characters a token. */
export const tokensOf = (text: string): number => Math.ceil(text.length / 4);

export const argumentsOf = (made: ToolCall): string => (typeof made.arguments === 'string' ? made.arguments : JSON.stringify(made.arguments));

export const idOf = (made: ToolCall): string => made.id ?? `call_${randomUUID().replaceAll('-', '').slice(0, 24)}`;

function usageOf(request: CompletionRequest, answer: MessageAnswer): Usage | null {
  if (answer.usage !== undefined) return answer.usage;
  const out = (answer.text ?? '') + (answer.reasoning ?? '') + (answer.calls ?? []).map((made) => made.name + argumentsOf(made)).join('');
  return { input: promptTokens(request), output: tokensOf(out) };
}

export const promptTokens = (request: CompletionRequest): number => tokensOf(JSON.stringify(request.messages) + JSON.stringify(request.tools ?? []));

function usageBody(usage: Usage) {
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cacheRead ?? 0 },
    completion_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
  };
}

const finishOf = (answer: MessageAnswer) => (answer.finish === undefined ? ((answer.calls ?? []).length > 0 ? 'tool_calls' : 'stop') : answer.finish);

export function wholeBody(request: CompletionRequest, answer: MessageAnswer): string {
  const usage = usageOf(request, answer);
  const calls = (answer.calls ?? []).map((made) => ({ id: idOf(made), type: 'function', function: { name: made.name, arguments: argumentsOf(made) } }));
  return JSON.stringify({
    id: `chatcmpl-${randomUUID()}`,
    object: 'chat.completion',
    created: Math.floor(Date.now() / 1000),
    model: request.model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: answer.text ?? null,
          ...(answer.reasoning === undefined ? {} : { reasoning_content: answer.reasoning }),
          ...(calls.length > 0 ? { tool_calls: calls } : {}),
        },
        finish_reason: finishOf(answer),
      },
    ],
    ...(usage ? { usage: usageBody(usage) } : {}),
  });
}

function* pieces(text: string, asked: number | undefined): Generator<string> {
  const letters = [...text];
  const size = asked ?? Math.max(12, Math.ceil(letters.length / 100));
  for (let at = 0; at < letters.length; at += size) yield letters.slice(at, at + size).join('');
}

/** The events of a stream. What `drop` cuts off is not among them; the caller then breaks the connection, or ends it quietly. */
export function* events(request: CompletionRequest, answer: MessageAnswer): Generator<string> {
  const cut = answer.drop?.at;
  if (cut === 'start') return;
  const size = answer.chunk;
  const head = { id: `chatcmpl-${randomUUID()}`, object: 'chat.completion.chunk', created: Math.floor(Date.now() / 1000), model: request.model };
  const event = (delta: object, finish: string | null = null) => `data: ${JSON.stringify({ ...head, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  yield event({ role: 'assistant', content: '' });
  for (const piece of pieces(answer.reasoning ?? '', size)) yield event({ reasoning_content: piece });
  const text = answer.text ?? '';
  for (const piece of pieces(cut === 'text' ? text.slice(0, Math.ceil(text.length / 2)) : text, size)) yield event({ content: piece });
  if (cut === 'text') return;
  const calls = answer.calls ?? [];
  for (const [index, made] of calls.entries()) {
    yield event({ tool_calls: [{ index, id: idOf(made), type: 'function', function: { name: made.name, arguments: '' } }] });
    const full = argumentsOf(made);
    const last = cut === 'call' && index === calls.length - 1;
    for (const piece of pieces(last ? full.slice(0, Math.ceil(full.length / 2)) : full, size)) yield event({ tool_calls: [{ index, function: { arguments: piece } }] });
    if (last) return;
  }
  const finish = finishOf(answer);
  if (finish !== null) yield event({}, finish);
  const usage = usageOf(request, answer);
  if (usage && request.stream_options?.include_usage === true) yield `data: ${JSON.stringify({ ...head, choices: [], usage: usageBody(usage) })}\n\n`;
  if (cut === 'end') return;
  yield 'data: [DONE]\n\n';
}
