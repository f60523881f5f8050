/**
 * One call of the model: streamed, without the library's retries, with the raw text of each tool call's arguments. What was cut or broken off is said
 * as such; nothing of it may be run. Never throws.
 */
import { type LanguageModel, type LanguageModelUsage, type ModelMessage, streamText, type ToolSet, wrapLanguageModel } from 'ai';
import { type Trouble, troubleOf } from './provider-trouble.ts';

export interface ModelCall {
  id: string;
  /** As the model wrote it. */
  name: string;
  /** Arguments as they came: text of JSON, or not even that. */
  raw: string;
  /** What the provider wants to see again with the call. */
  providerOptions?: ProviderOptions;
}
type ProviderOptions = NonNullable<ModelMessage['providerOptions']>;

export interface ModelUse {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
}

export type ModelTurn =
  /** `cut`: the output limit ended the message; its calls are not complete. */
  | { kind: 'message'; text: string; reasoning: { text: string; providerOptions?: ProviderOptions }[]; calls: ModelCall[]; cut: boolean; use: ModelUse | null }
  | { kind: 'trouble'; trouble: Trouble; use: ModelUse | null };

export interface ModelRequest {
  model: LanguageModel;
  system: string;
  messages: ModelMessage[];
  tools: ToolSet;
  maxOutput: number;
  temperature?: number;
  signal: AbortSignal;
  /** Milliseconds for the whole answer. */
  timeoutMs: number;
  /** The text so far, as it grows. */
  onText(text: string): void;
}

export async function callModel(request: ModelRequest): Promise<ModelTurn> {
  const raw: string[] = [];
  const timeout = AbortSignal.timeout(request.timeoutMs);
  let text = '';
  const reasoning: { text: string; providerOptions?: ProviderOptions }[] = [];
  const calls: ModelCall[] = [];
  let use: ModelUse | null = null;
  let finish: { reason: string; raw: string | undefined } | null = null;
  let error: unknown;
  try {
    const result = streamText({
      model: tapped(request.model, raw),
      instructions: request.system,
      messages: request.messages,
      tools: request.tools,
      toolChoice: 'auto',
      maxRetries: 0,
      maxOutputTokens: request.maxOutput,
      ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
      abortSignal: AbortSignal.any([request.signal, timeout]),
      // Errors come as parts of the stream; without this they would also go to the console, with the request in them.
      onError: () => {},
    });
    for await (const part of result.fullStream) {
      switch (part.type) {
        case 'text-delta':
          text += part.text;
          request.onText(text);
          break;
        case 'reasoning-start':
          reasoning.push({ text: '' });
          break;
        case 'reasoning-delta': {
          const last = reasoning.at(-1);
          if (last) last.text += part.text;
          break;
        }
        case 'reasoning-end': {
          const last = reasoning.at(-1);
          if (last && part.providerMetadata) last.providerOptions = part.providerMetadata;
          break;
        }
        case 'tool-call':
          calls.push({
            id: part.toolCallId,
            name: part.toolName,
            raw: raw[calls.length] ?? (typeof part.input === 'string' ? part.input : JSON.stringify(part.input ?? {})),
            ...(part.providerMetadata ? { providerOptions: part.providerMetadata } : {}),
          });
          break;
        case 'finish-step':
          finish = { reason: part.finishReason, raw: part.rawFinishReason };
          use = useOf(part.usage);
          break;
        case 'error':
          error ??= part.error ?? new Error('the stream broke off');
          break;
        case 'abort':
          error ??= new DOMException('aborted', 'AbortError');
          break;
      }
    }
  } catch (thrown) {
    error ??= thrown;
  }
  if (request.signal.aborted) return { kind: 'trouble', trouble: { kind: 'stopped' }, use };
  if (timeout.aborted) return { kind: 'trouble', trouble: { kind: 'passing', detail: `no whole answer within ${request.timeoutMs} ms` }, use };
  if (error !== undefined) return { kind: 'trouble', trouble: troubleOf(error), use };
  // A stream that ends without saying why has been cut off on its way.
  if (finish === null || (finish.reason === 'other' && finish.raw === undefined))
    return { kind: 'trouble', trouble: { kind: 'passing', detail: 'the stream ended in mid-answer' }, use };
  if (finish.reason === 'error') return { kind: 'trouble', trouble: { kind: 'passing', detail: 'the provider broke off with an error' }, use };
  return { kind: 'message', text, reasoning, calls, cut: finish.reason === 'length', use };
}

/** Keeps the arguments as they came, in the order of the calls (ids need not be unique): the library parses them, and a number beyond 2^53 is not what it was afterwards. */
function tapped(model: LanguageModel, raw: string[]): LanguageModel {
  if (typeof model === 'string' || model.specificationVersion !== 'v4') return model;
  return wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: 'v4',
      wrapStream: async ({ doStream }) => {
        const { stream, ...rest } = await doStream();
        const tap = new TransformStream({
          transform(part: { type: string; input?: unknown }, controller) {
            if (part.type === 'tool-call') raw.push(typeof part.input === 'string' ? part.input : JSON.stringify(part.input ?? {}));
            controller.enqueue(part);
          },
        });
        return { ...rest, stream: stream.pipeThrough(tap as unknown as TransformStream) };
      },
    },
  });
}

function useOf(usage: LanguageModelUsage): ModelUse | null {
  if (usage.inputTokens === undefined && usage.outputTokens === undefined) return null;
  return {
    input: usage.inputTokens ?? 0,
    output: usage.outputTokens ?? 0,
    cacheRead: usage.inputTokenDetails?.cacheReadTokens ?? 0,
    cacheWrite: usage.inputTokenDetails?.cacheWriteTokens ?? 0,
  };
}
