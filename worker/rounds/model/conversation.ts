/**
 * The messages of one round. Every call has exactly one result, right behind the message that made it: those that were refused, cut or never run too.
 * The opening comes first and is never dropped.
 */
import type { ModelMessage } from 'ai';
import type { Json } from '../../domain/values.ts';
import type { ModelTurn } from './call-model.ts';

export interface Exchange {
  /** The model's message; absent for what the host says by itself. */
  assistant?: { text: string; reasoning: Extract<ModelTurn, { kind: 'message' }>['reasoning']; calls: HistoryCall[] };
  /** One for each call of the message, in its order. */
  results: HistoryResult[];
  /** What the host says after it. */
  host?: string;
}

export interface HistoryResult {
  id: string;
  alias: string;
  text: string;
  /** What `result_read` takes to give the whole answer; absent where it was not kept. */
  ref?: string;
}

export interface HistoryCall {
  /** Unique within the conversation, whatever the model called it. */
  id: string;
  alias: string;
  input: Json;
  providerOptions?: ModelMessage['providerOptions'];
}

export class Conversation {
  opening: string;
  readonly #exchanges: Exchange[] = [];
  #ids = 0;

  constructor(opening: string) {
    this.opening = opening;
  }

  get exchanges(): readonly Exchange[] {
    return this.#exchanges;
  }

  /** An id for a call that no other has: some models repeat theirs, or give none. */
  nextId(): string {
    return `call_${++this.#ids}`;
  }

  /** Throws where a call has no result or a result no call: no provider takes such a history. */
  add(exchange: Exchange): void {
    const calls = exchange.assistant?.calls.map((call) => call.id) ?? [];
    const results = exchange.results.map((result) => result.id);
    if (calls.join() !== results.join()) throw new Error(`calls ${calls.join()} with results of ${results.join()}`);
    this.#exchanges.push(exchange);
  }

  /** Drops the first `count` exchanges, which something else stands for now. */
  forget(count: number): void {
    this.#exchanges.splice(0, count);
  }

  /** Says something after the newest exchange, or at the end of the opening where there is none. */
  note(text: string): void {
    const last = this.#exchanges.at(-1);
    if (!last) this.opening = `${this.opening}\n\n${text}`;
    else last.host = last.host === undefined ? text : `${last.host}\n\n${text}`;
  }

  /** `without`: that many of the oldest exchanges are left out. */
  messages(without = 0): ModelMessage[] {
    const messages: ModelMessage[] = [{ role: 'user', content: this.opening }];
    for (const exchange of this.#exchanges.slice(without)) messages.push(...messagesOf(exchange));
    return messages;
  }
}

export function messagesOf({ assistant, results, host }: Exchange): ModelMessage[] {
  const messages: ModelMessage[] = [];
  if (assistant) {
    const content = [
      ...assistant.reasoning.filter(({ text, providerOptions }) => text !== '' || providerOptions).map((each) => ({ type: 'reasoning' as const, ...each })),
      ...(assistant.text === '' ? [] : [{ type: 'text' as const, text: assistant.text }]),
      ...assistant.calls.map(({ id, alias, input, providerOptions }) => ({
        type: 'tool-call' as const,
        toolCallId: id,
        toolName: alias,
        input,
        ...(providerOptions ? { providerOptions } : {}),
      })),
    ];
    // A message without any content is refused by some providers.
    messages.push({ role: 'assistant', content: content.length > 0 ? content : [{ type: 'text', text: '(nothing)' }] });
  }
  if (results.length > 0)
    messages.push({
      role: 'tool',
      content: results.map(({ id, alias, text }) => ({ type: 'tool-result' as const, toolCallId: id, toolName: alias, output: { type: 'text' as const, value: text } })),
    });
  if (host !== undefined) messages.push({ role: 'user', content: host });
  return messages;
}
