/**
 * What a script is: an async function that sees each request for a chat completion and says what comes back, down to how the wire misbehaves.
 * A script that reads the messages alone also survives a restart of the server; `memory` is for those that must count.
 */

export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

export interface Message {
  role: 'system' | 'developer' | 'user' | 'assistant' | 'tool';
  content?: string | null | { type: string; text?: string }[];
  tool_calls?: { id: string; type?: string; function: { name: string; arguments: string } }[];
  tool_call_id?: string;
}

export interface ToolDefinition {
  type: 'function';
  function: { name: string; description?: string; parameters?: { [key: string]: JsonValue } };
}

/** The body of `POST /v1/chat/completions`. */
export interface CompletionRequest {
  model: string;
  messages: Message[];
  tools?: ToolDefinition[];
  stream?: boolean;
  stream_options?: { include_usage?: boolean };
  max_tokens?: number;
  max_completion_tokens?: number;
  temperature?: number;
}

export interface ToolResult {
  id: string;
  /** Name of the tool that was called. */
  name: string;
  /** What it was called with, as the model had written it. */
  arguments: string;
  text: string;
  /** `text` parsed; undefined where it is no JSON. */
  value: JsonValue | undefined;
}

export interface Turn {
  /** Name of the script that is played. */
  script: string;
  /** What tells this conversation from others: the header `x-conversation`, else a digest of key, model, system text and first user message. */
  conversation: string;
  /** Requests of this conversation before this one, repeated ones among them. */
  before: number;
  /** Answers of the model that are in the history. */
  answers: number;
  request: CompletionRequest;
  headers: Readonly<Record<string, string>>;
  /** All system texts, joined. */
  system: string;
  /** Text of the last user message. */
  asked: string;
  /** Names of the tools that are offered. */
  tools: readonly string[];
  /** Results of the calls of the last answer, in their order; empty when it made none. */
  results: readonly ToolResult[];
  /** All results of the conversation, in order. */
  history: readonly ToolResult[];
  /** Of this conversation. */
  memory: Record<string, unknown>;
  /** Of the server, over all conversations of one key: a rate limit counts here. */
  shared: Record<string, unknown>;
}

export interface ToolCall {
  name: string;
  /** A string goes out as it is, broken or empty; anything else as JSON. */
  arguments: JsonValue;
  /** Default: a new one. */
  id?: string;
}

export interface Usage {
  input: number;
  output: number;
  /** Of `input`: read from the provider's cache. */
  cacheRead?: number;
  reasoning?: number;
}

export interface MessageAnswer {
  kind: 'message';
  text?: string;
  reasoning?: string;
  calls?: ToolCall[];
  /** Default: `tool_calls` with calls, else `stop`. Null: none is sent, as by a server that was cut. */
  finish?: 'stop' | 'length' | 'tool_calls' | 'content_filter' | null;
  /** Default: estimated. Null: the server reports none. */
  usage?: Usage | null;
  /**
   * The connection is cut: before the first byte of the body, in the middle of the text, in the middle of the last call's arguments, or after everything but the end mark.
   * `quiet` ends the stream in order instead, without finish reason and end mark.
   */
  drop?: { at: 'start' | 'text' | 'call' | 'end'; quiet?: boolean };
  /** Awaited before each chunk: a gate of the test, or `pause(ms)` by the clock. */
  between?: () => Promise<unknown>;
  /** Characters of a chunk; default 12, and more where a text or a call would be over a hundred chunks. */
  chunk?: number;
}

export type Answer =
  | MessageAnswer
  /** `retryAfter` goes out as the header, seconds or a date. */
  | { kind: 'error'; status: number; message: string; type?: string; code?: string; retryAfter?: number | string; headers?: Record<string, string> }
  /** Accepts the request and never answers; ends when the caller gives up or the server stops. `after` of the head: headers are sent, then silence. */
  | { kind: 'hang'; headers?: boolean }
  /** The connection is closed without an answer. */
  | { kind: 'reset' }
  | { kind: 'raw'; status: number; headers?: Record<string, string>; body: string };

export type Script = (turn: Turn) => Answer | Promise<Answer>;

export const say = (text: string, more: Partial<MessageAnswer> = {}): MessageAnswer => ({ kind: 'message', text, ...more });

/** One message with these calls, in this order. */
export const use = (calls: ToolCall | ToolCall[], more: Partial<MessageAnswer> = {}): MessageAnswer => ({
  kind: 'message',
  calls: Array.isArray(calls) ? calls : [calls],
  ...more,
});

export const call = (name: string, args: JsonValue = {}): ToolCall => ({ name, arguments: args });

/** 429, with the wait in seconds. */
export const tooMany = (retryAfter?: number | string, message = 'Rate limit reached for requests'): Answer => ({
  kind: 'error',
  status: 429,
  type: 'requests',
  code: 'rate_limit_exceeded',
  message,
  ...(retryAfter === undefined ? {} : { retryAfter }),
});

export const pause =
  (ms: number): (() => Promise<void>) =>
  () =>
    new Promise((resolve) => setTimeout(resolve, ms));

/** Plays the scripts one after another, one per request of a conversation; the last goes on for good. */
export const inTurn =
  (...steps: (Answer | Script)[]): Script =>
  (turn) => {
    const step = steps[Math.min(turn.before, steps.length - 1)];
    if (step === undefined) throw new Error('a script of no steps');
    return typeof step === 'function' ? step(turn) : step;
  };

/**
 * Passes the test that the host makes of a model before the first round that needs it, and plays the script in every other conversation. For scripts that carry rounds; one that is
 * itself put to the test goes without.
 */
export const passesTest =
  (script: Script): Script =>
  (turn) => {
    if (!isTest(turn.request)) return script(turn);
    return turn.results.length > 0 ? say('Done.') : use(call('read_back', { word: 'harbour' }));
  };

/** Whether the host tests the model, as far as can be told from what it offers. */
export const isTest = (request: CompletionRequest): boolean => request.tools?.length === 1 && request.tools[0]?.function.name === 'read_back';
