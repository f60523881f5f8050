/** One tool of a remote MCP server, as a round calls it. Its description is the server's text: data, like everything else it says. */
import type { CallToolResult, ListToolsResult, MCPClient } from '@ai-sdk/mcp';
import { refuse } from '../../domain/refusals.ts';
import type { Json } from '../../domain/values.ts';
import { done, no, plain } from '../answers.ts';
import { cleanJson } from '../clean.ts';
import { messageOf, permitOver, settled, unsent } from '../outside.ts';
import type { Tool, ToolAnswer, ToolEnv } from '../tool.ts';
import { guardOf } from './problem.ts';
import { remoteSchema } from './schema.ts';

export type RemoteDefinition = ListToolsResult['tools'][number];

const TIMEOUT = 60_000;
/** Characters of an answer that an agent sees. */
const SHOWN = 64 * 1024;
/** JSON-RPC codes that say that the call was not carried out: no such method, wrong parameters. */
const notCarriedOut: ReadonlySet<number> = new Set([-32600, -32601, -32602, -32700]);

/** The longest name that a call on record has. */
const NAME_LIMIT = 80;

/** `readOnly`: the workspace says so; the server's own annotation alone is a claim of a stranger. `wrong`: it is not offered, and why. */
export function remoteTool(server: string, definition: RemoteDefinition, client: Pick<MCPClient, 'callTool'>, readOnly: boolean): { tool: Tool } | { wrong: string } {
  const name = `mcp.${server}.${definition.name}`;
  if (name.length > NAME_LIMIT) return { wrong: `its name has more than ${NAME_LIMIT} characters` };
  const read = remoteSchema(definition.inputSchema);
  if ('wrong' in read) return read;
  const reads = readOnly && definition.annotations?.readOnlyHint === true;
  const said = (definition.description ?? definition.title ?? '').slice(0, 2000);
  const how = reads
    ? 'It only reads.'
    : 'It may change something outside: it waits for a person unless a rule allows it, is sent once, and is not repeated while its outcome is unknown; it has no idempotency key.';
  return {
    tool: {
      name,
      description: `A tool of the remote server ${server}. ${how} The server says of it: ${said}`,
      // Who judges changes nothing.
      lanes: reads ? ['worker', 'coordinator', 'reviewer'] : ['worker', 'coordinator'],
      input: read.input,
      schema: read.schema,
      effect: reads ? 'none' : 'outside',
      policy: reads ? 'allow' : 'ask',
      timeoutMs: TIMEOUT,
      subject: (args) => `${name} ${firstWord(args as Json)}`.trim(),
      run: (args, env) => call(definition.name, args as { [key: string]: Json }, client, env, reads),
    },
  };
}

async function call(name: string, args: { [key: string]: Json }, client: Pick<MCPClient, 'callTool'>, env: ToolEnv, reads: boolean): Promise<ToolAnswer> {
  if (!reads) {
    if (!env.permit) return no('forbidden', { detail: 'there is no permit for this call' });
    const late = permitOver(env);
    if (late) return unsent(env, late);
  }
  let result: CallToolResult;
  try {
    result = await client.callTool({ name, arguments: args, options: { timeout: env.permit?.timeout ?? TIMEOUT } });
  } catch (error) {
    const guard = guardOf(error);
    if (guard && !guard.sent) return reads ? { ok: false, refusal: guard.refusal } : unsent(env, guard.refusal);
    const code = error instanceof Error && 'code' in error && typeof error.code === 'number' ? error.code : undefined;
    if (reads) return no('unavailable', { detail: `${name} did not answer: ${messageOf(error)}` });
    return settled(env, code !== undefined && notCarriedOut.has(code) ? 'failed' : 'unknown', { error: messageOf(error) });
  }
  const said = shown(result);
  if (reads) return result.isError ? { ok: false, refusal: refuse('unavailable', { detail: `${name} says that it failed`, current: said }) } : done(said, `${name} answered`);
  return settled(env, result.isError ? 'failed' : 'succeeded', said);
}

/** Texts and structured content; of pictures and other bytes only what they are. */
function shown(result: CallToolResult): { [key: string]: Json } {
  const { content, structuredContent, toolResult } = result as { content?: unknown[]; structuredContent?: Json; toolResult?: Json };
  const parts = (content ?? []).map((part): Json => {
    const { type, text, mimeType, uri } = part as { type?: string; text?: string; mimeType?: string; uri?: string };
    return typeof text === 'string' && type === 'text' ? text : plain({ type: type ?? 'unknown', mimeType, uri });
  });
  const value = plain({ content: parts.length === 1 && typeof parts[0] === 'string' ? parts[0] : parts, structured: structuredContent, result: toolResult });
  const text = JSON.stringify(value);
  const kept: { [key: string]: Json } = text.length <= SHOWN ? value : { content: text.slice(0, SHOWN), truncated: true, characters: text.length };
  return cleanJson(kept).value as { [key: string]: Json };
}

/** What the call is about, as far as a stranger's arguments tell: drift is judged by it. */
function firstWord(args: Json): string {
  if (args === null || typeof args !== 'object' || Array.isArray(args)) return '';
  const value = Object.values(args).find((each) => typeof each === 'string' || typeof each === 'number');
  return value === undefined ? '' : String(value).slice(0, 80);
}
