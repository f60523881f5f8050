/** What a script sees, read out of a request. */
import { createHash } from 'node:crypto';
import type { CompletionRequest, JsonValue, Message, ToolResult, Turn } from './script.ts';

export function textOf(message: Message): string {
  const content = message.content;
  if (content === undefined || content === null) return '';
  return typeof content === 'string' ? content : content.map((part) => part.text ?? '').join('');
}

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

function resultsOf(messages: readonly Message[]): ToolResult[] {
  const calls = new Map(messages.flatMap((message) => message.tool_calls ?? []).map((made) => [made.id, made.function]));
  return messages
    .filter((message) => message.role === 'tool')
    .map((message) => {
      const id = message.tool_call_id ?? '';
      const text = textOf(message);
      return { id, name: calls.get(id)?.name ?? '', arguments: calls.get(id)?.arguments ?? '', text, value: parsed(text) };
    });
}

const isSystem = (message: Message) => message.role === 'system' || message.role === 'developer';

export function conversationOf(request: CompletionRequest, headers: Readonly<Record<string, string>>): string {
  const named = headers['x-conversation'];
  if (named !== undefined) return named;
  const first = request.messages.find((message) => message.role === 'user');
  const parts = [headers.authorization ?? '', request.model, ...request.messages.filter(isSystem).map(textOf), first ? textOf(first) : ''];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
}

export function turnOf(request: CompletionRequest, headers: Readonly<Record<string, string>>, rest: Pick<Turn, 'script' | 'conversation' | 'before' | 'memory' | 'shared'>): Turn {
  const messages = request.messages;
  const last = messages.findLastIndex((message) => message.role === 'assistant');
  const history = resultsOf(messages);
  const answered = new Set(last < 0 ? [] : (messages[last]?.tool_calls ?? []).map((made) => made.id));
  const asked = messages.findLast((message) => message.role === 'user');
  return {
    ...rest,
    request,
    headers,
    answers: messages.filter((message) => message.role === 'assistant').length,
    system: messages.filter(isSystem).map(textOf).join('\n'),
    asked: asked ? textOf(asked) : '',
    tools: (request.tools ?? []).map((tool) => tool.function.name),
    results: history.filter((result) => answered.has(result.id)),
    history,
  };
}
