/**
 * What hosted models refuse although lenient local servers let it pass. The server refuses it as well, so that a test fails where a real provider would.
 * A finding is the message of a 400.
 */
import type { CompletionRequest, Message } from './script.ts';
import { textOf } from './turn.ts';

const toolName = /^[a-zA-Z0-9_-]{1,64}$/;
const roles = new Set(['system', 'developer', 'user', 'assistant', 'tool']);

export function wrongWith(request: CompletionRequest): string | undefined {
  if (typeof request.model !== 'string' || request.model === '') return 'you must provide a model parameter';
  if (!Array.isArray(request.messages) || request.messages.length === 0) return "[] is too short - 'messages'";
  return wrongTools(request) ?? wrongHistory(request.messages);
}

function wrongTools(request: CompletionRequest): string | undefined {
  const names = new Set<string>();
  for (const [index, tool] of (request.tools ?? []).entries()) {
    const { name, parameters } = tool.function;
    if (!toolName.test(name)) return `Invalid 'tools[${index}].function.name': string does not match pattern '^[a-zA-Z0-9_-]{1,64}$'`;
    if (names.has(name)) return `Invalid 'tools': the name '${name}' is there twice`;
    names.add(name);
    if (parameters !== undefined && parameters.type !== 'object')
      return `Invalid schema for function '${name}': schema must be a JSON Schema of 'type: "object"', got 'type: ${JSON.stringify(parameters.type)}'`;
  }
  return undefined;
}

/** Every call has exactly one result, after the message that made it and before anything else; arguments in the history are JSON; texts are well formed. */
function wrongHistory(messages: readonly Message[]): string | undefined {
  let open = new Set<string>();
  const seen = new Set<string>();
  for (const [index, message] of messages.entries()) {
    if (!roles.has(message.role)) return `Invalid value: '${message.role}' - 'messages[${index}].role'`;
    if (!textOf(message).isWellFormed()) return `'messages[${index}].content' is no valid Unicode`;
    if (message.role === 'tool') {
      const id = message.tool_call_id ?? '';
      if (!open.delete(id)) return `Invalid parameter: 'messages[${index}]' with role 'tool' must be a response to a preceding message with 'tool_calls'`;
      continue;
    }
    if (open.size > 0) return unanswered(open);
    const calls = message.tool_calls ?? [];
    for (const made of calls) {
      if (seen.has(made.id)) return `Duplicate value for 'tool_call_id' of '${made.id}' in 'messages[${index}]'`;
      seen.add(made.id);
      try {
        const value: unknown = JSON.parse(made.function.arguments);
        if (value === null || typeof value !== 'object' || Array.isArray(value)) return `'messages[${index}].tool_calls' has arguments that are no object`;
      } catch {
        return `'messages[${index}].tool_calls' has arguments that are no JSON`;
      }
    }
    open = new Set(calls.map((made) => made.id));
  }
  return open.size > 0 ? unanswered(open) : undefined;
}

const unanswered = (open: ReadonlySet<string>) =>
  `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${[...open].join(', ')}`;
