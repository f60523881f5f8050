/**
 * `/mcp`: Longhaul as an MCP server over streamable HTTP, so that an agent outside reads goals and works at items with the credentials of the API. It speaks the revision of 2026 and those of
 * 2025, and keeps nothing between two requests: no session, and no stream that would have to be found again.
 */
import { createMcpHandler, ProtocolError, ProtocolErrorCode, ResourceNotFoundError, Server } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { type Refusal, refuse } from '../../domain/refusals.ts';
import type { Json } from '../../domain/values.ts';
import { errorOf, log } from '../../observe/log.ts';
import { jsonWithoutKeys } from '../../observe/redactor.ts';
import { parameters } from '../parameters.ts';
import { schemaRefusal } from '../problem.ts';
import type { CallerCall } from '../route.ts';
import { Desk, type Told } from './desk.ts';
import { commandsOf, readingTools } from './reading.ts';
import { listResources, readResource, resourceTemplates } from './resources.ts';
import type { McpTool } from './tool.ts';
import { workingTools } from './working.ts';

/** Bytes of a request: a file of 5 MB in base64, and what stands around it. */
const maxRequestBytes = 8_000_000;
const tools: readonly McpTool[] = [...readingTools, ...workingTools];
const byName = new Map(tools.map((each) => [each.name, each]));
const asked = z.strictObject({ workspace: z.string().min(1).max(100).optional() });

const instructions = `Longhaul hosts long tasks: a goal has a contract, and its work items form a graph. To work on one: work_ready, work_claim (gives a fence and a lease), read the brief,
work_heartbeat every few minutes, file_put, submit; ask when only somebody else can answer; work_release to give it back. Others review what you submit: see item_get.
A tool error says its code, what is current and what to do. After fence_stale, round_superseded or lease_lost stop: the item is not yours any more.`;

type Schema = Record<string, unknown> & { type: 'object' };
const schemas = new WeakMap<McpTool, Schema>();

/** Made when somebody first lists tools: most requests call one. */
function schemaOf(tool: McpTool): Schema {
  let schema = schemas.get(tool);
  if (!schema) {
    const { $schema: _, ...made } = z.toJSONSchema(tool.input, { io: 'input', unrepresentable: 'any' });
    schema = made as Schema;
    schemas.set(tool, schema);
  }
  return schema;
}

/** `command` names the types that the caller may give. Others are refused by their route, with a code. */
function definitionOf(tool: McpTool, desk: Desk) {
  const schema = schemaOf(tool);
  const inputSchema = tool.name === 'command' ? { ...schema, properties: { ...(schema.properties as object), type: { type: 'string', enum: commandsOf(desk) } } } : schema;
  return { name: tool.name, title: tool.title, description: tool.description, inputSchema, annotations: { readOnlyHint: tool.reads, openWorldHint: false } };
}

function resultOf(told: Told) {
  // Text for a model that sees no structure; the same words. A refusal may quote what was sent.
  const structuredContent = (told.ok ? told.value : jsonWithoutKeys(told.problem as unknown as Json)) as Record<string, unknown>;
  return { ...(told.ok ? {} : { isError: true }), structuredContent, content: [{ type: 'text' as const, text: JSON.stringify(structuredContent) }] };
}

async function called(desk: Desk, tool: McpTool, given: unknown): Promise<Told> {
  const args = tool.input.safeParse(given ?? {});
  return args.success ? tool.call(desk, args.data) : desk.refused(schemaRefusal(args.error));
}

export function serverFor(desk: Desk): Server {
  const server = new Server({ name: 'longhaul', title: 'Longhaul', version: '1' }, { capabilities: { tools: {}, resources: {} }, instructions });
  server.setRequestHandler('tools/list', async () => ({ tools: tools.map((each) => definitionOf(each, desk)) }));
  server.setRequestHandler('tools/call', async ({ params }) => {
    const tool = byName.get(params.name);
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${params.name}.`);
    return resultOf(await called(desk, tool, params.arguments));
  });
  server.setRequestHandler('resources/templates/list', async () => ({ resourceTemplates }));
  server.setRequestHandler('resources/list', async ({ params }) => {
    const page = await listResources(desk, params?.cursor);
    if (!page.ok) throw new ProtocolError(ProtocolErrorCode.InvalidParams, page.problem.detail, page.problem);
    return page.value;
  });
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    const found = await readResource(desk, uri);
    if (!found || (!found.ok && found.problem.code === 'not_found')) throw new ResourceNotFoundError(uri);
    if (!found.ok) throw new ProtocolError(ProtocolErrorCode.InvalidParams, found.problem.detail, found.problem);
    return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(found.value) }] };
  });
  return server;
}

/** The workspace of the credential. A person in several says which in the query; one that is not theirs is not there. */
function workspaceOf(call: CallerCall): string | Refusal {
  const given = parameters(asked, call.query);
  if (!given.ok) return given.refusal;
  const theirs = [...call.caller.memberships.keys()];
  const { workspace } = given.value;
  if (workspace !== undefined) return theirs.includes(workspace) ? workspace : refuse('not_found');
  const [only] = theirs;
  if (only === undefined) return refuse('not_found');
  return theirs.length === 1
    ? only
    : refuse('schema_invalid', { errors: [{ pointer: '/query/workspace', code: 'required', detail: 'You are in several workspaces: /mcp?workspace=...' }] });
}

/** `serverOf`: what is served, behind the door and the transport that every request goes through. */
export function mcpRouteOf(serverOf: (desk: Desk) => Server) {
  return async (call: CallerCall): Promise<Response | Refusal> => {
    const workspace = workspaceOf(call);
    if (typeof workspace !== 'string') return workspace;
    const desk = new Desk(call, workspace);
    const onerror = (error: Error) => log('info', 'http', 'mcp.refused', { requestId: call.requestId, error: errorOf(error) });
    const handler = createMcpHandler(() => serverOf(desk), { maxRequestBodySize: maxRequestBytes, maxSubscriptions: 1, keepAliveMs: 0, onerror });
    const answer = await handler.fetch(call.request);
    // Nothing is announced here: a subscription is acknowledged, with nothing in it, and is over.
    if (call.request.headers.get('mcp-method') === 'subscriptions/listen') await handler.close();
    return answer;
  };
}

export const mcpRoute = mcpRouteOf(serverFor);
