/**
 * One call of the model: streamed, without the library's retries, with the raw text of each tool call's arguments. What was cut or broken off is said
 * as such; nothing of it may be run. Never throws.
 */
import { type LanguageModel, type ModelMessage, streamText, type ToolSet, wrapLanguageModel } from 'ai';
import { type CallError, callError } from '../../models/call-error.ts';
import { type CallUse, useOf } from '../../models/prices.ts';

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

/** `providerOptions`: what the provider wants to see again with it, e.g. its signature. */
export interface Thought {
  text: string;
  providerOptions?: ProviderOptions;
}

export type ModelTurn =
  /** `cut`: the output limit ended the message; its calls are not complete. */
  | { kind: 'message'; text: string; reasoning: Thought[]; calls: ModelCall[]; cut: boolean; use: CallUse | null }
  /** Nobody waits for the answer any more. */
  | { kind: 'stopped'; use: CallUse | null }
  | { kind: 'failed'; error: CallError; use: CallUse | null };

export interface ModelRequest {
  model: LanguageModel;
  system: string;
  messages: ModelMessage[];
  tools: ToolSet;
  maxOutput: number;
  temperature?: number;
  signal: AbortSignal;
  /** The provider's words may quote the key: these are taken out of them. */
  secrets: readonly string[];
  now(): number;
  /** Milliseconds for the whole answer. */
  timeoutMs: number;
  /** The text so far, as it grows. */
  onText(text: string): void;
}

export async function callModel(request: ModelRequest): Promise<ModelTurn> {
  const raw: string[] = [];
  const timeout = AbortSignal.timeout(request.timeoutMs);
  let text = '';
  const reasoning: Thought[] = [];
  const thoughts = new Map<string, Thought>();
  const calls: ModelCall[] = [];
  let use: CallUse | null = null;
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
        case 'reasoning-start': {
          const begun = { text: '' };
          thoughts.set(part.id, begun);
          reasoning.push(begun);
          seal(begun, part.providerMetadata);
          break;
        }
        case 'reasoning-delta': {
          const thought = thoughts.get(part.id);
          if (!thought) break;
          thought.text += part.text;
          seal(thought, part.providerMetadata);
          break;
        }
        case 'reasoning-end':
          seal(thoughts.get(part.id), part.providerMetadata);
          break;
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
  const failed = (failure: CallError): ModelTurn => ({ kind: 'failed', error: failure, use });
  if (request.signal.aborted) return { kind: 'stopped', use };
  if (timeout.aborted) return failed({ kind: 'retry', code: 'timeout', detail: `no whole answer within ${request.timeoutMs} ms` });
  if (error !== undefined) return failed(callError(error, request.now(), request.secrets));
  // A stream that ends without saying why has been cut off on its way.
  if (finish === null || (finish.reason === 'other' && finish.raw === undefined)) return failed({ kind: 'retry', code: 'cut', detail: 'the stream ended in mid-answer' });
  if (finish.reason === 'error') return failed({ kind: 'retry', code: 'cut', detail: 'the provider broke off with an error' });
  return { kind: 'message', text, reasoning, calls, cut: finish.reason === 'length', use };
}

/** A signature comes with the beginning, with a piece, or with the end, as the provider likes. */
function seal(thought: Thought | undefined, metadata: ProviderOptions | undefined): void {
  if (thought && metadata) thought.providerOptions = { ...thought.providerOptions, ...metadata };
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
